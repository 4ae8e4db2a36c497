#include "formats/robots/pattern.h"

#include <cstring>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

enum class Part { kPath, kQuery };

// The octet that the escape at `at` stands for, or -1 where there is no escape.
int EscapedOctet(std::string_view text, size_t at) {
  if (text[at] != '%' || at + 2 >= text.size()) return -1;
  const int high = HexDigitValue(text[at + 1]);
  const int low = HexDigitValue(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool Contains(std::string_view set, uint8_t octet) {
  return set.find(static_cast<char>(octet)) != std::string_view::npos;
}

// Octets that the compared form escapes, however they were written.
bool AlwaysEscaped(uint8_t octet) { return octet <= ' ' || octet >= 0x7F || Contains("\"#%<>\\^`{|}*$", octet); }

// Octets whose escape means something else than the plain character.
bool EscapeHasMeaning(uint8_t octet, Part part) { return Contains(part == Part::kPath ? "/?" : "&=+", octet); }

void AppendEscaped(uint8_t octet, std::string* out) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  out->push_back('%');
  out->push_back(kDigits[octet >> 4]);
  out->push_back(kDigits[octet & 15]);
}

// True where the compared form of text[at] is that octet itself, whatever stands around it.
bool StaysAsItIs(std::string_view text, size_t at) { return !AlwaysEscaped(static_cast<uint8_t>(text[at])); }

bool IsWildcard(std::string_view pattern, size_t at) {
  return pattern[at] == '*' || (pattern[at] == '$' && at + 1 == pattern.size());
}

std::string_view ComparedForm(std::string_view text, bool is_pattern, std::string* buffer) {
  size_t same = 0;
  while (same < text.size() && (StaysAsItIs(text, same) || (is_pattern && IsWildcard(text, same)))) ++same;
  if (same == text.size()) return text;
  buffer->assign(text.substr(0, same));
  Part part = buffer->find('?') == std::string::npos ? Part::kPath : Part::kQuery;
  for (size_t at = same; at < text.size(); ++at) {
    if (is_pattern && IsWildcard(text, at)) {
      buffer->push_back(text[at]);
      continue;
    }
    const int escaped = EscapedOctet(text, at);
    const uint8_t octet = static_cast<uint8_t>(escaped < 0 ? text[at] : static_cast<char>(escaped));
    if (AlwaysEscaped(octet) || (escaped >= 0 && EscapeHasMeaning(octet, part))) {
      AppendEscaped(octet, buffer);
    } else {
      buffer->push_back(static_cast<char>(octet));
    }
    if (escaped >= 0) at += 2;
    if (octet == '?' && escaped < 0) part = Part::kQuery;
  }
  return *buffer;
}

uint64_t PairBit(char first, char second) {
  const auto pair = static_cast<uint32_t>(static_cast<uint8_t>(first)) << 8 | static_cast<uint8_t>(second);
  return uint64_t{1} << (pair * 2654435769u >> 26);
}

uint64_t PairBits(std::string_view text) {
  uint64_t bits = 0;
  for (size_t i = 1; i < text.size(); ++i) bits |= PairBit(text[i - 1], text[i]);
  return bits;
}

// The piece of `tail` after the "*" that it begins with. `tail` then begins with the next "*" or is empty.
std::string_view TakePiece(std::string_view* tail) {
  const size_t end = tail->find('*', 1);
  const std::string_view piece = tail->substr(1, end == std::string_view::npos ? end : end - 1);
  *tail = end == std::string_view::npos ? std::string_view() : tail->substr(end);
  return piece;
}

}  // namespace

std::string_view ComparedRobotsPath(std::string_view path, std::string* buffer) {
  return ComparedForm(path, /*is_pattern=*/false, buffer);
}

std::string_view ComparedRobotsPattern(std::string_view pattern, std::string* buffer) {
  return ComparedForm(pattern, /*is_pattern=*/true, buffer);
}

RobotsPattern SplitRobotsPattern(std::string_view pattern) {
  RobotsPattern out;
  out.anchored = pattern.ends_with('$');
  if (out.anchored) pattern.remove_suffix(1);
  const size_t star = pattern.find('*');
  out.head = pattern.substr(0, star);
  if (star != std::string_view::npos) out.tail = pattern.substr(star);
  return out;
}

bool MatchRobotsTail(std::string_view tail, bool anchored, std::string_view rest) {
  if (tail.empty()) return !anchored || rest.empty();
  while (!tail.empty()) {
    const std::string_view piece = TakePiece(&tail);
    if (tail.empty() && anchored) return rest.ends_with(piece);
    if (piece.empty()) continue;
    // The leftmost place is always as good as a later one. memmem is used because find is quadratic at worst.
    const void* found = memmem(rest.data(), rest.size(), piece.data(), piece.size());
    if (found == nullptr) return false;
    rest.remove_prefix(static_cast<size_t>(static_cast<const char*>(found) - rest.data()) + piece.size());
  }
  return true;
}

uint64_t RobotsPathPairs(std::string_view compared_path) { return PairBits(compared_path); }

uint64_t RobotsTailPairs(std::string_view tail) {
  uint64_t bits = 0;
  while (!tail.empty()) bits |= PairBits(TakePiece(&tail));
  return bits;
}

}  // namespace trawl
