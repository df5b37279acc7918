#pragma once

#include <filesystem>
#include <vector>

#include "probes/doctor.h"

namespace weir::probes {

/// The parts of examine_machine(), each for one file of the doctor.
std::vector<Finding> examine_cpu(const std::filesystem::path& root);
std::vector<Finding> examine_memory(const std::filesystem::path& root);
std::vector<Finding> examine_surroundings(const std::filesystem::path& root);  ///< virtualised, container, load
std::vector<Finding> examine_gpus(const std::filesystem::path& root);

}  // namespace weir::probes
