#include "formats/sitemap/gzip.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/documents/json.h"

namespace trawl {
namespace {

// Written by gzip: "hello, hello, hello\n", and 1 MiB of "a".
constexpr char kHello[] = "H4sIAAAAAAACA8tIzcnJ11HIQKK4AOdCblIUAAAA";

constexpr char kMillionLetters[] =
    "H4sIAAAAAAACA+3BMQEAAADCoKzrX8IQvkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHwGclbN1wAA"
    "EAA=";

std::string All(std::string_view file, GunzipEnd want_end) {
  std::string out;
  const GunzipEnd end = Gunzip(file, [&](std::string_view piece) {
    out += piece;
    return true;
  });
  EXPECT_EQ(end, want_end);
  return out;
}

std::string Hello() { return *Base64Decode(kHello); }

TEST(Gzip, MembersAreReadOneAfterTheOther) {
  EXPECT_TRUE(IsGzip(Hello()));
  EXPECT_FALSE(IsGzip("hello"));
  EXPECT_EQ(All(Hello(), GunzipEnd::kWhole), "hello, hello, hello\n");
  EXPECT_EQ(All(Hello() + Hello(), GunzipEnd::kWhole), "hello, hello, hello\nhello, hello, hello\n");
  EXPECT_EQ(All(Hello() + "padding", GunzipEnd::kWhole), "hello, hello, hello\n");
}

TEST(Gzip, DamagedFileGivesWhatCouldBeRead) {
  const std::string file = Hello();
  EXPECT_EQ(All(file.substr(0, file.size() - 8), GunzipEnd::kDamaged), "hello, hello, hello\n");
  EXPECT_EQ(All(file.substr(0, 10), GunzipEnd::kDamaged), "");
  EXPECT_EQ(All("hello", GunzipEnd::kDamaged), "");
  EXPECT_EQ(All("", GunzipEnd::kDamaged), "");
  std::string flipped = file;
  flipped[flipped.size() - 6] ^= 1;  // within the checksum
  EXPECT_EQ(All(flipped, GunzipEnd::kDamaged), "hello, hello, hello\n");
}

TEST(Gzip, WhoTakesDecidesHowMuchIsEnough) {
  const std::string file = *Base64Decode(kMillionLetters);
  size_t taken = 0;
  EXPECT_EQ(Gunzip(file,
                   [&](std::string_view piece) {
                     taken += piece.size();
                     return taken < 100000;
                   }),
            GunzipEnd::kStopped);
  EXPECT_LT(taken, 200000u);
  EXPECT_EQ(All(file, GunzipEnd::kWhole).size(), 1u << 20);
}

}  // namespace
}  // namespace trawl
