// A parse tree of gumbo, made behind the guards that html.h speaks of: for the sources of formats/html* alone.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/markup/tree_state.h"

struct GumboInternalOutput;

namespace trawl {

class HtmlArena;

struct HtmlTreeOptions {
  // GumboTag and GumboNamespaceEnum of the element that a fragment is parsed for; kNoFragment for a document.
  static constexpr int kNoFragment = -1;
  int fragment_tag = kNoFragment;
  int fragment_namespace = 0;
};

struct HtmlTree {
  // Null unless `state` is kComplete. Lives until `arena` is used again and as long as the text.
  const GumboInternalOutput* output = nullptr;
  HtmlTreeState state = HtmlTreeState::kComplete;
};

// Parses `utf8` with memory of `arena`. What gumbo cannot do at a cost in proportion to the length is refused; never
// fails otherwise.
HtmlTree ParseHtmlTree(std::string_view utf8, const HtmlTreeOptions& options, HtmlArena* arena);

}  // namespace trawl
