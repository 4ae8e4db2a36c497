#include "formats/http/media_type.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

HeaderList ContentTypes(const std::vector<const char*>& values) {
  HeaderList headers;
  for (const char* value : values) headers.Add("Content-Type", value);
  return headers;
}

// MIME Sniffing 4.4, "parse a MIME type".
TEST(MediaType, EssenceIsTwoTokensInLowerCase) {
  const struct {
    const char* text;
    const char* essence;  // null: not a media type
  } cases[] = {
      {"text/html", "text/html"},
      {" \t\r\nText/HTML \n", "text/html"},
      {"text/html ;x", "text/html"},
      {"a+b.c/d-e", "a+b.c/d-e"},
      {"", nullptr},
      {"text", nullptr},
      {"/html", nullptr},
      {"text/", nullptr},
      {"text /html", nullptr},
      {"text/ html", nullptr},
      {"text/ht ml", nullptr},
      {"text/html\v", nullptr},
      {"t\xC3\xA9xt/html", nullptr},
      {"text/html/x", nullptr},
      {"text/html,text/plain", nullptr},
      {"\"text/html\"", nullptr},
      {"*/*", "*/*"},
  };
  for (const auto& c : cases) {
    const std::optional<MediaType> type = ParseMediaType(c.text);
    ASSERT_EQ(type.has_value(), c.essence != nullptr) << c.text;
    if (!type) continue;
    EXPECT_EQ(type->essence, c.essence) << c.text;
  }
}

TEST(MediaType, ParametersAreReadAsTheStandardDoes) {
  const struct {
    const char* text;
    Parameters parameters;
  } cases[] = {
      {"a/b;C=D", {{"c", "D"}}},
      {"a/b; c=d ; e=f", {{"c", "d"}, {"e", "f"}}},
      {"a/b;c=d;c=e", {{"c", "d"}}},
      {"a/b;c=\"d;e\";f=g", {{"c", "d;e"}, {"f", "g"}}},
      {"a/b;c=\"\\d\\\"\\\\\"", {{"c", "d\"\\"}}},
      {"a/b;c=\"d\" e;f=g", {{"c", "d"}, {"f", "g"}}},
      {"a/b;c=\"d", {{"c", "d"}}},
      {"a/b;c=\"d\\", {{"c", "d\\"}}},
      {"a/b;c=\"\"", {{"c", ""}}},
      {"a/b;c=;d=e", {{"d", "e"}}},
      {"a/b;c;;d=e", {{"d", "e"}}},
      {"a/b;c =d", {}},
      {"a/b;c= d", {{"c", " d"}}},
      {"a/b;c=d\x7F;e=\x01", {}},
      {"a/b;c=\xE9", {{"c", "\xE9"}}},
      {"a/b;c=", {}},
  };
  for (const auto& c : cases) {
    const std::optional<MediaType> type = ParseMediaType(c.text);
    ASSERT_TRUE(type) << c.text;
    EXPECT_EQ(type->parameters, c.parameters) << c.text;
  }
}

TEST(MediaType, CharsetNamesAnEncodingByItsLabel) {
  EXPECT_EQ(ParseMediaType("text/html;charset=latin1")->Encoding(), "windows-1252");
  EXPECT_EQ(ParseMediaType("text/html;charset=nonsense")->Encoding(), "");
  EXPECT_EQ(ParseMediaType("text/html")->Encoding(), "");
}

// Fetch, "extract a MIME type".
TEST(MediaType, LastReadableTypeOfAllFieldsCounts) {
  const struct {
    std::vector<const char*> values;
    const char* essence;  // null: no type
    const char* encoding;
  } cases[] = {
      {{}, nullptr, ""},
      {{""}, nullptr, ""},
      {{"text/html, text/plain"}, "text/plain", ""},
      {{"text/html", "nonsense"}, "text/html", ""},
      {{"text/html", "*/*;charset=gbk"}, "text/html", ""},
      {{"text/html;charset=gbk", "text/html"}, "text/html", "GBK"},
      {{"text/html;charset=gbk", "text/plain", "text/html"}, "text/html", ""},
      {{"text/html;x=\"", "text/plain"}, "text/html", ""},
      {{"text/html;x=\"a,b\";charset=utf-8,"}, "text/html", "UTF-8"},
  };
  for (const auto& c : cases) {
    const std::optional<MediaType> type = ContentTypeOf(ContentTypes(c.values));
    ASSERT_EQ(type.has_value(), c.essence != nullptr);
    if (!type) continue;
    EXPECT_EQ(type->essence, c.essence);
    EXPECT_EQ(type->Encoding(), c.encoding);
  }
}

TEST(MediaType, ManyParametersDoNotMakeItSlow) {
  std::string text = "text/html";
  for (int i = 0; i < 200000; ++i) text += ";p" + std::to_string(i) + "=v";
  EXPECT_LE(ParseMediaType(text)->parameters.size(), 64u);
}

}  // namespace
}  // namespace trawl
