// Input: the first line is the label of a Content-Type, the rest a body.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/text/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view body(reinterpret_cast<const char*>(data), size);
  const std::string_view label = body.substr(0, body.find('\n'));
  body.remove_prefix(std::min(label.size() + 1, body.size()));
  const trawl::Charset charset = trawl::SniffCharset(body, label);
  std::string storage;
  const std::string_view text = trawl::DecodeToUtf8(body, charset.encoding, &storage);
  if (charset.encoding.empty()) std::abort();
  if (trawl::ValidUtf8Prefix(text) != text.size()) std::abort();
  return 0;
}
