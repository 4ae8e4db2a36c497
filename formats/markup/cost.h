// The least that a page would cost gumbo, found by a quick look at its tags: for tree.cc and scan/guards.cc. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

struct HtmlCost {
  // In the units of HtmlArena's meter. Tags are taken at their word: every element that is opened and not closed makes
  // the page deeper, except elements that end by themselves.
  uint64_t work = 0;
  bool has_foreign_content = false;
};

// Stops looking when `work` exceeds `enough`.
HtmlCost EstimateHtmlCost(std::string_view html, uint64_t enough);

}  // namespace trawl
