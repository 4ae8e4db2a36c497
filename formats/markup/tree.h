// The door of formats/markup: gumbo's parse tree of a page, made under the guards that html/html.h describes. For the
// sources of formats/html alone; tags.h and markup.h are for all readers of HTML.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/markup/tree_state.h"

struct GumboInternalOutput;

namespace trawl {

class HtmlArena;

struct HtmlTreeOptions {
  // GumboTag and GumboNamespaceEnum of the element for which a fragment is parsed; kNoFragment for a document.
  static constexpr int kNoFragment = -1;
  int fragment_tag = kNoFragment;
  int fragment_namespace = 0;
};

struct HtmlTree {
  // Null unless `state` is kComplete. Lives until `arena` is used again, and only as long as the text.
  const GumboInternalOutput* output = nullptr;
  HtmlTreeState state = HtmlTreeState::kComplete;
};

// Parses `utf8` with memory of `arena`. Refuses a page if gumbo cannot parse it at a cost in proportion to its length.
// Never fails otherwise.
HtmlTree ParseHtmlTree(std::string_view utf8, const HtmlTreeOptions& options, HtmlArena* arena);

}  // namespace trawl
