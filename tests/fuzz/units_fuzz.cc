// Input: a text, read as a size, a duration, a decimal and a time. Each value that was read, printed and parsed again,
// is the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto bytes = trawl::ParseSize(text);
  if (bytes.ok() && (*bytes < 0 || trawl::ParseSize(trawl::FormatSize(*bytes)) != bytes)) std::abort();
  const auto ms = trawl::ParseDuration(text);
  if (ms.ok() && (*ms < 0 || trawl::ParseDuration(trawl::FormatDuration(*ms)) != ms)) std::abort();
  const auto millionths = trawl::ParseDecimal(text, 6);
  if (millionths.ok() && trawl::ParseDecimal(trawl::FormatDecimal(*millionths, 6), 6) != millionths) std::abort();
  const auto time = trawl::ParseTimestamp(text);
  if (time.ok() && trawl::ParseTimestamp(trawl::FormatTimestamp(*time)) != time) std::abort();
  return 0;
}
