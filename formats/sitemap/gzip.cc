#include "formats/sitemap/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace trawl {

namespace {

constexpr size_t kPieceBytes = 64 << 10;

// zlib's state, freed on every path.
class Inflater {
 public:
  Inflater() { ready_ = inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK; }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Decompresses one member at the beginning of `*rest`, and removes what it read from `*rest`.
  GunzipEnd Member(std::string_view* rest, const std::function<bool(std::string_view)>& take) {
    if (!ready_ || inflateReset(&stream_) != Z_OK) return GunzipEnd::kDamaged;
    while (true) {
      const auto available = static_cast<uInt>(std::min<size_t>(rest->size(), std::numeric_limits<uInt>::max()));
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest->data()));
      stream_.avail_in = available;
      stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
      stream_.avail_out = static_cast<uInt>(piece_.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      rest->remove_prefix(available - stream_.avail_in);
      const size_t produced = piece_.size() - stream_.avail_out;
      if (produced > 0 && !take(std::string_view(piece_.data(), produced))) return GunzipEnd::kStopped;
      if (result == Z_STREAM_END) return GunzipEnd::kWhole;
      // Z_BUF_ERROR: the input ended within a member.
      if (result != Z_OK) return GunzipEnd::kDamaged;
    }
  }

 private:
  z_stream stream_ = {};
  bool ready_ = false;
  std::vector<char> piece_ = std::vector<char>(kPieceBytes);
};

}  // namespace

bool IsGzip(std::string_view head) { return head.starts_with("\x1F\x8B\x08"); }

GunzipEnd Gunzip(std::string_view file, const std::function<bool(std::string_view)>& take) {
  if (!IsGzip(file)) return GunzipEnd::kDamaged;
  Inflater inflater;
  GunzipEnd end = GunzipEnd::kWhole;
  while (end == GunzipEnd::kWhole && IsGzip(file)) end = inflater.Member(&file, take);
  return end;
}

}  // namespace trawl
