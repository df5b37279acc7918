#include "data/import/json_line.h"

#include <nlohmann/json.hpp>

namespace weir::data {
namespace {

using Json = nlohmann::json;

/// Collects the members of the outermost object; what is nested in them is skipped, but for arrays of numbers.
class MemberReader : public nlohmann::json_sax<Json> {
 public:
  MemberReader(JsonMembers& members, std::size_t size) : members_(members), size_(size) { members_.clear(); }

  std::string error;

  bool null() override { return value({}, Field::Kind::null); }
  bool boolean(bool flag) override { return value(flag ? "true" : "false", Field::Kind::text); }
  bool number_integer(number_integer_t number) override { return this->number(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return this->number(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& text) override { return number(text); }
  bool string(string_t& text) override { return value(std::move(text), Field::Kind::text); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Field::Kind::nested); }
  bool start_array(std::size_t) override { return depth_ == 0 ? no_object() : open(Field::Kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (depth_ == 1) name_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    const bool cut = position > size_;
    error = (cut ? "unexpected end of line at column " : "not valid JSON at column ") +
            std::to_string(std::min(position, size_ + 1));
    return false;
  }

 private:
  bool no_object() {
    error = "is not a JSON object";
    return false;
  }

  bool open(Field::Kind kind) {
    if (depth_ == 1) value({}, kind);
    if (depth_ > 1) no_list();
    ++depth_;
    return true;
  }

  bool number(std::string text) {
    if (depth_ <= 1) return value(std::move(text), Field::Kind::text);
    Field& outer = members_.back().second;
    if (outer.kind == Field::Kind::list) (outer.text.empty() ? outer.text : outer.text += ' ') += text;
    return true;
  }

  /// The array that is being read holds more than numbers.
  void no_list() {
    members_.back().second.kind = Field::Kind::nested;
    members_.back().second.text.clear();
  }

  bool close() {
    --depth_;
    return true;
  }

  bool value(std::string text, Field::Kind kind) {
    if (depth_ == 0) return no_object();
    if (depth_ > 1) {
      no_list();
      return true;
    }
    Field field;
    field.text = std::move(text);
    field.kind = kind;
    members_.emplace_back(std::move(name_), std::move(field));
    return true;
  }

  JsonMembers& members_;
  std::size_t size_;
  std::size_t depth_ = 0;
  std::string name_;
};

}  // namespace

std::string parse_json_line(std::string_view line, JsonMembers& members) {
  MemberReader reader(members, line.size());
  if (Json::sax_parse(line.begin(), line.end(), &reader)) return {};
  return reader.error.empty() ? "is not a JSON object" : reader.error;
}

}  // namespace weir::data
