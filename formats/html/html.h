// The door of formats/html: takes from an HTML page its title, its readable text, its links, and the page's statements
// about itself.
//
// Start with HtmlParser::Parse. The page must be UTF-8; DecodeToUtf8 in charset/decode.h makes it so. A scan of the
// bytes reads the page (formats/scan). If the page has something that the scan does not model, gumbo makes a tree, and
// the same result comes from the tree. Guards protect this parse: they meter its memory and its work. A flat look at
// the tags reads the page instead if the page would cost more than a small multiple of its length, if it is nested
// deeper than any real page, or if gumbo itself gives up on it (`HtmlPage::tree` says so). The flat look gives the same
// things, less exactly. All limits count work, not time: the same bytes give the same page on every machine.
//
// Readable text (version 1) is the text of everything except title, script, style, template, noscript and hidden
// elements. An element is hidden if it has the `hidden` attribute, if its style attribute says display:none or
// visibility:hidden, or if browsers never show it. White space is collapsed to one space. Block elements and <br> break
// lines, and so do line feeds in <pre>. Table cells are one space apart. No line is empty, and no line begins or ends
// with a space. A no-break space is a space.
//
// A parser keeps its memory for the next page: use one per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/content/content_log.h"
#include "formats/content/outline.h"
#include "formats/http/refresh.h"
#include "formats/markup/tree_state.h"
#include "formats/robots/directives.h"
#include "formats/scan/wild.h"
#include "formats/structured/parts.h"

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
  // These are only recorded.
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
  // As written, without white space around it. It must be resolved against the page's base (urls.h).
  std::string href;
  // Collapsed. Images in the link count with their alternative text.
  std::string text;
  // In lower case; the tokens are one space apart.
  std::string rel;
  // hreflang and type of an alternate, as written.
  std::string language;
  std::string media_type;
};

// The facts for the decision "this page needs a browser".
struct ScriptHints {
  uint32_t scripts = 0;
  // The page has an element in which applications are built: id "root", "app", "__next" and the like, ng-app,
  // data-reactroot.
  bool application_root = false;
  // The page has a <noscript> that asks for JavaScript.
  bool asks_for_script = false;
};

// The amounts that were cut because a limit was reached.
struct HtmlCuts {
  uint64_t links = 0;
  uint64_t resources = 0;
  uint64_t text_bytes = 0;
};

struct HtmlPage {
  std::string title;
  std::string text;
  // In the order of the page: the links that may enter the crawl, and those that may not.
  std::vector<HtmlLink> links;
  std::vector<HtmlLink> resources;
  // The first href of a <base>, as written. has_base tells whether the page has one.
  bool has_base = false;
  std::string base_href;
  // As declared by <html lang>, or else by <meta http-equiv="content-language">.
  std::string language;
  std::string description;
  // The directives of <meta name="robots"> and of the crawler's own name, merged.
  RobotsDirectives robots;
  // The first <meta http-equiv="refresh"> that is valid.
  std::optional<Refresh> refresh;
  // <meta name="tdm-reservation">: 0 or 1, or -1 if the page does not have it.
  int tdm_reservation = -1;
  std::string tdm_policy;
  // The first <link rel=amphtml>, as written, whether resources are recorded or not.
  std::string amphtml_href;
  ScriptHints script_hints;
  // ReadStructured (structured/structured.h) makes items of it. Empty unless HtmlOptions::structured.
  StructuredParts structured;
  HtmlCuts cuts;
  // The shape of the page, if one was asked for.
  PageOutline outline;
  // All that it shows, if that was asked for.
  ContentLog log;
  // The state of the tree, if a tree was asked for.
  HtmlTreeState tree = HtmlTreeState::kComplete;
  // Why the page was not scanned; kNot if it was scanned, or if no scan was wanted.
  HtmlWild wild = HtmlWild::kNot;
  bool read_by_scan = false;
};

// The reader of a page: the scan first and gumbo for a wild page, or gumbo at once.
enum class HtmlReading : uint8_t { kAuto, kTree };

struct HtmlOptions {
  // The crawler's own name in meta elements, in lower case. The name "robots" always counts, too.
  std::string agent = "trawl";
  // The time of the job's plan. It gives the century to a date with a year of two digits in a robots directive.
  int64_t now_ms = 0;
  size_t max_links = 10'000;
  size_t max_resources = 10'000;
  size_t max_text_bytes = 4 << 20;
  // A longer href is not a URL that the crawl could keep (2,048 bytes after normalising). It counts as a cut link.
  size_t max_href_bytes = 8 << 10;
  size_t max_link_text_bytes = 1 << 10;
  size_t max_title_bytes = 4 << 10;
  bool structured = true;
  HtmlReading reader = HtmlReading::kAuto;
  bool outline = true;
  // Keep a log of what the page shows, for Markdown. Needs the outline.
  bool log = false;
  // Called before a tree is built, which takes many times the page's size; it may wait. May be empty.
  std::function<void()> before_tree;
};

class HtmlParser {
 public:
  explicit HtmlParser(HtmlOptions options = {});
  ~HtmlParser();
  HtmlParser(HtmlParser&&) noexcept;
  HtmlParser& operator=(HtmlParser&&) noexcept;

  // REQUIRES: `utf8` is well-formed UTF-8. Never fails: leaves out everything that it cannot read.
  HtmlPage Parse(std::string_view utf8);

 private:
  struct State;

  HtmlPage ParseTree(std::string_view utf8);

  std::unique_ptr<State> state_;
};

}  // namespace trawl
