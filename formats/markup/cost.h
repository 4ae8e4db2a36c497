// What a page would cost gumbo at least, seen by a quick look at its tags: for html_tree.cc alone. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

struct HtmlCost {
  // In the units of HtmlArena's meter. Tags are taken at their word: every element that is opened and not closed
  // deepens the page, but for those that end by themselves.
  uint64_t work = 0;
  bool has_foreign_content = false;
};

// Stops looking when `work` goes beyond `enough`.
HtmlCost EstimateHtmlCost(std::string_view html, uint64_t enough);

}  // namespace trawl
