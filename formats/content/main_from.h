// Where a main text came from. Pure.
#pragma once

#include <cstdint>

namespace trawl {

// Numbered for ever: rows of page_facts hold it.
enum class MainFrom : int8_t {
  kNone = 0,     // the page has no prose that stands out
  kArticle = 1,  // from an element that says so: article, main, articleBody
  kDensity = 2,  // from the place where the most text with the fewest links is
};

}  // namespace trawl
