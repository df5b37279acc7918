#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/import/byte_source.h"
#include "data/progress.h"

namespace weir::data {

/// One cell of a row, whatever the file format.
struct Field {
  /// list: a JSON array of numbers; text holds them, with blanks between. nested: any other array, or an object.
  enum class Kind : std::uint8_t { text, null, missing, nested, list };
  std::string text;
  bool quoted = false;  ///< CSV: written in quotes
  Kind kind = Kind::text;
};

/// A row. A quoted newline does not end it, so `line` is the physical line it starts on.
struct Record {
  std::int64_t line = 0;
  std::vector<Field> fields;
  bool blank = false;
  std::string error;  ///< not empty: the row cannot be split into fields
};

/// Text of a file in a window that moves forwards. Strips a UTF-8 byte order mark; throws InputError for a line that is
/// too long to be a row of anything, Cancelled when the progress says so.
class TextBuffer {
 public:
  TextBuffer(ByteSource source, std::string name, Progress progress);
  /// Text already in memory, for looking ahead.
  explicit TextBuffer(std::string text);

  /// What is in the window, at most about a mebibyte at the start.
  std::string_view window() const { return std::string_view(buffer_).substr(start_); }
  /// The character at `offset` from the window's start, reading on when necessary; -1 past the end of the file.
  int at(std::size_t offset) {
    if (start_ + offset >= buffer_.size() && !read_until(offset)) return -1;
    return static_cast<unsigned char>(buffer_[start_ + offset]);
  }
  void consume(std::size_t count) { start_ += count; }

 private:
  bool read_until(std::size_t offset);
  bool read_more();

  std::vector<ByteSource> source_;  ///< one, or none for text in memory
  std::string name_;
  Progress progress_;
  std::string buffer_;
  std::size_t start_ = 0;
};

/// RFC 4180 records: quoted fields may hold delimiters, newlines and doubled quotes; lines end with LF, CRLF or CR.
/// A quote that is never closed costs the one line it stands on.
class CsvReader {
 public:
  CsvReader(TextBuffer& text, char delimiter) : text_(text), delimiter_(delimiter) {}
  /// False at the end. A final newline opens no further record.
  bool next(Record& record);

 private:
  enum class Scan : std::uint8_t { end_of_record, end_of_file, unclosed };
  Scan scan(Record& record, std::size_t& length);
  void take_broken_line(Record& record);

  TextBuffer& text_;
  char delimiter_;
  std::int64_t line_ = 1;
};

/// Physical lines. The view is valid until the next call.
class LineReader {
 public:
  explicit LineReader(TextBuffer& text) : text_(text) {}
  bool next(std::string_view& line);
  std::int64_t line() const { return line_; }  ///< number of the line that was read last, from 1

 private:
  TextBuffer& text_;
  std::size_t pending_ = 0;
  std::int64_t line_ = 0;
};

std::string_view trimmed(std::string_view text);

}  // namespace weir::data
