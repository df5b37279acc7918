#include "data/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "data/errors.h"
#include "data/nearest.h"

namespace weir::data {
namespace {

constexpr std::size_t kShownLength = 60;  // of a refused value

/// A key as one step of a JSON pointer (RFC 6901).
std::string escape(std::string_view key) {
  std::string step;
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

std::string shown(const nlohmann::ordered_json& value) {
  if (value.is_object()) return "an object";
  std::string text = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  if (text.size() <= kShownLength) return text;
  std::size_t end = kShownLength;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;  // not inside a character
  return text.substr(0, end) + "...";
}

std::string number_text(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc{} ? std::string(buffer, end) : std::string("?");
}

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "\"" : ", \"") + word + '"';
  return text;
}

}  // namespace

bool NumberRange::contains(double value) const {
  return std::isfinite(value) && (low_allowed ? value >= low : value > low) &&
         (high_allowed ? value <= high : value < high);
}

std::string NumberRange::describe(std::string_view what) const {
  std::string text = "expected " + std::string(what);
  if (std::isfinite(low)) text += (low_allowed ? " >= " : " > ") + number_text(low);
  if (std::isfinite(high)) {
    text += (std::isfinite(low) ? " and" : "") + std::string(high_allowed ? " <= " : " < ") + number_text(high);
  }
  return text;
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known) {
  const auto names = nearest_names(wanted, known);
  return names.empty() ? std::string() : "did you mean " + list(names) + "?";
}

JsonReader::JsonReader(const nlohmann::ordered_json& value, std::string file, std::string pointer)
    : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {}

void JsonReader::fail(const std::string& allowed) const { throw InputError(file_, pointer_, shown(*value_), allowed); }

void JsonReader::not_in_this_version(const std::string& what) const {
  throw InputError(file_, pointer_, shown(*value_), "not in this version: " + what);
}

ObjectReader JsonReader::object(std::initializer_list<std::string_view> keys) const {
  return ObjectReader(*this, keys);
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  if (!value_->is_object()) fail("expected an object");
  std::vector<std::pair<std::string, JsonReader>> all;
  for (const auto& [key, value] : value_->items()) {
    all.emplace_back(key, JsonReader(value, file_, pointer_ + "/" + escape(key)));
  }
  return all;
}

std::vector<JsonReader> JsonReader::array() const {
  if (!value_->is_array()) fail("expected a list");
  std::vector<JsonReader> all;
  all.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    all.emplace_back((*value_)[i], file_, pointer_ + "/" + std::to_string(i));
  }
  return all;
}

std::vector<JsonReader> JsonReader::non_empty_array() const {
  auto all = array();
  if (all.empty()) fail("expected a list with at least one entry");
  return all;
}

double JsonReader::number(const NumberRange& range) const {
  if (!value_->is_number()) fail(range.describe("a number"));
  const double value = value_->get<double>();
  if (!range.contains(value)) fail(range.describe("a number"));
  return value;
}

std::int64_t JsonReader::integer(std::int64_t low, std::int64_t high) const {
  const auto refuse = [&] {
    fail("expected a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  };
  constexpr double kExact = 9007199254740992.0;  // 2^53: beyond it a double does not say which integer was meant
  std::int64_t value = 0;
  if (value_->is_number_unsigned()) {
    const auto wide = value_->get<std::uint64_t>();
    if (wide > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) refuse();
    value = static_cast<std::int64_t>(wide);
  } else if (value_->is_number_integer()) {
    value = value_->get<std::int64_t>();
  } else if (value_->is_number_float()) {
    const double real = value_->get<double>();
    if (!(std::abs(real) <= kExact) || real != std::floor(real)) refuse();
    value = static_cast<std::int64_t>(real);
  } else {
    refuse();
  }
  if (value < low || value > high) refuse();
  return value;
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) fail("expected true or false");
  return value_->get<bool>();
}

std::string JsonReader::any_text() const {
  if (!value_->is_string()) fail("expected a text");
  return value_->get<std::string>();
}

std::string JsonReader::text() const {
  auto value = any_text();
  if (value.empty()) fail("expected a text that is not empty");
  return value;
}

std::string JsonReader::one_of(const std::vector<std::string>& known) const {
  if (value_->is_string()) {
    auto value = value_->get<std::string>();
    if (std::find(known.begin(), known.end(), value) != known.end()) return value;
  }
  fail((known.size() == 1 ? "expected " : "expected one of ") + list(known));
}

Precision JsonReader::precision() const {
  if (value_->is_string()) {
    if (const auto found = parse_precision(value_->get<std::string>())) return *found;
  }
  fail("expected one of \"fp32\", \"tf32\", \"fp16\", \"bf16\", \"fp8\", \"int8\", \"int4\"");
}

Evidence JsonReader::evidence() const {
  if (value_->is_string()) {
    if (const auto found = parse_evidence(value_->get<std::string>())) return *found;
  }
  fail("expected one of \"measured-here\", \"measured-elsewhere\", \"fitted\", \"datasheet\", \"assumption\"");
}

ObjectReader::ObjectReader(const JsonReader& reader, std::initializer_list<std::string_view> keys) : reader_(reader) {
  if (!reader.json().is_object()) reader.fail("expected an object");
  for (const auto& [key, value] : reader.json().items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    throw InputError(reader.file(), pointer_of(key), "", "unknown key; " + did_you_mean(key, known));
  }
}

std::string ObjectReader::pointer_of(std::string_view key) const { return reader_.pointer() + "/" + escape(key); }

std::optional<JsonReader> ObjectReader::find(std::string_view key) const {
  const auto found = reader_.json().find(key);
  if (found == reader_.json().end() || found->is_null()) return std::nullopt;
  return JsonReader(*found, reader_.file(), pointer_of(key));
}

JsonReader ObjectReader::at(std::string_view key) const {
  if (auto found = find(key)) return *std::move(found);
  fail_at(key, "missing, but required");
}

void ObjectReader::fail_at(std::string_view key, const std::string& allowed) const {
  throw InputError(reader_.file(), pointer_of(key), "", allowed);
}

double ObjectReader::number_or(std::string_view key, double otherwise, const NumberRange& range) const {
  const auto found = find(key);
  return found ? found->number(range) : otherwise;
}

int ObjectReader::integer_or(std::string_view key, int otherwise, int low, int high) const {
  const auto found = find(key);
  return found ? found->small_integer(low, high) : otherwise;
}

bool ObjectReader::boolean_or(std::string_view key, bool otherwise) const {
  const auto found = find(key);
  return found ? found->boolean() : otherwise;
}

std::string ObjectReader::text_or(std::string_view key, std::string otherwise) const {
  const auto found = find(key);
  return found ? found->any_text() : otherwise;
}

std::optional<double> ObjectReader::optional_number(std::string_view key, const NumberRange& range) const {
  const auto found = find(key);
  if (!found) return std::nullopt;
  return found->number(range);
}

}  // namespace weir::data
