#include "runtime/terminal/cells.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace trawl {

namespace {

struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 1;
  bool is_valid = false;
};

// The code point that the text begins with. REQUIRES: the text is not empty.
CodePoint Decode(std::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return {first, 1, true};
  const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  uint32_t value = first & (0xFFU >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if ((byte & 0xC0U) != 0x80) return {};
    value = value << 6 | (byte & 0x3FU);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kLeast[bytes] || value > 0x10FFFF || is_surrogate) return {};
  return {value, bytes, true};
}

struct Span {
  uint32_t first, last;
};

// East Asian Wide and Fullwidth (Unicode Standard Annex 11), and emoji, in spans that are wide enough for a table.
constexpr Span kWide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x274C, 0x274C},   {0x2B50, 0x2B50},
    {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x17000, 0x18CFF}, {0x1B000, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F7E0, 0x1F7EB}, {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};
// Marks on the character before, of the scripts where a table meets them.
constexpr Span kMarks[] = {{0x0300, 0x036F}, {0x0483, 0x0489},   {0x0591, 0x05BD},  {0x0610, 0x061A},
                           {0x064B, 0x065F}, {0x0E31, 0x0E31},   {0x0E34, 0x0E3A},  {0x0E47, 0x0E4E},
                           {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},   {0x20D0, 0x20FF},  {0xFE00, 0xFE0F},
                           {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF}};
// Characters without a shape of their own: soft hyphen, joiners, directions of writing, tags, private use in planes 15
// and 16 aside.
constexpr Span kUnseen[] = {{0x00AD, 0x00AD}, {0x034F, 0x034F},   {0x061C, 0x061C},   {0x115F, 0x1160},
                            {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x202A, 0x202E},
                            {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
                            {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE007F}};

template <size_t N>
bool IsIn(const Span (&spans)[N], uint32_t value) {
  const auto after =
      std::find_if(std::begin(spans), std::end(spans), [value](Span span) { return value <= span.last; });
  return after != std::end(spans) && value >= after->first;
}

size_t CellsOf(uint32_t value) {
  if (value < 0x300) return 1;
  if (IsIn(kMarks, value)) return 0;
  return IsIn(kWide, value) ? 2 : 1;
}

bool IsBlank(uint32_t value) {
  return value <= 0x20 || (value >= 0x7F && value <= 0xA0) || value == 0x1680 || (value >= 0x2000 && value <= 0x200A) ||
         value == 0x2028 || value == 0x2029 || value == 0x202F || value == 0x205F || value == 0x3000;
}

}  // namespace

size_t CountCells(std::string_view text) {
  size_t cells = 0;
  while (!text.empty()) {
    const CodePoint point = Decode(text);
    cells += point.is_valid ? CellsOf(point.value) : 1;
    text.remove_prefix(point.bytes);
  }
  return cells;
}

std::string CellText(std::string_view text) {
  // A mark on a mark on a mark … leaves its line on many terminals.
  constexpr int kMostMarks = 4;
  std::string out;
  bool owes_space = false;
  int marks = 0;
  while (!text.empty()) {
    const CodePoint point = Decode(text);
    const std::string_view bytes = text.substr(0, point.bytes);
    text.remove_prefix(point.bytes);
    if (!point.is_valid || IsIn(kUnseen, point.value)) continue;
    if (IsBlank(point.value)) {
      owes_space = !out.empty();
      continue;
    }
    marks = CellsOf(point.value) == 0 ? marks + 1 : 0;
    if (marks > kMostMarks) continue;
    if (owes_space) out += ' ';
    owes_space = false;
    out += bytes;
  }
  return out;
}

std::string CutCell(std::string_view text, size_t columns) {
  if (CountCells(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  std::string out;
  size_t used = 0;
  while (!text.empty()) {
    const CodePoint point = Decode(text);
    const size_t cells = point.is_valid ? CellsOf(point.value) : 1;
    if (used + cells > columns - 1) break;
    out += text.substr(0, point.bytes);
    used += cells;
    text.remove_prefix(point.bytes);
  }
  return out + "…";
}

}  // namespace trawl
