#include "sim/timing/profile_timer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace weir::sim {
namespace {

double seconds_of(const std::vector<ProfiledPart>& parts, double x) {
  double sum = 0;
  for (const ProfiledPart& part : parts) sum += part.calls * part.seconds.at(x);
  return sum;
}

std::int64_t ticks_of(double seconds) { return Time::from_seconds(seconds).ticks(); }

std::int64_t tokens_of(const IterationShape& shape) {
  std::int64_t tokens = shape.decode_sequences;
  for (const PrefillChunk& chunk : shape.prefill) tokens += chunk.new_tokens;
  return tokens;
}

double rows_of(const IterationShape& shape) {
  return static_cast<double>(shape.decode_sequences + static_cast<std::int64_t>(shape.prefill.size()));
}

/// Integer powers without libm: the same bits everywhere.
double power(double base, std::int64_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base) {
    if ((exponent & 1) != 0) result *= base;
  }
  return result;
}

}  // namespace

ProfileTimer::ProfileTimer(KernelProfile profile, ProfiledDeployment deployment)
    : profile_(std::move(profile)), deployment_(std::move(deployment)) {
  const ProfiledDeployment& d = deployment_;
  if (profile_.per_layer.empty() || profile_.attention.chunk_axis().empty()) {
    throw std::logic_error("ProfileTimer: no layer or no attention profile");
  }
  if (d.layers < 1 || d.tensor_parallel < 1 || d.expert_ranks < 1 || d.link.bytes_per_s <= 0) {
    throw std::logic_error("ProfileTimer: layers, ranks and bandwidth are positive");
  }
  if (profile_.experts &&
      (d.experts < d.experts_per_token || d.experts_per_token < 1 || d.experts % d.expert_ranks != 0)) {
    throw std::logic_error("ProfileTimer: experts do not go with ranks");
  }
  if (d.uneven_decodes) uneven_.emplace(profile_.attention, d.multiprocessors, d.kv_heads);
}

Time ProfileTimer::group_iteration(std::span<const IterationShape> ranks) const {
  std::vector<double> tokens;
  bool graphs = true;
  double most = 0, all = 0;
  for (const IterationShape& shape : ranks) {
    const std::int64_t t = shape.padded_tokens > 0 ? shape.padded_tokens : tokens_of(shape);
    graphs = graphs && t <= kLargestGraph;
    most = std::max(most, static_cast<double>(t));
    tokens.push_back(static_cast<double>(t));
  }
  if (graphs && ranks.size() > 1 && ranks.front().padded_tokens > 0) std::fill(tokens.begin(), tokens.end(), most);
  std::int64_t slowest = 0;
  double head = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    all += tokens[i];
    slowest = std::max(slowest, rank_ticks(ranks[i], tokens[i]));
    head = std::max(head, seconds_of(profile_.per_step, tokens[i]) + seconds_of(profile_.per_row, rows_of(ranks[i])));
  }
  const double together = profile_.experts ? deployment_.layers * expert_seconds(most, all) : 0.0;
  const double reduced = (2.0 * deployment_.layers + 1) * all_reduce_seconds(most);
  return Time::from_ticks(std::max<std::int64_t>(1, slowest + ticks_of(head + together + reduced)));
}

std::int64_t ProfileTimer::rank_ticks(const IterationShape& shape, double tokens) const {
  return ticks_of(deployment_.layers * seconds_of(profile_.per_layer, tokens)) + attention_ticks(shape);
}

std::int64_t ProfileTimer::attention_ticks(const IterationShape& shape) const {
  if (!shape.prefill.empty()) return ticks_of(deployment_.layers * mixed_attention_seconds(shape));
  if (shape.decode_sequences == 0) return 0;
  const std::int64_t even = decode_attention(shape.decode_sequences, shape.decode_context_tokens).first_ticks;
  if (!is_uneven(shape)) return even;
  return even + ticks_of(deployment_.layers * uneven_->extra_seconds(shape.decode_contexts));
}

bool ProfileTimer::is_uneven(const IterationShape& shape) const {
  if (!uneven_) return false;
  const std::int64_t sequences = shape.padded_tokens > 0 ? shape.padded_tokens : shape.decode_sequences;
  if (!uneven_->applies(sequences)) return false;
  if (static_cast<std::int64_t>(shape.decode_contexts.size()) != shape.decode_sequences) {
    throw std::logic_error("ProfileTimer: uneven_decodes needs the context of every decode");
  }
  return true;
}

/// Between two measured contexts, in whole ticks a token.
DecodeRun ProfileTimer::decode_attention(std::int64_t sequences, std::int64_t context_tokens) const {
  const auto n = static_cast<double>(sequences);
  const double past = static_cast<double>(context_tokens) / n - 1;
  const AttentionTable::Piece piece = profile_.attention.decode_piece(n, past);
  const auto ticks_at = [&](double kd) { return ticks_of(deployment_.layers * profile_.attention.at(0, 0, n, kd)); };
  const std::int64_t low = ticks_at(piece.low);
  if (piece.high == piece.low) return {low, 0, 1};
  const double slope = static_cast<double>(ticks_at(piece.high) - low) / (n * (piece.high - piece.low));
  const auto a_token = static_cast<std::int64_t>(std::floor(slope + 0.5));
  const std::int64_t above = context_tokens - sequences * (static_cast<std::int64_t>(piece.low) + 1);
  // Steps until the mean context reaches the next measured one; each adds a token a sequence.
  const std::int64_t left = sequences * (static_cast<std::int64_t>(piece.high) + 1) - context_tokens;
  constexpr std::int64_t kEndless = std::int64_t{1} << 40;
  return {low + a_token * above, a_token * sequences,
          piece.last ? kEndless : std::max<std::int64_t>(1, (left - 1) / sequences + 1)};
}

DecodeRun ProfileTimer::decode_run(const IterationShape& shape) const {
  const std::int64_t first = iteration(shape).ticks();
  if (!shape.prefill.empty() || shape.decode_sequences == 0 || (uneven_ && is_uneven(shape))) return {first, 0, 1};
  const DecodeRun attention = decode_attention(shape.decode_sequences, shape.decode_context_tokens);
  return {first, attention.increase_ticks, attention.steps};
}

double ProfileTimer::mixed_attention_seconds(const IterationShape& shape) const {
  double pairs = 0, tokens = 0;  // pairs: each new token looks at the past and, on average, half of its chunk
  for (const PrefillChunk& chunk : shape.prefill) {
    const auto c = static_cast<double>(chunk.new_tokens);
    pairs += c * (static_cast<double>(chunk.past_tokens) + c / 2);
    tokens += c;
  }
  double past = pairs / tokens - tokens / 2;
  if (past < 0) {
    tokens = std::sqrt(2 * pairs);
    past = 0;
  }
  const auto n = static_cast<double>(shape.decode_sequences);
  const double decode_past = n > 0 ? static_cast<double>(shape.decode_context_tokens) / n - 1 : 0;
  return profile_.attention.at(tokens, past, n, decode_past);
}

/// Experts of one layer with the exchange before and after them.
double ProfileTimer::expert_seconds(double most_tokens, double all_tokens) const {
  const ProfiledDeployment& d = deployment_;
  const double missed =
      power(1 - static_cast<double>(d.experts_per_token) / d.experts, static_cast<std::int64_t>(all_tokens));
  const double of_rank = static_cast<double>(d.experts) / d.expert_ranks;
  const double computing = profile_.experts->at(all_tokens / d.expert_ranks, of_rank * (1 - missed));
  if (d.expert_ranks == 1) return computing;
  const double gathered = most_tokens * (d.hidden + d.experts) * d.element_bytes;
  const double scattered = all_tokens * d.hidden * d.element_bytes / d.expert_ranks;
  return computing + 2 * d.link.latency_s + (gathered + scattered) / d.link.bytes_per_s;
}

/// Of the activations of all tokens, by rings: each rank sends 2 (p - 1) / p of them.
double ProfileTimer::all_reduce_seconds(double tokens) const {
  const int p = deployment_.tensor_parallel;
  if (p == 1) return 0;
  const double bytes = tokens * deployment_.hidden * deployment_.element_bytes * 2 * (p - 1) / p;
  return deployment_.link.latency_s + bytes / deployment_.link.bytes_per_s;
}

Time ProfileTimer::batch(std::int64_t, std::int64_t) const {
  throw std::logic_error("ProfileTimer: there is no profile of one-shot work");
}

std::vector<EvidenceNote> ProfileTimer::evidence() const {
  std::vector<EvidenceNote> notes = {{"kernel times", data::Evidence::measured_elsewhere, deployment_.source}};
  if (deployment_.tensor_parallel > 1 || deployment_.expert_ranks > 1) {
    notes.push_back({"link between ranks", data::Evidence::assumption, "not part of the profile"});
  }
  return notes;
}

}  // namespace weir::sim
