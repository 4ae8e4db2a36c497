// Words that make sense for a placeholder (runtime/options/value_kind.h) whose values the crawler has names for:
// STATE is a state of a URL, KIND a kind of trawl check. Others may be read, too. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// Empty for other placeholders.
std::vector<std::string> WordsOf(std::string_view placeholder);

}  // namespace trawl
