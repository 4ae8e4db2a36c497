#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/http/head.h"
#include "formats/http/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto target = trawl::HttpTarget::Parse(text)) {
    const auto again = trawl::HttpTarget::Parse(target->Origin() + target->path);
    if (!again || again->Origin() != target->Origin() || again->path != target->path) std::abort();
  }
  trawl::HttpHeadReader reader({.max_bytes = 4096, .max_fields = 20});
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline == std::string_view::npos ? text.size() : newline + 1);
    if (reader.Take(line) == trawl::HttpHeadReader::Step::kTooLarge) break;
    text.remove_prefix(line.size());
  }
  if (reader.raw().size() > 4096 || reader.content_length() < -1) std::abort();
  return 0;
}
