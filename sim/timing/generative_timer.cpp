#include "sim/timing/generative_timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::sim {
namespace {

constexpr std::int64_t kLongContext = 16384;

/// What moves between the kernels for one token, its experts apart.
double bytes_of_token(const ShardedModel& model) {
  constexpr std::int64_t kOne = 1;
  double all = 0;
  for (const LayerKind kind : {LayerKind::dense, LayerKind::experts}) {
    if (model.layers(kind) == 0) continue;
    double bytes = 0;
    for (const Operator& op : model.token_operators(kOne, kind)) {
      if (op.kind == OperatorKind::all_reduce) continue;  // over the link, not from memory
      const double weights = op.kind == OperatorKind::gemm ? static_cast<double>(op.n) * static_cast<double>(op.k) *
                                                                 weight_bytes_per_parameter(op.weights, op.sparse)
                                                           : 0;
      bytes += op.count * (op.bytes - weights);
    }
    all += model.layers(kind) * bytes;
  }
  return all * model.tensor_parallel();
}

}  // namespace

WorkRates work_rates_of(const ShardedModel& whole, const ShardedModel& rank) {
  const double full_layers = whole.layers() - whole.window_layers();
  const Sharding& ranks = rank.sharding();
  WorkRates work;
  work.flops_per_token = 2 * whole.active_parameters();
  work.flops_per_row = 2 * whole.head_parameters();
  // Operations as a prompt has them: 2 x (key width + value width) a pair.
  const Operator pair = whole.prefill_attention(2, 0);
  work.flops_per_pair = whole.is_encoder() ? pair.flops / 4 * full_layers : pair.flops / 2 * full_layers;
  const double head = rank.head_parameters() * weight_bytes_per_parameter(rank.precisions().head);
  work.bytes_per_step = (rank.step_weight_bytes() * ranks.pipeline + head) * ranks.tensor * ranks.expert;
  if (whole.has_experts()) {
    work.experts = std::make_shared<const ExpertLoad>(*whole.experts());
    work.bytes_per_expert = whole.layers(LayerKind::experts) * whole.expert_weight_bytes();
  }
  work.bytes_per_token = bytes_of_token(rank) * ranks.pipeline;
  work.bytes_per_context_token =
      (rank.kv_bytes_per_token() - rank.window_kv_bytes_per_token()) * ranks.tensor * ranks.pipeline;
  return work;
}

GenerativeTimer::GenerativeTimer(const ShardedModel& whole, ShardedModel rank, std::unique_ptr<KernelTimes> kernels,
                                 const StepOverheads& overheads, ReplicaPeaks peaks, int micro_batches)
    : rank_(std::move(rank)),
      kernels_(std::move(kernels)),
      overhead_notes_(overheads.notes),
      peaks_(peaks),
      work_(work_rates_of(whole, rank_)),
      pass_gap_s_(overheads.pass_gap_s) {
  const Sharding& ranks = rank_.sharding();
  if (ranks.pipeline == 1 && ranks.expert == 1 && rank_.window_layers() == 0) {
    make_plain(overheads);
  } else {
    const int most = ranks.pipeline == 1 ? 1 : micro_batches > 0 ? micro_batches : ranks.pipeline;
    for (int m = 1; m <= most; ++m) divided_.push_back(make_divided(overheads, m));
  }
  const double kernels_part = kernels_error();
  relative_error_ = std::sqrt(overheads.relative_error * overheads.relative_error + kernels_part * kernels_part);
}

double GenerativeTimer::sum_seconds(const std::vector<Operator>& operators) const {
  double seconds = 0, count = 0;
  for (const Operator& op : operators) {
    seconds += op.count * kernels_->seconds(op);
    count += op.count;
  }
  return seconds + count * pass_gap_s_;
}

/// All layers of the stage without attention and experts.
double GenerativeTimer::tokens_s(std::int64_t tokens) const {
  double seconds = 0;
  for (const LayerKind kind : {LayerKind::dense, LayerKind::experts}) {
    const int layers = rank_.layers(kind);
    if (layers > 0) seconds += layers * (sum_seconds(rank_.token_operators(tokens, kind)) + pass_gap_s_);
  }
  return seconds;
}

/// `tokens` of each group.
double GenerativeTimer::experts_s(std::int64_t tokens) const {
  if (!rank_.has_experts()) return 0;
  return rank_.layers(LayerKind::experts) * sum_seconds(rank_.expert_operators(tokens * rank_.sharding().expert));
}

void GenerativeTimer::make_plain(const StepOverheads& overheads) {
  const double layers = rank_.layers();
  tables_.tokens = TokenTable([&](std::int64_t tokens) { return tokens_s(tokens) + experts_s(tokens); });
  tables_.rows =
      TokenTable([&](std::int64_t rows) { return rank_.is_encoder() ? 0.0 : kernels_->seconds(rank_.head(rows)); });
  double past_token_s = 0;
  if (!rank_.is_encoder()) {
    tables_.decode = DecodeTable([&](std::int64_t sequences, std::int64_t context) {
      return layers * kernels_->seconds(rank_.decode_attention(sequences, context));
    });
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
}

DividedTables GenerativeTimer::make_divided(const StepOverheads& overheads, int micro_batches) const {
  const Sharding& ranks = rank_.sharding();
  const double slots = micro_batches + ranks.pipeline - 1;
  const double windowed = slots * rank_.window_layers(), full = slots * rank_.layers() - windowed;
  DividedTables tables;
  tables.split = static_cast<std::int64_t>(ranks.expert) * micro_batches;
  tables.window = rank_.window_layers() > 0 ? rank_.window() : 0;
  tables.tokens = TokenTable([&](std::int64_t tokens) {
    const double send_s = ranks.pipeline > 1 ? kernels_->seconds(rank_.stage_send(tokens)) : 0;
    return slots * (tokens_s(tokens) + send_s + (ranks.expert == 1 ? experts_s(tokens) : 0));
  });
  tables.experts = TokenTable([&](std::int64_t tokens) { return ranks.expert == 1 ? 0.0 : slots * experts_s(tokens); });
  tables.rows = TokenTable([&](std::int64_t rows) { return slots * kernels_->seconds(rank_.head(rows)); });
  const auto decode_s = [&](std::int64_t sequences, std::int64_t context, bool window) {
    const std::int64_t part = (sequences + tables.split - 1) / tables.split;
    const auto of_part = static_cast<std::int64_t>(
        static_cast<double>(context) / static_cast<double>(sequences) * static_cast<double>(part) + 0.5);
    return kernels_->seconds(rank_.decode_attention(part, of_part, window));
  };
  const double past_token_s = kernels_->seconds(rank_.decode_attention(1, kLongContext)) / kLongContext;
  tables.decode = DecodeTable([&](std::int64_t n, std::int64_t context) { return full * decode_s(n, context, false); });
  tables.prefill = PrefillTable(
      [&](std::int64_t new_tokens, std::int64_t past_tokens) {
        const double pairs = static_cast<double>(query_key_pairs({new_tokens, past_tokens}, true));
        return full * kernels_->seconds(rank_.prefill_attention(new_tokens, past_tokens)) / pairs;
      },
      full * past_token_s, true);
  if (tables.window > 0) {
    tables.window_decode =
        DecodeTable([&](std::int64_t n, std::int64_t context) { return windowed * decode_s(n, context, true); });
    tables.window_prefill = PrefillTable(
        [&](std::int64_t new_tokens, std::int64_t past_tokens) {
          const double pairs = static_cast<double>(window_pairs(new_tokens, past_tokens, tables.window));
          return windowed * kernels_->seconds(rank_.prefill_attention(new_tokens, past_tokens, true)) / pairs;
        },
        windowed * past_token_s, true);
  }
  tables.host_ticks = Time::from_seconds(overheads.host_s).ticks();
  tables.sequence_ticks = Time::from_seconds(overheads.sequence_s).ticks();
  tables.launch_ticks = Time::from_seconds(slots * overheads.launches_s).ticks();
  tables.launches_overlap = overheads.launches_overlap;
  return tables;
}

/// A micro-batch has at least one sequence of each group.
const DividedTables& GenerativeTimer::divided(std::int64_t sequences) const {
  const std::int64_t of_group = (sequences + rank_.sharding().expert - 1) / rank_.sharding().expert;
  const auto most = static_cast<std::int64_t>(divided_.size());
  return divided_[static_cast<std::size_t>(std::clamp<std::int64_t>(of_group, 1, most) - 1)];
}

Time GenerativeTimer::verification(std::int64_t sequences, std::int64_t rows_per_sequence,
                                   std::int64_t context_tokens) const {
  if (!divided_.empty()) {
    return Time::from_ticks(divided(sequences).verification_ticks(sequences, rows_per_sequence, context_tokens));
  }
  const IterationTables& t = tables_;
  const std::int64_t all = sequences * rows_per_sequence;
  const std::int64_t kernels = t.tokens.ticks(all) + t.rows.ticks(all) + t.decode.ticks(sequences, context_tokens);
  return Time::from_ticks(t.host_ticks + sequences * t.sequence_ticks +
                          (t.launches_overlap ? std::max(kernels, t.launch_ticks) : kernels + t.launch_ticks));
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
    operators = rank_.token_operators(kSequences, rank_.has_experts() ? LayerKind::experts : LayerKind::dense);
    operators.push_back(rank_.decode_attention(kSequences, kSequences * kContext));
    for (const Operator& op : rank_.expert_operators(kSequences * rank_.sharding().expert)) operators.push_back(op);
    operators.push_back(rank_.head(kSequences));
    operators.back().count = 1.0 / rank_.layers();
  }
  double total = 0, squares = 0;
  std::vector<double> by_kind(kOperatorKinds, 0.0);
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
