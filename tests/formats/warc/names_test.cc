#include "formats/warc/names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/digests/digest.h"

namespace trawl {
namespace {

TEST(WarcNames, IdsArePinned) {
  // They are in archives: another value would make an archive that is written again another one.
  EXPECT_EQ(WarcIdOf("20260101T120000Z-0cf50b1e/fetch-0.orc#7", WarcType::kResponse),
            "<urn:uuid:de322f37-84ee-5674-a823-94bcb9130a91>");
  EXPECT_EQ(WarcIdOf("a#1", WarcType::kRequest).substr(24, 1), "5") << "RFC 9562: the version";
  EXPECT_NE(WarcIdOf("a#1", WarcType::kRequest), WarcIdOf("a#1", WarcType::kRevisit));
  EXPECT_NE(WarcIdOf("a#1", WarcType::kRequest), WarcIdOf("a#2", WarcType::kRequest));
}

TEST(WarcNames, DatesHaveMillisecondsAndAreUtc) {
  EXPECT_EQ(WarcDateOf(1'767'268'800'250), "2026-01-01T12:00:00.250Z");
  EXPECT_EQ(WarcDateOf(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(WarcDateOf(951'782'399'999), "2000-02-28T23:59:59.999Z");
  EXPECT_EQ(ParseWarcDate("2026-01-01T12:00:00.250Z"), 1'767'268'800'250);
}

TEST(WarcNames, DatesOfAnyPrecisionAreReadAndCut) {
  const struct {
    std::string text;
    std::optional<int64_t> ms;
  } kCases[] = {
      {"1970-01-01T00:00:01Z", 1000},
      {"1970-01-01T00:00:00.9Z", 900},
      {"1970-01-01T00:00:00.999999999Z", 999},
      {"1970-01-02", 86'400'000},
      {"1970", 0},
      {"1970-02", 31 * int64_t{86'400'000}},
      {"1970-01-01T00:01Z", 60'000},
      {"1970-01-01T00:00:00.9999999999Z", {}},
      {"1970-01-01T00:00:00", {}},
      {"1970-01-01T00:00:00+01:00", {}},
      {"1970-01-01 00:00:00Z", {}},
      {"2026-02-29T00:00:00Z", {}},
      {"2026-01-01T24:00:00Z", {}},
      {"2026-01-01T00:60:00Z", {}},
      {"2026-01-01T00:00:00.Z", {}},
      {"20260101000000", {}},
      {"2026-1-1", {}},
      {"2026-01-01T00:00:00ZZ", {}},
      {"", {}},
      {"-026-01-01", {}},
  };
  for (const auto& test : kCases) EXPECT_EQ(ParseWarcDate(test.text), test.ms) << test.text;
}

TEST(WarcNames, UrisEscapeWhatRfc3986DoesNotAllow) {
  EXPECT_EQ(TargetUriOf("https://a.example/x?y=1&z=(!$'*+,;:@)~"), "https://a.example/x?y=1&z=(!$'*+,;:@)~");
  EXPECT_EQ(TargetUriOf("https://a.example/|[]{}^`\\\"<>"), "https://a.example/%7C%5B%5D%7B%7D%5E%60%5C%22%3C%3E");
  EXPECT_EQ(TargetUriOf("http://[2001:db8::1]:8080/a[1]?b[]=2"), "http://[2001:db8::1]:8080/a%5B1%5D?b%5B%5D=2");
  EXPECT_EQ(TargetUriOf("http://[::1]"), "http://[::1]");
  EXPECT_EQ(TargetUriOf("http://a.example/100%&%zz%4a%4"), "http://a.example/100%25&%25zz%4a%254");
  EXPECT_EQ(TargetUriOf("http://a.example/\xc3\xa4 \r\n"), "http://a.example/%C3%A4%20%0D%0A");
  EXPECT_EQ(TargetUriOf("http://a.example/a#b#c"), "http://a.example/a#b%23c");
}

TEST(WarcNames, WhatIsEscapedIsAUri) {
  for (const char* const uri : {"https://a.example/", "urn:uuid:88b43ea1", "dns:a.example"})
    EXPECT_TRUE(IsUri(uri)) << uri;
  for (const char* const text : {"", ":", "a", "/a", "https://a.example/|", "http://a.example/%", "1a:b", "a b:c"})
    EXPECT_FALSE(IsUri(text)) << text;
}

TEST(WarcNames, DigestsAreBase32OrHex) {
  // The digests of nothing, as archives everywhere have them.
  EXPECT_EQ(WarcDigestOf(WarcDigest::kSha1, ""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(WarcDigestOf(WarcDigest::kSha256, ""),
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(WarcDigestOf(WarcDigest::kSha1, "ab", "c"), WarcDigestOf(WarcDigest::kSha1, "abc"));
  EXPECT_EQ(WarcDigestText(WarcDigest::kSha1, Sha1Of("")), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

TEST(WarcNames, Base32IsThatOfRfc4648) {
  const struct {
    std::string bytes, text;
  } kVectors[] = {{"", ""},
                  {"f", "MY"},
                  {"fo", "MZXQ"},
                  {"foo", "MZXW6"},
                  {"foob", "MZXW6YQ"},
                  {"fooba", "MZXW6YTB"},
                  {"foobar", "MZXW6YTBOI"}};
  for (const auto& vector : kVectors) {
    EXPECT_EQ(ToBase32(vector.bytes), vector.text);
    std::string bytes;
    EXPECT_TRUE(FromBase32(vector.text, &bytes) && bytes == vector.bytes) << vector.text;
    EXPECT_TRUE(FromBase32(vector.text + "======", &bytes) && bytes == vector.bytes) << vector.text;
  }
  std::string bytes;
  for (const char* const text : {"my", "M1", "MZ", "A", "M=Y"}) EXPECT_FALSE(FromBase32(text, &bytes)) << text;
}

TEST(WarcNames, WhyABodyIsCut) {
  EXPECT_EQ(WarcTruncationOf(Truncation::kNone), "");
  EXPECT_EQ(WarcTruncationOf(Truncation::kSize), "length");
  EXPECT_EQ(WarcTruncationOf(Truncation::kTime), "time");
  EXPECT_EQ(WarcTruncationOf(Truncation::kIncomplete), "disconnect");
  EXPECT_EQ(WarcTruncationOf(Truncation::kCoding), "unspecified") << "the connection did not end";
  EXPECT_EQ(WarcTruncationOf(Truncation::kRatio), "unspecified");
}

}  // namespace
}  // namespace trawl
