#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/digests/simhash.h"
#include "formats/digests/tokens.h"
#include "formats/text/language.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  uint64_t tokens = 0;
  trawl::TokenReader reader(text);
  for (std::string_view token; reader.Next(&token); ++tokens) {
    // Folding a token again does not change it.
    std::string_view again;
    trawl::TokenReader inner(token);
    if (token.empty() || !inner.Next(&again) || again != token) std::abort();
  }
  if (trawl::SimHashOf(text).has_value() != (tokens >= 3)) std::abort();
  trawl::LanguageOf(text);
  return 0;
}
