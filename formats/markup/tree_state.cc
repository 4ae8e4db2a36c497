#include "formats/markup/tree_state.h"

namespace trawl {

std::string_view HtmlTreeStateName(HtmlTreeState state) {
  switch (state) {
    case HtmlTreeState::kComplete:
      return "complete";
    case HtmlTreeState::kTooDeep:
      return "too_deep";
    case HtmlTreeState::kTooMuchWork:
      return "too_much_work";
    case HtmlTreeState::kTooMuchMemory:
      return "too_much_memory";
    case HtmlTreeState::kParserGaveUp:
      break;
  }
  return "parser_gave_up";
}

}  // namespace trawl
