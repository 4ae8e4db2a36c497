#include "jobs/yields/idle_parameters.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trawl {
namespace {

UrlRow Page(const std::string& key, const std::string& content, int64_t simhash = 0) {
  UrlRow row;
  row.key = key;
  row.state = UrlState::kFetched;
  row.content_digest = content;
  row.simhash = simhash;
  return row;
}

// 20 articles, each with a session and an order in two values.
IdleParameters Shop(int pages, bool order_matters) {
  IdleParameters parameters;
  for (int i = 0; i < pages; ++i) {
    for (const char* order : {"a", "b"}) {
      for (const char* session : {"1x", "2x"}) {
        const std::string id = std::to_string(i);
        parameters.Add(
            Page("com,a)/shop?id=" + id + "&order=" + order + "&sid=" + session, order_matters ? id + order : id));
      }
    }
  }
  return parameters;
}

TEST(IdleParameters, NeedsTwentyPairsAndNoExceptions) {
  EXPECT_TRUE(Shop(9, true).Find().empty());
  EXPECT_EQ(Shop(10, true).Find(), (std::vector<IdleParameter>{{"com,a)/shop?id&order&sid", "sid", 20, true}}));
  EXPECT_EQ(Shop(10, false).Find(), (std::vector<IdleParameter>{{"com,a)/shop?id&order&sid", "order", 20, true},
                                                                {"com,a)/shop?id&order&sid", "sid", 20, true}}));
  IdleParameters parameters = Shop(50, true);
  parameters.Add(Page("com,a)/shop?id=1&order=a&sid=3x", "another"));
  EXPECT_TRUE(parameters.Find().empty()) << "once is enough to matter";
}

TEST(IdleParameters, EqualTextIsEnough) {
  IdleParameters parameters;  // the links name the session, so the contents differ
  for (int i = 0; i < 21; ++i) parameters.Add(Page("com,a)/p?sid=" + std::to_string(i), std::to_string(i), 77));
  ASSERT_EQ(parameters.Find().size(), 1U);
  EXPECT_EQ(parameters.Find()[0].pairs, 20);
}

TEST(IdleParameters, WhatOtherPagesNeedIsNoRuleOfTheHost) {
  IdleParameters parameters = Shop(10, true);
  for (int i = 0; i < 3; ++i) parameters.Add(Page("com,a)/login?sid=" + std::to_string(i), std::to_string(i)));
  ASSERT_EQ(parameters.Find().size(), 1U);
  EXPECT_FALSE(parameters.Find()[0].is_everywhere);
}

}  // namespace
}  // namespace trawl
