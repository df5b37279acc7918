#pragma once

#include <cstdint>
#include <vector>

#include "probes/workbench.h"

namespace weir::probes {

/// What the host does around the kernels of one decode step: it describes the batch (positions, block tables), gathers
/// the embedding rows of the last tokens, and picks the next token of each sequence from its logits (greedily).
class HostStep {
 public:
  HostStep(std::int64_t sequences, std::int64_t hidden, std::int64_t vocabulary);
  void run();

 private:
  std::int64_t sequences_, hidden_, vocabulary_, context_tokens_;
  std::vector<std::int32_t> block_order_, tokens_;
  std::vector<float> embedding_, rows_, logits_;
  SequenceBatch batch_;
};

}  // namespace weir::probes
