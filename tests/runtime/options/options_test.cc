#include "runtime/options/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

using ::testing::HasSubstr;

enum class Scope { kHost = 1, kDomain = 2 };

struct Sample {
  bool follow = true;
  int32_t depth = 3;
  int64_t rows = -1;
  double ratio = 0.5;
  int32_t score_millionths = 250'000;
  std::string contact;
  int64_t memory_bytes = 64 << 20;
  int64_t limit_bytes = 1'000;
  int64_t pause_ms = 30'000;
  int64_t delay_ms = 250;
  int64_t hold_ms = 60'000;
  TimeMs since_ms = kNoTime;
  Scope scope = Scope::kDomain;
  std::vector<std::string> agents = {"a", "b,c"};

  bool operator==(const Sample&) const = default;
};

const OptionGroup<Sample>& SampleGroup() {
  static const auto group =
      OptionGroup<Sample>("sample", "A field of every type")
          .Bool("follow", &Sample::follow, "h")
          .Int("depth", &Sample::depth, "h", Between(0, 10))
          .Int("rows", &Sample::rows, "h")
          .Real("ratio", &Sample::ratio, "h", {.min = 0, .max = 1})
          .Fixed("score", &Sample::score_millionths, "h", 6, Between(-1'000'000, 1'000'000))
          .String("contact", &Sample::contact, "h")
          .Size("memory", &Sample::memory_bytes, "h", AtLeast(1 << 20))
          .Size("limit_bytes", &Sample::limit_bytes, "h")
          .Duration("pause", &Sample::pause_ms, "h", Between(1'000, 3'600'000))
          .Duration("delay_ms", &Sample::delay_ms, "h")
          .Duration("hold_seconds", &Sample::hold_ms, "h")
          .Time("since", &Sample::since_ms, "h")
          .Choice("scope", &Sample::scope, "h", {{"host", Scope::kHost}, {"domain", Scope::kDomain}})
          .List("agents", &Sample::agents, "h")
          .Must([](const Sample& s) {
            return s.depth == 7 ? arrow::Status::Invalid("sample.depth 7 is unlucky") : arrow::Status::OK();
          });
  return group;
}

OptionTexts Defaults() { return SampleGroup().Print(Sample()); }

TEST(Options, DefaultsArePrintedInCanonicalForm) {
  const OptionTexts expected = {{"sample.follow", "true"},  {"sample.depth", "3"},          {"sample.rows", "-1"},
                                {"sample.ratio", "0.5"},    {"sample.score", "0.25"},       {"sample.contact", ""},
                                {"sample.memory", "64MiB"}, {"sample.limit_bytes", "1000"}, {"sample.pause", "30s"},
                                {"sample.delay_ms", "250"}, {"sample.hold_seconds", "60"},  {"sample.since", ""},
                                {"sample.scope", "domain"}, {"sample.agents", "a,b\\,c"}};
  EXPECT_EQ(Defaults(), expected);
  for (const OptionSpec& spec : SampleGroup().options()) EXPECT_EQ(spec.default_text, expected.at(spec.name));
}

TEST(Options, EveryTypeIsReadFromTextAndPrintedBack) {
  Sample expected;
  expected.follow = false;
  expected.depth = 10;
  expected.rows = 9'000'000'000;
  expected.ratio = 0.1;
  expected.score_millionths = -1;
  expected.contact = "https://me/ = #1";
  expected.memory_bytes = 3ll << 29;
  expected.limit_bytes = 2048;
  expected.pause_ms = 90'000;
  expected.delay_ms = 5'000;
  expected.hold_ms = 1'500;
  expected.since_ms = 1'772'366'400'000;
  expected.scope = Scope::kHost;
  expected.agents = {"x\\", "y,"};
  const OptionTexts texts = {{"sample.follow", "no"},           {"sample.depth", "10"},
                             {"sample.rows", "9000000000"},     {"sample.ratio", "1e-1"},
                             {"sample.score", "-0.000001"},     {"sample.contact", "https://me/ = #1"},
                             {"sample.memory", "1.5GiB"},       {"sample.limit_bytes", "2KiB"},
                             {"sample.pause", "1m30s"},         {"sample.delay_ms", "5s"},
                             {"sample.hold_seconds", "1500ms"}, {"sample.since", "2026-03-01T12:00:00Z"},
                             {"sample.scope", "host"},          {"sample.agents", "x\\\\,y\\,"}};
  const auto read = SampleGroup().Read(texts);
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, expected);
  const auto again = SampleGroup().Read(SampleGroup().Print(*read));
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(*again, expected);
}

TEST(Options, SenselessTextsAreRefusedWithWhatIsAllowed) {
  const struct {
    const char* noun;
    const char* text;
    const char* allowed;
  } cases[] = {
      {"follow", "maybe", "write true or false"},
      {"follow", "", "write true or false"},
      {"depth", "11", "write a whole number from 0 to 10"},
      {"depth", "-1", "write a whole number from 0 to 10"},
      {"depth", "3.5", "write a whole number from 0 to 10"},
      {"depth", "", "write a whole number from 0 to 10"},
      {"depth", "1 ", "write a whole number from 0 to 10"},
      {"rows", "99999999999999999999", "write a whole number"},
      {"ratio", "1.01", "write a number from 0 to 1"},
      {"ratio", "nan", "write a number from 0 to 1"},
      {"ratio", "inf", "write a number from 0 to 1"},
      {"score", "1.5", "write a number with up to 6 decimals from -1 to 1"},
      {"score", "0.0000001", "write a number with up to 6 decimals from -1 to 1"},
      {"memory", "64", "write a size like 64MiB, of at least 1MiB"},
      {"memory", "1KiB", "write a size like 64MiB, of at least 1MiB"},
      {"limit_bytes", "-1", "write a number of bytes, or a size like 64MiB"},
      {"pause", "30", "write a duration like 30s or 1h30m, from 1s to 1h"},
      {"pause", "2h", "write a duration like 30s or 1h30m, from 1s to 1h"},
      {"delay_ms", "1.5", "write a number of milliseconds, or a duration like 30s or 1h30m"},
      {"hold_seconds", "9223372036854775807", "write a number of seconds, or a duration like 30s or 1h30m"},
      {"since", "yesterday", "write a time like 2026-03-01T12:00:00Z, or milliseconds since 1970"},
      {"scope", "world", "write host or domain"},
      {"scope", "", "write host or domain"},
      {"agents", "a,,b", "write texts with commas between them"},
  };
  for (const auto& c : cases) {
    OptionTexts texts = Defaults();
    texts["sample." + std::string(c.noun)] = c.text;
    const auto status = SampleGroup().Read(texts).status();
    EXPECT_TRUE(status.IsInvalid()) << c.noun << " " << c.text;
    EXPECT_THAT(status.message(), HasSubstr("sample." + std::string(c.noun) + ": '" + c.text + "'"));
    EXPECT_THAT(status.message(), HasSubstr(c.allowed));
  }
}

TEST(Options, APlanMustNameEveryOptionAndNoOther) {
  OptionTexts missing = Defaults();
  missing.erase("sample.depth");
  EXPECT_THAT(SampleGroup().Read(missing).status().message(), HasSubstr("sample.depth is missing"));
  OptionTexts stranger = Defaults();
  stranger["sample.width"] = "3";
  EXPECT_THAT(SampleGroup().Read(stranger).status().message(), HasSubstr("sample.width is unknown"));
  OptionTexts others = Defaults();
  others["samples.width"] = "3";
  others["root"] = "x";
  EXPECT_TRUE(SampleGroup().Read(others).ok());
}

TEST(Options, RulesBetweenFieldsAreChecked) {
  OptionTexts texts = Defaults();
  texts["sample.depth"] = "7";
  EXPECT_EQ(SampleGroup().Read(texts).status().message(), "sample.depth 7 is unlucky");
  EXPECT_FALSE(SampleGroup().Check(texts).ok());
}

TEST(Options, AHugeTextIsCutInTheMessage) {
  OptionTexts texts = Defaults();
  texts["sample.depth"] = std::string(1 << 20, '9');
  EXPECT_LT(SampleGroup().Read(texts).status().message().size(), 400u);
}

struct Narrow {
  int32_t small = 0;
};
TEST(Options, ARangeNeverExceedsTheField) {
  const auto group = OptionGroup<Narrow>("narrow").Int("small", &Narrow::small, "h", AtLeast(0));
  EXPECT_TRUE(group.Read({{"narrow.small", "2147483647"}}).ok());
  EXPECT_FALSE(group.Read({{"narrow.small", "2147483648"}}).ok());
}

}  // namespace
}  // namespace trawl
