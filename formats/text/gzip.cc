#include "formats/text/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace trawl {

namespace {
constexpr size_t kPiece = size_t{64} << 10;
constexpr int kGzipWindow = 15 + 16;
}  // namespace

using arrow::Result;
using arrow::Status;

struct GzipText::State {
  z_stream stream = {};
  ~State() { deflateEnd(&stream); }
};

GzipText::GzipText(std::unique_ptr<State> state) : state_(std::move(state)) {}
GzipText::~GzipText() = default;

Result<std::unique_ptr<GzipText>> GzipText::Make() {
  constexpr int kMemory = 8;
  auto state = std::make_unique<State>();
  const int made =
      deflateInit2(&state->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY);
  if (made != Z_OK) return Status::OutOfMemory("zlib has no memory");
  return std::unique_ptr<GzipText>(new GzipText(std::move(state)));
}

Status GzipText::Run(std::string_view text, bool is_last, std::string* out) {
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  while (true) {
    const size_t before = out->size();
    out->resize(before + kPiece);
    stream.next_out = reinterpret_cast<Bytef*>(out->data() + before);
    stream.avail_out = kPiece;
    const int done = deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    out->resize(out->size() - stream.avail_out);
    if (done == Z_STREAM_ERROR) return Status::Invalid("zlib could not compress");
    if (is_last ? done == Z_STREAM_END : stream.avail_in == 0 && stream.avail_out > 0) return Status::OK();
  }
}

Status GzipText::Add(std::string_view text, std::string* out) {
  return text.empty() ? Status::OK() : Run(text, /*is_last=*/false, out);
}
Status GzipText::Finish(std::string* out) { return Run({}, /*is_last=*/true, out); }

struct GunzipMembers::State {
  z_stream stream = {};
  ~State() { inflateEnd(&stream); }
};

GunzipMembers::GunzipMembers(std::unique_ptr<State> state) : state_(std::move(state)) {}
GunzipMembers::~GunzipMembers() = default;

Result<std::unique_ptr<GunzipMembers>> GunzipMembers::Make() {
  auto state = std::make_unique<State>();
  if (inflateInit2(&state->stream, kGzipWindow) != Z_OK) return Status::OutOfMemory("zlib has no memory");
  return std::unique_ptr<GunzipMembers>(new GunzipMembers(std::move(state)));
}

GunzipMembers::Step GunzipMembers::Read(std::string_view* in, std::string* out) {
  z_stream& stream = state_->stream;
  const size_t given = std::min<size_t>(in->size(), std::numeric_limits<uInt>::max());
  const size_t before = out->size();
  out->resize(before + kPiece);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in->data()));
  stream.avail_in = static_cast<uInt>(given);
  stream.next_out = reinterpret_cast<Bytef*>(out->data() + before);
  stream.avail_out = kPiece;
  const int done = inflate(&stream, Z_NO_FLUSH);
  out->resize(out->size() - stream.avail_out);
  in->remove_prefix(given - stream.avail_in);
  if (done == Z_STREAM_END) return inflateReset(&stream) == Z_OK ? Step::kMemberEnd : Step::kDamaged;
  if (done != Z_OK && done != Z_BUF_ERROR) return Step::kDamaged;
  return stream.avail_out == 0 ? Step::kFull : Step::kMore;
}

}  // namespace trawl
