#include "data/import/trace_builder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "data/errors.h"

namespace weir::data {
namespace {

constexpr std::int64_t kMostTokens = 100'000'000;  // more is a broken counter, not a request
constexpr std::size_t kRejectedKept = 1000;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

struct StatusName {
  std::string_view name;
  RequestStatus status;
};
constexpr StatusName kStatusNames[] = {
    {"ok", RequestStatus::ok},
    {"success", RequestStatus::ok},
    {"succeeded", RequestStatus::ok},
    {"completed", RequestStatus::ok},
    {"finished", RequestStatus::ok},
    {"200", RequestStatus::ok},
    {"failed", RequestStatus::failed},
    {"failure", RequestStatus::failed},
    {"error", RequestStatus::failed},
    {"errored", RequestStatus::failed},
    {"cancelled", RequestStatus::cancelled},
    {"canceled", RequestStatus::cancelled},
    {"aborted", RequestStatus::cancelled},
    {"499", RequestStatus::cancelled},
    {"incomplete", RequestStatus::incomplete},
    {"pending", RequestStatus::incomplete},
    {"processing", RequestStatus::incomplete},
    {"running", RequestStatus::incomplete},
    {"", RequestStatus::unknown},
    {"unknown", RequestStatus::unknown},
    {"zero_output", RequestStatus::zero_output},
    {"over_context", RequestStatus::over_context},
};

bool earlier(const Decimal& a, const Decimal& b) { return a.whole != b.whole ? a.whole < b.whole : a.nano < b.nano; }

/// Up to eight digits: what nearly every cell is.
bool read_short_count(std::string_view text, std::int32_t& value) {
  if (text.size() > 8 || text[0] == '-') return false;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

void TraceBuilder::Seen::add(std::int64_t line) {
  ++count;
  if (lines.size() < 5) lines.push_back(line);
}

/// "2 rows (lines 3, 7)".
std::string TraceBuilder::Seen::text() const {
  std::string out = std::to_string(count) + (count == 1 ? " row (line " : " rows (lines ");
  for (std::size_t i = 0; i < lines.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(lines[i]);
  return out + (count > static_cast<std::int64_t>(lines.size()) ? ", ...)" : ")");
}

TraceBuilder::TraceBuilder(std::string file, Layout layout, const ImportOptions& options)
    : file_(std::move(file)), layout_(std::move(layout)), options_(options) {
  trace_.format = layout_.format;
  trace_.warnings = layout_.warnings;
}

void TraceBuilder::add_blank() {
  ++trace_.rows.read;
  ++trace_.rows.blank;
}

void TraceBuilder::reject(std::int64_t line, std::string reason) {
  ++trace_.rows.read;
  ++trace_.rows.rejected;
  if (trace_.rejected.size() < kRejectedKept) trace_.rejected.push_back({line, std::move(reason)});
}

void TraceBuilder::add(const Record& record) {
  if (!record.error.empty()) return reject(record.line, record.error);
  if (record.blank) return add_blank();
  if (is_repeated_header(record)) return reject(record.line, "repeated header");
  if (!options_.keep_health && is_health_check(record)) return reject(record.line, "health check");
  take(record);
}

void TraceBuilder::take(const Record& record) {
  Request request;
  if (std::string reason = read_row(record, request); !reason.empty()) return reject(record.line, std::move(reason));
  if (is_duplicate(record)) {
    duplicates_.add(record.line);
    return reject(record.line, "exact duplicate of an earlier row with the same request id");
  }
  read_status(record, request);
  read_class(record, request);
  keep_prompt(record, request);
  note_extra_cells(record);

  const bool by_magnitude = layout_.time == TimeKind::by_magnitude;
  const bool first = by_magnitude ? earlier(time_raw_, earliest_raw_) : time_ns_ < earliest_ns_;
  if (!earliest_known_ || first) {
    earliest_known_ = true;
    earliest_ns_ = time_ns_;
    earliest_raw_ = time_raw_;
    earliest_text_ = trimmed(field(record, Role::time)->text);
  }
  if (by_magnitude) raw_times_.push_back(time_raw_);
  request.arrival_ns = time_ns_;
  trace_.requests.push_back(request);
  lines_.push_back(record.line);
  ++trace_.rows.read;
  ++trace_.rows.imported;
}

/// The row's cell of that role; null when the file has no such column or the row is too short.
const Field* TraceBuilder::field(const Record& record, Role role) const {
  const int column = layout_.column_of(role);
  if (column < 0 || static_cast<std::size_t>(column) >= record.fields.size()) return nullptr;
  const Field& found = record.fields[static_cast<std::size_t>(column)];
  return found.kind == Field::Kind::missing ? nullptr : &found;
}

/// Reads a count; returns why it cannot be one.
std::string TraceBuilder::read_count(const Record& record, Role role, std::int32_t& value) const {
  const Field* found = field(record, role);
  const auto why = [&](std::string_view reason) { return valid_utf8(layout_.name_of(role)) + std::string(reason); };
  if (found == nullptr) return "missing " + why("");
  if (found->kind == Field::Kind::null) return why(" is null");
  if (found->kind != Field::Kind::text) return why(" is not a number");
  const std::string_view text = trimmed(found->text);
  if (text.empty()) return why(" is empty");
  if (read_short_count(text, value)) return {};
  std::optional<Decimal> number = parse_decimal(text, layout_.decimal_mark);
  if (!number && found->quoted && layout_.decimal_mark == '.') {
    if (const auto digits = without_thousands(text)) number = parse_decimal(*digits, '.');
  }
  const bool only_digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const bool whole = number && number->nano == 0;
  if (!whole && !only_digits) return why(": " + shown(text) + " is not a whole number");
  if (whole && number->whole < 0) return why(": " + shown(text) + " is negative");
  if (!whole || number->whole > kMostTokens) {
    return why(": " + shown(text) + " is implausible, more than 100,000,000");
  }
  value = static_cast<std::int32_t>(number->whole);
  return {};
}

/// Reads the time into time_ns_, or time_raw_ while its unit is open; returns why it cannot be one.
std::string TraceBuilder::read_time(const Record& record) {
  const Field* found = field(record, Role::time);
  const auto why = [&](std::string_view reason) {
    return valid_utf8(layout_.name_of(Role::time)) + std::string(reason);
  };
  if (found == nullptr) return "missing " + why("");
  if (found->kind == Field::Kind::null) return why(" is null");
  const std::string_view text = trimmed(found->text);
  if (found->kind != Field::Kind::text || text.empty()) return why(" is empty");
  if (layout_.time == TimeKind::date_time) {
    const auto time = parse_date_time(text);
    if (!time) return why(": " + shown(text) + " is not a date and time");
    (time->has_zone ? has_zone_ : lacks_zone_) = true;
    time_ns_ = time->epoch_ns;
    return {};
  }
  const auto number = parse_decimal(text, layout_.decimal_mark);
  if (!number) return why(": " + shown(text) + " is not a number that can be a time");
  if (number->digits_lost) {
    ++digits_lost_;
    return why(": " + shown(text) + " has lost its last digits, as when a spreadsheet saves it");
  }
  time_raw_ = *number;
  if (layout_.time == TimeKind::by_magnitude) return {};
  const auto ns = to_ns(*number, layout_.unit_ns);
  if (!ns) return why(": " + shown(text) + " is beyond any time");
  time_ns_ = *ns;
  return {};
}

std::string TraceBuilder::read_row(const Record& record, Request& request) {
  if (std::string reason = read_time(record); !reason.empty()) return reason;
  if (std::string reason = read_count(record, Role::input, request.input_tokens); !reason.empty()) return reason;
  if (std::string reason = read_count(record, Role::output, request.output_tokens); !reason.empty()) return reason;
  const Field* items = field(record, Role::items);
  const bool has_items = items != nullptr && items->kind != Field::Kind::null && !trimmed(items->text).empty();
  if (has_items) {
    if (std::string reason = read_count(record, Role::items, request.items); !reason.empty()) return reason;
  }
  if (request.input_tokens == 0 && request.output_tokens == 0) return "no tokens";
  return read_prompt(record);
}

void TraceBuilder::read_status(const Record& record, Request& request) {
  if (const Field* found = field(record, Role::status); found != nullptr && found->kind == Field::Kind::text) {
    const std::string name = lower(trimmed(found->text));
    const auto* known = std::find_if(std::begin(kStatusNames), std::end(kStatusNames),
                                     [&](const StatusName& s) { return s.name == name; });
    if (known == std::end(kStatusNames)) {
      unknown_status_.add(record.line);
    } else {
      request.status = known->status;
    }
  }
  const bool open = request.status == RequestStatus::unknown || request.status == RequestStatus::ok;
  const std::int64_t total = std::int64_t{request.input_tokens} + request.output_tokens;
  if (open && options_.max_context_tokens && total > *options_.max_context_tokens) {
    request.status = RequestStatus::over_context;
  } else if (open && request.output_tokens == 0) {
    request.status = RequestStatus::zero_output;
  }
  if (request.status == RequestStatus::over_context) over_context_.add(record.line);
  if (request.output_tokens == 0) zero_output_.add(record.line);
  if (request.input_tokens == 0) no_input_.add(record.line);
}

void TraceBuilder::read_class(const Record& record, Request& request) {
  const Field* found = field(record, Role::class_name);
  if (found == nullptr || found->kind != Field::Kind::text) return;
  const std::string name = valid_utf8(trimmed(found->text));
  if (name.empty()) return;
  auto at = classes_.find(name);
  if (at == classes_.end()) {
    if (trace_.class_names.size() >= static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max())) {
      throw InputError(file_, "line " + std::to_string(record.line), shown(name),
                       "more than 32,767 classes: is this column the class?");
    }
    at = classes_.emplace(name, static_cast<std::int16_t>(trace_.class_names.size())).first;
    trace_.class_names.push_back(name);
  }
  request.class_index = at->second;
}

bool TraceBuilder::is_repeated_header(const Record& record) const {
  if (layout_.json || record.fields.size() != layout_.names.size()) return false;
  for (std::size_t i = 0; i < record.fields.size(); ++i) {
    if (trimmed(record.fields[i].text) != trimmed(layout_.names[i])) return false;
  }
  return true;
}

bool TraceBuilder::is_health_check(const Record& record) const {
  static constexpr std::string_view kPaths[] = {"/health", "/healthz", "/ready", "/readyz",
                                                "/live",   "/livez",   "/ping",  "/metrics"};
  const Field* found = field(record, Role::path);
  if (found == nullptr) return false;
  const std::string_view text = trimmed(found->text);
  const std::string path = lower(text.substr(0, text.find_first_of("?#")));
  return std::any_of(std::begin(kPaths), std::end(kPaths), [&](std::string_view end) { return path.ends_with(end); });
}

/// Two FNV-1a sums over the fields, each field closed by a byte that UTF-8 cannot hold.
TraceBuilder::Fingerprint TraceBuilder::fingerprint(const Record& record) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  Fingerprint out{14695981039346656037u, 0x9e3779b97f4a7c15u};
  const auto mix = [&](unsigned char byte) {
    out.a = (out.a ^ byte) * kPrime;
    out.b = (out.b ^ (byte + 1u)) * kPrime;
    out.b ^= out.b >> 29;
  };
  for (const Field& field : record.fields) {
    for (const char c : trimmed(field.text)) mix(static_cast<unsigned char>(c));
    mix(0xFF);
    mix(static_cast<unsigned char>(field.kind));
  }
  return out;
}

bool TraceBuilder::is_duplicate(const Record& record) {
  const Field* found = field(record, Role::id);
  if (found == nullptr || found->kind != Field::Kind::text) return false;
  const std::string id(trimmed(found->text));
  if (id.empty()) return false;
  if (!rows_with_id_.insert(fingerprint(record)).second) return true;
  const auto [at, is_new] = ids_.emplace(id, false);
  if (!is_new && !at->second) {
    at->second = true;
    conflicting_.add(record.line);
  }
  return false;
}

void TraceBuilder::note_extra_cells(const Record& record) {
  for (std::size_t i = 0; i < record.fields.size(); ++i) {
    const bool unnamed = i >= layout_.names.size() || column_key(layout_.names[i]).empty();
    if (unnamed && !trimmed(record.fields[i].text).empty()) return extra_cells_.add(record.line);
  }
}

}  // namespace weir::data
