// Whether gumbo's tree of a page was made, or which guard refused it. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

enum class HtmlTreeState : uint8_t {
  kComplete,
  // The flat scan read the page, for one of these reasons.
  kTooDeep,
  kTooMuchWork,
  kTooMuchMemory,
  kParserGaveUp,
};
std::string_view HtmlTreeStateName(HtmlTreeState state);

}  // namespace trawl
