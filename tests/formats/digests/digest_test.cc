#include "formats/digests/digest.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

// Stored data depends on these values: they may never change.
TEST(Digest, Xxh3ValuesArePinned) {
  EXPECT_EQ(ToHex(Hash64("")), "2d06800538d394c2");
  EXPECT_EQ(ToHex(Hash64("www.example.com")), "41284eb5bfdf32e5");
}

TEST(Digest, SumDoesNotDependOnOrder) {
  DigestSum one, other;
  one.Add(Hash128("a"));
  one.Add(Hash128("b"));
  other.Add(Hash128("b"));
  other.Add(Hash128("a"));
  EXPECT_EQ(one, other);
  EXPECT_NE(one, DigestSum());
}

TEST(Digest, SumCarriesIntoTheHighHalf) {
  DigestSum sum;
  sum.Add(Hash128Value{0, ~0ull});
  sum.Add(Hash128Value{0, 1});
  EXPECT_EQ(sum.ToHex(), "00000000000000010000000000000000");
  DigestSum back;
  ASSERT_TRUE(DigestSum::FromHex(sum.ToHex(), &back));
  EXPECT_EQ(back, sum);
}

TEST(Digest, Sha256InPiecesEqualsWhole) {
  Sha256 hash;
  hash.Update("ab");
  hash.Update("c");
  const Sha256Value value = hash.Finish();
  const std::string bytes(value.begin(), value.end());
  EXPECT_EQ(bytes, Sha256Of("abc"));
  EXPECT_EQ(ToHex(bytes), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2, B.1
  EXPECT_EQ(ToHex(Sha1Of("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");                  // FIPS 180-2, A.1
}

TEST(Digest, HexRefusesWhatIsNotHex) {
  std::string bytes;
  uint64_t value = 0;
  EXPECT_FALSE(FromHex("abc", &bytes));
  EXPECT_FALSE(FromHex("zz", &bytes));
  EXPECT_FALSE(FromHex("00", &value));
  ASSERT_TRUE(FromHex("00ff", &bytes));
  EXPECT_EQ(bytes, std::string("\0\xff", 2));
}

}  // namespace
}  // namespace trawl
