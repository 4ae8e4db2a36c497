#include "jobs/yields/pattern_updates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "formats/url/key.h"
#include "jobs/policy/settle_options.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/local_runner.h"
#include "runtime/job/slot_parts.h"
#include "runtime/tables/merge_scan.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

struct Page {
  std::string key;
  PageWorth worth = PageWorth::kFresh;
  int64_t links = 0;
  int64_t simhash = 0;
  std::string content = {};
  bool is_first = true;
};

// Gives the pages to PatternUpdates, in tasks of even slots, and publishes.
arrow::Result<JobResult> Count(SegmentFixture& crawl, std::vector<Page> pages, int parts = 1, bool learns = false) {
  std::sort(pages.begin(), pages.end(), [](const Page& a, const Page& b) {
    return RowPlace{SlotOfKey(a.key), a.key} < RowPlace{SlotOfKey(b.key), b.key};
  });
  JobRequest request;
  request.spec = {.name = "count", .map = [pages](TaskContext& context, const Json&, RowSink&) -> arrow::Status {
                    ARROW_ASSIGN_OR_RAISE(const auto updates, PatternUpdates::Open(context));
                    for (const Page& page : pages) {
                      const uint32_t slot = SlotOfKey(page.key);
                      if (slot < context.slots().begin || slot >= context.slots().end) continue;
                      ARROW_RETURN_NOT_OK(updates->GoTo({slot, page.key}));
                      ARROW_RETURN_NOT_OK(updates->AddPage({.key = page.key,
                                                            .fetched_ms = 1000,
                                                            .is_fresh = page.worth == PageWorth::kFresh,
                                                            .is_duplicate = page.worth == PageWorth::kDuplicate,
                                                            .is_near = page.worth == PageWorth::kNear,
                                                            .is_first = page.is_first,
                                                            .simhash = page.simhash,
                                                            .content_digest = page.content}));
                      if (page.links > 0) ARROW_RETURN_NOT_OK(updates->AddLinks(page.key, page.links));
                    }
                    return updates->Finish();
                  }};
  request.plan = [parts, learns](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->parts = EvenSlotParts(parts);
    if (learns) plan->facts[kLearnsParameters] = true;
    return arrow::Status::OK();
  };
  request.apply = AppendRuns;
  LocalRunner runner({.threads = 2, .temp_folder = crawl.root(), .attempts = 1});
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = crawl.now_ms;
  environment.version = "test";
  environment.options = JobOptionGroup().Print({});
  environment.options.merge(SettleOptionGroup().Print({}));
  return RunJob(environment, request);
}

std::vector<PatternRow> Patterns(const SegmentFixture& crawl) {
  std::vector<PatternRow> rows;
  const auto table = Table::Open<PatternRow>(crawl.store(), crawl.Present()).ValueOrDie();
  EXPECT_OK(ForEachRow<PatternRow>(table, {}, [&](const PatternRow& row) {
    rows.push_back(row);
    return arrow::Status::OK();
  }));
  return rows;
}

std::vector<Page> Calendar(const std::string& host, int days, PageWorth worth) {
  std::vector<Page> pages;
  for (int day = 0; day < days; ++day) pages.push_back({host + ")/calendar/" + std::to_string(day), worth, 2});
  return pages;
}

TEST(PatternUpdates, CountsByPatternOverSettles) {
  SegmentFixture crawl;
  std::vector<Page> pages = Calendar("com,a", 30, PageWorth::kNear);
  pages.push_back({"com,a)/calendar/about"});
  pages.push_back({"com,a,www)/calendar/7"});
  ASSERT_OK(Count(crawl, pages));
  const auto calendar = crawl.Find<PatternRow>("com,a)/calendar/#");
  ASSERT_TRUE(calendar);
  EXPECT_EQ(calendar->fetched, 30'000);
  EXPECT_EQ(calendar->near_duplicates, 30'000);
  EXPECT_EQ(calendar->links, 60'000);
  EXPECT_EQ(calendar->budget, 8);
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/calendar/about")->fresh, 1000);
  EXPECT_EQ(crawl.Find<PatternRow>("com,a,www)/calendar/#")->fetched_ever, 1);

  const JobResult second = Count(crawl, Calendar("com,a", 15, PageWorth::kDuplicate)).ValueOrDie();
  EXPECT_EQ(second.output.counters.Get("patterns_changed"), 1) << "rows without news are not written again";
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/calendar/#")->budget, 4);
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/calendar/#")->fetched_ever, 45);
}

TEST(PatternUpdates, WhatAnswersToAPathThatCannotExistIsASoftError) {
  SegmentFixture crawl;
  HostRow host;
  host.key = "com,a";
  host.error_digest = std::string(32, 'e');
  host.error_simhash = 0x0f0f;
  ASSERT_OK(crawl.Put<HostRow>({host}));
  ASSERT_OK(Count(crawl, {{"com,a)/p1", PageWorth::kFresh, 0, 0, std::string(32, 'e')},
                          {"com,a)/p2", PageWorth::kFresh, 0, 0x0f08},         // three bits away
                          {"com,a)/p3", PageWorth::kFresh, 0, 0x0f00},         // four
                          {"com,b)/p1", PageWorth::kFresh, 0, 0x0f0f, ""}}));  // another host
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/p#")->soft_errors, 2000);
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/p#")->fresh, 1000);
  EXPECT_EQ(crawl.Find<PatternRow>("com,b)/p#")->soft_errors, 0);
}

TEST(PatternUpdates, TheRarestOfAHostGiveWay) {
  SegmentFixture crawl;
  const auto word = [](int i) {  // without a digit
    std::string text;
    for (; text.size() < 4; i /= 26) text.push_back(static_cast<char>('a' + i % 26));
    return text;
  };
  std::vector<Page> pages = Calendar("com,a", 40, PageWorth::kNear);
  for (int i = 0; i < 10'000; ++i) pages.push_back({"com,a)/" + word(i)});
  for (int i = 0; i < 5; ++i) pages.push_back({"com,a)/zz/" + std::to_string(i)});
  ASSERT_OK(Count(crawl, pages));
  EXPECT_EQ(Patterns(crawl).size(), kMostPatterns);
  EXPECT_TRUE(crawl.Find<PatternRow>("com,a)/calendar/#"));
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/zz/#")->fetched, 5000);

  pages.clear();
  for (int i = 0; i < 800; ++i) {
    for (const char* page : {"/1", "/2"}) pages.push_back({"com,a)/y" + word(i) + page});
  }
  ASSERT_OK(Count(crawl, pages));
  EXPECT_EQ(Patterns(crawl).size(), kMostPatterns);
  EXPECT_TRUE(crawl.Find<PatternRow>("com,a)/calendar/#")) << "one with a budget stays";
  EXPECT_TRUE(crawl.Find<PatternRow>("com,a)/y" + word(799) + "/#"));
}

TEST(PatternUpdates, FacetsAreAFamily) {
  SegmentFixture crawl;
  const auto facets = [](PageWorth worth) {
    std::vector<Page> pages;
    for (int set = 1; set < 64; ++set) {
      std::string key = "com,a)/shop?";
      for (int name = 0; name < 6; ++name) {
        if (set >> name & 1)
          key += (key.ends_with('?') ? "" : "&") + std::string(1, static_cast<char>('a' + name)) + "=1";
      }
      pages.push_back({key, worth});
    }
    return pages;
  };
  std::vector<Page> pages = facets(PageWorth::kNear);
  for (const char* key : {"com,a)/list?page=1", "com,a)/list?page=2", "com,a)/list?id=1"}) pages.push_back({key});
  ASSERT_OK(Count(crawl, pages));
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/shop?a&b&c")->budget, -1);
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/shop?*")->fetched, 63'000);
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/shop?*")->budget, 8);
  EXPECT_FALSE(crawl.Find<PatternRow>("com,a)/list?*")) << "two patterns are no family";

  ASSERT_OK(Count(crawl, {{"com,a)/shop?a=9", PageWorth::kNear}}));
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/shop?*")->budget, 4);
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/shop?*")->fetched_ever, 64);
  for (int round = 0; round < 4; ++round) ASSERT_OK(Count(crawl, facets(PageWorth::kFresh)));
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/shop?*")->budget, -1) << "it recovers as any other";
}

TEST(PatternUpdates, AnOriginCountsTheFirstPagesOfItsFamilies) {
  SegmentFixture crawl;
  const auto folder = [](const std::string& name, int pages, PageWorth worth) {
    std::vector<Page> all;
    for (int i = 0; i < pages; ++i)
      all.push_back({"com,a)/" + name + "/w" + std::string(1, static_cast<char>('a' + i)), worth});
    return all;
  };
  std::vector<Page> pages;
  const auto add = [&pages](const std::vector<Page>& more) { pages.insert(pages.end(), more.begin(), more.end()); };
  add(folder("one", 20, PageWorth::kNear));
  add(folder("two", 3, PageWorth::kNear));
  pages.push_back({"com,a)/"});
  ASSERT_OK(Count(crawl, pages));
  EXPECT_FALSE(crawl.Find<PatternRow>("com,a)/**")) << "three families say nothing of others";

  pages = {{"com,a)/", PageWorth::kAsBefore}};
  pages.back().is_first = false;
  add(folder("one", 3, PageWorth::kNear));
  add(folder("two", 12, PageWorth::kNear));
  for (const char* name : {"three", "four", "five"}) add(folder(name, 9, PageWorth::kNear));
  ASSERT_OK(Count(crawl, pages));
  const auto origin = crawl.Find<PatternRow>("com,a)/**");
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->fetched_ever, (8 - 3) + 3 * 8) << "one had more than eight, and the home page is not new";
  EXPECT_EQ(origin->budget, 8);
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/two/**")->fetched_ever, 15);

  ASSERT_OK(Count(crawl, folder("six", 8, PageWorth::kFresh)));
  EXPECT_EQ(crawl.Find<PatternRow>("com,a)/**")->budget, 16) << "it recovers as any other";
}

TEST(PatternUpdates, AnyCutGivesTheSameRows) {
  std::vector<Page> pages;
  for (const char* host : {"com,a", "com,a,www", "org,b", "net,c", "de,d"}) {
    for (const Page& page : Calendar(host, 25, PageWorth::kNear)) pages.push_back(page);
    pages.push_back({std::string(host) + ")/"});
  }
  std::vector<std::vector<PatternRow>> all;
  for (const int parts : {1, 2, 5, 8}) {
    SegmentFixture crawl;
    ASSERT_OK(Count(crawl, pages, parts));
    ASSERT_OK(Count(crawl, pages, parts));
    all.push_back(Patterns(crawl));
  }
  EXPECT_EQ(all[0].size(), 10U);
  for (const auto& rows : all) EXPECT_EQ(rows, all[0]);
}

// Pages of hosts on which `sid` changes nothing, as settle finds them, and on some of them `sort` does not either.
std::vector<Page> Sessions(SegmentFixture& crawl) {
  std::vector<Page> pages;
  std::vector<UrlRow> rows;
  for (const char* host : {"com,a", "com,a,www", "org,b", "net,c", "de,d"}) {
    for (int i = 0; i < 66; ++i) {
      const std::string sort = i % 2 == 0 ? "up" : "down";
      UrlRow row;
      row.key = std::string(host) + ")/item?id=" + std::to_string(i / 4) + "&sid=" + std::to_string(i % 4 / 2) +
                "&sort=" + sort;
      row.kind = UrlKind::kPage;
      row.state = UrlState::kFetched;
      row.fetched_ms = 1000;
      const bool matters = std::string_view(host) == "org,b" && i > 51;
      row.content_digest = std::string(31, 'c') + static_cast<char>('a' + i / 4) + (matters ? sort : "");
      pages.push_back({row.key, i % 4 == 0 ? PageWorth::kFresh : PageWorth::kDuplicate, 0, 0, row.content_digest});
      rows.push_back(std::move(row));
    }
  }
  EXPECT_OK(crawl.Put<UrlRow>(rows));
  return pages;
}

TEST(PatternUpdates, AnyCutLearnsTheSameParameters) {
  std::vector<std::vector<PatternRow>> all;
  for (const int parts : {1, 2, 5, 8}) {
    SegmentFixture crawl;
    const std::vector<Page> pages = Sessions(crawl);
    ASSERT_OK(Count(crawl, pages, parts, /*learns=*/true));
    ASSERT_OK(Count(crawl, pages, parts, /*learns=*/true));
    all.push_back(Patterns(crawl));
  }
  std::map<std::string, int> hosts_of;
  for (const PatternRow& row : all[0]) {
    if (row.is_ignored) ++hosts_of[row.key.substr(row.key.find(')'))];
  }
  EXPECT_EQ(hosts_of, (std::map<std::string, int>{{")/item? sid", 5}, {")/item? sort", 4}}));
  for (const auto& rows : all) EXPECT_EQ(rows, all[0]);
}

// Texts of a few contents, each of which is some bits from others of its content, and no two of them near.
std::vector<Page> Facets(int from, int pages) {
  std::vector<Page> all;
  for (int i = from; i < from + pages; ++i) {
    constexpr const char* kNames[] = {"brand", "color", "size", "view", "order"};
    const std::string name = kNames[i % 5];
    const auto own = static_cast<int64_t>(0x3f) << (6 * (i / 5 % 10));  // 6 bits, other ones for each
    all.push_back(
        {"com,a)/shop?" + name + "=" + std::to_string(i), PageWorth::kFresh, 20, own ^ (i % 2 == 0 ? 0 : -1)});
  }
  return all;
}

TEST(PatternUpdates, AFamilyOfTextsThatComeAgainHasABudgetThoughNoneIsNear) {
  SegmentFixture crawl;
  ASSERT_OK(Count(crawl, Facets(0, 20)));
  ASSERT_OK(Count(crawl, Facets(20, 80)));
  const auto family = crawl.Find<PatternRow>("com,a)/shop?*");
  ASSERT_TRUE(family);
  EXPECT_EQ(family->fetched_ever, 100);
  EXPECT_EQ(family->near_duplicates, 0);
  EXPECT_GT(family->likes * 3, family->fetched * 2);
  EXPECT_EQ(family->budget, 8);
  EXPECT_GT(family->spread, 0);

  std::vector<Page> again = Facets(0, 100);
  for (Page& page : again) page.is_first = false;
  const int64_t before = family->likes;
  ASSERT_OK(Count(crawl, again));
  EXPECT_LT(crawl.Find<PatternRow>("com,a)/shop?*")->likes, before) << "a page is not compared with itself";
}

TEST(PatternUpdates, CutsDoNotChangeSamples) {
  std::vector<std::vector<PatternRow>> rows;
  for (const int parts : {1, 3}) {
    SegmentFixture crawl;
    for (int settle = 0; settle < 4; ++settle) ASSERT_OK(Count(crawl, Facets(settle * 40, 40), parts));
    rows.push_back(Patterns(crawl));
  }
  EXPECT_EQ(rows[0], rows[1]);
}

TEST(PatternUpdates, NearPagesOfAnArchiveAreNoWasteWhereChanceExplainsThem) {
  SegmentFixture crawl;
  std::mt19937_64 random(16);
  int number = 0;
  // One bit of eight differs, so two texts differ in 14 bits.
  for (int settle = 0; settle < 40; ++settle) {
    std::vector<Page> pages;
    for (int i = 0; i < 500; ++i) {
      pages.push_back({"com,a)/record/" + std::to_string(number++), PageWorth::kNear, 0,
                       static_cast<int64_t>(random() & random() & random())});
    }
    ASSERT_OK(Count(crawl, pages));
  }
  const auto records = crawl.Find<PatternRow>("com,a)/record/#");
  ASSERT_TRUE(records);
  EXPECT_EQ(records->fetched_ever, 20'000);
  EXPECT_EQ(records->budget, -1);
}

TEST(PatternUpdates, ErrorPagesThatNameThePathAreErrorsAllTheSame) {
  SegmentFixture crawl;
  HostRow host;
  host.key = "com,a";
  host.error_simhash = 0x7ff0;
  ASSERT_OK(crawl.Put<HostRow>({host}));
  std::vector<Page> pages;
  // Each has two or three of eight groups of two bits, so two of them differ in about as many as from the answer.
  for (int i = 0; i < 60; ++i) {
    int64_t text = 0x7ff0;
    for (const int place : {i % 8, i / 8 % 8, i * 5 % 7}) text ^= int64_t{3} << (2 * place + 20);
    pages.push_back({"com,a)/item/" + std::to_string(i), PageWorth::kFresh, 0, text});
  }
  ASSERT_OK(Count(crawl, pages));
  const auto items = crawl.Find<PatternRow>("com,a)/item/#");
  EXPECT_GT(items->soft_errors, 40'000);
  EXPECT_LE(items->spread, kAlikeSpread);
  EXPECT_EQ(items->budget, 8);
}

}  // namespace
}  // namespace trawl
