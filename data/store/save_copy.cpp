#include "data/store/save_copy.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "data/errors.h"
#include "data/file_mode.h"
#include "data/store/database.h"

namespace weir::data {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& target, const std::string& what, int error) {
  throw SystemError(target.string() + ": " + what + (error == 0 ? "" : std::string(": ") + std::strerror(error)));
}

/// The temporary of a target: always the same name, so that one which a killed program left is no litter; locked, so
/// that two living programs do not meet in it. Removed unless it was renamed into place.
class Temporary {
 public:
  explicit Temporary(const fs::path& target)
      : target_(target), name_(target.parent_path() / ("." + target.filename().string() + ".saving")) {
    constexpr int kAttempts = 10;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (descriptor_ < 0) fail(target_, "cannot be written", errno);
      if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        ::close(descriptor_);
        descriptor_ = -1;
        fail(target_, "is being saved by another program", 0);
      }
      if (is_still_there()) break;  // else its former owner has just renamed it away: it is the target now
      ::close(descriptor_);
      descriptor_ = -1;
    }
    if (descriptor_ < 0) fail(target_, "is being saved by another program", 0);
    if (::ftruncate(descriptor_, 0) != 0) fail(target_, "cannot be written", errno);
    remove_beside(name_);  // a stale journal would be played into what comes next
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!renamed_) {
      ::unlink(name_.c_str());
      remove_beside(name_);
    }
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  const fs::path& name() const { return name_; }

  void take_over_mode() {
    if (::fchmod(descriptor_, mode_of_replacement(target_)) != 0)
      fail(target_, "its permissions cannot be kept", errno);
  }

  void sync() {
    if (::fsync(descriptor_) != 0) fail(target_, "cannot be written to disk", errno);
  }

  void rename_into_place() {
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail(target_, "cannot be replaced", errno);
    renamed_ = true;
    const fs::path folder = target_.parent_path();
    const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;  // a folder that may be written but not read: the rename itself stands
    ::fsync(directory);
    ::close(directory);
  }

  /// Journals that belong to a file of this name which is no more.
  static void remove_beside(const fs::path& file) {
    for (const char* suffix : {"-journal", "-wal", "-shm"}) ::unlink((file.string() + suffix).c_str());
  }

 private:
  bool is_still_there() const {
    struct stat open_file {
    }, named{};
    return ::fstat(descriptor_, &open_file) == 0 && ::stat(name_.c_str(), &named) == 0 &&
           open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
  }

  fs::path target_, name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace

void save_copy(const fs::path& target, const std::function<void(const fs::path&)>& write) {
  std::error_code error;
  fs::path file = fs::is_symlink(target, error) ? fs::weakly_canonical(target, error) : fs::absolute(target, error);
  if (error) fail(target, "cannot be written", error.value());
  if (fs::is_directory(file, error)) fail(target, "is a folder, not a file", 0);
  if (!fs::is_directory(file.parent_path(), error))
    fail(target, "there is no folder " + file.parent_path().string(), 0);
  if (fs::exists(file, error) && ::access(file.c_str(), W_OK) != 0) fail(target, "is write-protected", 0);
  Temporary temporary(file);
  write(temporary.name());
  temporary.take_over_mode();
  temporary.sync();
  // Nobody writes into the old file while it is replaced; a journal without a file would spoil the new one.
  const ProjectDatabase::Hold hold(file);
  Temporary::remove_beside(file);
  temporary.rename_into_place();
}

}  // namespace weir::data
