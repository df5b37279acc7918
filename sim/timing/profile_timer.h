#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/timing/group_timer.h"
#include "sim/timing/profile_tables.h"
#include "sim/timing/step_timer.h"
#include "sim/timing/uneven_decodes.h"

namespace weir::sim {

/// A cost of a layer (or of a step) by the number of tokens it runs on.
struct ProfiledPart {
  std::string name;
  LinearCurve seconds;  ///< of one call
  int calls = 1;        ///< in a layer
};

/// Kernel times of one rank of a deployment, as a layer profiler measures them: one layer, tensor-parallel shards on
/// one device, no collectives inside.
struct KernelProfile {
  std::vector<ProfiledPart> per_layer;  ///< by tokens; attention and experts apart
  std::vector<ProfiledPart> per_step;   ///< by tokens: embedding, last norm
  std::vector<ProfiledPart> per_row;    ///< by sequences: vocabulary projection, sampler
  AttentionTable attention;
  std::optional<ExpertTable> experts;
};

/// Between ranks: one collective of b bytes takes latency_s + b / bytes_per_s.
struct LinkCost {
  double latency_s = 0, bytes_per_s = 1;
};

struct ProfiledDeployment {
  int layers = 1;
  int hidden = 0;            ///< width of the residual stream
  double element_bytes = 2;  ///< of an activation
  int tensor_parallel = 1;   ///< all-reduce after attention, after the MLP and after the embedding
  int expert_ranks = 1;      ///< ranks that share the experts and step together
  int experts = 0, experts_per_token = 0;
  LinkCost link;
  std::int64_t multiprocessors = 0;                   ///< of the accelerator ...
  std::int64_t kv_heads = 0;                          ///< ... and KV heads of a rank: for uneven_decodes
  bool uneven_decodes = false;                        ///< needs decode_contexts in the shapes; see UnevenDecodes
  double peak_flops_per_s = 0, peak_bytes_per_s = 0;  ///< of all ranks
  double relative_error = 0;                          ///< see StepTimer
  std::string source;                                 ///< of the profile
};

/// A step's time from profiled kernels:
///   per_step(T) + layers x [per_layer(T) + attention(C, kp, n, kd) + experts + collectives] + per_row(sequences)
/// with T the (padded) tokens. Several prompt chunks count as one of C = all new tokens and as many query-key pairs
/// (kp follows; a sum of pairs that no past can give makes C smaller). Decodes count with their mean context kd, plus
/// UnevenDecodes in decode-only steps. The host's work is hidden behind the kernels of the step before.
///
/// Experts: the tokens of all ranks choose, evenly at random; each rank computes its share of both tokens and experts,
/// after an all-gather of activations and router logits and before a reduce-scatter. Ranks of a group are padded to the
/// largest when all are at most kLargestGraph tokens, wait for the slowest in every layer, and at the end.
///
/// Decode-only steps are exactly linear in ticks between measured contexts, so that fast-forward works, unless
/// uneven_decodes applies.
class ProfileTimer final : public StepTimer, public GroupTimer {
 public:
  static constexpr std::int64_t kLargestGraph = 512;

  /// Throws std::logic_error when the profile is empty or the deployment does not go with it.
  ProfileTimer(KernelProfile profile, ProfiledDeployment deployment);
  ProfileTimer(const ProfileTimer&) = delete;
  ProfileTimer& operator=(const ProfileTimer&) = delete;

  /// Of a deployment that is one rank (expert_ranks 1).
  Time iteration(const IterationShape& shape) const override { return group_iteration({&shape, 1}); }
  Time group_iteration(std::span<const IterationShape> ranks) const override;
  /// The profile has no one-shot work: std::logic_error.
  Time batch(std::int64_t items, std::int64_t tokens) const override;
  DecodeRun decode_run(const IterationShape& shape) const override;

  double peak_flops_per_s() const override { return deployment_.peak_flops_per_s; }
  double peak_bytes_per_s() const override { return deployment_.peak_bytes_per_s; }
  double relative_error() const override { return deployment_.relative_error; }
  std::vector<EvidenceNote> evidence() const override;

 private:
  std::int64_t rank_ticks(const IterationShape& shape, double tokens) const;
  std::int64_t attention_ticks(const IterationShape& shape) const;
  /// All layers, from this step on.
  DecodeRun decode_attention(std::int64_t sequences, std::int64_t context_tokens) const;
  bool is_uneven(const IterationShape& shape) const;
  double mixed_attention_seconds(const IterationShape& shape) const;
  double expert_seconds(double most_tokens, double all_tokens) const;
  double all_reduce_seconds(double tokens) const;

  KernelProfile profile_;
  ProfiledDeployment deployment_;
  std::optional<UnevenDecodes> uneven_;
};

}  // namespace weir::sim
