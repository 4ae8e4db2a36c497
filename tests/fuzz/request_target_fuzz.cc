// Input: the target of a request. What can be read can be written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/answers/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto target = trawl::ParseTarget(text); target.ok()) {
    std::string again;
    for (const std::string& segment : target->segments) again += "/" + trawl::PercentEncoded(segment);
    again += "?" + trawl::FormOf(target->query);
    // What is encoded anew may be three times as long.
    if (const auto read = trawl::ParseTarget(again); again.size() <= trawl::kMostTargetBytes) {
      if (!read.ok() || read->segments != target->segments || read->query != target->query) std::abort();
    }
  }
  return 0;
}
