// One content coding being undone: BodyDecoder stacks these. The implementations are the doors to zlib, brotli and
// zstd.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace trawl {

class DecodeLayer {
 public:
  // Takes decoded bytes; false stops the decoding.
  using Out = std::function<bool(std::string_view)>;

  virtual ~DecodeLayer() = default;
  // Decodes all of `in`. Returns false when the bytes are malformed, with error() set, or when `out` said stop.
  virtual bool Write(std::string_view in, const Out& out) = 0;
  // Whether the bytes so far are whole: a body that ended here would not be cut.
  virtual bool AtEnd() const = 0;

  // Says what is wrong with the bytes; "" when nothing is.
  const std::string& error() const { return error_; }

 protected:
  bool Fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

 private:
  std::string error_;
};

std::unique_ptr<DecodeLayer> MakeGzipLayer();
std::unique_ptr<DecodeLayer> MakeDeflateLayer();
std::unique_ptr<DecodeLayer> MakeBrotliLayer();
std::unique_ptr<DecodeLayer> MakeZstdLayer();

// The size of the buffer that a layer decodes into before it hands the bytes on; three layers lie on the stack at once.
inline constexpr size_t kDecodeBufferBytes = 16 << 10;

}  // namespace trawl
