#include <gtest/gtest.h>

#include "formats/answers/base64url.h"
#include "formats/answers/cursor.h"
#include "formats/answers/etag.h"
#include "formats/answers/problem.h"
#include "formats/answers/schema.h"
#include "formats/answers/schemas.h"
#include "formats/answers/target.h"

namespace trawl {
namespace {

// RFC 4648 section 10, in the alphabet of section 5 and without padding.
TEST(Base64Url, VectorsOfTheStandard) {
  const std::pair<const char*, const char*> vectors[] = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xFB\xFF", "-_8"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(Base64UrlOf(bytes), text);
    EXPECT_EQ(BytesOfBase64Url(text), bytes);
  }
}

TEST(Base64Url, EachTextIsTheNameOfAtMostOneValue) {
  for (const char* text : {"Zg==", "Z", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm 9v", "Zm8\n"}) {
    EXPECT_EQ(BytesOfBase64Url(text), std::nullopt) << text;
  }
}

TEST(Target, PathAndQueryAreDecoded) {
  const auto target = ParseTarget("/a%20b/c%2Fd?x=1&y=a+b%2B&z&=&%C3%A9=%E2%82%AC").ValueOrDie();
  EXPECT_EQ(target.path, "/a%20b/c%2Fd");
  EXPECT_EQ(target.segments, (std::vector<std::string>{"a b", "c/d"}));
  EXPECT_EQ(target.query, (NamedValues{{"x", "1"}, {"y", "a b+"}, {"z", ""}, {"", ""}, {"\xC3\xA9", "\xE2\x82\xAC"}}));
  EXPECT_EQ(ParseTarget("/").ValueOrDie().segments, (std::vector<std::string>{""}));
  EXPECT_EQ(ParseTarget("/a/").ValueOrDie().segments, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(ParseTarget("/a+b").ValueOrDie().segments, (std::vector<std::string>{"a+b"}));
}

TEST(Target, WhatIsNoneIsRefused) {
  for (const std::string target :
       {"", "a", "http://x/", "*", "/a b", "/a#b", "/%", "/%4", "/%zz", "/%ff", "/a?x=%C3", "/\x7f"}) {
    EXPECT_FALSE(ParseTarget(target).ok()) << target;
  }
  EXPECT_FALSE(ParseTarget("/" + std::string(kMostTargetBytes, 'a')).ok());
  std::string many = "/?";
  for (size_t i = 0; i <= kMostNamedValues; ++i) many += "a&";
  EXPECT_FALSE(ParseTarget(many).ok());
}

TEST(Target, WhatFormOfWritesIsReadBack) {
  const NamedValues values = {{"a b", "c&d=e+f%"}, {"\xC3\xA9", ""}, {"", "x"}};
  EXPECT_EQ(ParseForm(FormOf(values)).ValueOrDie(), values);
}

TEST(Cursor, IsReadBackAndNothingElseIs) {
  const Cursor cursor = {.snapshot = 42, .slot = 65535, .key = "com,example)/a b c"};
  EXPECT_EQ(ParseCursor(TextOf(cursor)), cursor);
  EXPECT_EQ(ParseCursor(TextOf(Cursor())), Cursor());
  for (const char* text :
       {"", "1", "1 2", "-1 2 k", "01 2 k", "1 02 k", "1 99999999999 k", " 1 2 k", "a b c", "1  2 k"}) {
    EXPECT_EQ(ParseCursor(Base64UrlOf(text)), std::nullopt) << text;
  }
}

// RFC 9110 section 13.1.2: weak comparison; `*` matches whatever there is.
TEST(Etag, IfNoneMatchNamesItInAnyOfItsForms) {
  const std::string etag = MakeEtag(42, "seal", "question");
  for (const std::string& header :
       {etag, "W/" + etag, "\"a\", " + etag, "\"a\",W/\"b\" ,\t" + etag + ", \"c\"", std::string(" * ")}) {
    EXPECT_TRUE(MatchesEtag(header, etag)) << header;
  }
  for (const std::string& header :
       {std::string(), std::string("\"a\""), "x" + etag, etag.substr(1), std::string("\"a"), std::string("**")}) {
    EXPECT_FALSE(MatchesEtag(header, etag)) << header;
  }
  EXPECT_NE(MakeEtag(42, "seal", "other"), etag);
  EXPECT_NE(MakeEtag(42, "other", "question"), etag);
  EXPECT_NE(MakeEtag(43, "seal", "question"), etag);
}

TEST(Problem, HasTheMembersOfTheStandard) {
  const Json json = ToJson(Problem{.status = 404, .detail = "no such thing", .fields = {{"#/urls/3", "no URL"}}});
  EXPECT_EQ(DumpJson(json),
            R"({"type":"/problems/not-found","title":"Not found","status":404,"detail":"no such thing",)"
            R"("errors":[{"pointer":"#/urls/3","detail":"no URL"}]})");
  EXPECT_FALSE(ToJson(Problem{.status = 500}).contains("errors"));
}

struct SchemaCase {
  const char* schema;
  const char* value;
  const char* pointer;  // of the first fault; null: it fits
};

TEST(Schema, EachKeywordIsChecked) {
  const SchemaCase cases[] = {
      {R"({"type":"integer"})", "1", nullptr},
      {R"({"type":"integer"})", "1.0", "#"},
      {R"({"type":"number"})", "1.5", nullptr},
      {R"({"type":["string","null"]})", "null", nullptr},
      {R"({"type":["string","null"]})", "1", "#"},
      {R"({"enum":["a","b"]})", "\"b\"", nullptr},
      {R"({"enum":["a","b"]})", "\"c\"", "#"},
      {R"({"const":1})", "2", "#"},
      {R"({"minimum":1,"maximum":3})", "0", "#"},
      {R"({"minimum":1,"maximum":3})", "4", "#"},
      {R"({"minimum":1,"maximum":3})", "3", nullptr},
      // Characters are code points.
      {R"({"maxLength":1})", "\"\u00e9\"", nullptr},
      {R"({"maxLength":1})", "\"ab\"", "#"},
      {R"({"minLength":1})", "\"\"", "#"},
      {R"({"maxItems":1,"items":{"type":"string"}})", "[\"a\",\"b\"]", "#"},
      {R"({"minItems":1})", "[]", "#"},
      {R"({"items":{"type":"string"}})", "[\"a\",1]", "#/1"},
      {R"({"required":["a"]})", "{}", "#"},
      {R"({"properties":{"a":{"type":"string"}}})", R"({"a":1})", "#/a"},
      {R"({"properties":{"a":{}},"additionalProperties":false})", R"({"a":1,"b~/":2})", "#/b~0~1"},
      {R"({"additionalProperties":{"type":"integer"}})", R"({"b":"x"})", "#/b"},
      {R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})", "#/ab"},
      {R"({"minProperties":1})", "{}", "#"},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "null", nullptr},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "1", "#"},
  };
  for (const SchemaCase& each : cases) {
    const auto faults = FaultsBySchema(ParseJson(each.schema).ValueOrDie(), ParseJson(each.value).ValueOrDie());
    if (each.pointer == nullptr) {
      EXPECT_TRUE(faults.empty()) << each.schema << " " << each.value;
    } else {
      ASSERT_FALSE(faults.empty()) << each.schema << " " << each.value;
      EXPECT_EQ(faults[0].pointer, each.pointer) << each.schema;
    }
  }
}

TEST(Schema, OneIsSingular) {
  const auto detail = [](const char* schema) {
    return FaultsBySchema(ParseJson(schema).ValueOrDie(), Json::array()).at(0).detail;
  };
  EXPECT_EQ(detail(R"({"minItems":1})"), "it must have at least 1 item");
  EXPECT_EQ(detail(R"({"minItems":2})"), "it must have at least 2 items");
}

TEST(Schema, ManyFaultsAreCutShort) {
  Json list = Json::array();
  for (int i = 0; i < 1000; ++i) list.push_back(i);
  EXPECT_EQ(FaultsBySchema(ParseJson(R"({"items":{"type":"string"}})").ValueOrDie(), list).size(), 10u);
}

TEST(Schemas, AnObjectLikeASampleHasItsMembersOfItsTypesOrNull) {
  const Json schema =
      SchemaLike({{"count", 1}, {"share", 0.5}, {"is_set", false}, {"text", ""}, {"names", Json::array()}});
  const Json fits = {{"count", 2},      {"share", 1.5},        {"is_set", nullptr},
                     {"text", nullptr}, {"names", {"a", "b"}}, {"more", 1}};
  EXPECT_TRUE(FaultsBySchema(schema, fits).empty());
  Json lacks = fits;
  lacks.erase("text");
  EXPECT_FALSE(FaultsBySchema(schema, lacks).empty());
  Json other = fits;
  other["count"] = "2";
  EXPECT_EQ(FaultsBySchema(schema, other)[0].pointer, "#/count");
}

TEST(Schemas, MembersInFrontLeaveTheOthersAsTheyWere) {
  const Json schema = SchemaWith({{"snapshot", IntegerSchema()}}, PageOfListSchema("rows", TextSchema()));
  EXPECT_TRUE(FaultsBySchema(schema, {{"snapshot", 1}, {"rows", {"a", "b"}}}).empty());
  EXPECT_FALSE(FaultsBySchema(schema, {{"snapshot", 1}}).empty());
  EXPECT_FALSE(FaultsBySchema(schema, {{"rows", Json::array()}}).empty());
  EXPECT_EQ(schema["properties"].begin().key(), "snapshot");
}

}  // namespace
}  // namespace trawl
