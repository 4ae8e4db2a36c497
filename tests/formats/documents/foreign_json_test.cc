#include "formats/documents/foreign_json.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

// Encoding Standard, "UTF-8 encode": a scalar value string has U+FFFD where a surrogate stood alone.
TEST(ForeignJson, LoneSurrogatesAreReplaced) {
  const struct {
    std::string json, text;
  } cases[] = {
      {R"({"a":"x\ud800y"})", "x\uFFFDy"},
      {R"({"a":"\udc00\ud800"})", "\uFFFD\uFFFD"},
      {R"({"a":"\ud800\ud83d\udca9"})", "\uFFFD\U0001F4A9"},
      {R"({"a":"\uDBFF"})", "\uFFFD"},
      {R"({"a":"\\\\ud800 \ud800"})", "\\\\ud800 \uFFFD"},
      {R"({"a":"\ud83d\udca9"})", "\U0001F4A9"},
  };
  for (const auto& wanted : cases) {
    const auto json = ParseForeignJson(wanted.json);
    ASSERT_TRUE(json.ok()) << wanted.json << ": " << json.status();
    EXPECT_EQ(*GetString(*json, "a"), wanted.text) << wanted.json;
  }
}

TEST(ForeignJson, WhatIsNoJsonStaysNone) {
  for (const char* text : {"", "{", R"({"a":"\ud80"})", R"("\u12")", R"("\ud800)", "\\ud800"}) {
    EXPECT_FALSE(ParseForeignJson(text).ok()) << text;
  }
}

}  // namespace
}  // namespace trawl
