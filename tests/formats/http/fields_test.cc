#include "formats/http/fields.h"

#include <gtest/gtest.h>

#include <utility>

namespace trawl {
namespace {

constexpr int64_t kNow = 1'790'000'000'000;

using Fields = std::vector<std::pair<const char*, const char*>>;

HeaderList Headers(const Fields& fields) {
  HeaderList headers;
  for (const auto& [name, value] : fields) headers.Add(name, value);
  return headers;
}

TEST(HttpFields, NamesHaveNoCaseAndValuesNoSpaceAround) {
  const HeaderList headers = Headers({{"ETAG", " W/\"a\"\t"}, {"etag", "b"}});
  EXPECT_EQ(ETagOf(headers), "W/\"a\"");
  EXPECT_EQ(headers.Combined("eTag"), "W/\"a\", b");
  EXPECT_EQ(headers.All("etag").size(), 2u);
  EXPECT_EQ(ETagOf(Headers({})), "");
}

TEST(HttpFields, CommasInQuotesDoNotSplit) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(SplitAtCommas("a , b,,c"), (Parts{"a", "b", "", "c"}));
  EXPECT_EQ(SplitAtCommas("\"a,\\\",b\",c"), (Parts{"\"a,\\\",b\"", "c"}));
  EXPECT_EQ(SplitAtCommas("a\\,b"), (Parts{"a\\", "b"}));
  EXPECT_EQ(SplitAtCommas("\"a,b"), (Parts{"\"a,b"}));
  EXPECT_EQ(SplitAtCommas("\"a\\"), (Parts{"\"a\\"}));
  EXPECT_EQ(SplitAtCommas(""), (Parts{""}));
}

// RFC 9110 section 10.2.3: Retry-After = HTTP-date / delay-seconds
TEST(HttpFields, RetryAfterIsSecondsOrADateAgainstTheServersClock) {
  const char* date = "Sun, 06 Nov 1994 08:49:37 GMT";
  const char* later = "Sun, 06 Nov 1994 08:51:37 GMT";
  EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", "120"}}), kNow), 120000);
  EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", "0"}}), kNow), 0);
  EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", later}, {"Date", date}}), kNow), 120000);
  EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", date}, {"Date", later}}), kNow), 0);
  EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", later}}), 784111777000), 120000);
  EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", later}, {"Date", "soon"}}), 784111777000), 120000);
  EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", later}}), kNow), 0);
  EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", "99999999999999999999"}}), kNow), 9223372036854775000);
  for (const char* value : {"", "-1", "1.5", "soon", "1 2", "120s"}) {
    EXPECT_EQ(RetryAfterMsOf(Headers({{"Retry-After", value}}), kNow), std::nullopt) << value;
  }
}

TEST(HttpFields, LastModifiedIsTheFirstFieldsDate) {
  EXPECT_EQ(LastModifiedMsOf(Headers({{"Last-Modified", "Sun Nov  6 08:49:37 1994"}}), kNow), 784111777000);
  EXPECT_EQ(LastModifiedMsOf(Headers({{"Last-Modified", "0"}}), kNow), std::nullopt);
  EXPECT_EQ(LastModifiedMsOf(Headers({}), kNow), std::nullopt);
}

TEST(HttpFields, ContentEncodingsComeInTheOrderOfTheirUse) {
  const HeaderList headers =
      Headers({{"Content-Encoding", "X-GZIP, identity"}, {"Content-Encoding", ",br,utf-8"}, {"content-encoding", ""}});
  EXPECT_EQ(ContentEncodingsOf(headers), (std::vector<std::string>{"gzip", "br", "utf-8"}));
}

// Fetch, "extract a length"; RFC 9110 section 8.6.
TEST(HttpFields, ContentLengthIsOneNumberHoweverOftenRepeated) {
  const struct {
    std::vector<const char*> values;
    std::optional<int64_t> length;
  } cases[] = {
      {{}, {}},        {{"42"}, 42},
      {{"42,42"}, 42}, {{"42", " 42 , 42"}, 42},
      {{"030"}, 30},   {{"aaah"}, {}},
      {{""}, {}},      {{"a", "a"}, {}},
      {{"-1"}, {}},    {{"+1"}, {}},
      {{"4 2"}, {}},   {{"42s"}, {}},
      {{"0"}, 0},      {{"99999999999999999999999"}, 9223372036854775807},
  };
  for (const auto& c : cases) {
    HeaderList headers;
    for (const char* value : c.values) headers.Add("Content-Length", value);
    const auto length = ContentLengthOf(headers);
    ASSERT_TRUE(length.ok()) << length.status();
    EXPECT_EQ(*length, c.length);
  }
  for (const std::vector<const char*>& values : std::vector<std::vector<const char*>>{
           {"42,30"}, {"42", "30"}, {"42", ""}, {",42"}, {"42,"}, {"030", "30"}, {"a", "b"}}) {
    HeaderList headers;
    for (const char* value : values) headers.Add("Content-Length", value);
    EXPECT_TRUE(ContentLengthOf(headers).status().IsInvalid()) << values[0];
  }
}

TEST(HttpFields, FirstRefreshCounts) {
  EXPECT_EQ(RefreshOf(Headers({{"Refresh", "1;/a"}, {"Refresh", "2;/b"}}))->url, "/a");
  EXPECT_FALSE(RefreshOf(Headers({})));
}

}  // namespace
}  // namespace trawl
