#include "formats/content/letters.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace trawl {
namespace {

// What a byte adds to the letters: a character counts by its first byte, one of Chinese, Japanese or Korean twice, for
// it says as much as two letters do.
constexpr std::array<uint8_t, 256> kLetters = [] {
  std::array<uint8_t, 256> letters{};
  for (size_t c = 0x21; c < 0x7F; ++c) letters[c] = 1;
  for (size_t c = 0xC2; c < 0xF5; ++c) letters[c] = c >= 0xE3 && c <= 0xED ? 2 : 1;
  return letters;
}();

// Those of other scripts: "，", "、", "。", "؛" and "،".
int64_t WideCommas(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<uint8_t>(text[at + i]) : 0; };
  if (byte(0) == 0xE3 && byte(1) == 0x80) return byte(2) == 0x81 || byte(2) == 0x82;
  if (byte(0) == 0xEF && byte(1) == 0xBC) return byte(2) == 0x8C;
  return byte(0) == 0xD8 && byte(1) == 0x8C;
}

void Count(std::string_view text, LetterCount* count) {
  int64_t letters = 0;
  int64_t commas = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    letters += kLetters[byte];
    commas += byte == ',';
    if (byte == 0xE3 || byte == 0xEF || byte == 0xD8) commas += WideCommas(text, i);
  }
  count->letters += letters;
  count->commas += commas;
}

}  // namespace

std::vector<LetterCount> LettersOf(const PageOutline& outline, std::string_view text) {
  const std::vector<OutlineNode>& nodes = outline.nodes();
  std::vector<LetterCount> counts(nodes.size());
  std::vector<uint32_t> open;
  size_t at = 0;
  const auto count_to = [&](size_t to) {
    to = std::min(to, text.size());
    if (to > at && !open.empty()) Count(text.substr(at, to - at), &counts[open.back()]);
    at = std::max(at, to);
  };
  const auto close_before = [&](size_t number) {
    while (!open.empty() && nodes[open.back()].end <= number) {
      count_to(nodes[open.back()].text_end);
      open.pop_back();
    }
  };
  for (size_t i = 0; i < nodes.size(); ++i) {
    close_before(i);
    count_to(nodes[i].text_begin);
    open.push_back(static_cast<uint32_t>(i));
  }
  close_before(nodes.size());
  // All that stands in a link counts as such.
  std::vector<bool> is_in_link(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const uint32_t parent = nodes[i].parent;
    is_in_link[i] = nodes[i].part == HtmlPart::kLink || (parent != OutlineNode::kNone && is_in_link[parent]);
    if (is_in_link[i]) counts[i].in_links = counts[i].letters;
  }
  return counts;
}

}  // namespace trawl
