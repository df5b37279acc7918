#include "sim/workload/replay_trace.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "data/errors.h"
#include "sim/core/random.h"
#include "sim/workload/limits.h"
#include "sim/workload/number_text.h"
#include "sim/workload/prompt_keeper.h"

namespace weir::sim {
namespace {

/// The rows of the window that are demand, with arrivals from 0 at its begin, before scaling.
struct Cut {
  std::vector<SimRequest> requests;  ///< class_index: of the trace, or -1
  std::int64_t not_demand = 0;
  Time length;  ///< of one pass
};

/// Beyond what the clock can tell apart nothing is simulated, so the values there need not be exact.
constexpr double kFarAway_s = 8e7;

Time clamped(double seconds) { return Time::from_seconds(std::clamp(seconds, -kFarAway_s, kFarAway_s)); }

[[noreturn]] void refuse_length(const data::Trace& trace, double length_s) {
  throw data::InputError(trace.name, "trace", number_text(length_s) + " s",
                         "a demand lasts at most " + number_text(kLongestDemand.seconds()) + " s");
}

Cut cut(const data::Trace& trace, const data::TraceReference& reference, bool oneshot, PromptKeeper& prompts) {
  const Time begin = clamped(reference.window_begin_s.value_or(0));
  const Time end = reference.window_end_s ? clamped(*reference.window_end_s) : Time::never();
  Cut result;
  for (const data::Request& row : trace.requests) {
    const double arrival_s = static_cast<double>(row.arrival_ns) * 1e-9;
    if (arrival_s > kFarAway_s) {
      if (reference.window_end_s) continue;
      refuse_length(trace, arrival_s);
    }
    const Time arrival = Time::from_nanoseconds(row.arrival_ns);
    if (arrival < begin || arrival >= end) continue;
    if (!data::Trace::is_demand(row, oneshot)) {
      ++result.not_demand;
      continue;
    }
    SimRequest request;
    request.arrival = arrival - begin;
    request.input_tokens = row.input_tokens;
    request.output_tokens = oneshot ? 0 : row.output_tokens;
    request.items = std::max(row.items, 1);
    request.class_index = row.class_index;
    request.client = prompts.client(row);
    if (!oneshot) request.content = prompts.content(row);
    result.requests.push_back(request);
  }
  if (reference.window_end_s) {
    result.length = end - begin;
  } else if (!result.requests.empty()) {
    const Time last = result.requests.back().arrival;
    const Time span = last - result.requests.front().arrival;
    const auto gaps = static_cast<std::int64_t>(result.requests.size()) - 1;
    const Time gap = gaps > 0 && span > Time() ? Time::from_ticks(span.ticks() / gaps) : Time::from_seconds(1);
    result.length = last + gap;
  }
  return result;
}

Time scaled(Time time, double rate_scale) {
  if (rate_scale == 1) return time;
  return Time::from_ticks(static_cast<std::int64_t>(static_cast<double>(time.ticks()) / rate_scale + 0.5));
}

/// Spreads requests that share a time over the step that follows it: from that time to a step later, or to the next
/// time there is, if that comes first. Their draws are sorted, so that the order of the rows and what lies within a
/// step stay. Returns the step; none for a trace with one time only. The last step must end within the replayed time,
/// which grows for it unless a window set it.
Time spread(const data::Trace& trace, bool has_window, std::uint64_t seed, Cut& rows) {
  std::vector<SimRequest>& requests = rows.requests;
  const Time step = Time::from_seconds(trace.arrival_statistics().step_s.value_or(0));
  if (step <= Time() || requests.empty()) return step;
  if (!has_window) rows.length = std::max(rows.length, requests.back().arrival + step);
  RandomStream random(seed, "spread/" + trace.name);
  std::vector<std::int64_t> offsets;
  for (std::size_t first = 0, end = 0; first < requests.size(); first = end) {
    const Time at = requests[first].arrival;
    while (end < requests.size() && requests[end].arrival == at) ++end;
    const Time next = end < requests.size() ? requests[end].arrival : rows.length;
    const auto room = static_cast<double>(std::min(step, next - at).ticks());
    offsets.clear();
    for (std::size_t i = first; i < end; ++i) offsets.push_back(static_cast<std::int64_t>(random.uniform() * room));
    std::sort(offsets.begin(), offsets.end());
    for (std::size_t i = first; i < end; ++i) requests[i].arrival += Time::from_ticks(offsets[i - first]);
  }
  return step;
}

/// Index in `to` for each class of the trace; checked only when a row uses it.
std::vector<std::optional<std::int16_t>> match_classes(const data::Trace& trace, const RequestList& to) {
  std::vector<std::optional<std::int16_t>> index(trace.class_names.size());
  for (std::size_t i = 0; i < index.size(); ++i) {
    const auto found = std::find(to.class_names.begin(), to.class_names.end(), trace.class_names[i]);
    if (found != to.class_names.end()) index[i] = static_cast<std::int16_t>(found - to.class_names.begin());
  }
  return index;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

/// Says which class a row belongs to.
class ClassDealer {
 public:
  ClassDealer(const data::Trace& trace, const std::vector<double>& shares, std::uint64_t seed, const RequestList& to)
      : trace_(trace), to_(to), shares_(shares), index_(match_classes(trace, to)), random_(seed, "class-share") {
    sole_ = std::count_if(shares.begin(), shares.end(), [](double s) { return s > 0; }) == 1;
  }

  std::int16_t deal(std::int16_t trace_class) {
    if (trace_class >= 0) return named(static_cast<std::size_t>(trace_class));
    if (sole_) {
      const auto only = std::find_if(shares_.begin(), shares_.end(), [](double s) { return s > 0; });
      return static_cast<std::int16_t>(only - shares_.begin());
    }
    ++dealt_;
    return static_cast<std::int16_t>(random_.choice(shares_));
  }

  std::int64_t dealt() const { return dealt_; }

 private:
  std::int16_t named(std::size_t trace_class) const {
    if (index_[trace_class]) return *index_[trace_class];
    throw data::InputError(trace_.name, "class", trace_.class_names[trace_class],
                           "expected a class of the scenario: " + quoted_list(to_.class_names));
  }

  const data::Trace& trace_;
  const RequestList& to_;
  const std::vector<double>& shares_;
  std::vector<std::optional<std::int16_t>> index_;
  RandomStream random_;
  bool sole_ = false;
  std::int64_t dealt_ = 0;
};

void add_notes(const data::Trace& trace, const data::TraceReference& reference, const Cut& rows,
               const std::vector<double>& shares, std::int64_t dealt, std::uint64_t seed, RequestList& to) {
  std::string note = trace.name + ": " + std::to_string(rows.requests.size()) + " requests";
  if (reference.window_begin_s || reference.window_end_s) {
    note += " of the window " + number_text(reference.window_begin_s.value_or(0)) + " s to " +
            (reference.window_end_s ? number_text(*reference.window_end_s) + " s" : std::string("the end"));
  }
  if (reference.rate_scale != 1) note += ", replayed at " + number_text(reference.rate_scale) + " times the rate";
  if (reference.repeat > 1) note += ", " + std::to_string(reference.repeat) + " times in a row";
  to.notes.push_back(note);
  if (rows.not_demand > 0) {
    to.notes.push_back(
        trace.name + ": rows left out because they have nothing to read or write: " + std::to_string(rows.not_demand));
  }
  if (dealt == 0) return;
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  note = trace.name + ": rows without a class are dealt by share (seed " + std::to_string(seed) + "):";
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] > 0) note += " " + to.class_names[i] + " " + number_text(100 * shares[i] / total) + "%";
  }
  to.notes.push_back(note);
}

void add_prompt_notes(const data::Trace& trace, const PromptKeeper& prompts, RequestList& to) {
  if (prompts.by_hashes() > 0) {
    to.notes.push_back(trace.name + ": requests with prefix hashes, each of " + std::to_string(trace.tokens_per_hash) +
                       " tokens: " + std::to_string(prompts.by_hashes()));
  }
  if (prompts.by_session() > 0) {
    to.notes.push_back(trace.name + ": requests of sessions, whose turns repeat the turns before: " +
                       std::to_string(prompts.by_session()));
  }
}

void add_clock_note(const data::Trace& trace, bool is_spread, Time step, RequestList& to) {
  if (is_spread) {
    to.notes.push_back(step > Time() ? trace.name + ": requests that share a time are spread over the " +
                                           number_text(step.seconds()) + " s after it, drawn with the seed"
                                     : trace.name + ": all requests share one time, over which nothing can be spread");
    return;
  }
  const data::ArrivalStatistics arrivals = trace.arrival_statistics();
  if (!arrivals.coarse_clock) return;
  if (!arrivals.step_s) {
    to.notes.push_back(trace.name + ": all its " + std::to_string(arrivals.most_at_once) +
                       " requests share one time: they arrive at once");
    return;
  }
  to.notes.push_back(trace.name + ": " + std::to_string(arrivals.ties) + " of its requests share the time of the one " +
                     "before, " + std::to_string(arrivals.most_at_once) + " at most, and times are mostly " +
                     number_text(arrivals.step_s.value_or(0)) +
                     " s apart: waiting at these bursts may come from the clock of the trace");
}

}  // namespace

Time replay_trace(const data::Trace& trace, const data::TraceReference& reference, bool oneshot,
                  const std::vector<double>& shares, std::uint64_t seed, RequestList& to, PromptContents& contents,
                  bool fold_repeats) {
  PromptKeeper prompts(trace, contents);
  Cut rows = cut(trace, reference, oneshot, prompts);
  const Time step = reference.spread ? spread(trace, reference.window_end_s.has_value(), seed, rows) : Time();
  const double total_s = rows.length.seconds() / reference.rate_scale * reference.repeat;
  if (!(total_s <= kLongestDemand.seconds())) refuse_length(trace, total_s);
  const Time length = scaled(rows.length, reference.rate_scale);
  ClassDealer dealer(trace, shares, seed, to);
  for (int pass = 0; pass < reference.repeat; ++pass) {
    if (fold_repeats && pass == 1 && dealer.dealt() == 0) {
      to.passes = reference.repeat;
      to.pass_length = length;
      break;
    }
    const Time offset = length * pass;
    for (const SimRequest& row : rows.requests) {
      SimRequest request = row;
      request.arrival = offset + scaled(row.arrival, reference.rate_scale);
      request.class_index = dealer.deal(row.class_index);
      to.requests.push_back(request);
    }
  }
  add_notes(trace, reference, rows, shares, dealer.dealt(), seed, to);
  add_prompt_notes(trace, prompts, to);
  add_clock_note(trace, reference.spread, step, to);
  return length * reference.repeat;
}

}  // namespace weir::sim
