#include "reports/error_text.h"

#include <string_view>

#include "data/errors.h"

namespace weir::reports {
namespace {

constexpr std::string_view kMark = ": ";

std::string joined(Language language, const std::string& left, const std::string& right) {
  if (left.empty() || right.empty()) return left + right;
  return left + translate(language, kMark) + right;
}

/// A finished sentence, perhaps with the name of a file or an option before it: "out.json: cannot be written: ...".
std::string sentence(Language language, const std::string& text) {
  const auto after_name = [&](std::size_t at) -> std::string {
    const std::string rest = text.substr(at + kMark.size());
    if (!is_translated(language, rest)) return "";
    return joined(language, text.substr(0, at), translate(language, rest));
  };
  const std::size_t first = text.find(kMark);
  if (first != std::string::npos && text.find(' ') > first) {
    if (std::string named = after_name(first); !named.empty()) return named;
  }
  if (is_translated(language, text)) return translate(language, text);
  for (std::size_t at = first; at != std::string::npos; at = text.find(kMark, at + 1)) {
    if (std::string named = after_name(at); !named.empty()) return named;
  }
  return text;
}

/// The value that was refused, and what would be right.
std::string refusal(Language language, const data::InputError& problem) {
  const bool alone = problem.file().empty() && problem.place().empty() && problem.value().empty();
  const std::string allowed = !alone && is_translated(language, problem.allowed())
                                  ? translate(language, problem.allowed())
                                  : sentence(language, problem.allowed());
  if (problem.value().empty()) return allowed;
  return joined(language, translate(language, problem.value() + " is not allowed"), allowed);
}

}  // namespace

std::string error_text(Language language, const std::exception& problem) {
  if (language == Language::en) return problem.what();
  const auto* input = dynamic_cast<const data::InputError*>(&problem);
  std::string text =
      input == nullptr
          ? sentence(language, problem.what())
          : joined(language, joined(language, translate(language, input->file()), translate(language, input->place())),
                   refusal(language, *input));
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';  // one line, whatever the input held
  }
  return text;
}

}  // namespace weir::reports
