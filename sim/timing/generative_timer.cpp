#include "sim/timing/generative_timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::sim {
namespace {

double pairs(const ShardedModel& model, double new_tokens, double past_tokens) {
  return model.is_encoder() ? new_tokens * (past_tokens + new_tokens) : causal_pairs(new_tokens, past_tokens);
}

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

StepWork::StepWork(const ShardedModel& whole, const ShardedModel& rank) {
  const double layers = whole.layers();
  flops_per_token_ = 2 * layers * whole.layer_parameters();
  flops_per_head_row_ = 2 * whole.head_parameters();
  flops_per_pair_ = 4 * layers * static_cast<double>(whole.heads() * whole.head_dim());
  const double matrices = layers * rank.layer_parameters() * weight_bytes_per_parameter(rank.precisions().weights);
  const double head = rank.head_parameters() * weight_bytes_per_parameter(rank.precisions().head);
  weight_bytes_ = (matrices + head) * rank.tensor_parallel();
  bytes_per_token_ = bytes_of_token(rank);
  kv_bytes_ = rank.kv_bytes_per_token() * rank.tensor_parallel();
}

GenerativeTimer::GenerativeTimer(const ShardedModel& whole, ShardedModel rank, std::unique_ptr<KernelTimes> kernels,
                                 StepOverheads overheads, ReplicaPeaks peaks)
    : rank_(std::move(rank)),
      kernels_(std::move(kernels)),
      overheads_(std::move(overheads)),
      peaks_(peaks),
      work_(whole, rank_) {
  const double layers = rank_.layers();
  layers_ = TokenTable([&](std::int64_t tokens) {
    double seconds = 0;
    for (const Operator& op : rank_.token_operators(tokens)) seconds += op.count * kernels_->seconds(op);
    return layers * seconds;
  });
  head_ = TokenTable([&](std::int64_t rows) { return rank_.is_encoder() ? 0.0 : kernels_->seconds(rank_.head(rows)); });
  if (!rank_.is_encoder()) {
    decode_ = DecodeTable([&](std::int64_t sequences, std::int64_t context) {
      return layers * kernels_->seconds(rank_.decode_attention(sequences, context));
    });
    constexpr std::int64_t kLongContext = 16384;
    past_token_s_ = layers * kernels_->seconds(rank_.decode_attention(1, kLongContext)) / kLongContext;
  }
  prefill_ = PrefillTable([&](std::int64_t new_tokens, std::int64_t past_tokens) {
    const double seconds = kernels_->seconds(rank_.prefill_attention(new_tokens, past_tokens));
    return layers * seconds / pairs(rank_, static_cast<double>(new_tokens), static_cast<double>(past_tokens));
  });
  host_ticks_ = Time::from_seconds(overheads_.host_s).ticks();
  sequence_ticks_ = Time::from_seconds(overheads_.sequence_s).ticks();
  launch_ticks_ = Time::from_seconds(overheads_.launches_s).ticks();
  const double kernels_part = kernels_error();
  relative_error_ = std::sqrt(overheads_.relative_error * overheads_.relative_error + kernels_part * kernels_part);
}

StepCost GenerativeTimer::iteration(const IterationShape& shape) const {
  std::int64_t tokens = shape.decode_sequences;
  double prefill_s = 0, prefill_pairs = 0, prefill_past = 0;
  for (const PrefillChunk& chunk : shape.prefill) {
    const double new_tokens = static_cast<double>(chunk.new_tokens), past = static_cast<double>(chunk.past_tokens);
    const double work = pairs(rank_, new_tokens, past);
    tokens += chunk.new_tokens;
    // A short last chunk of a long prompt still reads the whole cache, as a decoding sequence does.
    prefill_s += std::max(work * prefill_.seconds_per_pair(chunk.new_tokens, chunk.past_tokens), past * past_token_s_);
    prefill_pairs += work;
    prefill_past += past;
  }
  const auto sequences = shape.decode_sequences + static_cast<std::int64_t>(shape.prefill.size());
  return cost(tokens, sequences, prefill_s, prefill_pairs, prefill_past, shape.decode_sequences,
              shape.decode_context_tokens);
}

StepCost GenerativeTimer::batch(std::int64_t items, std::int64_t tokens) const {
  const double count = static_cast<double>(items);
  const double work = count * pairs(rank_, static_cast<double>(tokens), 0);
  return cost(items * tokens, items, work * prefill_.seconds_per_pair(tokens, 0), work, 0, 0, 0);
}

StepCost GenerativeTimer::cost(std::int64_t tokens, std::int64_t sequences, double prefill_s, double prefill_pairs,
                               double prefill_past, std::int64_t decodes, std::int64_t context) const {
  if (tokens <= 0) return {};
  std::int64_t kernels = layers_.ticks(tokens) + head_.ticks(sequences);
  if (decodes > 0) kernels += decode_.ticks(decodes, context);
  if (prefill_s > 0) kernels += Time::from_seconds(prefill_s).ticks();
  kernels = overheads_.launches_overlap ? std::max(kernels, launch_ticks_) : kernels + launch_ticks_;
  StepCost result;
  result.duration = Time::from_ticks(host_ticks_ + sequences * sequence_ticks_ + kernels);
  const double rows = static_cast<double>(tokens), read = static_cast<double>(context);
  result.flops = work_.flops(rows, static_cast<double>(sequences), prefill_pairs, read);
  result.bytes = work_.bytes(rows, read + prefill_past);
  return result;
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
  notes.insert(notes.end(), overheads_.notes.begin(), overheads_.notes.end());
  return notes;
}

}  // namespace weir::sim
