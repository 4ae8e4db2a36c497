// Input: a page in any encoding. It is read as a page, and by the flat scan alone, so that the scan sees every input,
// too. Its main text and its facts are a part of what is read.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/content/main_text.h"
#include "formats/content/quality.h"
#include "formats/content/words.h"
#include "formats/html/dump.h"
#include "formats/html/html.h"
#include "formats/html/page_builder.h"
#include "formats/html/scan.h"
#include "formats/html/urls.h"
#include "formats/text/utf8.h"

namespace {

void CheckPage(const trawl::HtmlPage& page, const trawl::HtmlOptions& options) {
  if (page.links.size() > options.max_links || page.resources.size() > options.max_resources) std::abort();
  if (page.text.size() > options.max_text_bytes) std::abort();
  for (const std::string* text : {&page.title, &page.text, &page.description}) {
    if (trawl::ValidUtf8Prefix(*text) != text->size()) std::abort();
    if (!text->empty() && (text->front() == ' ' || text->back() == ' ' || text->find("  ") != std::string::npos))
      std::abort();
  }
}

void CheckMainText(const trawl::HtmlPage& page, std::string_view html) {
  const trawl::MainContent main = trawl::MainContentOf(page.outline, page.text);
  if (main.text.size() > page.text.size() || trawl::ValidUtf8Prefix(main.text) != main.text.size()) std::abort();
  if ((main.from == trawl::MainFrom::kNone) != main.text.empty()) std::abort();
  if (main.link_density < 0 || main.link_density > 1) std::abort();
  const int64_t words = trawl::CountWords(page.text);
  if (words < 0 || words > static_cast<int64_t>(page.text.size())) std::abort();
  trawl::ChallengeOf({}, html, words);
  trawl::Soft404Of(page.title, page.outline, page.text, words);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  std::string storage;
  const std::string_view utf8 = trawl::DecodeToUtf8(body, trawl::SniffCharset(body, {}).encoding, &storage);
  trawl::HtmlOptions options;
  options.max_links = 20;
  options.max_text_bytes = 1000;
  static trawl::HtmlParser parser(options);
  const trawl::HtmlPage page = parser.Parse(utf8);
  CheckPage(page, options);
  CheckMainText(page, utf8);
  if (!trawl::BaseOfPage(page, "http://example.com/a", "UTF-8").ok()) std::abort();

  trawl::HtmlPage scanned;
  trawl::HtmlPageBuilder builder(options, &scanned);
  trawl::ScanHtml(utf8, &builder);
  builder.Finish();
  CheckPage(scanned, options);

  trawl::DumpHtmlTree(utf8, {"", true}).status().ok();
  trawl::DumpHtmlTree(utf8, {"svg desc", false}).status().ok();
  return 0;
}
