// Input: the first byte chooses the codings and the size of the pieces; the rest is the body.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/decode/decode.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static constexpr const char* kValues[] = {"gzip", "deflate",    "br", "zstd", "gzip, br", "deflate, gzip, zstd",
                                            "",     "utf-8, gzip"};
  const char* value = kValues[data[0] & 7];
  const size_t piece = (data[0] & 8) != 0 ? 1 : 4096;
  std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const trawl::DecodeLimits limits = {.max_decoded_bytes = 1 << 20, .max_ratio = 50, .ratio_free_bytes = 1 << 16};
  trawl::BodyDecoder decoder(value, limits);
  int64_t delivered = 0;
  while (!body.empty()) {
    const std::string_view next = body.substr(0, piece);
    body.remove_prefix(next.size());
    if (!decoder.Write(next, [&](std::string_view bytes) { delivered += static_cast<int64_t>(bytes.size()); })) break;
  }
  decoder.Finish((data[0] & 16) != 0);
  if (delivered != decoder.decoded_bytes() || delivered > limits.max_decoded_bytes) std::abort();
  // The first byte of a fuzzed value is also a name for the parser.
  trawl::ParseContentEncoding(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
