#pragma once

#include <span>
#include <string_view>

namespace weir::data {

/// A file of data/ that travels inside the binary. `path` is relative to data/, e.g. "catalog/hardware.json".
struct EmbeddedFile {
  std::string_view path;
  std::string_view text;
};

/// All embedded files, sorted by path.
std::span<const EmbeddedFile> embedded_files();

/// The file's bytes. Throws std::logic_error if there is no such file: asking for one is a mistake in the program.
std::string_view embedded_file(std::string_view path);

}  // namespace weir::data
