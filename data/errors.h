#pragma once

#include <stdexcept>
#include <string>

namespace weir::data {

/// Something the user handed in is wrong. what() is one line:
/// `FILE: PLACE: VALUE is not allowed: ALLOWED`, with empty parts left out.
/// Programs print it and end with exit code 3.
class InputError : public std::runtime_error {
 public:
  /// file: name of the file or of the option; place: line number, JSON pointer or column; value: what was found;
  /// allowed: a phrase that says what would be right ("expected a number > 0", "did you mean t4, l4?").
  InputError(std::string file, std::string place, std::string value, std::string allowed);

  const std::string& file() const { return file_; }
  const std::string& place() const { return place_; }
  const std::string& value() const { return value_; }
  const std::string& allowed() const { return allowed_; }

 private:
  std::string file_, place_, value_, allowed_;
};

/// The machine, not the input, refused: a folder that can't be written, a locked project. Exit code 1.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user pressed Ctrl-C or Cancel. Exit code 1 after one line; nothing half-written stays.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace weir::data
