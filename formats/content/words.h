// Counts the words of a text, as a fact about a page. Pure; any thread.
//
// A word is a run of characters without white space that has a letter, a digit or any other character beyond ASCII that
// is no punctuation. Each character of Han, Hiragana and Katakana is a word of its own: they are written without spaces.
// (So are Thai, Lao and Khmer, where a run counts as one word.)
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

// REQUIRES: `utf8` is well-formed UTF-8.
int64_t CountWords(std::string_view utf8);

}  // namespace trawl
