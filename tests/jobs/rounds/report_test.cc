// What trawl crawl says at its end, to people.
#include "jobs/rounds/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Json Report() {
  return {{"rounds", 1},
          {"pages", 1},
          {"fetched", 2},
          {"statuses", {{"200", 1}, {"404", 1}}},
          {"bytes", 2048},
          {"success_rate", 0.5},
          {"response_ms", {{"average", 1.5}, {"p99", 3}}},
          {"top_errors", {{{"reason", "client_error 404"}, {"count", 1}}}},
          {"seconds", 2.5},
          {"pages_per_second", 0.4},
          {"urls", 4},
          {"hosts", 1},
          {"by_state", {{"unfetched", 2}, {"fetched", 1}, {"failing", 1}}},
          {"due", 2},
          {"held", {{{"why", "day_is_full"}, {"urls", 1}, {"until", "2026-01-02T00:00:00Z"}}}},
          {"next_due", "2026-01-01T06:00:00Z"},
          {"storage", {{"tables", 1024}, {"segments", 512}}},
          {"ended", "all rounds are done"}};
}

TEST(CrawlReport, APersonReadsWhatCameOfItAndWhatIsLeft) {
  EXPECT_EQ(ReadableCrawlReport(Report()),
            "pages       1 stored, 0.4/s, 2.0 KiB\n"
            "requests    2 (1 x 200, 1 x 404), 50.0 % succeeded\n"
            "response    on average 1.5 ms, 99 % within 3 ms\n"
            "urls        4 on 1 host: 2 unfetched, 1 fetched, 1 failing\n"
            "due         2 now; 1 due is held: day is full until 2026-01-02T00:00:00Z\n"
            "next        2026-01-01T06:00:00Z\n"
            "not fetched 1 x client_error 404\n"
            "storage     1.0 KiB of tables, 512 B of segments\n"
            "time        2 s, 1 round; all rounds are done\n");
}

TEST(CrawlReport, WhereNothingWasAskedForNothingIsSaidOfAnswers) {
  Json report = Report();
  report["fetched"] = 0;
  report["statuses"] = Json::object();
  report["next_due"] = nullptr;
  report["held"] = Json::array();
  const std::string text = ReadableCrawlReport(report);
  EXPECT_THAT(text, HasSubstr("requests    0\n"));
  EXPECT_THAT(text, HasSubstr("due         2 now\n"));
  EXPECT_THAT(text, Not(HasSubstr("response")));
  EXPECT_THAT(text, Not(HasSubstr("next")));
}

}  // namespace
}  // namespace trawl
