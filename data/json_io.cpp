#include "data/json_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "data/errors.h"
#include "data/file_mode.h"

namespace weir::data {
namespace {

/// Byte of a syntax error, which nlohmann counts from 1, as line and column.
std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::size_t end = byte == 0 ? 0 : std::min(byte - 1, text.size());
  std::size_t line = 1, line_begin = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (text[i] == '\n') {
      ++line;
      line_begin = i + 1;
    }
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(end - line_begin + 1);
}

/// What the parser said, without its "[json.exception...] parse error at line 1, column 2:" in front.
std::string syntax_reason(std::string_view what) {
  const std::size_t at = what.find("syntax error");
  return std::string(at == std::string_view::npos ? what : what.substr(at));
}

std::string read_file(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw InputError(name, "", "", "there is no such file");
  if (std::filesystem::is_directory(status)) throw InputError(name, "", "", "expected a file; this is a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(name, "", "", "the file cannot be read (no permission?)");
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw InputError(name, "", "", "reading the file failed");
  return text;
}

constexpr int kDeepest = 100;  // no format of ours nests deeper than 12

/// Watches the parser. Remembers the first key that an object holds twice; nlohmann would silently keep the last one.
/// Such a file says two things at once, and only its author knows which was meant. Ends at absurd depth, which later
/// recursion would pay for with the stack.
class ParseGuard {
 public:
  explicit ParseGuard(std::string file) : file_(std::move(file)) {}

  bool operator()(int depth, nlohmann::ordered_json::parse_event_t event, nlohmann::ordered_json& parsed) {
    using Event = nlohmann::ordered_json::parse_event_t;
    if (depth > kDeepest) throw InputError(file_, "", "", "nested deeper than " + std::to_string(kDeepest) + " levels");
    if (event == Event::object_start) {
      open_.emplace_back();
    } else if (event == Event::object_end) {
      if (!open_.empty()) open_.pop_back();
    } else if (event == Event::key && !open_.empty() && duplicate_.empty()) {
      const auto key = parsed.get<std::string>();
      for (const std::string& earlier : open_.back()) {
        if (earlier == key) duplicate_ = key;
      }
      open_.back().push_back(key);
    }
    return true;
  }
  const std::string& duplicate() const { return duplicate_; }

 private:
  std::string file_;
  std::vector<std::vector<std::string>> open_;
  std::string duplicate_;
};

void check_finite(const nlohmann::ordered_json& json) {
  if (json.is_structured()) {
    for (const auto& element : json) check_finite(element);
  } else if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    throw std::logic_error("a number that is not finite reached a JSON file; undefined values are null");
  }
}

[[noreturn]] void system_error(const std::filesystem::path& file, const char* what) {
  throw SystemError(file.string() + ": " + what + ": " + std::strerror(errno));
}

/// Owner of a half-written temporary: closes and removes it unless it was renamed into place.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target) : target_(target) {
    const auto folder = target.parent_path();
    name_ = (folder / ("." + target.filename().string() + ".XXXXXX")).string();
    descriptor_ = ::mkstemp(name_.data());
    if (descriptor_ < 0) {
      name_.clear();
      system_error(target, "cannot be written");
    }
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::write(descriptor_, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) system_error(target_, "cannot be written");
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  void take_over_mode() {
    if (::fchmod(descriptor_, mode_of_replacement(target_)) != 0) system_error(target_, "cannot set the mode");
  }

  void rename_into_place() {
    if (::fsync(descriptor_) != 0) system_error(target_, "cannot be written to disk");
    if (::close(std::exchange(descriptor_, -1)) != 0) system_error(target_, "cannot be written");
    if (::rename(name_.c_str(), target_.c_str()) != 0) system_error(target_, "cannot be replaced");
    name_.clear();
  }

 private:
  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text, const std::string& file) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);  // byte order mark
  if (text.empty()) throw InputError(file, "line 1", "", "the file is empty; expected a JSON object");
  ParseGuard guard(file);
  nlohmann::ordered_json json;
  try {
    json = nlohmann::ordered_json::parse(text, std::ref(guard));
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError(file, line_and_column(text, error.byte), "", "expected JSON: " + syntax_reason(error.what()));
  } catch (const nlohmann::json::exception& error) {  // a number no double can hold
    throw InputError(file, "", "", std::string("expected JSON: ") + error.what());
  }
  if (!guard.duplicate().empty()) {
    throw InputError(file, "", '"' + guard.duplicate() + '"', "this key stands twice in one object");
  }
  return json;
}

nlohmann::ordered_json read_json_file(const std::filesystem::path& file) {
  return parse_json(read_file(file), file.string());
}

void require_schema(const nlohmann::ordered_json& json, const std::string& file, std::string_view name) {
  const std::string wanted = "weir." + std::string(name) + "/1";
  if (!json.is_object()) throw InputError(file, "", "", "expected a JSON object with \"schema\": \"" + wanted + "\"");
  const auto found = json.find("schema");
  if (found == json.end()) throw InputError(file, "/schema", "", "missing; expected \"" + wanted + "\"");
  if (!found->is_string()) throw InputError(file, "/schema", found->dump(), "expected \"" + wanted + "\"");
  const auto text = found->get<std::string>();
  const std::string prefix = "weir." + std::string(name) + "/";
  if (text.compare(0, prefix.size(), prefix) != 0) {
    throw InputError(file, "/schema", found->dump(), "expected \"" + wanted + "\"");
  }
  int major = 0;
  const char* const begin = text.data() + prefix.size();
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, major);
  bool good = error == std::errc{} && major >= 1;
  if (good && stop != end) {  // a minor version: ".N"
    int minor = 0;
    const auto rest = std::from_chars(stop + 1, end, minor);
    good = *stop == '.' && rest.ec == std::errc{} && rest.ptr == end && minor >= 0;
  }
  if (!good) throw InputError(file, "/schema", found->dump(), "expected \"" + wanted + "\"");
  if (major > 1) {
    throw InputError(file, "/schema", found->dump(),
                     "this file was written by a newer version of Weir; this one reads \"" + wanted + "\"");
  }
}

std::string dump(const nlohmann::ordered_json& json) {
  check_finite(json);
  // Strings that are not UTF-8 (a file name, say) are written with the replacement character, never thrown over.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void write_file_atomically(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path target =
      std::filesystem::is_symlink(file) ? std::filesystem::weakly_canonical(file) : file;
  if (std::filesystem::is_directory(target)) throw SystemError(file.string() + ": is a folder, not a file");
  Temporary temporary(target);
  temporary.write(text);
  temporary.take_over_mode();
  temporary.rename_into_place();
}

}  // namespace weir::data
