#pragma once

#include <cstdint>
#include <span>

namespace weir::sim {

/// What a prompt holds, as far as a prefix cache can tell: two prompts with the same leading hashes begin with the same
/// tokens. hashes[i] stands for tokens [i, i + 1) x tokens_per_hash AND everything before them. Past the hashes a
/// prompt is like no other, except that turns of one session share their leading tokens (each turn repeats the ones
/// before).
struct PromptContent {
  std::span<const std::uint64_t> hashes;
  std::int32_t tokens_per_hash = 16;
  std::int64_t session = -1;  ///< -1 = none
};

}  // namespace weir::sim
