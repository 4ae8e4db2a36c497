// Whether a page's text is like those that its pattern has shown: nearer to one of them than chance explains. Pure; one
// thread.
//
// Trap pages that say the same in another order, or with a menu or a date that follows the URL, are often further apart
// than --settle.distance, but texts of which they are made come again and again. Honest pages of one template are near
// each other, too, yet all about as far apart. So the texts of a pattern are sampled, and the average number of bits
// between two of the sample, the spread, says how near two texts of their own come by chance: each of 64 bits differs with
// the probability spread / 64.
//
//  1. The sample has the latest kSampleTexts texts that were further than the distance from all others in it.
//  2. A text is like another within as many bits, at most kMostLikeBits, as chance brings fewer than one text in kChance to
//     one of the sample. With spread 12, 14 and 18 that is 3, 5 and 8 bits. Where chance brings more of them within the
//     distance of --settle.distance, or the sample is too small to tell, none is: of the texts of one template, which are
//     few bits apart, only settle's second look says which are near.
//  3. That a text is near one of the crawl says nothing where chance alone brings it near one of the pattern, with as many
//     pages as the pattern has: of 50,000 pages with spread 14 most have a near one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

inline constexpr size_t kSampleTexts = 64;
inline constexpr size_t kFewestTexts = 8;  // with fewer, nothing is said of chance
inline constexpr int kMostLikeBits = 8;
inline constexpr int64_t kChance = 5;

// The probability that two texts of that spread (tenths of bits) differ in at most so many bits.
double ChanceOfBits(int32_t spread, int bits);

class TextSample {
 public:
  explicit TextSample(int distance) : distance_(distance) {}
  // What Bytes() gave; bytes that are no sample are none.
  void Read(std::string_view bytes);
  std::string Bytes() const;

  // Adds a text, and returns whether it is like one that came before. REQUIRES: simhash is not 0.
  bool Add(uint64_t simhash);
  void AddAll(const TextSample& other);
  // In tenths of bits; 0: there are fewer than kFewestTexts.
  int32_t spread() const;
  // Rule 3, with that many pages of the pattern.
  bool ExplainsNear(int64_t pages) const;

 private:
  void Insert(uint64_t simhash);
  int LikeBits() const;

  const int distance_;
  std::vector<uint64_t> texts_;
  size_t next_ = 0;                   // where the next one goes, once it is full
  int64_t bits_between_ = 0;          // of all pairs
  mutable int32_t like_spread_ = -1;  // for which like_bits_ was found
  mutable int like_bits_ = -1;
};

}  // namespace trawl
