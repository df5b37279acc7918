// What only the whole file can tell: the unit of its times, rows far off, the order and the origin.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "data/errors.h"
#include "data/import/trace_builder.h"

namespace weir::data {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kYearNs = std::int64_t{366} * 86'400 * kSecondNs;
constexpr std::size_t kRowsPerBrokenOne = 10;
constexpr std::int64_t kSmallestEpochNs = 100'000'000 * kSecondNs;  // 1973; smaller numbers of seconds are relative

struct EpochUnit {
  std::int64_t below;  ///< the median of the column is smaller than this
  std::int64_t unit_ns;
  std::string_view name;
};

// Today is 1.8e9 s, 1.8e12 ms, 1.8e15 us, 1.8e18 ns.
constexpr EpochUnit kEpochUnits[] = {{100'000'000'000, kSecondNs, "seconds"},
                                     {100'000'000'000'000, 1'000'000, "milliseconds"},
                                     {100'000'000'000'000'000, 1'000, "microseconds"},
                                     {INT64_MAX, 1, "nanoseconds"}};

std::int64_t median_of(std::vector<std::int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

/// Takes rows (index into the requests, ascending; reason) out again and counts them as rejected.
void TraceBuilder::drop(const std::vector<std::pair<std::size_t, std::string>>& rows) {
  if (rows.empty()) return;
  std::size_t to = 0, next = 0;
  for (std::size_t i = 0; i < trace_.requests.size(); ++i) {
    if (next < rows.size() && rows[next].first == i) {
      --trace_.rows.read;  // reject() counts it again
      --trace_.rows.imported;
      reject(lines_[i], rows[next++].second);
      continue;
    }
    trace_.requests[to] = trace_.requests[i];
    lines_[to++] = lines_[i];
  }
  trace_.requests.resize(to);
  lines_.resize(to);
}

void TraceBuilder::settle_unit() {
  if (layout_.time != TimeKind::by_magnitude || raw_times_.empty()) return;
  std::vector<std::int64_t> sizes;
  sizes.reserve(raw_times_.size());
  for (const Decimal& time : raw_times_) sizes.push_back(time.whole < 0 ? -(time.whole + 1) : time.whole);
  const std::int64_t size = median_of(std::move(sizes));
  const std::string name = valid_utf8(layout_.name_of(Role::time));
  std::vector<std::pair<std::size_t, std::string>> broken;
  if (size < kSmallestEpochNs / kSecondNs) {
    const auto fractions = static_cast<std::size_t>(
        std::count_if(raw_times_.begin(), raw_times_.end(), [](const Decimal& t) { return t.fraction_written; }));
    // A few fractions in a column of whole milliseconds are broken rows; more of them make it a column of seconds.
    if (!layout_.whole_numbers_are_ms || fractions * kRowsPerBrokenOne > raw_times_.size()) {
      throw InputError(
          file_, "column " + name, "",
          "its numbers (" + shown(earliest_text_) +
              " is the smallest) do not say their unit: name the column arrival_s, arrival_ms or arrival_ns");
    }
    layout_.unit_ns = 1'000'000;
    for (std::size_t i = 0; i < raw_times_.size(); ++i) {
      if (raw_times_[i].fraction_written) broken.emplace_back(i, name + " is not a whole number of milliseconds");
    }
    if (layout_.format != "mooncake") {
      trace_.warnings.push_back("the whole numbers of " + name +
                                " beside input_length and output_length were read as " +
                                "milliseconds; name the column arrival_s if they are seconds");
    }
  } else {
    const auto* unit = std::find_if(std::begin(kEpochUnits), std::end(kEpochUnits) - 1,
                                    [&](const EpochUnit& u) { return size < u.below; });
    layout_.unit_ns = unit->unit_ns;
    trace_.warnings.push_back("the numbers of " + name + " were read as " + std::string(unit->name) + " since 1970");
  }
  std::size_t next_broken = 0;
  std::vector<std::pair<std::size_t, std::string>> bad;
  for (std::size_t i = 0; i < raw_times_.size(); ++i) {
    const auto ns = to_ns(raw_times_[i], layout_.unit_ns);
    if (next_broken < broken.size() && broken[next_broken].first == i) {
      bad.push_back(std::move(broken[next_broken++]));
    } else if (ns) {
      trace_.requests[i].arrival_ns = *ns;
    } else {
      bad.emplace_back(i, name + " is beyond any time");
    }
  }
  drop(bad);
  earliest_ns_ = to_ns(earliest_raw_, layout_.unit_ns).value_or(INT64_MIN);
  raw_times_ = {};
}

/// One absurd date would otherwise stretch the trace over decades and bring its rate to nothing.
void TraceBuilder::drop_rows_far_from_the_others() {
  if (trace_.requests.empty()) return;
  std::vector<std::int64_t> times;
  times.reserve(trace_.requests.size());
  for (const Request& request : trace_.requests) times.push_back(request.arrival_ns);
  const std::int64_t median = median_of(std::move(times));
  absolute_ = layout_.time == TimeKind::date_time || median >= kSmallestEpochNs;
  std::vector<std::pair<std::size_t, std::string>> far;
  for (std::size_t i = 0; i < trace_.requests.size(); ++i) {
    std::int64_t off = 0;
    const bool beyond = __builtin_sub_overflow(trace_.requests[i].arrival_ns, median, &off);
    if (beyond || off > kYearNs || off < -kYearNs)
      far.emplace_back(i, "its time is more than a year from the median of the file");
  }
  drop(far);
}

void TraceBuilder::settle_order_and_origin() {
  std::vector<Request>& requests = trace_.requests;
  for (std::size_t i = 1; i < requests.size(); ++i) {
    if (requests[i].arrival_ns < requests[i - 1].arrival_ns) out_of_order_.add(lines_[i]);
  }
  if (out_of_order_.count > 0) {
    std::stable_sort(requests.begin(), requests.end(),
                     [](const Request& a, const Request& b) { return a.arrival_ns < b.arrival_ns; });
  }
  const std::int64_t origin = requests.front().arrival_ns;
  if (absolute_) {
    // The row that was the earliest may have been dropped; its text then is not the origin's.
    const bool dates = layout_.time == TimeKind::date_time;
    trace_.origin =
        origin == earliest_ns_ ? valid_utf8(earliest_text_) : date_time_text(origin, dates && !has_zone_ ? "" : "Z");
    if (!dates) trace_.warnings.push_back("the first arrival is " + date_time_text(origin, "Z"));
  }
  for (Request& request : requests) request.arrival_ns -= origin;
}

void TraceBuilder::add_warnings() {
  std::vector<std::string>& out = trace_.warnings;
  if (out_of_order_.count > 0) {
    out.push_back(out_of_order_.text() + " of " + std::to_string(trace_.requests.size()) +
                  " were earlier than the row before; the trace was sorted");
  }
  if (has_zone_ && lacks_zone_)
    out.push_back("some times carry a zone and some do not: those without were read as UTC");
  if (extra_cells_.count > 0)
    out.push_back(extra_cells_.text() + " with cells beyond the named columns, which were ignored");
  if (duplicates_.count > 0) {
    out.push_back(duplicates_.text() + " repeated an earlier row and its request id exactly and were dropped");
  }
  if (conflicting_.count > 0) {
    out.push_back(std::to_string(conflicting_.count) +
                  (conflicting_.count == 1 ? " request id is" : " request ids are") +
                  " used by rows that differ (first again on line " + std::to_string(conflicting_.lines.front()) +
                  "); all were kept");
  }
  if (unknown_status_.count > 0)
    out.push_back(unknown_status_.text() + " with a status that is not known; read as unknown");
  if (zero_output_.count > 0) {
    out.push_back(
        zero_output_.text() + " with zero output (failed, cancelled or prefill-only)" +
        (trace_.is_encoder_traffic() ? ": all of them, so this is encoder traffic" : "; not part of the demand"));
  }
  if (no_input_.count > 0) out.push_back(no_input_.text() + " without input tokens; not part of the demand");
  if (over_context_.count > 0) {
    const std::string limit =
        options_.max_context_tokens ? std::to_string(*options_.max_context_tokens) + " tokens" : "model";
    out.push_back(over_context_.text() + " longer than the context of " + limit + "; not part of the demand");
  }
  if (hash_misfits_.count > 0) {
    out.push_back(hash_misfits_.text() + " whose number of prefix hashes does not fit their input tokens");
  }
  warn_of_ties();
}

/// Rows that share a time because the clock of the file is coarse come as bursts, which no server ever saw.
void TraceBuilder::warn_of_ties() {
  const ArrivalStatistics arrivals = trace_.arrival_statistics();
  if (!arrivals.coarse_clock) return;
  if (!arrivals.step_s) {
    trace_.warnings.push_back("all " + std::to_string(arrivals.most_at_once) +
                              " rows share one time: they arrive at once");
    return;
  }
  const std::string rows = std::to_string(arrivals.ties) + " rows share the time of the row before";
  if (const double grid_s = arrivals.resolution_s.value_or(0); grid_s >= 1) {
    trace_.warnings.push_back("times lie on a grid of " + std::to_string(std::llround(grid_s)) + " s and " + rows +
                              ": bursts at the grid may be an artefact");
    return;
  }
  trace_.warnings.push_back(rows + " (up to " + std::to_string(arrivals.most_at_once) +
                            " at once; different times are mostly " +
                            std::to_string(std::llround(arrivals.step_s.value_or(0) * 1000)) +
                            " ms apart): bursts at these times may be an artefact of the file's clock");
}

void TraceBuilder::refuse_empty() const {
  const RowCounts& rows = trace_.rows;
  if (rows.rejected == 0) throw InputError(file_, "", "", "holds column names but no rows");
  const RejectedRow& first = trace_.rejected.front();
  if (digits_lost_ == rows.rejected) {
    throw InputError(file_, "line " + std::to_string(first.line), "",
                     first.reason +
                         ": the times are lost; export the trace again, or bring the lengths only and "
                         "describe the arrivals in the scenario");
  }
  throw InputError(file_, "", "",
                   "no usable row: " + std::to_string(rows.read) + " read, " + std::to_string(rows.rejected) +
                       " rejected (line " + std::to_string(first.line) + ": " + first.reason + ")");
}

Trace TraceBuilder::finish() {
  settle_unit();
  drop_rows_far_from_the_others();
  if (trace_.requests.empty()) refuse_empty();
  settle_hashes();
  settle_order_and_origin();
  std::stable_sort(trace_.rejected.begin(), trace_.rejected.end(),
                   [](const RejectedRow& a, const RejectedRow& b) { return a.line < b.line; });
  add_warnings();
  const RowCounts& rows = trace_.rows;
  if (rows.read != rows.imported + rows.rejected + rows.blank ||
      rows.imported != static_cast<std::int64_t>(trace_.requests.size())) {
    throw std::logic_error("import: rows read are not rows imported + rejected + blank");
  }
  return std::move(trace_);
}

}  // namespace weir::data
