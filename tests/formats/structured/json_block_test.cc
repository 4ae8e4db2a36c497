// Blocks of JSON: valid ones as nlohmann reads them, and each repair alone, at its borders and beside others.
#include "formats/structured/json_block.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/documents/json.h"

namespace trawl {
namespace {

// The normal form, or the problem in parentheses.
std::string Read(std::string_view text, std::string* repaired = nullptr) {
  const JsonBlock block = ReadJsonBlock(text);
  if (repaired != nullptr) *repaired = block.repaired;
  return block.value ? JsonOf(*block.value) : "(" + block.problem + ")";
}

TEST(JsonBlock, ANormalFormHasSortedNamesOneLineAndNumbersAsWritten) {
  std::string repaired;
  EXPECT_EQ(Read(" {\"b\": 12.50,\n\"a\" :[1E5, -0, 0.10, true,false , null, \"x\"],\"\": {} } ", &repaired),
            R"({"":{},"a":[1E5,-0,0.10,true,false,null,"x"],"b":12.50})");
  EXPECT_EQ(repaired, "");
  EXPECT_EQ(Read(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})") << "the last one counts";
  EXPECT_EQ(Read(R"(["A\u00e9\ud83d\ude00\n\u0001\/\"\\\t"])"), "[\"A\u00e9\U0001F600\\n\\u0001/\\\"\\\\\\t\"]");
  EXPECT_EQ(Read(R"(["\ud83d","\ude00x"])"), "[\"\uFFFD\",\"\uFFFDx\"]") << "half a pair is no reason to lose a block";
}

struct RepairCase {
  const char* text;
  const char* json;
  const char* repaired;
};

TEST(JsonBlock, EachRepair) {
  const RepairCase kCases[] = {
      // blanks
      {"\xEF\xBB\xBF{\"a\":1}", R"({"a":1})", "blanks"},
      {"\u00a0{\u200b\"a\"\u00a0:\u00a01\v}\f", R"({"a":1})", "blanks"},
      {"{\"a\":\x01 1}", R"({"a":1})", "blanks"},
      // wrapper
      {"<!--\n{\"a\":1}\n-->", R"({"a":1})", "wrapper"},
      {"<![CDATA[{\"a\":1}]]>", R"({"a":1})", "wrapper"},
      {"//<![CDATA[\n{\"a\":1}\n//]]>", R"({"a":1})", "wrapper"},
      {"// <![CDATA[ {\"a\":1} // ]]>", R"({"a":1})", "wrapper"},
      {"/*<![CDATA[*/{\"a\":1}/*]]>*/", R"({"a":1})", "wrapper"},
      {"/* <![CDATA[ */\n[{\"a\":1}]\n/* ]]> */", R"([{"a":1}])", "wrapper"},
      {"<!--//--><![CDATA[//><!--\n{\"a\":1}\n//--><!]]>", R"({"a":1})", "wrapper comments first"},
      {"<!--\n{\"a\":1}\n//-->", R"({"a":1})", "wrapper"},
      // semicolon
      {"{\"a\":1};", R"({"a":1})", "semicolon"},
      {"[1,2] ;\n; ", "[1,2]", "semicolon"},
      {"<!-- {\"a\":1}; -->", R"({"a":1})", "wrapper semicolon"},
      // controls
      {"{\"a\":\"x\ny\tz\"}", R"({"a":"x\ny\tz"})", "controls"},
      {"{\"a\x02\":1}", R"({"a\u0002":1})", "controls"},
      // commas
      {"{\"a\":1,}", R"({"a":1})", "commas"},
      {"[1,2 , ]", "[1,2]", "commas"},
      {"{\"a\":[{\"b\":1,},],}", R"({"a":[{"b":1}]})", "commas"},
      // comments
      {"// made by hand\n{\"a\":1}", R"({"a":1})", "comments"},
      {"{/* one */\"a\"/**/:/* : */1 // end\n}", R"({"a":1})", "comments"},
      {"{\"a\":1} // done", R"({"a":1})", "comments"},
      {"<!-- made by hand -->{\"a\":1}", R"({"a":1})", "comments"},
      {"{\"a\":\"http://x.test/ /* no */ // no\", // yes\n \"b\":2}", R"({"a":"http://x.test/ /* no */ // no","b":2})",
       "comments"},
      {"{\"a\":\"\\\"//\",\"b\":\"c\" /* yes */}", R"({"a":"\"//","b":"c"})", "comments"},
      // first
      {"{\"a\":1}}", R"({"a":1})", "first"},
      {"{\"a\":1} {\"b\":2}", R"({"a":1})", "first"},
      {"[1] and more", "[1]", "first"},
      // all of them, in their order
      {"\u00a0<!-- // c\n[\"a\nb\",] ; --> x", R"(["a\nb"])",
       "blanks wrapper semicolon controls commas comments first"},
  };
  for (const RepairCase& c : kCases) {
    std::string repaired;
    EXPECT_EQ(Read(c.text, &repaired), c.json) << c.text;
    EXPECT_EQ(repaired, c.repaired) << c.text;
  }
}

TEST(JsonBlock, WhatNoRepairCanReadIsAProblemWithAPlace) {
  const std::pair<const char*, const char*> kCases[] = {
      {"", "(empty)"},
      {" \n", "(empty)"},
      {"{\"a\":}", "(a value is missing at byte 5)"},
      {"{\"a\":1", "(a comma or } is missing at byte 6)"},
      {"{'a':1}", "(a name in quotes is missing at byte 1)"},
      {"{\"a\" 1}", "(a colon is missing at byte 5)"},
      {"{&quot;a&quot;:1}", "(a name in quotes is missing at byte 1)"},
      {"{\"a\":{{ x }}}", "(a name in quotes is missing at byte 6)"},
      {"[1,,2]", "(a value is missing at byte 3)"},
      {"[1 2]", "(a comma or ] is missing at byte 3)"},
      {"[01]", "(a number begins with 0 at byte 3)"},
      {"[1.]", "(a number ends with a point at byte 3)"},
      {"[1e+]", "(a number ends with an exponent's sign at byte 4)"},
      {"[\"\\x\"]", "(a wrong escape at byte 2)"},
      {"[\"\\u12g4\"]", "(a wrong escape at byte 2)"},
      {"[\"abc", "(a string has no end at byte 5)"},
      {"/* [1]", "(a value is missing at byte 0)"},
      {"12 monkeys", "(something after the value at byte 3)"},
      {"window.x = {\"a\":1}", "(a value is missing at byte 0)"},
  };
  for (const auto& [text, problem] : kCases) EXPECT_EQ(Read(text), problem) << text;
}

TEST(JsonBlock, DepthSizeAndNumberOfValuesHaveLimits) {
  const std::string sixty_four = std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(Read(sixty_four), sixty_four);
  EXPECT_EQ(Read("[" + sixty_four + "]"), "(more than 64 levels at byte 64)");
  EXPECT_EQ(Read(std::string(100'000, '[')), "(more than 64 levels at byte 64)");
  EXPECT_EQ(Read(std::string(10 << 20, ' ') + "1"), "(larger than 1 MiB)");
  std::string many = "[0";
  for (size_t i = 0; i < kMostBlockValues; ++i) many += ",0";
  EXPECT_TRUE(Read(many + "]").starts_with("(more than 100,000 values"));
}

// Whatever is repeated a hundred thousand times, at the front, in the middle or at the end: one or two passes read it.
TEST(JsonBlock, NoRepetitionIsQuadratic) {
  const char* const kPieces[] = {"<!--", "-->", "//", "/*", "*/", "<![CDATA[", "]]>",  ";", ",", "\xEF\xBB\xBF",
                                 "\"",   "\\",  "{",  "}",  "[",  "]",         "//\n", "1", " ", "<!-- -->"};
  for (const std::string piece : kPieces) {
    std::string many;
    while (many.size() + piece.size() < kMostBlockBytes - 64) many += piece;
    for (const std::string& text : {many + "{\"a\":1}", "{\"a\":1}" + many, "{\"a\":" + many + "1}", many}) {
      const JsonBlock block = ReadJsonBlock(text);
      EXPECT_NE(block.value.has_value(), !block.problem.empty());
    }
  }
}

// A mutation of a valid block is read as nlohmann reads it, or repaired; what nlohmann reads is never repaired.
TEST(JsonBlock, AValidBlockIsReadAsNlohmannReadsIt) {
  const std::string kSeeds[] = {
      R"({"@context":"https://schema.org","@type":"Product","offers":{"price":12.50,"n":[1,2,{"a":null}]},"s":"x\u00e9//y"})",
      R"([true,false,null,-1.5e-7,0,"a\\\"b\n",[],{},{"k":[[[]]]}])",
      R"(  {"a" : "http://x/ /* */" , "b":[ ] }  )",
  };
  constexpr std::string_view kBytes = "{}[]\",:\\/ \n\t0123456789eE+-.truefalsn<!->;*u";
  uint32_t random = 12345;
  const auto next = [&random](size_t of) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % of;
  };
  size_t valid = 0, repaired = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string text = kSeeds[next(std::size(kSeeds))];
    for (size_t n = next(3); n > 0; --n) {
      const size_t at = next(text.size());
      const char byte = kBytes[next(kBytes.size())];
      switch (next(3)) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, 1 + next(4));
      }
    }
    const JsonBlock block = ReadJsonBlock(text);
    const nlohmann::json other = nlohmann::json::parse(text, nullptr, false);
    if (other.is_discarded()) {
      // nlohmann takes a number that no double holds for an error.
      if (block.value && block.repaired.empty()) {
        EXPECT_NE(text.find_first_of("eE"), std::string::npos) << text;
      }
      repaired += !block.repaired.empty();
      continue;
    }
    ++valid;
    ASSERT_TRUE(block.value.has_value()) << text << "\n" << block.problem;
    ASSERT_EQ(block.repaired, "") << text;
    ASSERT_EQ(nlohmann::json::parse(JsonOf(*block.value)), other) << text;
  }
  EXPECT_GT(valid, 20'000u);
  EXPECT_GT(repaired, 1'000u);
}

}  // namespace
}  // namespace trawl
