#include "formats/documents/sealed_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

using ::testing::StartsWith;

const Json kObject = {{"job", "x"}, {"numbers", {1, 2, 3}}, {"text", "ü \"quoted\"\n"}};

TEST(SealedJson, WhatIsSealedIsReadBack) {
  const std::string text = SealJson(kObject);
  EXPECT_THAT(text, StartsWith("{\n  \"seal\": \""));
  EXPECT_TRUE(text.ends_with("}\n"));
  EXPECT_EQ(*OpenSealedJson(text, "file"), kObject);
  EXPECT_EQ(SealOfText(text).size(), 16u);
  EXPECT_EQ(SealJson(Json::object()), SealJson(Json::object()));
  EXPECT_TRUE(OpenSealedJson(SealJson(Json::object()), "file").ok());
}

TEST(SealedJson, AnyFlippedLostOrAddedByteIsAnErrorThatNamesTheFile) {
  const std::string text = SealJson(kObject);
  for (size_t at = 0; at < text.size(); ++at) {
    for (const int bit : {0, 5, 7}) {
      std::string flipped = text;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      const auto opened = OpenSealedJson(flipped, "a/file.json");
      ASSERT_FALSE(opened.ok()) << at << " bit " << bit;
      ASSERT_THAT(opened.status().message(), StartsWith("a/file.json")) << at;
    }
    std::string shorter = text;
    shorter.erase(at, 1);
    EXPECT_FALSE(OpenSealedJson(shorter, "file").ok()) << at;
    EXPECT_FALSE(OpenSealedJson(text.substr(0, at), "file").ok()) << at;
    std::string longer = text;
    longer.insert(at, 1, ' ');
    EXPECT_FALSE(OpenSealedJson(longer, "file").ok()) << at;
  }
  EXPECT_FALSE(OpenSealedJson(text + " ", "file").ok());
}

TEST(SealedJson, AForeignDocumentHasNoSeal) {
  for (const char* text :
       {"", "{}", "[]", "null", "{\"seal\": 7}", "{\"seal\": \"zz\"}", "{\"other\": \"0123456789abcdef\"}"}) {
    EXPECT_FALSE(OpenSealedJson(text, "file").ok()) << text;
    EXPECT_EQ(SealOfText(text), "") << text;
  }
}

}  // namespace
}  // namespace trawl
