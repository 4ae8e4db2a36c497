// The door of formats/content: the main text of a page, without menus, footers, comments and what else stands around it.
//
// The rule, version kMainRule. Letters are characters that are no white space; one of Chinese, Japanese or Korean counts
// twice.
//  1. Left out are nav, footer, buttons and other controls, figures without code or table, and elements whose role says
//     that they stand beside the content (navigation, complementary, banner…), unless one holds 60 % of all letters.
//  2. Left out are aside, the page's header, and elements with a word in class or id that says so (related, promo,
//     share…; signs.cc), unless one holds 40 % of all letters. Words that say "by others" (comments, a consent banner)
//     count whatever the element holds, as long as something remains.
//  3. Each block scores by the letters n and the commas that stand in it and in no block inside it, from 25 letters on:
//     (1 + min(n / 100, 3) + commas) × (1 - the part of n that stands in links). Its parent gets the score, the parent's
//     parent half of it, the next one a third. A block of 250 letters that is no paragraph gets its own score, too.
//  4. The best is the block with the highest score × (1 - its part of letters in links), × 1.3 if it is an article, main
//     or articleBody.
//  5. It widens to its parent as long as that holds more than 1.35 times the letters, of which less than a quarter stand
//     in links.
//  6. Its siblings with a fifth of its score belong to it.
//  7. Inside, lists, tables and blocks of which more than half stands in links are left out.
//  8. With less than 500 letters the search starts anew, first with rule 2 for all words alike, then without words.
//  9. What is found counts only if it is prose: enough letters stand in blocks of 80 or more that are not mostly links,
//     and it is no list of teasers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/content/main_from.h"
#include "formats/content/outline.h"

namespace trawl {

// Raised when the same page would get another main text.
inline constexpr int32_t kMainRule = 1;

struct MainContent {
  MainFrom from = MainFrom::kNone;
  std::string text;
  // Of the whole page: the part of its letters that stand in links.
  double link_density = 0;
  // Whether each node of the outline belongs to the main content. Empty where there is none.
  std::vector<bool> takes;
};

// `text` is the text of the page of which the outline is. Time and memory are proportional to both. Pure; any thread.
MainContent MainContentOf(const PageOutline& outline, std::string_view text);

}  // namespace trawl
