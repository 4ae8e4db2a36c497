#include "formats/digests/text_sketch.h"

#include <algorithm>
#include <cstring>

#include "formats/digests/digest.h"
#include "formats/digests/tokens.h"

namespace trawl {

namespace {

constexpr uint64_t kLowHalves = 0x0F0F'0F0F'0F0F'0F0FULL;
constexpr uint64_t kAboveThem = 0x1010'1010'1010'1010ULL;

uint64_t Mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58'476D'1CE4'E5B9ULL;
  x = (x ^ x >> 27) * 0x94D0'49BB'1331'11EBULL;
  return x ^ x >> 31;
}

class Counters32 {
 public:
  void Add(uint64_t hash) { counters_[hash % 32] += (hash >> 5 & 1) != 0 ? 1 : -1; }
  std::array<uint64_t, 2> Packed() const {
    std::array<uint64_t, 2> packed{};
    for (size_t i = 0; i < 32; ++i) packed[i / 16] |= (static_cast<uint64_t>(counters_[i]) & 15) << (i % 16 * 4);
    return packed;
  }

 private:
  std::array<uint32_t, 32> counters_{};
};

// By the two halves of a byte: the sum of their squares, where each is a number from -8 to 7.
constexpr std::array<uint8_t, 256> MakeSquares() {
  std::array<uint8_t, 256> squares{};
  for (int byte = 0; byte < 256; ++byte) {
    const int low = (byte & 15) - (byte & 8) * 2, high = (byte >> 4) - (byte >> 7) * 16;
    squares[static_cast<size_t>(byte)] = static_cast<uint8_t>(low * low + high * high);
  }
  return squares;
}
constexpr std::array<uint8_t, 256> kSquares = MakeSquares();

// About the number of additions that are in one of them only.
uint64_t Difference(const std::array<uint64_t, 2>& a, const std::array<uint64_t, 2>& b) {
  uint64_t sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    // Each half of a byte is subtracted by itself, with a bit above it to borrow from.
    const uint64_t low = ((a[i] & kLowHalves) | kAboveThem) - (b[i] & kLowHalves);
    const uint64_t high = ((a[i] >> 4 & kLowHalves) | kAboveThem) - (b[i] >> 4 & kLowHalves);
    const uint64_t differences = (low & kLowHalves) | (high & kLowHalves) << 4;
    for (int shift = 0; shift < 64; shift += 8) sum += kSquares[differences >> shift & 255];
  }
  return sum;
}

void Append(uint64_t value, size_t bytes, std::string* out) {
  for (size_t i = 0; i < bytes; ++i) out->push_back(static_cast<char>(value >> (8 * i) & 255));
}

uint64_t ReadAt(std::string_view bytes, size_t from, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[from + i])} << (8 * i);
  return value;
}

}  // namespace

TextSketch TextSketch::FromBytes(std::string_view bytes) {
  if (bytes.size() != kBytes) return {};
  return {.tokens = static_cast<uint32_t>(ReadAt(bytes, 0, 4)),
          .words = {ReadAt(bytes, 4, 8), ReadAt(bytes, 12, 8)},
          .lines = {ReadAt(bytes, 20, 8), ReadAt(bytes, 28, 8)}};
}

std::string TextSketch::Bytes() const {
  if (tokens == 0) return {};
  std::string bytes;
  Append(tokens, 4, &bytes);
  for (const auto& counters : {words, lines}) {
    for (const uint64_t half : counters) Append(half, 8, &bytes);
  }
  return bytes;
}

TextSketch TextSketchOf(std::string_view text) {
  Counters32 words, lines;
  uint32_t tokens = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const uint64_t line_hash = Hash64(line);
    TokenReader reader(line);
    uint64_t number = 0;
    for (std::string_view token; reader.Next(&token); ++number) {
      words.Add(Hash64(token));
      lines.Add(Mix(line_hash + number));
    }
    tokens += static_cast<uint32_t>(number);
  }
  return {.tokens = tokens, .words = words.Packed(), .lines = lines.Packed()};
}

bool MayBeCopies(const TextSketch& a, const TextSketch& b) {
  if (a.tokens == 0 || b.tokens == 0) return true;
  const uint64_t words = Difference(a.words, b.words);
  return words * 200 <= (uint64_t{a.tokens} + b.tokens) * 3 || words * 10 <= Difference(a.lines, b.lines) * 3;
}

}  // namespace trawl
