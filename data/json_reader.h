#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/evidence.h"
#include "data/precision.h"

namespace weir::data {

/// Which numbers a key may hold.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_allowed = true, high_allowed = true;

  bool contains(double value) const;
  std::string describe(std::string_view what) const;  ///< "expected a number > 0"
};
inline constexpr NumberRange kAnyNumber{};
inline constexpr NumberRange kPositive{0, std::numeric_limits<double>::infinity(), false, true};
inline constexpr NumberRange kNonNegative{0, std::numeric_limits<double>::infinity(), true, true};
inline constexpr NumberRange kFraction{0, 1, true, true};           ///< [0, 1]
inline constexpr NumberRange kPositiveFraction{0, 1, false, true};  ///< (0, 1]

class ObjectReader;

/// A JSON value that knows where it stands. All readers throw InputError with file, JSON pointer, value and what is
/// allowed. Holds references: the document outlives the readers.
class JsonReader {
 public:
  JsonReader(const nlohmann::ordered_json& value, std::string file, std::string pointer = "");

  const nlohmann::ordered_json& json() const { return *value_; }
  const std::string& file() const { return file_; }
  const std::string& pointer() const { return pointer_; }
  bool is_null() const { return value_->is_null(); }

  /// The value as an object that holds no other keys than `keys`.
  ObjectReader object(std::initializer_list<std::string_view> keys) const;
  /// Members of an object whose keys are data (names chosen by the user).
  std::vector<std::pair<std::string, JsonReader>> members() const;
  std::vector<JsonReader> array() const;
  std::vector<JsonReader> non_empty_array() const;

  double number(const NumberRange& range = kAnyNumber) const;  ///< finite
  /// A whole number; 3.0 is one.
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  int small_integer(int low, int high) const { return static_cast<int>(integer(low, high)); }
  bool boolean() const;
  std::string text() const;      ///< a string that is not empty
  std::string any_text() const;  ///< a string
  std::string one_of(const std::vector<std::string>& known) const;
  Precision precision() const;
  Evidence evidence() const;

  /// Refuses this value. `allowed` is a phrase.
  [[noreturn]] void fail(const std::string& allowed) const;
  /// Refuses this value because a later version of the format has it.
  [[noreturn]] void not_in_this_version(const std::string& what) const;

 private:
  const nlohmann::ordered_json* value_;
  std::string file_, pointer_;
};

/// The members of one object.
class ObjectReader {
 public:
  /// Throws InputError for a key that is not in `keys`, naming the nearest one.
  ObjectReader(const JsonReader& reader, std::initializer_list<std::string_view> keys);

  /// The member; InputError when it is missing or null.
  JsonReader at(std::string_view key) const;
  /// The member; empty when it is missing or null.
  std::optional<JsonReader> find(std::string_view key) const;
  const JsonReader& self() const { return reader_; }
  /// Refuses the object for something a key of it (there or not) should have said.
  [[noreturn]] void fail_at(std::string_view key, const std::string& allowed) const;

  double number_or(std::string_view key, double otherwise, const NumberRange& range = kAnyNumber) const;
  int integer_or(std::string_view key, int otherwise, int low, int high) const;
  bool boolean_or(std::string_view key, bool otherwise) const;
  std::string text_or(std::string_view key, std::string otherwise) const;
  std::optional<double> optional_number(std::string_view key, const NumberRange& range = kAnyNumber) const;

 private:
  std::string pointer_of(std::string_view key) const;
  JsonReader reader_;
};

/// Phrase that names the nearest known words: `did you mean "a", "b"?`
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known);

}  // namespace weir::data
