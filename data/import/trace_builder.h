#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/import/layout.h"
#include "data/import/number_text.h"
#include "data/import/record_reader.h"
#include "data/import/trace_import.h"
#include "data/trace.h"

namespace weir::data {

/// Turns rows into a trace: checks each, counts what it does with it, and settles what only the whole file can tell
/// (unit of the times, order, origin).
class TraceBuilder {
 public:
  TraceBuilder(std::string file, Layout layout, const ImportOptions& options);

  void add(const Record& record);
  /// Counts a row that is known to be blank or broken without looking at its fields.
  void add_blank();
  void reject(std::int64_t line, std::string reason);

  /// Throws InputError when no row was usable.
  Trace finish();

 private:
  /// A count of rows and the lines of the first few, for a warning.
  struct Seen {
    std::int64_t count = 0;
    std::vector<std::int64_t> lines;
    void add(std::int64_t line);
    std::string text() const;
  };

  void take(const Record& record);
  const Field* field(const Record& record, Role role) const;
  std::string read_count(const Record& record, Role role, std::int32_t& value) const;
  std::string read_time(const Record& record);
  std::string read_row(const Record& record, Request& request);
  void read_status(const Record& record, Request& request);
  void read_class(const Record& record, Request& request);
  std::string read_prompt(const Record& record);
  void keep_prompt(const Record& record, Request& request);
  bool is_repeated_header(const Record& record) const;
  bool is_health_check(const Record& record) const;
  bool is_duplicate(const Record& record);
  void note_extra_cells(const Record& record);

  void settle_unit();
  void settle_hashes();
  std::int64_t misfits(std::int64_t tokens_per_hash, Seen* rows) const;
  void drop_rows_far_from_the_others();
  void settle_order_and_origin();
  void drop(const std::vector<std::pair<std::size_t, std::string>>& rows);
  void add_warnings();
  void warn_of_ties();
  [[noreturn]] void refuse_empty() const;

  std::string file_;
  Layout layout_;
  ImportOptions options_;
  Trace trace_;
  // One entry a request, in file order.
  std::vector<std::int64_t> lines_;
  std::vector<Decimal> raw_times_;  ///< only for times by magnitude
  std::int64_t time_ns_ = 0;        ///< of the row that is being read
  Decimal time_raw_;
  std::string earliest_text_;
  std::int64_t earliest_ns_ = 0;
  Decimal earliest_raw_;
  bool earliest_known_ = false, absolute_ = false, has_zone_ = false, lacks_zone_ = false;
  std::int64_t digits_lost_ = 0;
  std::map<std::string, std::int16_t, std::less<>> classes_;
  Prompt prompt_;  ///< of the row that is being read, and its hashes
  std::vector<std::uint64_t> hashes_;
  std::unordered_map<std::string, std::int32_t> sessions_, clients_;  ///< by first appearance
  struct Fingerprint {
    std::uint64_t a = 0, b = 0;
    bool operator==(const Fingerprint&) const = default;
  };
  struct FingerprintHash {
    std::size_t operator()(const Fingerprint& f) const { return static_cast<std::size_t>(f.a); }
  };
  static Fingerprint fingerprint(const Record& record);
  std::unordered_set<Fingerprint, FingerprintHash> rows_with_id_;
  std::unordered_map<std::string, bool> ids_;  ///< true: rows with this id differ
  Seen zero_output_, no_input_, over_context_, extra_cells_, conflicting_, unknown_status_, out_of_order_, duplicates_,
      hash_misfits_;
};

}  // namespace weir::data
