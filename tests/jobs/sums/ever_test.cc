// Sums over rounds: which answers they count.
#include "jobs/sums/ever.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

// Seven guessed sitemaps were not there: they are no requests of the report, but answers.
TEST(EverSums, CountTheAnswersToGuessedSitemaps) {
  const Json fetch = {{"statuses", {{"200", 338}}}, {"outcomes", {{"fetched", 338}, {"no_sitemap", 7}}}};
  const Json counters = {{"outcome.fetched", 338}, {"outcome.no_sitemap", 7}, {"status.200", 338},
                         {"status.404", 7},        {"answers_in.50", 340},    {"answers_in.100", 5}};
  EverSums ever;
  AddFetch(fetch, counters, &ever);
  EXPECT_EQ(ever.codes, (std::map<std::string, int64_t>{{"2xx", 338}, {"4xx", 7}}));
  EXPECT_EQ(ever.answers.answers(), 345);
  EXPECT_EQ(ever.outcomes["no_sitemap"], 7);
}

TEST(EverSums, TakeTheStatusesOfADocumentWhoseCountersHaveNone) {
  EverSums ever;
  AddFetch({{"statuses", {{"200", 3}, {"404", 2}, {"x", 9}, {"500", "many"}}}}, {{"pages", 3}}, &ever);
  EXPECT_EQ(ever.codes, (std::map<std::string, int64_t>{{"2xx", 3}, {"4xx", 2}}));
  EverSums damaged;
  AddFetch({{"statuses", {{"200", 3}}}}, {{"status.200", -4}, {"status.lamp", 4}}, &damaged);
  EXPECT_EQ(damaged.codes["2xx"], 0);
}

}  // namespace
}  // namespace trawl
