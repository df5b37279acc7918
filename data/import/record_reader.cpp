#include "data/import/record_reader.h"

#include "data/errors.h"

namespace weir::data {
namespace {

constexpr std::size_t kLongestLineBytes = std::size_t{64} << 20;
constexpr std::size_t kLongestQuotedRecordBytes = std::size_t{1} << 20;

/// Number of line ends in the text; CRLF is one.
std::int64_t line_ends(std::string_view text) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool lone_cr = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || lone_cr) ++count;
  }
  return count;
}

/// The characters up to the next one that may end a field; at least one.
std::string_view plain_run(std::string_view text, char delimiter) {
  std::size_t length = 1;
  while (length < text.size() && text[length] != delimiter && text[length] != '\n' && text[length] != '\r') ++length;
  return text.substr(0, length);
}

Field& field_at(Record& record, std::size_t index) {
  if (index >= record.fields.size()) record.fields.resize(index + 1);
  Field& field = record.fields[index];
  field.text.clear();
  field.quoted = false;
  field.kind = Field::Kind::text;
  return field;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

TextBuffer::TextBuffer(ByteSource source, std::string name, Progress progress)
    : name_(std::move(name)), progress_(std::move(progress)) {
  source_.push_back(std::move(source));
  while (buffer_.size() < 4 && read_more()) {
  }
  if (buffer_.starts_with("\xEF\xBB\xBF")) buffer_.erase(0, 3);
}

TextBuffer::TextBuffer(std::string text) : buffer_(std::move(text)) {}

bool TextBuffer::read_more() {
  if (source_.empty()) return false;
  const bool more = source_.front().read(buffer_);
  if (progress_ && !progress_(source_.front().fraction(), "reading " + name_)) throw Cancelled();
  return more;
}

bool TextBuffer::read_until(std::size_t offset) {
  if (start_ > 0) {
    buffer_.erase(0, start_);
    start_ = 0;
  }
  while (offset >= buffer_.size()) {
    if (buffer_.size() > kLongestLineBytes) throw InputError(name_, "", "", "holds a line of more than 64 MiB");
    if (!read_more()) return false;
  }
  return true;
}

CsvReader::Scan CsvReader::scan(Record& record, std::size_t& length) {
  std::size_t fields = 0;
  Field* field = &field_at(record, 0);
  bool in_quotes = false;
  bool at_field_start = true;
  for (std::size_t i = 0;; ++i) {
    const int c = text_.at(i);
    if (in_quotes) {
      if (c < 0 || i > kLongestQuotedRecordBytes) return Scan::unclosed;
      if (c != '"') {
        field->text += static_cast<char>(c);
      } else if (text_.at(i + 1) == '"') {
        field->text += '"';
        ++i;
      } else {
        in_quotes = false;
      }
      continue;
    }
    if (c < 0 || c == '\n' || c == '\r') {
      record.fields.resize(fields + 1);
      length = i;
      if (c < 0) return Scan::end_of_file;
      length += (c == '\r' && text_.at(i + 1) == '\n') ? 2 : 1;
      return Scan::end_of_record;
    }
    if (c == delimiter_) {
      field = &field_at(record, ++fields);
      at_field_start = true;
    } else if (c == '"' && at_field_start) {
      in_quotes = field->quoted = true;
      at_field_start = false;
    } else {
      const std::string_view run = plain_run(text_.window().substr(i), delimiter_);
      field->text += run;
      i += run.size() - 1;
      at_field_start = false;
    }
  }
}

void CsvReader::take_broken_line(Record& record) {
  record.fields.clear();
  record.error = "a quote is opened and never closed";
  std::size_t length = 0;
  for (int c = text_.at(0); c >= 0 && c != '\n'; c = text_.at(length)) ++length;
  if (text_.at(length) == '\n') ++length;
  text_.consume(length);
  ++line_;
}

bool CsvReader::next(Record& record) {
  if (text_.at(0) < 0) return false;
  record.line = line_;
  record.error.clear();
  record.blank = false;
  std::size_t length = 0;
  if (scan(record, length) == Scan::unclosed) {
    take_broken_line(record);
    return true;
  }
  line_ += line_ends(text_.window().substr(0, length));
  text_.consume(length);
  record.blank = true;
  for (const Field& field : record.fields) record.blank = record.blank && trimmed(field.text).empty();
  return true;
}

bool LineReader::next(std::string_view& line) {
  text_.consume(pending_);
  pending_ = 0;
  if (text_.at(0) < 0) return false;
  std::size_t length = 0;
  int c = text_.at(0);
  while (c >= 0 && c != '\n') c = text_.at(++length);
  line = text_.window().substr(0, length);
  pending_ = length + (c == '\n' ? 1 : 0);
  ++line_;
  return true;
}

}  // namespace weir::data
