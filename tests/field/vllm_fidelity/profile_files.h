#pragma once

#include <filesystem>
#include <string>

#include "sim/timing/profile_timer.h"

namespace weir::field {

/// What the folder of a profile says about itself (meta.yaml).
struct ProfileMeta {
  std::string gpu, model;
};
ProfileMeta read_profile_meta(const std::filesystem::path& folder);

/// dense.csv, attention.csv, per_sequence.csv and, of a mixture of experts, moe.csv of FOLDER/tpN, in the layout of
/// github.com/casys-kaist/LLMServingSim (times in microseconds of one call). Throws InputError: missing files, columns
/// or layers, cells that are no numbers, the same point twice.
sim::KernelProfile read_profile(const std::filesystem::path& folder, int tensor_parallel);

/// How many experts there are and how many a token chooses, as moe.csv shows: the most that were chosen, and how many
/// one token chose.
struct ExpertCounts {
  int experts = 0, per_token = 0;
};
ExpertCounts read_expert_counts(const std::filesystem::path& folder, int tensor_parallel);

}  // namespace weir::field
