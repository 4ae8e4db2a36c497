// Input: the value of If-None-Match.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/answers/etag.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string etag = trawl::MakeEtag(1, "seal", "question");
  // A list that does not have the tag as a text cannot match it.
  const bool may_match = text.find(etag) != std::string_view::npos || text.find('*') != std::string_view::npos;
  if (trawl::MatchesEtag(text, etag) && !may_match) std::abort();
  return 0;
}
