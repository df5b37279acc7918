#include "data/file_mode.h"

#include <sys/stat.h>

namespace weir::data {

mode_t mode_of_replacement(const std::filesystem::path& target) {
  struct stat existing {};
  if (::stat(target.c_str(), &existing) == 0) return existing.st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace weir::data
