#include "sim/timing/generative_timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::sim {
namespace {

double bytes_of_token(const ShardedModel& model) {
  constexpr std::int64_t kOne = 1;
  double bytes = 0;
  for (const Operator& op : model.token_operators(kOne)) {
    if (op.kind == OperatorKind::all_reduce) continue;  // over the link, not from memory
    const double weights = op.kind == OperatorKind::gemm ? static_cast<double>(op.n) * static_cast<double>(op.k) *
                                                               weight_bytes_per_parameter(op.weights)
                                                         : 0;
    bytes += op.count * (op.bytes - weights);
  }
  return model.layers() * bytes * model.tensor_parallel();
}

}  // namespace

WorkRates work_rates_of(const ShardedModel& whole, const ShardedModel& rank) {
  const double layers = whole.layers();
  WorkRates work;
  work.flops_per_token = 2 * layers * whole.layer_parameters();
  work.flops_per_row = 2 * whole.head_parameters();
  work.flops_per_pair = 4 * layers * static_cast<double>(whole.heads() * whole.head_dim());
  const double matrices = layers * rank.layer_parameters() * weight_bytes_per_parameter(rank.precisions().weights);
  const double head = rank.head_parameters() * weight_bytes_per_parameter(rank.precisions().head);
  work.bytes_per_step = (matrices + head) * rank.tensor_parallel();
  work.bytes_per_token = bytes_of_token(rank);
  work.bytes_per_context_token = rank.kv_bytes_per_token() * rank.tensor_parallel();
  return work;
}

GenerativeTimer::GenerativeTimer(const ShardedModel& whole, ShardedModel rank, std::unique_ptr<KernelTimes> kernels,
                                 const StepOverheads& overheads, ReplicaPeaks peaks)
    : rank_(std::move(rank)),
      kernels_(std::move(kernels)),
      overhead_notes_(overheads.notes),
      peaks_(peaks),
      work_(work_rates_of(whole, rank_)) {
  const double layers = rank_.layers();
  tables_.tokens = TokenTable([&](std::int64_t tokens) {
    double seconds = 0;
    for (const Operator& op : rank_.token_operators(tokens)) seconds += op.count * kernels_->seconds(op);
    return layers * seconds;
  });
  tables_.rows =
      TokenTable([&](std::int64_t rows) { return rank_.is_encoder() ? 0.0 : kernels_->seconds(rank_.head(rows)); });
  double past_token_s = 0;
  if (!rank_.is_encoder()) {
    tables_.decode = DecodeTable([&](std::int64_t sequences, std::int64_t context) {
      return layers * kernels_->seconds(rank_.decode_attention(sequences, context));
    });
    constexpr std::int64_t kLongContext = 16384;
    past_token_s = layers * kernels_->seconds(rank_.decode_attention(1, kLongContext)) / kLongContext;
  }
  const auto per_pair = [&](std::int64_t new_tokens, std::int64_t past_tokens) {
    const double seconds = kernels_->seconds(rank_.prefill_attention(new_tokens, past_tokens));
    return layers * seconds / static_cast<double>(query_key_pairs({new_tokens, past_tokens}, causal()));
  };
  tables_.prefill = PrefillTable(per_pair, past_token_s, causal());
  tables_.host_ticks = Time::from_seconds(overheads.host_s).ticks();
  tables_.sequence_ticks = Time::from_seconds(overheads.sequence_s).ticks();
  tables_.launch_ticks = Time::from_seconds(overheads.launches_s).ticks();
  tables_.launches_overlap = overheads.launches_overlap;
  const double kernels_part = kernels_error();
  relative_error_ = std::sqrt(overheads.relative_error * overheads.relative_error + kernels_part * kernels_part);
}

Time GenerativeTimer::batch(std::int64_t items, std::int64_t tokens) const {
  const std::vector<PrefillChunk> prompts(static_cast<std::size_t>(items), PrefillChunk{tokens, 0});
  return iteration({prompts, 0, 0, 0, {}});
}

/// How far the kernels' spreads move a typical step: shares of its time x spread, operators taken as independent. An
/// LLM step of 32 sequences with 1,024 tokens each, an encoder step of 8 x 128 tokens.
double GenerativeTimer::kernels_error() const {
  constexpr std::int64_t kSequences = 32, kContext = 1024, kItems = 8, kTokens = 128;
  std::vector<Operator> operators;
  if (rank_.is_encoder()) {
    operators = rank_.token_operators(kItems * kTokens);
    operators.push_back(rank_.prefill_attention(kTokens, 0));
    operators.back().count = kItems;
  } else {
    operators = rank_.token_operators(kSequences);
    operators.push_back(rank_.decode_attention(kSequences, kSequences * kContext));
    operators.push_back(rank_.head(kSequences));
    operators.back().count = 1.0 / rank_.layers();
  }
  double total = 0, squares = 0;
  std::vector<double> by_kind(static_cast<std::size_t>(OperatorKind::all_reduce) + 1, 0.0);
  for (const Operator& op : operators) {
    const double seconds = op.count * kernels_->seconds(op);
    total += seconds;
    by_kind[static_cast<std::size_t>(op.kind)] += seconds * kernels_->log_spread(op);  // same kind: wrong together
  }
  for (const double part : by_kind) squares += part * part;
  return total > 0 ? std::sqrt(squares) / total : 0;
}

std::vector<EvidenceNote> GenerativeTimer::evidence() const {
  std::vector<EvidenceNote> notes = kernels_->evidence();
  notes.insert(notes.end(), overhead_notes_.begin(), overhead_notes_.end());
  return notes;
}

}  // namespace weir::sim
