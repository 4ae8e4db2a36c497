#include "formats/http/raw_headers.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(RawHeaders, FieldsComeInOrderWithoutTheStatusLine) {
  const HeaderList headers = ParseRawHeaders("HTTP/1.1 200 OK: fine\r\nA: 1\r\nb:2 \r\nA: 3\r\n\r\n");
  EXPECT_EQ(headers.Combined("a"), "1, 3");
  EXPECT_EQ(headers.First("B"), "2");
  EXPECT_FALSE(headers.First("HTTP/1.1 200 OK").has_value());
}

TEST(RawHeaders, WhatIsNoFieldIsPassedOver) {
  const HeaderList headers = ParseRawHeaders("HTTP/1.1 200\nno colon\n: empty\nA: 1\n folded: x\nB: 2");
  EXPECT_EQ(headers.First("A"), "1");
  EXPECT_EQ(headers.First("B"), "2");
  EXPECT_FALSE(headers.First("folded").has_value());
  EXPECT_FALSE(ParseRawHeaders("").First("A").has_value());
}

}  // namespace
}  // namespace trawl
