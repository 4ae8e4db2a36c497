#include "formats/scope/prefix_set.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace trawl {
namespace {

TEST(PrefixSet, FindsWhatALinearSearchFinds) {
  std::mt19937_64 random(3);
  const auto word = [&random] {
    std::string text;
    for (size_t n = random() % 6; n > 0; --n) text += "ab\xff"[random() % 3];
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<PrefixSet::Entry> entries;
    for (size_t n = random() % 20; n > 0; --n) {
      std::string text = "shared" + word();
      if (random() % 8 == 0 && round % 2 == 0) text = word();
      entries.push_back({text, static_cast<uint32_t>(entries.size() + 1)});
    }
    const PrefixSet set = PrefixSet::Make(entries).ValueOrDie();
    for (int question = 0; question < 50; ++question) {
      const std::string text = (question % 3 == 0 ? "" : "shared") + word();
      // The shortest entry that begins the text; of equal ones the first.
      const PrefixSet::Entry* expected = nullptr;
      for (const PrefixSet::Entry& entry : entries) {
        if (text.starts_with(entry.text) && (expected == nullptr || entry.text.size() < expected->text.size()))
          expected = &entry;
      }
      const PrefixSet::Match match = set.Find(text);
      ASSERT_EQ(static_cast<bool>(match), expected != nullptr) << text;
      if (expected == nullptr) continue;
      ASSERT_EQ(match.text, expected->text);
      ASSERT_EQ(match.number, expected->number);
    }
  }
}

TEST(PrefixSet, EmptyFindsNothing) {
  EXPECT_FALSE(PrefixSet().Find("a"));
  EXPECT_FALSE(PrefixSet::Make({})->Find(""));
  EXPECT_TRUE(PrefixSet::Make({{"", 1}})->Find(""));
}

}  // namespace
}  // namespace trawl
