#include "data/embedded.h"

#include <stdexcept>
#include <string>

namespace weir::data {

std::string_view embedded_file(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == path) return file.text;
  }
  throw std::logic_error("no embedded file " + std::string(path));
}

}  // namespace weir::data
