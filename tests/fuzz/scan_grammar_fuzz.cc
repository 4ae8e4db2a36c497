// Reads a page that a grammar makes from the bytes. If the scan finds it tame, scan and tree must give the same result.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "tests/support/html/difference.h"
#include "tests/support/html/page_grammar.h"
#include "tests/support/html/tame_share.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string page = trawl::PageGrammar({reinterpret_cast<const char*>(data), size}).Page();
  trawl::HtmlOptions options;
  if (size % 2 == 1) {
    options.max_links = 5;
    options.max_resources = 3;
    options.max_text_bytes = 100;
    options.max_title_bytes = 20;
    options.max_link_text_bytes = 12;
    options.max_href_bytes = 5;
  }
  trawl::HtmlWild wild;
  const std::string difference = trawl::DifferenceBetweenReaders(page, options, &wild);
  static trawl::TameShare share;
  share.Count(wild);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "%s\n%s\n", page.c_str(), difference.c_str());
  std::abort();
}
