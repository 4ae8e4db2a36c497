// The door of formats/scan: reads a tame page without a tree.
//
// One pass over the bytes sends the elements and texts that a walk of gumbo's tree would send, in the same order. The
// scan is tree construction (HTML Standard 13.2.6, as gumbo has it) with a stack of open elements alone. This is
// possible as long as everything is added at the end of what is there. A page is wild if gumbo would move or drop
// something that was already sent, or if a guard might refuse the tree. The receiver of a wild page must forget
// everything that was sent.
//
// A scanner keeps its memory for the next page: use one per thread.
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
