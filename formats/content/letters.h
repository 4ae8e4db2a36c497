// Counts the letters and commas that stand in each node of an outline: for main_text.cc. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/content/outline.h"

namespace trawl {

struct LetterCount {
  int64_t letters = 0;
  int64_t in_links = 0;
  int64_t commas = 0;

  LetterCount& operator+=(const LetterCount& other) {
    letters += other.letters;
    in_links += other.in_links;
    commas += other.commas;
    return *this;
  }
  double density() const { return letters == 0 ? 0 : static_cast<double>(in_links) / static_cast<double>(letters); }
};

// For each node what stands in it and in no other node inside it.
std::vector<LetterCount> LettersOf(const PageOutline& outline, std::string_view text);

}  // namespace trawl
