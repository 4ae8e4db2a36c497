#include "formats/digests/simhash.h"

#include <array>
#include <string>

#include "formats/digests/digest.h"
#include "formats/digests/tokens.h"

namespace trawl {

namespace {

// Counts, for each of 64 bit positions, how many of the added words have that bit. Plane k holds bit k of all 64
// counts, so adding a word is an addition with carry over whole planes.
class BitCounts {
 public:
  void Add(uint64_t word) {
    ++words_;
    for (uint64_t& plane : planes_) {
      const uint64_t carry = plane & word;
      plane ^= word;
      word = carry;
      if (word == 0) return;
    }
  }

  // The bits that more than half of the words have.
  uint64_t Majority() const {
    uint64_t bits = 0;
    for (int bit = 0; bit < 64; ++bit) {
      uint64_t count = 0;
      for (size_t plane = 0; plane < planes_.size(); ++plane) count |= (planes_[plane] >> bit & 1) << plane;
      if (count > words_ / 2) bits |= uint64_t{1} << bit;
    }
    return bits;
  }

 private:
  uint64_t words_ = 0;
  std::array<uint64_t, 40> planes_{};
};

// The last three tokens, with a space between them.
class ShingleWindow {
 public:
  void Push(std::string_view token) {
    if (!bytes_.empty()) bytes_ += ' ';
    first_ = second_;
    second_ = third_;
    third_ = bytes_.size();
    bytes_ += token;
    // Bytes that the window has passed are dropped once they are this many, not each time.
    constexpr size_t kDropBytes = 4096;
    if (first_ < kDropBytes) return;
    bytes_.erase(0, first_);
    second_ -= first_;
    third_ -= first_;
    first_ = 0;
  }
  std::string_view Shingle() const { return std::string_view(bytes_).substr(first_); }

 private:
  std::string bytes_;
  size_t first_ = 0;  // where the tokens begin
  size_t second_ = 0;
  size_t third_ = 0;
};

}  // namespace

std::optional<uint64_t> SimHashOf(std::string_view text) {
  TokenReader reader(text);
  ShingleWindow window;
  BitCounts counts;
  uint64_t tokens = 0;
  for (std::string_view token; reader.Next(&token);) {
    window.Push(token);
    if (++tokens >= 3) counts.Add(Hash64(window.Shingle()));
  }
  if (tokens < 3) return std::nullopt;
  return counts.Majority();
}

}  // namespace trawl
