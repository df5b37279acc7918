#include "data/import/byte_source.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "data/errors.h"

namespace weir::data {
namespace {

constexpr std::size_t kChunkBytes = 1 << 20;

}  // namespace

struct ByteSource::State {
  std::string name;
  std::ifstream stream;
  std::uintmax_t file_bytes = 0;
  std::uintmax_t read_bytes = 0;
  bool gzip = false;
  bool at_end = false;
  // gzip only
  z_stream inflater{};
  bool inflating = false;
  bool member_open = false;  ///< a member's trailer is still to come
  std::vector<char> packed;

  ~State() {
    if (inflating) inflateEnd(&inflater);
  }

  std::size_t fill(char* to, std::size_t size) {
    stream.read(to, static_cast<std::streamsize>(size));
    const auto got = static_cast<std::size_t>(stream.gcount());
    if (stream.bad()) throw SystemError(name + ": cannot be read: " + std::strerror(errno));
    read_bytes += got;
    return got;
  }

  [[noreturn]] void damaged(const std::string& why) const {
    throw InputError(name, "", "", "the gzip file is damaged: " + why);
  }

  /// Makes packed bytes available; false at the end of the file.
  bool refill() {
    if (inflater.avail_in > 0) return true;
    const std::size_t got = fill(packed.data(), packed.size());
    inflater.next_in = reinterpret_cast<Bytef*>(packed.data());
    inflater.avail_in = static_cast<uInt>(got);
    return got > 0;
  }

  bool read_packed(std::string& to) {
    const std::size_t before = to.size();
    to.resize(before + kChunkBytes);
    inflater.next_out = reinterpret_cast<Bytef*>(to.data() + before);
    inflater.avail_out = static_cast<uInt>(kChunkBytes);
    while (inflater.avail_out > 0) {
      if (!refill()) {
        if (member_open) damaged("it ends too early");
        break;
      }
      if (!member_open) {  // a further member: `cat a.gz b.gz` is a gzip file
        inflateReset(&inflater);
        member_open = true;
      }
      const int code = inflate(&inflater, Z_NO_FLUSH);
      if (code == Z_STREAM_END) {
        member_open = false;
      } else if (code != Z_OK) {
        damaged(inflater.msg != nullptr ? inflater.msg : "its data cannot be unpacked");
      }
    }
    const std::size_t got = kChunkBytes - inflater.avail_out;
    to.resize(before + got);
    return got > 0;
  }
};

ByteSource::ByteSource(const std::filesystem::path& file) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.name = file.string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw InputError(s.name, "", "", "there is no such file");
  }
  if (std::filesystem::is_directory(status)) throw InputError(s.name, "", "", "is a folder, a file is needed");
  errno = 0;
  s.stream.open(file, std::ios::binary);
  if (!s.stream) throw SystemError(s.name + ": cannot be read: " + std::strerror(errno));
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  s.file_bytes = error ? 0 : bytes;

  s.packed.resize(kChunkBytes);
  const std::size_t got = s.fill(s.packed.data(), s.packed.size());
  s.inflater.next_in = reinterpret_cast<Bytef*>(s.packed.data());
  s.inflater.avail_in = static_cast<uInt>(got);
  s.gzip =
      got >= 2 && static_cast<unsigned char>(s.packed[0]) == 0x1f && static_cast<unsigned char>(s.packed[1]) == 0x8b;
  if (s.gzip) {
    if (inflateInit2(&s.inflater, 16 + MAX_WBITS) != Z_OK) throw SystemError("zlib: not enough memory");
    s.inflating = s.member_open = true;
  }
}

ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

bool ByteSource::read(std::string& to) {
  State& s = *state_;
  if (s.gzip) return s.read_packed(to);
  if (!s.refill()) return false;
  to.append(s.packed.data(), s.inflater.avail_in);
  s.inflater.avail_in = 0;
  return true;
}

double ByteSource::fraction() const {
  if (state_->file_bytes == 0) return 0;
  return std::min(1.0, static_cast<double>(state_->read_bytes) / static_cast<double>(state_->file_bytes));
}

}  // namespace weir::data
