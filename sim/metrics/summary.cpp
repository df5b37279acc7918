#include "sim/metrics/summary.h"

#include <algorithm>

#include "sim/metrics/distribution.h"
#include "sim/metrics/slo.h"
#include "sim/metrics/tails.h"

namespace weir::sim {
namespace {

/// Values of completed requests in order of arrival.
struct Samples {
  std::vector<double> ttft, tpot, e2e, queue;
};

struct Group {
  Samples samples;
  RequestCounts counts;
  std::int64_t kept = 0;               ///< requests that kept all limits of their class
  std::int64_t one_token_dropped = 0;  ///< not served, and without a TPOT had they been
  std::int64_t input_tokens = 0, output_tokens = 0, output_tokens_kept = 0;
  double prefill_s = 0, decode_s = 0;
};

void count(RequestCounts& counts, RequestOutcome outcome) {
  ++counts.offered;
  switch (outcome) {
    case RequestOutcome::completed:
      ++counts.completed;
      break;
    case RequestOutcome::rejected:
      ++counts.rejected;
      break;
    case RequestOutcome::timed_out:
      ++counts.timed_out;
      break;
    case RequestOutcome::failed:
      ++counts.failed;
      break;
    case RequestOutcome::pending:
      break;
  }
}

void add(Group& to, const SimRequest& request, const RequestRecord& record, const Latencies& l, bool kept,
         bool oneshot) {
  count(to.counts, record.outcome);
  if (record.outcome != RequestOutcome::completed) {
    if (request.output_tokens <= 1) ++to.one_token_dropped;
    return;
  }
  if (!oneshot) to.samples.ttft.push_back(l.ttft_s);
  if (l.tpot_s) to.samples.tpot.push_back(*l.tpot_s);
  to.samples.e2e.push_back(l.e2e_s);
  to.samples.queue.push_back(l.queue_s);
  to.input_tokens += std::int64_t{request.input_tokens} * (oneshot ? request.items : 1);
  to.output_tokens += request.output_tokens;
  if (kept) ++to.kept, to.output_tokens_kept += request.output_tokens;
  to.prefill_s += (record.first - record.admitted).seconds();
  to.decode_s += (record.done - record.first).seconds();
}

LatencySummary summary_of(Samples& samples, const Histogram& itl) {
  LatencySummary s;
  s.ttft = distribution_of(samples.ttft);
  s.tpot = distribution_of(samples.tpot);
  s.e2e = distribution_of(samples.e2e);
  s.queue = distribution_of(samples.queue);
  s.itl = itl.distribution();
  return s;
}

/// Above kExactLimit distribution_of leaves the values unsorted.
std::vector<TailPoint> tail(std::vector<double>& values, std::int64_t offered) {
  if (values.size() > kExactLimit) std::sort(values.begin(), values.end());
  return tail_of_sorted(values, offered);
}

/// The fleet's verdict from the classes'; `attainment` counts the requests of classes that have limits.
SloResult overall(const SummaryInput& in, const std::vector<ClassResult>& classes, const std::vector<Group>& groups) {
  SloResult slo;
  std::int64_t offered = 0, kept = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (in.slo[i].empty()) continue;
    offered += classes[i].requests.offered;
    kept += groups[i].kept;
    slo.required_attainment = std::max(slo.required_attainment, in.slo[i].attainment);
    slo.targets.insert(slo.targets.end(), classes[i].slo.targets.begin(), classes[i].slo.targets.end());
    slo.met = slo.met && classes[i].slo.met;
  }
  if (offered > 0) slo.attainment = static_cast<double>(kept) / static_cast<double>(offered);
  return slo;
}

void fill_throughput(const Group& all, RunResult& result) {
  if (!(result.simulated_s > 0)) return;
  result.requests_per_s = static_cast<double>(all.counts.completed) / result.simulated_s;
  result.input_tokens_per_s = static_cast<double>(all.input_tokens) / result.simulated_s;
  result.output_tokens_per_s = static_cast<double>(all.output_tokens) / result.simulated_s;
  result.output_tokens_within_slo_per_s = static_cast<double>(all.output_tokens_kept) / result.simulated_s;
}

void fill_overall(const SummaryInput& in, Group& all, const Histogram& itl, RunResult& result) {
  result.requests = all.counts;
  result.latency = summary_of(all.samples, itl);
  if (all.counts.completed > 0) {
    const auto n = static_cast<double>(all.counts.completed);
    result.breakdown = {result.latency.queue.mean, all.prefill_s / n, all.decode_s / n};
  }
  fill_throughput(all, result);
  const bool exact = all.samples.e2e.size() <= kExactLimit;
  result.exactness = exact ? "exact percentiles" : "0.5% histograms";
  if (exact && itl.count() > 0) result.exactness += "; itl: 0.5% histogram";
  if (!in.tails) return;
  const std::int64_t dropped = all.counts.offered - all.counts.completed;
  result.ttft_tail = tail(all.samples.ttft, all.counts.offered);
  result.e2e_tail = tail(all.samples.e2e, all.counts.offered);
  const auto with_tpot = static_cast<std::int64_t>(all.samples.tpot.size());
  result.tpot_tail = tail(all.samples.tpot, with_tpot + dropped - all.one_token_dropped);
}

}  // namespace

void summarise_requests(const SummaryInput& in, RunResult& result) {
  const bool oneshot = in.kind == data::WorkloadKind::one_shot;
  std::vector<RequestLimits> limits(in.slo.begin(), in.slo.end());
  std::vector<Group> groups(in.slo.size());
  Group all;
  for (std::size_t i = 0; i < in.records.size(); ++i) {
    const SimRequest& request = in.requests.requests[i];
    const RequestRecord& record = in.records[i];
    const auto c = static_cast<std::size_t>(request.class_index);
    const Latencies l = latencies_of(request, record);
    const bool kept = record.outcome == RequestOutcome::completed && limits[c].kept_by(l);
    add(all, request, record, l, kept, oneshot);
    add(groups[c], request, record, l, kept, oneshot);
  }

  Histogram itl;
  for (std::size_t c = 0; c < groups.size(); ++c) {
    itl.merge(in.itl[c]);
    ClassResult& r = result.classes.emplace_back();
    r.name = in.requests.class_names[c];
    r.requests = groups[c].counts;
    r.latency = summary_of(groups[c].samples, in.itl[c]);
    r.slo = judge(in.slo[c], r.name, r.latency, r.requests, groups[c].kept);
  }
  fill_overall(in, all, itl, result);
  result.slo = overall(in, result.classes, groups);
}

}  // namespace weir::sim
