// The rules by which links are judged, as a number: which pages a change of them concerns.
#include "jobs/policy/read_policy.h"

#include <gtest/gtest.h>

#include <fstream>

#include "formats/rows/parse_row.h"
#include "jobs/policy/scope.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

ReadPolicy PolicyWith(const OptionTexts& changes) {
  OptionTexts texts = ScopeOptionGroup().Print({});
  for (const auto& [name, text] : changes) texts[name] = text;
  return ReadPolicyOfOptions(texts).ValueOrDie();
}

TEST(ReadPolicy, AnotherDepthConcernsOnlyThePagesWhereItMakesADifference) {
  const ReadPolicy three = PolicyWith({{"urls.depth", "3"}}), six = PolicyWith({{"urls.depth", "6"}});
  for (int32_t depth = 0; depth <= 8; ++depth) {
    const bool differs = (depth < 3) != (depth < 6);
    EXPECT_EQ(three.At(depth) != six.At(depth), differs) << depth;
    EXPECT_NE(three.At(depth), three.At(depth + 1)) << "the links of a page that comes nearer come nearer";
    EXPECT_NE(three.At(depth), 0);
  }
}

TEST(ReadPolicy, EveryRuleOfUrlsIsInIt) {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() + "/" + name) << text;
    return folder.path() + "/" + name;
  };
  const ReadPolicy usual = PolicyWith({});
  for (const auto& [name, text] : OptionTexts{{"urls.scope", "any"},
                                              {"urls.max_bytes", "1000"},
                                              {"urls.max_parameters", "3"},
                                              {"urls.repeated_segments", "0"},
                                              {"urls.scope_rules", file("rules", "+.\n")},
                                              {"urls.allow_hosts", file("hosts", "a.com\n")},
                                              {"urls.deny_suffixes", file("suffixes", ".gif\n")}}) {
    EXPECT_NE(PolicyWith({{name, text}}).rules, usual.rules) << name;
  }
  // The text of a file counts, not where it lies; and an allowed host is another rule than a denied one.
  const std::string one = file("one", "b.com\n"), two = file("two", "b.com\n"), other = file("other", "c.com\n");
  EXPECT_EQ(PolicyWith({{"urls.allow_hosts", one}}), PolicyWith({{"urls.allow_hosts", two}}));
  EXPECT_NE(PolicyWith({{"urls.allow_hosts", one}}), PolicyWith({{"urls.allow_hosts", other}}));
  EXPECT_NE(PolicyWith({{"urls.allow_hosts", one}}), PolicyWith({{"urls.deny_hosts", one}}));
  OptionTexts missing = ScopeOptionGroup().Print({});
  missing["urls.scope_rules"] = folder.path() + "/none";
  EXPECT_FALSE(ReadPolicyOfOptions(missing).ok());
}

TEST(ReadPolicy, APageIsToBeReadWhereItWasReadOtherwise) {
  const ReadPolicy policy = PolicyWith({});
  UrlRow row;
  row.depth = 2;
  row.body_file = "m0-0-0.orc";
  row.parser = kParserVersion;
  row.read_policy = policy.At(2);
  EXPECT_FALSE(IsToRead(row, policy));
  const auto with = [&](void (*change)(UrlRow& row)) {
    UrlRow changed = row;
    change(changed);
    return IsToRead(changed, policy);
  };
  EXPECT_TRUE(with([](UrlRow& other) { other.depth = 1; }));
  EXPECT_TRUE(with([](UrlRow& other) { other.parser = kParserVersion - 1; }));
  EXPECT_TRUE(with([](UrlRow& other) { other.read_policy = 0; })) << "an older version read it";
  EXPECT_FALSE(with([](UrlRow& other) { other.parser = kParserVersion + 1; })) << "a newer one did";
  EXPECT_FALSE(with([](UrlRow& other) {
    other.read_policy = 0;
    other.body_file.clear();
  }));
  EXPECT_FALSE(with([](UrlRow& other) {
    other.read_policy = 0;
    other.state = UrlState::kRefused;
    other.outcome = Outcome::kDropped;
  }));
  EXPECT_EQ(*ReadPolicyFromJson(ToJson(policy)), policy);
}

}  // namespace
}  // namespace trawl
