// Whether the guards of formats/markup might refuse the tree of a page that was scanned: upper bounds of what gumbo
// would have cost, so that a tame page is one whose tree exists. For the sources of formats/scan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/scan/wild.h"

namespace trawl {

// The deepest page that is scanned: a guard refuses those of more than five times as much.
inline constexpr size_t kMostOpenElements = 480;

class HtmlWork {
 public:
  // Of every tag: what it may cost the look at the tags (markup/cost.h), which takes tags at their word.
  void CountStart(uint8_t tag, bool is_shallow, bool has_one_name);
  void CountEnd(uint8_t tag);
  uint64_t look() const { return look_; }

  // Tags; and what stands in the tree for them, texts and comments.
  uint64_t tokens = 0;
  uint64_t nodes = 0;
  uint64_t attributes = 0;
  uint64_t most_attributes = 0;
  // Of <html> and <body>, whose attributes gumbo may compare with each other.
  uint64_t root_bytes = 0;
  uint64_t raw_texts = 0;
  size_t most_open = 0;
  size_t most_formatting = 0;
  bool has_foreign = false;
  // Something was met that the look at the tags (markup/cost.h) may take for other tags than the scan did.
  bool is_odd = false;

 private:
  // No fewer of each name than that look takes for open.
  std::array<uint32_t, 256> begun_{};
  uint64_t open_ = 0;
  uint64_t look_ = 0;
};

// kNot, or which guard might.
HtmlWild GuardThatMightRefuse(const HtmlWork& work, std::string_view html);

}  // namespace trawl
