// Input: a cursor, or any base64url. Each text is the name of at most one value.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/answers/base64url.h"
#include "formats/answers/cursor.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto bytes = trawl::BytesOfBase64Url(text); bytes && trawl::Base64UrlOf(*bytes) != text) std::abort();
  if (const auto cursor = trawl::ParseCursor(text); cursor && trawl::TextOf(*cursor) != text) std::abort();
  if (trawl::BytesOfBase64Url(trawl::Base64UrlOf(text)) != text) std::abort();
  return 0;
}
