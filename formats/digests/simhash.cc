#include "formats/digests/simhash.h"

#include <array>
#include <cstring>
#include <string>

#include "formats/digests/digest.h"
#include "formats/digests/tokens.h"

namespace trawl {

namespace {

// Counts, for each of 64 bit positions, how many of the added words have that bit. Plane k holds bit k of all 64
// counts, so adding words is an addition with carry over whole planes. Words are added eight at a time, which takes
// fewer steps and no branches.
class BitCounts {
 public:
  void Add(uint64_t word) {
    waiting_[words_++ % waiting_.size()] = word;
    if (words_ % waiting_.size() == 0) AddEight();
  }

  // The bits that more than half of the words have. Nothing may be added after it.
  uint64_t Majority() {
    for (size_t i = 0; i < words_ % waiting_.size(); ++i) Carry(waiting_[i], 0);
    const uint64_t half = words_ / 2;
    uint64_t above = 0;
    uint64_t equal = ~uint64_t{0};
    for (size_t plane = planes_.size(); plane-- > 0;) {
      const uint64_t bit_of_half = (half >> plane & 1) != 0 ? ~uint64_t{0} : 0;
      above |= equal & planes_[plane] & ~bit_of_half;
      equal &= ~(planes_[plane] ^ bit_of_half);
    }
    return above;
  }

 private:
  // Adds three numbers of one bit in each position: leaves the low bit of the sum in `low`, returns the high one.
  static uint64_t AddThree(uint64_t a, uint64_t b, uint64_t& low) {
    const uint64_t one_of_two = a ^ b;
    const uint64_t high = (a & b) | (one_of_two & low);
    low ^= one_of_two;
    return high;
  }

  void AddEight() {
    const auto& w = waiting_;
    const uint64_t twos_a = AddThree(w[0], w[1], planes_[0]);
    const uint64_t twos_b = AddThree(w[2], w[3], planes_[0]);
    const uint64_t twos_c = AddThree(w[4], w[5], planes_[0]);
    const uint64_t twos_d = AddThree(w[6], w[7], planes_[0]);
    const uint64_t fours_a = AddThree(twos_a, twos_b, planes_[1]);
    const uint64_t fours_b = AddThree(twos_c, twos_d, planes_[1]);
    Carry(AddThree(fours_a, fours_b, planes_[2]), 3);
  }

  // Adds `word`, whose bits count 2 to the power of `plane`.
  void Carry(uint64_t word, size_t plane) {
    for (; word != 0; ++plane) {
      const uint64_t carry = planes_[plane] & word;
      planes_[plane] ^= word;
      word = carry;
    }
  }

  uint64_t words_ = 0;
  std::array<uint64_t, 8> waiting_{};
  std::array<uint64_t, 40> planes_{};
};

}  // namespace

std::optional<uint64_t> SimHashOf(std::string_view text, int64_t least_tokens) {
  // Tokens with a space between them; a shingle is a piece of it. Once this many bytes have been passed, they are
  // dropped.
  constexpr size_t kDropBytes = 4096;
  std::string bytes(2 * kDropBytes, '\0');
  size_t end = 0;
  // Where the last three tokens begin.
  size_t first = 0;
  size_t second = 0;
  size_t third = 0;
  TokenReader reader(text);
  BitCounts counts;
  int64_t tokens = 0;
  while (reader.Write(&bytes, &end)) {
    if (++tokens >= 3) counts.Add(Hash64({bytes.data() + first, end - first}));
    bytes[end++] = ' ';
    first = second;
    second = third;
    third = end;
    if (first < kDropBytes) continue;
    std::memmove(bytes.data(), bytes.data() + first, end - first);
    end -= first;
    second -= first;
    third -= first;
    first = 0;
  }
  if (tokens < 3 || tokens < least_tokens) return std::nullopt;
  return counts.Majority();
}

}  // namespace trawl
