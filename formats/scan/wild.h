// Why a page is wild: what it has that the scan does not model, so that gumbo must read it. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

enum class HtmlWild : uint8_t {
  kNot,
  kAssertion,  // an assertion of gumbo's might fail
  kDepth,      // nested so deep that a guard might refuse the tree
  kDoctype,    // quirks mode decides what a table does, and it is doubtful
  kForeign,    // SVG or MathML with what may differ
  kFrameset,   // takes the place of a body
  kFostered,   // content of a table that is put in front of it
  kHtmlAgain,  // a second <html> or <body> adds attributes that count
  kIsindex,
  kMemory,     // a guard might refuse the tree
  kMisnested,  // the adoption agency moves what counts
  kNul,
  kPlaintext,
  kReference,  // a character reference that is not known
  kWork,       // a guard might refuse the tree
};
inline constexpr int kHtmlWildReasons = static_cast<int>(HtmlWild::kWork) + 1;

// "misnested", as in the counter wild.misnested; empty for kNot.
std::string_view HtmlWildName(HtmlWild wild);

}  // namespace trawl
