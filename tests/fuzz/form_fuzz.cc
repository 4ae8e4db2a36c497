// Input: the fields of a form.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/answers/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto values = trawl::ParseForm(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!values.ok()) return 0;
  const auto again = trawl::ParseForm(trawl::FormOf(*values));
  if (!again.ok() || *again != *values) std::abort();
  return 0;
}
