// Reads a tame page without a tree: one pass over its bytes sends the elements and texts that a walk of gumbo's tree
// would send, in the same order. It is tree construction (HTML Standard 13.2.6, as gumbo has it) on a stack of open
// elements alone: possible as long as everything is put at the end of what is there. Where gumbo would move or drop
// what has been sent, or a guard might refuse the tree, the page is wild, and what was sent is to be forgotten.
//
// A scanner keeps its memory for the next page: one for each thread.
#pragma once

#include <memory>
#include <string_view>

#include "formats/scan/element.h"
#include "formats/scan/wild.h"

namespace trawl {

class HtmlScanner {
 public:
  HtmlScanner();
  ~HtmlScanner();
  HtmlScanner(HtmlScanner&&) noexcept;
  HtmlScanner& operator=(HtmlScanner&&) noexcept;

  // REQUIRES: `utf8` is well-formed UTF-8. Never fails.
  HtmlWild Read(std::string_view utf8, HtmlEvents* events);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace trawl
