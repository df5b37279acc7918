#include "data/errors.h"

namespace weir::data {
namespace {

std::string sentence(const std::string& file, const std::string& place, const std::string& value,
                     const std::string& allowed) {
  std::string text = file;
  if (!place.empty()) text += (text.empty() ? "" : ": ") + place;
  if (!value.empty()) text += (text.empty() ? "" : ": ") + value + " is not allowed";
  if (!allowed.empty()) text += (text.empty() ? "" : ": ") + allowed;
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';  // the message is one line whatever the input held
  }
  return text;
}

}  // namespace

InputError::InputError(std::string file, std::string place, std::string value, std::string allowed)
    : std::runtime_error(sentence(file, place, value, allowed)),
      file_(std::move(file)),
      place_(std::move(place)),
      value_(std::move(value)),
      allowed_(std::move(allowed)) {}

}  // namespace weir::data
