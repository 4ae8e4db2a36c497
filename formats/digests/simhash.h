// SimHash: 64 bits that are similar for similar texts. They are stored with pages, so another implementation must get
// the same bits from the same text:
//
//  1. The text's tokens, as tokens.h has them: t1 … tn. With fewer than three, or fewer than the caller asks for,
//     there is no fingerprint.
//  2. Shingles: for each i from 1 to n - 2 the bytes of t(i), a space, t(i+1), a space, t(i+2), in UTF-8. One that
//     occurs several times counts as often.
//  3. Each shingle's XXH3-64 with seed 0.
//  4. Bit b of the fingerprint is 1 if more than half of these hashes have bit b, else 0. Bit 0 is the lowest. Written
//     as hexadecimal digits the highest bit comes first.
//
// Charikar, "Similarity estimation techniques from rounding algorithms", 2002. Pure; any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace trawl {

// `least_tokens`: the fingerprints of short texts say little, since a word is in most of their shingles.
std::optional<uint64_t> SimHashOf(std::string_view text, int64_t least_tokens = 3);

// The number of bits in which two fingerprints differ: 0 for the same text, about 32 for texts that have nothing in
// common.
inline int HammingDistance(uint64_t a, uint64_t b) { return std::popcount(a ^ b); }

}  // namespace trawl
