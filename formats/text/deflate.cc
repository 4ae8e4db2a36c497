#include "formats/text/deflate.h"

#include <libdeflate.h>

#include <memory>
#include <utility>

namespace trawl {

using arrow::Result;
using arrow::Status;

struct GzipMembers::State {
  explicit State(int level) : compressor(libdeflate_alloc_compressor(level)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { libdeflate_free_compressor(compressor); }

  libdeflate_compressor* const compressor;
  // Not filled with zeros: what is never written takes no memory, however large the bound.
  std::unique_ptr<char[]> member;
  size_t size = 0;
};

GzipMembers::GzipMembers(std::unique_ptr<State> state) : state_(std::move(state)) {}
GzipMembers::GzipMembers(GzipMembers&&) noexcept = default;
GzipMembers& GzipMembers::operator=(GzipMembers&&) noexcept = default;
GzipMembers::~GzipMembers() = default;

Result<GzipMembers> GzipMembers::Make(int level) {
  if (level < kLeastLevel || level > kMostLevel) {
    return Status::Invalid("gzip level ", level, ": levels go from ", kLeastLevel, " to ", kMostLevel);
  }
  auto state = std::make_unique<State>(level);
  if (state->compressor == nullptr) return Status::OutOfMemory("libdeflate has no memory");
  return GzipMembers(std::move(state));
}

Result<std::string_view> GzipMembers::MemberOf(std::string_view text) {
  // Larger memory than usual is given back after the record that needed it.
  constexpr size_t kUsualBytes = size_t{16} << 20;
  const size_t bound = libdeflate_gzip_compress_bound(state_->compressor, text.size());
  if (bound > state_->size || (state_->size > kUsualBytes && bound <= kUsualBytes)) {
    state_->member.reset();
    state_->size = bound;
    state_->member = std::make_unique_for_overwrite<char[]>(bound);
  }
  const size_t bytes =
      libdeflate_gzip_compress(state_->compressor, text.data(), text.size(), state_->member.get(), state_->size);
  if (bytes == 0) return Status::UnknownError("libdeflate could not compress ", text.size(), " bytes");
  return std::string_view(state_->member.get(), bytes);
}

Result<std::string> Inflate(std::string_view deflated, size_t size_bytes) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (decompressor == nullptr) return Status::OutOfMemory("libdeflate has no memory");
  std::string text(size_bytes, '\0');
  const libdeflate_result result = libdeflate_deflate_decompress(decompressor.get(), deflated.data(), deflated.size(),
                                                                 text.data(), size_bytes, nullptr);
  if (result != LIBDEFLATE_SUCCESS) return Status::Invalid("damaged DEFLATE bytes");
  return text;
}

uint32_t Crc32(std::string_view bytes, uint32_t before) { return libdeflate_crc32(before, bytes.data(), bytes.size()); }

std::string GzipMembers::Codec() { return "libdeflate " LIBDEFLATE_VERSION_STRING; }

}  // namespace trawl
