#include "runtime/decode/decode.h"

#include <gtest/gtest.h>

#include "tests/support/values/encode.h"

namespace trawl {
namespace {

struct Decoded {
  std::string body;
  BodyEnd end;
  std::string detail;
  int64_t most_at_once = 0;
};

Decoded Decode(std::string_view content_encoding, std::string_view wire, DecodeLimits limits = {},
               size_t piece = 1 << 20, bool whole = true) {
  BodyDecoder decoder(content_encoding, limits);
  Decoded decoded;
  for (size_t at = 0; at < wire.size(); at += piece) {
    const auto sink = [&](std::string_view bytes) { decoded.body += bytes; };
    if (!decoder.Write(wire.substr(at, piece), sink)) break;
  }
  decoded.end = decoder.Finish(whole);
  decoded.detail = decoder.detail();
  EXPECT_EQ(decoder.decoded_bytes(), static_cast<int64_t>(decoded.body.size()));
  return decoded;
}

std::string Text() {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "line " + std::to_string(i * i) + "\n";
  return text;
}

constexpr const char* kCodings[] = {"gzip", "x-gzip", "deflate", "br", "zstd"};

TEST(Decode, EveryCodingInPiecesOfEverySize) {
  const std::string text = Text();
  for (const char* coding : kCodings) {
    for (const size_t piece : {1u, 2u, 3u, 7u, 1000u, 1u << 20}) {
      const Decoded decoded = Decode(coding, EncodeContent(coding, text), {}, piece);
      EXPECT_EQ(decoded.end, BodyEnd::kComplete) << coding << ' ' << decoded.detail;
      EXPECT_TRUE(decoded.body == text) << coding;
    }
  }
  EXPECT_TRUE(Decode("DEFLATE", RawDeflate(text), {}, 1).body == text) << "raw, told by its first bytes";
  EXPECT_TRUE(Decode(" GZip ", Gzip(text)).body == text);
  EXPECT_EQ(Decode("", text).body, text);
  EXPECT_EQ(Decode("identity, , identity", text).body, text);
}

TEST(Decode, EmptyContentIsWhole) {
  for (const char* coding : kCodings) {
    EXPECT_EQ(Decode(coding, "").end, BodyEnd::kComplete) << "no body at all: 304 and the like";
    EXPECT_EQ(Decode(coding, EncodeContent(coding, "")).end, BodyEnd::kComplete) << coding;
  }
}

TEST(Decode, UpToThreeLayersLastAppliedFirst) {
  // RFC 9110 8.4: "listed in the order in which they were applied".
  const std::string text = Text();
  EXPECT_TRUE(Decode("br, gzip", Gzip(Brotli(text))).body == text);
  EXPECT_TRUE(Decode("gzip,zstd , br", Brotli(Zstd(Gzip(text))), {}, 5).body == text);
  const Decoded four = Decode("gzip, gzip, gzip, gzip", Gzip(Gzip(Gzip(Gzip(text)))));
  EXPECT_EQ(four.end, BodyEnd::kDecodeError);
  EXPECT_EQ(four.detail, "more than 3 content codings");
}

TEST(Decode, UnknownCodingsStayAndAreMarked) {
  const struct {
    const char* value;
    size_t undone;
    const char* kept;
  } kCases[] = {
      {"utf-8", 0, "utf-8"},
      {"compress", 0, "compress"},
      {"gzip, compress", 0, "gzip, compress"},
      {"aws-chunked, gzip", 1, "aws-chunked"},
      {"gzip;q=1", 0, "gzip;q=1"},
      {"None", 0, "none"},
      {"gzip", 1, ""},
  };
  for (const auto& c : kCases) {
    const ContentCodings codings = ParseContentEncoding(c.value);
    EXPECT_EQ(codings.undone.size(), c.undone) << c.value;
    EXPECT_EQ(codings.kept, c.kept) << c.value;
  }
  EXPECT_EQ(Decode("utf-8", "as it is").body, "as it is");
  EXPECT_EQ(Decode("utf-8, gzip", Gzip("as it is")).body, "as it is");
}

TEST(Decode, GzipMembersFollowEachOther) {
  // RFC 1952 2.2: "A gzip file consists of a series of members".
  for (const size_t piece : {1u, 3u, 1u << 20}) {
    const Decoded decoded = Decode("gzip", Gzip("one ") + Gzip("") + Gzip("two"), {}, piece);
    EXPECT_EQ(decoded.end, BodyEnd::kComplete);
    EXPECT_EQ(decoded.body, "one two");
  }
  EXPECT_EQ(Decode("zstd", Zstd("one ") + Zstd("two"), {}, 1).body, "one two");
}

TEST(Decode, WhatFollowsAWholeStreamIsIgnored) {
  for (const char* coding : kCodings) {
    for (const char* garbage : {"\n", "\x1f", "\x1f\x8b", "0123456789 and more", "\x1f\x8b\x01 not a member"}) {
      for (const size_t piece : {1u, 1u << 20}) {
        const Decoded decoded = Decode(coding, EncodeContent(coding, "text") + garbage, {}, piece);
        EXPECT_EQ(decoded.body, "text") << coding;
        const bool member_begins =
            coding[std::string_view(coding).size() - 1] == 'p' && garbage == std::string("\x1f\x8b");
        EXPECT_EQ(decoded.end, member_begins ? BodyEnd::kCodingIncomplete : BodyEnd::kComplete) << coding << garbage;
      }
    }
  }
}

TEST(Decode, AnythingCutOffIsIncomplete) {
  const std::string text = Text();
  for (const char* coding : kCodings) {
    const std::string whole = EncodeContent(coding, text);
    for (size_t cut = 1; cut < whole.size(); cut += cut + 40 < whole.size() ? 997 : 1) {
      const Decoded decoded = Decode(coding, std::string_view(whole).substr(0, cut));
      ASSERT_EQ(decoded.end, BodyEnd::kCodingIncomplete) << coding << " at " << cut << " of " << whole.size();
      ASSERT_TRUE(text.starts_with(decoded.body));
    }
  }
  EXPECT_EQ(Decode("", "part", {}, 1, false).end, BodyEnd::kIncomplete) << "the protocol says so";
}

TEST(Decode, MalformedContentIsAnError) {
  const std::string text = Text();
  for (const char* coding : kCodings) {
    EXPECT_EQ(Decode(coding, "<!doctype html><title>plain</title>").end, BodyEnd::kDecodeError) << coding;
  }
  for (const char* coding : {"gzip", "deflate", "zstd"}) {
    std::string damaged = EncodeContent(coding, text);
    damaged[damaged.size() - 2] = static_cast<char>(damaged[damaged.size() - 2] ^ 0x10);  // in the checksum
    const Decoded decoded = Decode(coding, damaged);
    EXPECT_EQ(decoded.end, BodyEnd::kDecodeError) << coding;
    EXPECT_TRUE(decoded.detail.starts_with(std::string(coding) + ": ")) << decoded.detail;
  }
}

TEST(Decode, SizeIsCutAtTheByte) {
  const std::string text = Text();
  const int64_t size = static_cast<int64_t>(text.size());
  for (const char* coding : {"", "gzip", "deflate", "br", "zstd"}) {
    const std::string wire = EncodeContent(coding, text);
    for (const size_t piece : {100u, 1u << 20}) {
      const Decoded exact = Decode(coding, wire, {.max_decoded_bytes = size}, piece);
      EXPECT_EQ(exact.end, BodyEnd::kComplete) << coding;
      const Decoded cut = Decode(coding, wire, {.max_decoded_bytes = size - 1}, piece);
      EXPECT_EQ(cut.end, BodyEnd::kSize) << coding;
      EXPECT_TRUE(cut.body == text.substr(0, text.size() - 1)) << coding;
      EXPECT_EQ(Decode(coding, wire, {.max_decoded_bytes = 0}, piece).body, "");
    }
  }
}

TEST(Decode, BombsStopAtTheRatio) {
  const std::string blanks(64 << 20, ' ');
  for (const char* coding : {"gzip", "deflate", "br", "zstd"}) {
    const Decoded decoded = Decode(coding, EncodeContent(coding, blanks), {.max_decoded_bytes = 32 << 20}, 100);
    EXPECT_EQ(decoded.end, BodyEnd::kRatio) << coding;
    EXPECT_LE(decoded.body.size(), (1u << 20) + (100u * 1100u) * (std::string_view(coding) == "br" ? 400 : 40))
        << coding;
  }
  // A bomb inside a bomb: the inner layer's output is small, but the outer's counts as well.
  const Decoded nested = Decode("gzip, gzip", Gzip(Gzip(blanks)), {.max_decoded_bytes = 32 << 20});
  EXPECT_EQ(nested.end, BodyEnd::kRatio);
  const Decoded barren = Decode("gzip, gzip", Gzip(Gzip("x") + blanks), {.max_decoded_bytes = 8 << 20});
  EXPECT_TRUE(barren.end == BodyEnd::kRatio || barren.end == BodyEnd::kSize) << "an outer layer of nothing";
}

TEST(Decode, SmallBodiesMayCompressWell) {
  const std::string blanks(1 << 20, ' ');
  for (const char* coding : {"gzip", "br", "zstd"}) {
    EXPECT_EQ(Decode(coding, EncodeContent(coding, blanks)).end, BodyEnd::kComplete) << coding;
  }
}

TEST(Decode, BytesThatDecodeToNothingAreBounded) {
  std::string members;
  const std::string empty = Gzip("");
  while (members.size() < (3u << 20)) members += empty;
  EXPECT_EQ(Decode("gzip", members, {.max_decoded_bytes = 1 << 20}, 4096).end, BodyEnd::kSize);
}

TEST(Decode, ZstdWindowsOver8MiBAreRefused) {
  // RFC 9659: "a decoder SHOULD … support window sizes of up to 8 MB", encoders "MUST NOT" use more.
  const std::string text = Text();
  EXPECT_EQ(Decode("zstd", Zstd(text, 23)).end, BodyEnd::kComplete);
  EXPECT_EQ(Decode("zstd", Zstd(text, 24)).end, BodyEnd::kDecodeError);
}

TEST(Decode, TheFirstEndStands) {
  BodyDecoder decoder("", {.max_decoded_bytes = 3});
  std::string body;
  const auto sink = [&](std::string_view bytes) { body += bytes; };
  EXPECT_FALSE(decoder.Write("four", sink));
  EXPECT_FALSE(decoder.Write("more", sink));
  decoder.Cut(BodyEnd::kTime, "later");
  EXPECT_EQ(decoder.Finish(false), BodyEnd::kSize);
  EXPECT_EQ(body, "fou");
}

}  // namespace
}  // namespace trawl
