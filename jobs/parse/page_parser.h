// Turns a stored body into a row of the parse dataset, one of page_facts, rows of links and of items. Start at PageParser::Parse.
//
// A body is a sitemap or feed if the crawl met it as one. Otherwise its media type decides, and without a media type
// its first bytes do. XML that turns out to be a sitemap or feed is read as one. Use one parser per thread.
//
// A page whose text is longer than the limit has no fingerprint, and its content digest is that of its bytes: pages are not
// the same because they begin alike.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/charset/charset.h"
#include "formats/html/html.h"
#include "formats/http/header_list.h"
#include "formats/rows/content_row.h"
#include "formats/rows/item_row.h"
#include "formats/rows/link_row.h"
#include "formats/rows/page_facts_row.h"
#include "formats/rows/parse_row.h"
#include "formats/sitemap/sitemap.h"
#include "jobs/parse/link_sifter.h"

namespace trawl {

struct PageParserOptions {
  std::string agent = "trawl";
  int64_t now_ms = 0;
  bool resources = false;  // images, scripts and the like become rows of links, too
  int32_t max_links = 10'000;
  int64_t max_text_bytes = 4 << 20;
  HtmlReading reader = HtmlReading::kAuto;
  bool main_text = true;      // the main text of pages, and facts of their quality
  bool markdown = false;      // and their content as Markdown; needs main_text
  bool structured = true;     // items, and what they say of the page
  int32_t least_tokens = 20;  // fewer: the text has no fingerprint
  bool feeds = true;          // feeds that pages link may enter the crawl
  // Called before a reading that takes many times the body's size, any but a scan of HTML; it may wait. May be empty.
  std::function<void()> before_heavy_reading;
};

// How many HTML pages which reader read, and why the tree did where the scan might have (by HtmlWild).
struct ReaderCounts {
  int64_t scan = 0;
  int64_t tree = 0;
  std::array<int64_t, kHtmlWildReasons> wild{};
};

struct ParsedPage {
  ParseRow row;
  PageFactsRow facts;
  std::vector<ItemRow> items;
  std::vector<LinkRow> links;
};

class PageParser {
 public:
  // `scope` must outlive it.
  PageParser(const PageParserOptions& options, NormalForm form, const CrawlScope& scope);

  // Never fails: a body that cannot be read makes a row that says why. REQUIRES: `content` outlives the call.
  void Parse(const ContentRow& content, ParsedPage* parsed);

  const SiftCounts& link_counts() const { return sifter_.counts(); }
  const ReaderCounts& reader_counts() const { return reader_counts_; }

 private:
  enum class Form { kHtml, kText, kXml, kSitemap };
  Form FormOf(const ContentRow& content, const std::string& essence) const;
  void ReadHtml(const ContentRow& content, const HeaderList& fields, std::string_view charset_label,
                ParsedPage* parsed);
  void ReadText(const ContentRow& content, std::string_view charset_label, ParsedPage* parsed);
  // False where the body is neither sitemap nor feed; nothing is taken from it then.
  bool ReadSitemap(const ContentRow& content, ParsedPage* parsed);
  void TakeLinks(const HtmlPage& page, const HeaderList& fields, const BaseUrl& base, ParsedPage* parsed);
  static void TakeStructured(const ContentRow& content, const HtmlPage& page, const BaseUrl* base, ParsedPage* parsed);
  void TakeCanonical(const HtmlPage& page, const HeaderList& fields, const BaseUrl& base, ParseRow* row);
  void TakeHeaderWishes(const HeaderList& fields, ParseRow* row) const;
  void TakeDirectives(const RobotsDirectives& robots, ParseRow* row) const;
  void TakeSitemapEntry(const SitemapEntry& entry, bool is_sitemap, const BaseUrl& base, std::string_view how);
  // REQUIRES: the page still has its text.
  // `base` may be null.
  void TakeFacts(const HtmlPage& page, const HeaderList& fields, std::string_view html, const BaseUrl* base,
                 PageFactsRow* facts) const;
  void TakeDigest(const ContentRow& content, const HtmlPage& page, std::string_view encoding, ParseRow* row) const;
  void Describe(const ContentRow& content, ParseRow* row) const;
  std::string_view Decode(const ContentRow& content, std::string_view charset_label, ParseRow* row,
                          std::string_view* encoding);

  const PageParserOptions options_;
  LinkSifter sifter_;
  HtmlParser html_;
  std::string decoded_;
  ReaderCounts reader_counts_;
};

// Whether a page shows its content only in a browser: it has little text, and an application's root or loader.
bool NeedsScript(const HtmlPage& page);

}  // namespace trawl
