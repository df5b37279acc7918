#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace weir::data {

/// A file read forwards in pieces; gzip is unpacked on the way. Throws InputError for a missing file, a folder and a
/// damaged gzip file, SystemError when the machine refuses to read.
class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& file);
  ByteSource(ByteSource&&) noexcept;
  ~ByteSource();

  /// Appends up to about 1 MiB to `to`; false when the file is at its end.
  bool read(std::string& to);
  /// Share of the file's bytes (packed ones) that were read, in [0, 1].
  double fraction() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir::data
