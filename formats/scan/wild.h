// Why a page is wild: the page has something that the scan does not model, so gumbo must read it. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

enum class HtmlWild : uint8_t {
  kNot,
  kAssertion,  // an assertion in gumbo might fail
  kDepth,      // nested so deep that a guard might refuse the tree
  kDoctype,    // a table depends on quirks mode, and the doctype leaves that mode in doubt
  kForeign,    // SVG or MathML that gumbo may read differently
  kFrameset,   // a frameset takes the place of the body
  kFostered,   // a table has content that is put in front of the table
  kHtmlAgain,  // a second <html> or <body> adds attributes that count
  kIsindex,
  kMemory,     // a guard might refuse the tree
  kMisnested,  // the adoption agency moves something that counts
  kNul,
  kPlaintext,
  kReference,  // a character reference that the scan does not know
  kWork,       // a guard might refuse the tree
};
inline constexpr int kHtmlWildReasons = static_cast<int>(HtmlWild::kWork) + 1;

// "misnested", as in the counter wild.misnested; empty for kNot.
std::string_view HtmlWildName(HtmlWild wild);

}  // namespace trawl
