#include "formats/warc/http_head.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

std::string HeadOf(std::string_view raw, int64_t payload_bytes, std::string_view kept = "", int32_t status = 200) {
  return WarcHttpHeadOf({.raw = raw, .status = status, .kept_codings = kept, .payload_bytes = payload_bytes}).text;
}

TEST(WarcHttpHead, ATrueHeadStaysAsItIs) {
  constexpr char kHead[] = "HTTP/1.1 200 OK\r\ncontent-length: 12\r\nX-A: b:c\r\nX-A: d\r\n\r\n";
  EXPECT_EQ(HeadOf(kHead, 12), kHead);
}

TEST(WarcHttpHead, WhatTheDecodedBodyMakesFalseIsMasked) {
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
                   "Transfer-Encoding: chunked\r\nVary: x\r\n\r\n",
                   2929),
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Crawler-Content-Encoding: gzip\r\n"
            "X-Crawler-Transfer-Encoding: chunked\r\nVary: x\r\nContent-Length: 2929\r\n\r\n");
  EXPECT_EQ(HeadOf("HTTP/1.1 404 No\r\ncontent-length: 345\r\nA: b\r\n\r\n", 0),
            "HTTP/1.1 404 No\r\nX-Crawler-content-length: 345\r\nContent-Length: 0\r\nA: b\r\n\r\n");
}

TEST(WarcHttpHead, ThereIsOneContentLength) {
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", 5),
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Crawler-Content-Length: 5\r\n\r\n");
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nA: b\r\nContent-Length: 5\r\n\r\n", 5),
            "HTTP/1.1 200 OK\r\nX-Crawler-Content-Length: 4\r\nContent-Length: 5\r\nA: b\r\n"
            "X-Crawler-Content-Length: 5\r\n\r\n");
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n", 5),
            "HTTP/1.1 200 OK\r\nX-Crawler-Content-Length: 5, 5\r\nContent-Length: 5\r\n\r\n");
}

TEST(WarcHttpHead, CodingsThatWereKeptAreSaid) {
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nContent-Encoding: Foo\r\nContent-Length: 5\r\n\r\n", 5, "foo"),
            "HTTP/1.1 200 OK\r\nContent-Encoding: Foo\r\nContent-Length: 5\r\n\r\n")
      << "all were kept";
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nContent-Encoding: foo\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n", 5,
                   "foo"),
            "HTTP/1.1 200 OK\r\nX-Crawler-Content-Encoding: foo\r\nX-Crawler-Content-Encoding: gzip\r\n"
            "X-Crawler-Content-Length: 3\r\nContent-Length: 5\r\nContent-Encoding: foo\r\n\r\n")
      << "one of two was undone";
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nContent-Encoding: foo, x-gzip\r\nContent-Length: 5\r\n\r\n", 5, "foo, gzip"),
            "HTTP/1.1 200 OK\r\nContent-Encoding: foo, x-gzip\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(HeadOf("HTTP/1.1 404 No\r\nContent-Encoding: foo\r\nContent-Length: 0\r\n\r\n", 0, "foo"),
            "HTTP/1.1 404 No\r\nX-Crawler-Content-Encoding: foo\r\nContent-Length: 0\r\n\r\n")
      << "decoders fail on a coded body of no bytes";
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 1\r\n\r\n", 1),
            "HTTP/1.1 200 OK\r\nX-Crawler-Content-Encoding: identity\r\nContent-Length: 1\r\n\r\n");
}

TEST(WarcHttpHead, StatusLinesBecomeThoseOfHttp1) {
  const struct {
    std::string raw, line;
  } kCases[] = {{"HTTP/2 200 ", "HTTP/1.1 200 "},
                {"HTTP/1.1 200", "HTTP/1.1 200 "},
                {"HTTP/1.0 404 Not Found", "HTTP/1.0 404 Not Found"},
                // Bytes stay, but for text that is no Latin-1: a replay could not send it.
                {"HTTP/1.1 200 D\xe9j\xe0", "HTTP/1.1 200 D\xe9j\xe0"},
                {"HTTP/1.1 200 \xc3\x9c", "HTTP/1.1 200 \xc3\x9c"},
                {"HTTP/1.1 200 a\xe6\x97\xa5z", "HTTP/1.1 200 a???z"},
                {"HTTP/1.1  200\t  OK ", "HTTP/1.1 200 OK"},
                {"http/1.1 200 fine", "HTTP/1.1 200 fine"},
                {"ICY 200 OK", "HTTP/1.1 200 OK"},
                {"HTTP/1.1 OK", "HTTP/1.1 206 OK"},
                {"HTTP/1.1 404 Nicht gefunden \xfc", "HTTP/1.1 404 Nicht gefunden \xfc"},
                {"", "HTTP/1.1 206 "}};
  for (const auto& test : kCases) {
    EXPECT_EQ(HeadOf(test.raw + "\r\n\r\n", 0, "", 206), test.line + "\r\nContent-Length: 0\r\n\r\n") << test.raw;
  }
}

TEST(WarcHttpHead, LinesAreMadeWhole) {
  const WarcHttpHead head =
      WarcHttpHeadOf({.raw = std::string_view("HTTP/1.1 200 OK\nA: 1\n\t2 \r\n  3\nno field\n  of it\n"
                                              "B : \xe4\nC: x\0y\rz\n: none\nb d: e\nD:\n \te\n\n"
                                              "E: after\n\n",
                                              91),
                      .payload_bytes = 0});
  EXPECT_EQ(head.text, "HTTP/1.1 200 OK\r\nA: 1 2 3\r\nB: \xe4\r\nC: x y z\r\nD: e\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(head.dropped_lines, 4);
}

TEST(WarcHttpHead, ABlankLineEndsIt) {
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nA: 1\r\n \t\r\nB: 2\r\n\r\n", 0),
            "HTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(HeadOf("HTTP/1.1 200 OK\r\nA: 1", 0), "HTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 0\r\n\r\n");
}

}  // namespace
}  // namespace trawl
