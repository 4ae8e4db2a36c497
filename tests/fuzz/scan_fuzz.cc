// Reads a page of any bytes. If the scan finds it tame, both readers must give the same result: scan and tree.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "tests/support/html/difference.h"
#include "tests/support/html/tame_share.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string storage;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const std::string_view page = trawl::DecodeToUtf8(body, trawl::SniffCharset(body, {}).encoding, &storage);
  trawl::HtmlWild wild;
  const std::string difference = trawl::DifferenceBetweenReaders(page, {}, &wild);
  static trawl::TameShare share;
  share.Count(wild);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "%.*s\n%s\n", static_cast<int>(page.size()), page.data(), difference.c_str());
  std::abort();
}
