// Input: the first byte gives the size of the pieces in which the rest is fed. gzip is decompressed first.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/sitemap/gzip.h"
#include "formats/sitemap/sitemap.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t piece_bytes = size_t{1} << (data[0] % 16);
  std::string_view file(reinterpret_cast<const char*>(data) + 1, size - 1);
  uint64_t entries = 0;
  trawl::SitemapReader reader(
      [&](trawl::SitemapEntry&& entry) {
        ++entries;
        if (entry.loc.empty()) std::abort();
      },
      1'790'000'000'000, {.max_bytes = 1 << 20, .max_entries = 100});
  if (trawl::IsGzip(file)) {
    trawl::Gunzip(file, [&](std::string_view piece) { return reader.Feed(piece); });
  } else {
    for (; !file.empty(); file.remove_prefix(std::min(piece_bytes, file.size())))
      reader.Feed(file.substr(0, piece_bytes));
  }
  const trawl::SitemapSummary summary = reader.Finish();
  if (entries != summary.entries || entries > 100) std::abort();
  return 0;
}
