// A second look at two texts whose fingerprints (simhash.h) are near: 36 bytes of each tell whether one is an edited copy of
// the other, or both only have the template in common. They are stored with pages, so another implementation must get the same
// bytes from the same text. Pure; any thread.
//
// THE IDEA. What both texts have is left out, line by line and word by word. Of an edited copy the lines differ where they
// were edited, but most of their words are there again; of another text in the same template the lines differ, and their
// words do, too. Both are counted by sums that cancel what is the same, so a template may be of any size. The counters tell up
// to some 600 words that differ: texts of more than 20,000 words always pass, and their fingerprints alone decide.
//
// THE BYTES. Each word (a token of tokens.h) of each line (up to a line feed) adds to one of 32 counters of 4 bits, once to
// those of words and once to those of lines: with h = XXH3-64 of the token, and h = Mix(XXH3-64 of the line's bytes + n) for
// the n-th word of its line from 0, counter h mod 32 rises by one where bit 5 of h is set and falls by one where it is not;
// they overflow silently. Mix is the finaliser of SplitMix64. Written as: the number of words (4 bytes, little-endian), the
// counters of words, the counters of lines (16 bytes each; counter 0 in the low half of the first byte).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

struct TextSketch {
  static constexpr size_t kBytes = 36;

  uint32_t tokens = 0;  // 0: there is no sketch
  std::array<uint64_t, 2> words{}, lines{};

  // The sketch of such bytes; none where they are not of that size.
  static TextSketch FromBytes(std::string_view bytes);
  std::string Bytes() const;

  bool operator==(const TextSketch&) const = default;
};

TextSketch TextSketchOf(std::string_view text);

// Whether one text may be an edited copy of the other, which is always so where one has no sketch: about 1.5 % of all words of
// both stand in one of them only, or no more than three tenths of the words of the lines that do.
bool MayBeCopies(const TextSketch& a, const TextSketch& b);

}  // namespace trawl
