// Defines MakeBrotliLayer of layer.h.
#include <brotli/decode.h>

#include "runtime/decode/layer.h"

namespace trawl {

namespace {

class BrotliLayer : public DecodeLayer {
 public:
  BrotliLayer() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
  ~BrotliLayer() override {
    if (state_ != nullptr) BrotliDecoderDestroyInstance(state_);
  }

  bool Write(std::string_view in, const Out& out) override {
    if (state_ == nullptr) return Fail("br: out of memory");
    if (ended_) return true;
    const uint8_t* next_in = reinterpret_cast<const uint8_t*>(in.data());
    size_t left = in.size();
    for (;;) {
      size_t no_room = 0;
      const BrotliDecoderResult result =
          BrotliDecoderDecompressStream(state_, &left, &next_in, &no_room, nullptr, nullptr);
      if (!HandOut(out)) return false;
      if (result == BROTLI_DECODER_RESULT_ERROR) {
        return Fail(std::string("br: ") + BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state_)));
      }
      if (result == BROTLI_DECODER_RESULT_SUCCESS) ended_ = true;
      if (result != BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) return true;
    }
  }
  bool AtEnd() const override { return ended_; }

 private:
  bool HandOut(const Out& out) {
    while (BrotliDecoderHasMoreOutput(state_)) {
      size_t size = kDecodeBufferBytes;
      const uint8_t* bytes = BrotliDecoderTakeOutput(state_, &size);
      if (size > 0 && !out({reinterpret_cast<const char*>(bytes), size})) return false;
    }
    return true;
  }

  BrotliDecoderState* state_;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<DecodeLayer> MakeBrotliLayer() { return std::make_unique<BrotliLayer>(); }

}  // namespace trawl
