// Input: any bytes, read as a key and as a URL. If one direction accepts them, the other gives them back; slots, parts
// and ranges agree.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/url/key.h"

namespace trawl {
namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckRanges(const std::string& key) {
  const std::string host = HostOfKey(key);
  for (const auto& range : {KeyRangeOfHost(host), KeyRangeOfDomain(host)}) {
    Check(range.ok() && range->from <= key && key < range->to);
    Check(range->from <= HostPartOfKey(key) && HostPartOfKey(key) < range->to);
    Check(range->from <= OriginPartOfKey(key) && OriginPartOfKey(key) < range->to);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  std::string url, key;
  if (WriteUrlOfKey(input, &url)) {
    Check(WriteKeyOfUrl(url, &key) && key == input);
    CheckRanges(key);
  }
  if (WriteKeyOfUrl(input, &key)) {
    Check(WriteUrlOfKey(key, &url) && url == input);
    CheckRanges(key);
    const auto range = KeyRangeOfUrlPrefix(input);
    Check(range.ok() && range->from <= key && key < range->to && key + "x" < range->to);
  }
  const std::string_view host = HostPartOfKey(input);
  const std::string_view origin = OriginPartOfKey(input);
  Check(input.starts_with(origin) && origin.starts_with(host));
  SlotOfKeys slot_of;
  const uint16_t slot = SlotOfKey(input);
  Check(slot == SlotOfHost(HostOfKey(input)) && slot_of(input) == slot && slot_of(input) == slot);
  return 0;
}

}  // namespace trawl
