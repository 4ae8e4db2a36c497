#include "formats/html/html.h"

#include <gumbo.h>

#include <utility>

#include "formats/html/page_builder.h"
#include "formats/html/scan.h"
#include "formats/html/walk.h"
#include "formats/markup/arena.h"
#include "formats/markup/tree.h"
#include "formats/scan/scan.h"

namespace trawl {

std::string_view LinkKindName(LinkKind kind) {
  switch (kind) {
    case LinkKind::kAnchor:
      return "a";
    case LinkKind::kArea:
      return "area";
    case LinkKind::kFrame:
      return "frame";
    case LinkKind::kIframe:
      return "iframe";
    case LinkKind::kCanonical:
      return "canonical";
    case LinkKind::kAlternate:
      return "alternate";
    case LinkKind::kNext:
      return "next";
    case LinkKind::kPrev:
      return "prev";
    case LinkKind::kRefresh:
      return "refresh";
    case LinkKind::kImage:
      return "image";
    case LinkKind::kScript:
      return "script";
    case LinkKind::kStyle:
      return "style";
    case LinkKind::kMedia:
      return "media";
    case LinkKind::kResource:
      break;
  }
  return "resource";
}

bool MayEnterCrawl(LinkKind kind) { return kind <= LinkKind::kRefresh; }

struct HtmlParser::State {
  HtmlOptions options;
  HtmlArena arena;
  HtmlScanner scanner;
};

HtmlParser::HtmlParser(HtmlOptions options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
}
HtmlParser::~HtmlParser() = default;
HtmlParser::HtmlParser(HtmlParser&&) noexcept = default;
HtmlParser& HtmlParser::operator=(HtmlParser&&) noexcept = default;

HtmlPage HtmlParser::Parse(std::string_view utf8) {
  if (state_->options.reader == HtmlReading::kTree) return ParseTree(utf8);
  HtmlPage page;
  HtmlWild wild;
  {
    HtmlPageBuilder builder(state_->options, &page);
    wild = state_->scanner.Read(utf8, &builder);
    if (wild == HtmlWild::kNot) builder.Finish();
  }
  if (wild == HtmlWild::kNot) {
    page.read_by_scan = true;
    return page;
  }
  page = HtmlPage();  // it keeps nothing while the tree waits and grows
  page = ParseTree(utf8);
  page.wild = wild;
  return page;
}

HtmlPage HtmlParser::ParseTree(std::string_view utf8) {
  if (state_->options.before_tree) state_->options.before_tree();
  HtmlPage page;
  const HtmlTree tree = ParseHtmlTree(utf8, {}, &state_->arena);
  page.tree = tree.state;
  HtmlPageBuilder builder(state_->options, &page);
  if (tree.output != nullptr) {
    WalkHtmlTree(tree.output->document, &builder);
  } else {
    state_->arena.Reset({});
    ScanHtml(utf8, &builder);
  }
  builder.Finish();
  // Gives back the memory of a huge page at once and not when the next page comes.
  state_->arena.Reset({});
  return page;
}

}  // namespace trawl
