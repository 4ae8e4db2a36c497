// Whether gumbo's tree of a page was made, or which guard refused it. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

enum class HtmlTreeState : uint8_t {
  kComplete,
  // Read by the flat scan, because…
  kTooDeep,
  kTooMuchWork,
  kTooMuchMemory,
  kParserGaveUp,
};
std::string_view HtmlTreeStateName(HtmlTreeState state);

}  // namespace trawl
