// Whether the guards of formats/markup might refuse the tree of a scanned page. The counts are upper bounds of gumbo's
// cost, so that the tree of a tame page exists. For the sources of formats/scan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/scan/wild.h"

namespace trawl {

// A page with more open elements is not scanned. A guard refuses pages that are more than five times as deep.
inline constexpr size_t kMostOpenElements = 480;

class HtmlWork {
 public:
  // Count each tag. look() is the most that these tags may cost the look at the tags (markup/cost.h), which takes tags
  // at their word.
  void CountStart(uint8_t tag, bool is_shallow, bool has_one_name);
  void CountEnd(uint8_t tag);
  uint64_t look() const { return look_; }

  // `tokens` counts tags. `nodes` counts the tree's nodes for tags, texts and comments.
  uint64_t tokens = 0;
  uint64_t nodes = 0;
  uint64_t attributes = 0;
  uint64_t most_attributes = 0;
  // Bytes in the tags <html> and <body>. gumbo may compare their attributes with each other.
  uint64_t root_bytes = 0;
  uint64_t raw_texts = 0;
  size_t most_open = 0;
  size_t most_formatting = 0;
  bool has_foreign = false;
  // The page has something in which the look at the tags (markup/cost.h) may see other tags than the scan did.
  bool is_odd = false;

 private:
  // For each name, at least the number of elements that the look at the tags counts as open.
  std::array<uint32_t, 256> begun_{};
  uint64_t open_ = 0;
  uint64_t look_ = 0;
};

// Returns the guard that might refuse the tree, or kNot.
HtmlWild GuardThatMightRefuse(const HtmlWork& work, std::string_view html);

}  // namespace trawl
