#pragma once

#include <sys/types.h>

#include <filesystem>

namespace weir::data {

/// Permissions of a file that takes the place of `target`: the target keeps its own, a new file gets the usual ones.
/// (Temporary files begin readable by their owner alone.)
mode_t mode_of_replacement(const std::filesystem::path& target);

}  // namespace weir::data
