// What a crawler takes from an HTML page: title, readable text, links, and what the page says about itself.
//
// Start with HtmlParser::Parse. The page comes as UTF-8 (DecodeToUtf8 in charset/decode.h makes it). A scan of its bytes
// reads it (formats/scan), unless the page has what the scan does not model: then gumbo makes a tree, and the same comes
// of that. The tree is made behind guards: its memory and its work are metered, and a page that would cost more than a
// small multiple of its length, or that is nested deeper than any real one, or on which gumbo itself gives up, is read
// by a flat look at its tags instead (`HtmlPage::tree` says so). That gives the same things, less exactly. All limits
// count work, not time: the same bytes give the same page on every machine.
//
// Readable text (version 1): the text of everything but title, script, style, template, noscript, and what is hidden
// (the `hidden` attribute, display:none or visibility:hidden in a style attribute, what browsers never show). White
// space is collapsed to one space; block elements, <br> and, in <pre>, line feeds break lines; table cells are one
// space apart; no line is empty, and none begins or ends with a space. A no-break space is a space.
//
// A parser keeps its memory for the next page: one for each thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/http/refresh.h"
#include "formats/markup/tree_state.h"
#include "formats/robots/directives.h"
#include "formats/scan/wild.h"

namespace trawl {

enum class LinkKind : uint8_t {
  // These may enter the crawl.
  kAnchor,
  kArea,
  kFrame,
  kIframe,
  kCanonical,
  kAlternate,
  kNext,
  kPrev,
  kRefresh,
  // These are recorded and no more.
  kImage,
  kScript,
  kStyle,
  kMedia,
  kResource,
};
// "a", "area", "frame", …
std::string_view LinkKindName(LinkKind kind);
bool MayEnterCrawl(LinkKind kind);

struct HtmlLink {
  LinkKind kind = LinkKind::kAnchor;
  // As written, without white space around it: to be resolved against the page's base (html_urls.h).
  std::string href;
  // Collapsed; images in it count with their alternative text.
  std::string text;
  // Lower case, tokens one space apart.
  std::string rel;
  // Of an alternate: hreflang and type, as written.
  std::string language;
  std::string media_type;
};

// What the decision "this page needs a browser" is made of.
struct ScriptHints {
  uint32_t scripts = 0;
  // An element in which applications are put together: id "root", "app", "__next" and the like, ng-app, data-reactroot.
  bool application_root = false;
  // A <noscript> that asks for JavaScript.
  bool asks_for_script = false;
};

// What was cut: limits that were reached, and what that cost.
struct HtmlCuts {
  uint64_t links = 0;
  uint64_t resources = 0;
  uint64_t text_bytes = 0;
};

struct HtmlPage {
  std::string title;
  std::string text;
  // In the order of the page. Links that may enter the crawl, and those that may not.
  std::vector<HtmlLink> links;
  std::vector<HtmlLink> resources;
  // The first href of a <base>, as written; has_base says whether there is one.
  bool has_base = false;
  std::string base_href;
  // As declared: <html lang>, else <meta http-equiv="content-language">.
  std::string language;
  std::string description;
  // Of <meta name="robots"> and of the crawler's own name, merged.
  RobotsDirectives robots;
  // The first <meta http-equiv="refresh"> that is one.
  std::optional<Refresh> refresh;
  // <meta name="tdm-reservation">: -1 where there is none, else 0 or 1.
  int tdm_reservation = -1;
  std::string tdm_policy;
  ScriptHints script_hints;
  HtmlCuts cuts;
  // Of the tree, where one was asked for.
  HtmlTreeState tree = HtmlTreeState::kComplete;
  // Why the page was not scanned; kNot where it was, and where no scan was wanted.
  HtmlWild wild = HtmlWild::kNot;
  bool read_by_scan = false;
};

// What reads a page: the scan, and gumbo where the page is wild; or gumbo at once.
enum class HtmlReading : uint8_t { kAuto, kTree };

struct HtmlOptions {
  // The crawler's own name in meta elements, lower case; "robots" always counts.
  std::string agent = "trawl";
  // Of the job's plan: tells the century of a date in a robots directive that has two digits for the year.
  int64_t now_ms = 0;
  size_t max_links = 10'000;
  size_t max_resources = 10'000;
  size_t max_text_bytes = 4 << 20;
  // A longer href is no URL that the crawl could keep (2,048 bytes after normalising); counted as a cut link.
  size_t max_href_bytes = 8 << 10;
  size_t max_link_text_bytes = 1 << 10;
  size_t max_title_bytes = 4 << 10;
  HtmlReading reader = HtmlReading::kAuto;
};

class HtmlParser {
 public:
  explicit HtmlParser(HtmlOptions options = {});
  ~HtmlParser();
  HtmlParser(HtmlParser&&) noexcept;
  HtmlParser& operator=(HtmlParser&&) noexcept;

  // REQUIRES: `utf8` is well-formed UTF-8. Never fails: what cannot be read is left out.
  HtmlPage Parse(std::string_view utf8);

 private:
  struct State;

  HtmlPage ParseTree(std::string_view utf8);

  std::unique_ptr<State> state_;
};

}  // namespace trawl
