#include "sim/metrics/class_metrics.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {

void ClassSums::add(const ClassSums& o) {
  rejected += o.rejected, timed_out += o.timed_out, failed += o.failed;
  cancelled += o.cancelled, lost += o.lost, displaced += o.displaced;
  kept += o.kept;
  input_tokens += o.input_tokens, output_tokens += o.output_tokens, output_tokens_kept += o.output_tokens_kept;
  cached_tokens += o.cached_tokens, preemptions += o.preemptions;
  preempted_ticks += o.preempted_ticks, preempted_before_first_ticks += o.preempted_before_first_ticks;
  one_token_dropped += o.one_token_dropped;
  dropped_tokens += o.dropped_tokens, dropped_ticks += o.dropped_ticks;
}

ClassMetrics::ClassMetrics(data::WorkloadKind kind, const data::Slo& slo, std::size_t exact_limit)
    : one_shot_(kind == data::WorkloadKind::one_shot),
      limits_(slo),
      ttft_(exact_limit),
      tpot_(exact_limit),
      e2e_(exact_limit),
      queue_(exact_limit) {}

void ClassMetrics::add_preempted(const ServedRequest& served) {
  sums_.preemptions += served.preemptions;
  sums_.preempted_ticks += served.preempted_for.ticks();
  sums_.preempted_before_first_ticks += served.preempted_before_first.ticks();
}

void ClassMetrics::dropped(const QueuedRequest& request, Time done, RequestOutcome outcome) {
  switch (outcome) {
    case RequestOutcome::completed:
      throw std::logic_error("ClassMetrics: completed is not dropped");
    case RequestOutcome::rejected:
      ++sums_.rejected;
      break;
    case RequestOutcome::timed_out:
      ++sums_.timed_out;
      break;
    case RequestOutcome::failed:
      ++sums_.failed;
      break;
    case RequestOutcome::cancelled:
      ++sums_.cancelled;
      break;
    case RequestOutcome::lost:
      ++sums_.lost;
      break;
    case RequestOutcome::displaced:
      ++sums_.displaced;
      break;
  }
  if (request.output_tokens <= 1) ++sums_.one_token_dropped;
  sums_.dropped_tokens += input_of(request) + request.output_tokens;
  sums_.dropped_ticks += (done - request.arrival).ticks();
}

void ClassMetrics::settle() {
  const Pending& p = pending_;
  if (p.n == 0) return;
  BulkValues values{
      .indices = {p.index.data(), p.n}, .least = p.index[0], .greatest = p.index[0], .ticks = {}, .sum = 0};
  for (const std::uint64_t index : values.indices) {
    values.least = std::min(values.least, index);
    values.greatest = std::max(values.greatest, index);
  }
  const auto add = [&](LatencyRecorder& to, const std::int64_t* ticks) {
    values.ticks = {ticks, values.indices.size()};
    values.sum = sum_of(values.ticks);
    to.add(values);
  };
  if (!one_shot_) add(ttft_, p.ttft.data());
  add(e2e_, p.e2e.data());
  add(queue_, p.queue.data());

  std::array<std::int64_t, kPending> tpot;
  for (std::size_t i = 0; i < p.n; ++i) tpot[i] = tpot_ticks(p.e2e[i] - p.ttft[i], p.output[i]);
  settle_sums(tpot.data());
  // Requests of one token have none: the others close ranks.
  std::array<std::uint64_t, kPending> index;
  std::size_t n = 0;
  for (std::size_t i = 0; i < p.n; ++i) {
    index[n] = p.index[i];
    tpot[n] = tpot[i];
    n += p.output[i] > 1 ? 1 : 0;
  }
  values.indices = {index.data(), n};
  add(tpot_, tpot.data());
  pending_.n = 0;
}

void ClassMetrics::settle_sums(const std::int64_t* tpot) {
  const Pending& p = pending_;
  ClassSums more;
  for (std::size_t i = 0; i < p.n; ++i) {
    const bool kept = limits_.kept_by(p.ttft[i], tpot[i], p.e2e[i]);
    more.kept += kept ? 1 : 0;
    more.output_tokens_kept += kept ? p.output[i] : 0;
    more.input_tokens += p.input[i];
    more.output_tokens += p.output[i];
    more.cached_tokens += p.cached[i];
  }
  sums_.add(more);
}

void ClassMetrics::merge(const ClassMetrics& other) {
  if (pending_.n > 0 || other.pending_.n > 0) throw std::logic_error("ClassMetrics: not settled");
  ttft_.merge(other.ttft_), tpot_.merge(other.tpot_), e2e_.merge(other.e2e_), queue_.merge(other.queue_);
  itl_.merge(other.itl_);
  sums_.add(other.sums_);
}

bool ClassMetrics::operator==(const ClassMetrics& o) const {
  if (pending_.n > 0 || o.pending_.n > 0) throw std::logic_error("ClassMetrics: not settled");
  return sums_ == o.sums_ && ttft_ == o.ttft_ && tpot_ == o.tpot_ && e2e_ == o.e2e_ && queue_ == o.queue_ &&
         itl_ == o.itl_;
}

RequestCounts ClassMetrics::counts() const {
  const std::int64_t completed = e2e_.count();
  return {completed + sums_.unserved(),
          completed,
          sums_.rejected,
          sums_.timed_out,
          sums_.failed,
          sums_.cancelled,
          sums_.lost,
          sums_.displaced};
}

Breakdown ClassMetrics::breakdown() const {
  Breakdown b;
  if (e2e_.count() == 0) return b;
  const double per_request = static_cast<double>(e2e_.count()) * static_cast<double>(Time::kTicksPerSecond);
  const auto mean = [&](WideInt ticks) { return static_cast<double>(ticks) / per_request; };
  const WideInt total = e2e_.sum_ticks(), queue = queue_.sum_ticks();
  const WideInt until_first = one_shot_ ? total : ttft_.sum_ticks();
  b.queue = mean(queue);
  b.prefill = mean(until_first - queue - sums_.preempted_before_first_ticks);
  b.decode = mean(total - until_first - (sums_.preempted_ticks - sums_.preempted_before_first_ticks));
  b.preempted = mean(sums_.preempted_ticks);
  return b;
}

LatencySummary ClassMetrics::latency() {
  return {ttft_.distribution(), tpot_.distribution(), itl_.distribution(), e2e_.distribution(), queue_.distribution()};
}

void ClassMetrics::fill_tails(RunResult& result) {
  const RequestCounts n = counts();
  result.ttft_tail = ttft_.tail(n.offered);
  result.e2e_tail = e2e_.tail(n.offered);
  result.tpot_tail = tpot_.tail(tpot_.count() + n.offered - n.completed - sums_.one_token_dropped);
}

}  // namespace weir::sim
