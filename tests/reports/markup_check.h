#pragma once

#include <cctype>
#include <set>
#include <string>
#include <vector>

/// A small check that markup is well formed: tags nest and close, attributes are quoted and unique, no stray < or &.
/// `void_elements` need no end tag (HTML); raw text elements (<style>) are skipped.
namespace weir::reports::testing {

class MarkupCheck {
 public:
  explicit MarkupCheck(std::string text, std::set<std::string> void_elements = {})
      : text_(std::move(text)), void_(std::move(void_elements)) {}

  /// Empty when well formed, else what is wrong.
  std::string problem() {
    while (at_ < text_.size() && problem_.empty()) {
      if (text_[at_] == '<') {
        tag();
      } else if (text_[at_] == '&') {
        reference();
      } else if (text_[at_] == '>') {
        fail("stray >");
      } else {
        ++at_;
      }
    }
    if (problem_.empty() && !open_.empty()) fail("<" + open_.back() + "> is not closed");
    return problem_;
  }
  const std::vector<std::string>& elements() const { return elements_; }
  const std::vector<std::string>& ids() const { return ids_; }
  const std::vector<std::pair<std::string, std::string>>& attributes() const { return attributes_; }

 private:
  void fail(const std::string& what) { problem_ = what + " at " + std::to_string(at_) + ": " + text_.substr(at_, 60); }

  void reference() {
    const std::size_t end = text_.find(';', at_);
    if (end == std::string::npos || end - at_ > 10) return fail("stray &");
    at_ = end + 1;
  }

  std::string name() {
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-' || text_[at_] == ':'))
      ++at_;
    return text_.substr(from, at_ - from);
  }

  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  void tag() {
    if (text_.compare(at_, 2, "<!") == 0) {
      at_ = text_.find('>', at_);
      if (at_ == std::string::npos) return fail("open declaration");
      ++at_;
      return;
    }
    if (text_.compare(at_, 2, "</") == 0) {
      at_ += 2;
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed) return fail("</" + closed + "> closes nothing");
      open_.pop_back();
      if (at_ >= text_.size() || text_[at_] != '>') return fail("bad end tag");
      ++at_;
      return;
    }
    ++at_;
    const std::string element = name();
    if (element.empty()) return fail("stray <");
    elements_.push_back(element);
    std::set<std::string> seen;
    for (;;) {
      blanks();
      if (at_ >= text_.size()) return fail("open tag");
      if (text_[at_] == '>' || text_[at_] == '/') break;
      const std::string attribute = name();
      if (attribute.empty()) return fail("bad attribute");
      if (!seen.insert(attribute).second) return fail("attribute twice: " + attribute);
      std::string value;
      if (at_ < text_.size() && text_[at_] == '=') {
        ++at_;
        if (text_[at_] == '"') {
          const std::size_t end = text_.find('"', at_ + 1);
          if (end == std::string::npos) return fail("open attribute");
          value = text_.substr(at_ + 1, end - at_ - 1);
          at_ = end + 1;
        } else {
          value = name();
          if (value.empty()) return fail("unquoted attribute");
        }
        if (value.find('<') != std::string::npos) return fail("< in an attribute");
      }
      if (attribute == "id") ids_.push_back(value);
      attributes_.emplace_back(attribute, value);
    }
    if (text_[at_] == '/') {
      ++at_;
      if (at_ >= text_.size() || text_[at_] != '>') return fail("bad empty tag");
    } else if (!void_.contains(element)) {
      open_.push_back(element);
    }
    ++at_;
    if (element == "style") at_ = text_.find("</style>", at_);
  }

  std::string text_;
  std::set<std::string> void_;
  std::size_t at_ = 0;
  std::string problem_;
  std::vector<std::string> open_, elements_, ids_;
  std::vector<std::pair<std::string, std::string>> attributes_;
};

}  // namespace weir::reports::testing
