// Defines MakeZstdLayer of layer.h.
#include <zstd.h>

#include "runtime/decode/layer.h"

namespace trawl {

namespace {

// RFC 9659: a content coding's window is at most 8 MiB.
constexpr int kMaxWindowLog = 23;

class ZstdLayer : public DecodeLayer {
 public:
  ZstdLayer() : context_(ZSTD_createDCtx()) {
    if (context_ != nullptr) ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, kMaxWindowLog);
  }
  ~ZstdLayer() override { ZSTD_freeDCtx(context_); }

  bool Write(std::string_view in, const Out& out) override {
    if (context_ == nullptr) return Fail("zstd: out of memory");
    char buffer[kDecodeBufferBytes];
    ZSTD_inBuffer input = {in.data(), in.size(), 0};
    bool output_full = false;
    while (!garbage_ && (input.pos < input.size || output_full)) {
      ZSTD_outBuffer output = {buffer, sizeof buffer, 0};
      const size_t left = ZSTD_decompressStream(context_, &output, &input);
      if (ZSTD_isError(left)) {
        if (!whole_frames_ || frame_made_output_) return Fail(std::string("zstd: ") + ZSTD_getErrorName(left));
        garbage_ = true;  // the bytes after a whole frame are not a frame
        in_frame_ = false;
        return true;
      }
      in_frame_ = left != 0;
      frame_made_output_ = in_frame_ && (frame_made_output_ || output.pos > 0);
      if (!in_frame_) whole_frames_ = true;
      output_full = in_frame_ && output.pos == output.size;
      if (output.pos > 0 && !out({buffer, output.pos})) return false;
    }
    return true;
  }
  bool AtEnd() const override { return whole_frames_ && !in_frame_; }

 private:
  ZSTD_DCtx* context_;
  bool whole_frames_ = false;
  bool in_frame_ = false;
  bool frame_made_output_ = false;
  bool garbage_ = false;
};

}  // namespace

std::unique_ptr<DecodeLayer> MakeZstdLayer() { return std::make_unique<ZstdLayer>(); }

}  // namespace trawl
