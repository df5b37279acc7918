#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::data {

enum class RequestStatus : std::uint8_t { unknown, ok, failed, cancelled, incomplete, zero_output, over_context };

/// One request. arrival_ns counts from the first accepted arrival of its trace.
struct Request {
  std::int64_t arrival_ns = 0;
  std::int32_t input_tokens = 0;
  std::int32_t output_tokens = 0;
  std::int32_t items = 1;         ///< one-shot work: images, texts
  std::int16_t class_index = -1;  ///< index into Trace::class_names; -1 = the trace does not say
  RequestStatus status = RequestStatus::unknown;
  std::int32_t prompt = -1;  ///< index into Trace::prompts; -1 = the trace does not say what it holds
  std::int32_t client = -1;  ///< who asks: equal numbers are the same client; -1 = the trace does not say
};

/// What a prompt holds, as far as its trace tells.
struct Prompt {
  std::int64_t first_hash = 0;  ///< its hashes are hashes[first_hash, first_hash + hash_count) of the trace
  std::int32_t hash_count = 0;
  std::int32_t session = -1;  ///< equal numbers are turns of one session; -1 = none
  std::int32_t turn = -1;     ///< as the file counts; -1 = it does not say
};

/// Exact statistics of a column: percentiles are interpolated between order statistics at (n-1)p/100.
struct ColumnStatistics {
  std::int64_t n = 0;
  double sum = 0, mean = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0;
};

/// Undefined values are empty: the rate of one request, the CV of fewer than three arrivals.
struct ArrivalStatistics {
  std::optional<double> rate_per_s;            ///< requests / span
  std::optional<double> cv;                    ///< of the gaps between arrivals
  std::optional<double> resolution_s;          ///< grid of the time column
  std::optional<std::int64_t> busiest_minute;  ///< largest count in a minute, minutes counted from the first arrival
  std::optional<double> dispersion_1s;         ///< variance / mean of the counts in 1 s bins, floor(span) + 1 bins
  std::int64_t most_at_once = 0;               ///< largest count with the same arrival
  std::int64_t ties = 0;                       ///< requests that arrive with the one before
  std::optional<double> step_s;                ///< median gap between different arrivals
  /// Bursts may come from the clock of the file: it counts whole seconds and requests share one, or 5% of them or more
  /// arrive with the one before at times that are mostly 0.1 s or more apart, or all of 20 rows or more share one time.
  bool coarse_clock = false;
};

/// How much of the prompts has been seen before, over the rows that are demand.
struct PrefixStatistics {
  std::int64_t hashes = 0, distinct = 0;
  std::int64_t sessions = 0, clients = 0;  ///< different ones
  /// Share of the hashes that stood in an earlier row: what an endless cache would spare. Empty without hashes.
  std::optional<double> seen_before() const;
};

struct RejectedRow {
  std::int64_t line = 0;  ///< physical line the record starts on, from 1
  std::string reason;
};

/// rows.read = imported + rejected + blank, always.
struct RowCounts {
  std::int64_t read = 0, imported = 0, rejected = 0, blank = 0;
};

/// An imported trace: all rows that were imported, in order of arrival (ties keep file order).
struct Trace {
  std::string name;                    ///< file name without folder
  std::string kind = "trace", format;  ///< "azure-llm-2023", "vidur", "mooncake", "plain-csv", "plain-jsonl"
  std::vector<Request> requests;       ///< includes rows whose status keeps them out of the demand
  std::vector<std::string> class_names;
  std::vector<Prompt> prompts;        ///< the requests name theirs
  std::vector<std::uint64_t> hashes;  ///< of all prompts; each stands for its tokens and all before them
  std::int32_t tokens_per_hash = 0;   ///< 0 = no hashes
  std::optional<std::string> origin;  ///< absolute time of arrival 0 as the file wrote it
  RowCounts rows;
  std::vector<RejectedRow> rejected;  ///< the first 1,000
  std::vector<std::string> warnings;

  /// True if the row counts as demand: tokens to read and, unless `encoder`, tokens to write.
  static bool is_demand(const Request& request, bool encoder);
  /// True when every imported row has zero output: the trace is encoder traffic.
  bool is_encoder_traffic() const;
  std::int64_t demand_count() const;
  double span_s() const;
  ColumnStatistics input_statistics() const;
  ColumnStatistics output_statistics() const;
  ArrivalStatistics arrival_statistics() const;
  PrefixStatistics prefix_statistics() const;
  /// The hashes of a request's prompt; empty when there are none.
  std::span<const std::uint64_t> hashes_of(const Request& request) const;
};

/// Exact statistics of values; n = 0 gives zeros.
ColumnStatistics column_statistics(std::vector<double> values);

}  // namespace weir::data
