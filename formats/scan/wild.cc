#include "formats/scan/wild.h"

namespace trawl {

std::string_view HtmlWildName(HtmlWild wild) {
  switch (wild) {
    case HtmlWild::kNot:
      return "";
    case HtmlWild::kAssertion:
      return "assertion";
    case HtmlWild::kDepth:
      return "depth";
    case HtmlWild::kDoctype:
      return "doctype";
    case HtmlWild::kForeign:
      return "foreign";
    case HtmlWild::kFrameset:
      return "frameset";
    case HtmlWild::kFostered:
      return "fostered";
    case HtmlWild::kHtmlAgain:
      return "html_again";
    case HtmlWild::kIsindex:
      return "isindex";
    case HtmlWild::kMemory:
      return "memory";
    case HtmlWild::kMisnested:
      return "misnested";
    case HtmlWild::kNul:
      return "nul";
    case HtmlWild::kPlaintext:
      return "plaintext";
    case HtmlWild::kReference:
      return "reference";
    case HtmlWild::kWork:
      break;
  }
  return "work";
}

}  // namespace trawl
