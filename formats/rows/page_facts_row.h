// A row of a segment's page_facts dataset: what follows from the page that its parse row tells of. docs/storage.md shows
// an example.
//
// A task writes one for each row of parse, in the same order. So the place of a parse row among those of its task tells
// the place of this one (jobs/segment/pages.h finds it).
#pragma once

#include <cstdint>
#include <string>

#include "formats/content/main_from.h"
#include "formats/rows/row_codec.h"

namespace trawl {

// "none", "article", "density".
std::string TextOf(MainFrom from);

struct PageFactsRow {
  static constexpr char kTable[] = "page_facts";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  int64_t fetched_ms = 0;
  int32_t main_rule = 0;  // the version of the rule that looked for the main text; 0: none did
  MainFrom main_from = MainFrom::kNone;
  std::string main_text;
  int32_t main_words = 0;
  int32_t words = 0;                    // of the whole text
  int32_t link_density_millionths = 0;  // the part of the text that stands in links
  std::string challenge;                // who asks for a proof that a person reads: "cloudflare", "akamai"…
  std::string soft_404;                 // where the page says that it is not there: "title", "heading,text"…
  std::string markdown;                 // of the main content, else of the page; only with parse.markdown
  int32_t items = 0;                    // of the page, in the dataset items
  // What the page states of itself. Each `…_from` is "jsonld", "opengraph", "microdata", "rdfa", "twitter", "meta", "time" or "url".
  int64_t published_ms = 0;
  std::string published_from;
  int64_t modified_ms = 0;
  std::string modified_from;
  std::string author;
  std::string author_from;
  std::string headline;
  std::string headline_from;
  std::string image;  // URL
  std::string image_from;
  std::string site_name;
  std::string site_name_from;
  std::string schema_types;  // of its items: short names, sorted, one space apart
  std::string og_type;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("fetched_ms", row.fetched_ms);
    visit("main_rule", row.main_rule);
    visit("main_from", row.main_from);
    visit("main_text", row.main_text);
    visit("main_words", row.main_words);
    visit("words", row.words);
    visit("link_density_millionths", row.link_density_millionths);
    visit("challenge", row.challenge);
    visit("soft_404", row.soft_404);
    visit("markdown", row.markdown);
    visit("items", row.items);
    visit("published_ms", row.published_ms);
    visit("published_from", row.published_from);
    visit("modified_ms", row.modified_ms);
    visit("modified_from", row.modified_from);
    visit("author", row.author);
    visit("author_from", row.author_from);
    visit("headline", row.headline);
    visit("headline_from", row.headline_from);
    visit("image", row.image);
    visit("image_from", row.image_from);
    visit("site_name", row.site_name);
    visit("site_name_from", row.site_name_from);
    visit("schema_types", row.schema_types);
    visit("og_type", row.og_type);
  }

  bool operator==(const PageFactsRow&) const = default;
};

}  // namespace trawl
