// One entry of a ZIP file: any bytes give content of the size that was allowed, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/zip/entry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMaxBytes = 1 << 16;
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"a.xml", "stored"}) {
    const auto content = trawl::ReadZipEntry(file, name, kMaxBytes);
    if (content.ok() && content->size() > kMaxBytes) std::abort();
  }
  return 0;
}
