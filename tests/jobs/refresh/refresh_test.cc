// When pages are fetched again: single steps, rules files, and two years of daily rounds.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "formats/rows/times.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/updatedb/next_state.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {
constexpr int64_t kStart = 1'767'225'600'000;

struct Step {
  const char* what;
  bool is_first;
  bool has_changed;
  int64_t interval_ms;  // expected
  int32_t change_rate;
};

void Follow(const std::vector<Step>& steps, UrlRow row = {}, const RefreshClass& refresh_class = {},
            const RefreshOptions& options = {}) {
  for (const Step& step : steps) {
    ++row.fetches;
    Reschedule(options, refresh_class, step.is_first, step.has_changed, &row);
    EXPECT_EQ(row.interval_ms, step.interval_ms) << step.what;
    EXPECT_EQ(row.change_rate, step.change_rate) << step.what;
  }
}

TEST(Refresh, StaticPageGrowsToThirtyDays) {
  Follow({{"first", true, true, 7 * kDayMs, 0},
          {"same", false, false, 7 * kDayMs, 0},
          {"same", false, false, 7 * kDayMs, 0},
          {"third time the same", false, false, 14 * kDayMs, 0},
          {"same", false, false, 14 * kDayMs, 0},
          {"same", false, false, 14 * kDayMs, 0},
          {"sixth", false, false, 28 * kDayMs, 0},
          {"same", false, false, 28 * kDayMs, 0},
          {"same", false, false, 28 * kDayMs, 0},
          {"ninth", false, false, 30 * kDayMs, 0},
          {"changed once", false, true, 3 * kDayMs, 250'000}});
}

TEST(Refresh, ChangingPageIsLookedAtEveryDayAndCalmsDown) {
  Follow({{"first", true, true, 7 * kDayMs, 0},
          {"changed", false, true, kDayMs, 1'000'000},
          {"changed", false, true, kDayMs, 1'000'000},
          {"same", false, false, kDayMs, 666'666},
          {"same", false, false, 3 * kDayMs, 499'999},
          {"same", false, false, 3 * kDayMs, 374'999}});
}

TEST(Refresh, TopPagesAreLookedAtEverySixHours) {
  UrlRow row;
  row.score = 800'000;
  Follow({{"not over it", true, true, 7 * kDayMs, 0}}, row);
  row.score = 800'001;
  Follow({{"first", true, true, 6 * kHourMs, 0},
          {"same", false, false, 6 * kHourMs, 0},
          {"same", false, false, 6 * kHourMs, 0},
          {"third time", false, false, 6 * kHourMs, 0}},
         row);
}

TEST(Refresh, AScoreThatChangesBetweenFetchesMovesTheIntervalOfATopPage) {
  const RefreshOptions options;
  const int64_t fetched_ms = 100 * kDayMs;
  const auto page = [&](int64_t interval_ms, int32_t score) {
    UrlRow row;
    row.state = UrlState::kFetched;
    row.fetched_ms = fetched_ms;
    row.interval_ms = interval_ms;
    row.due_ms = fetched_ms + interval_ms;
    row.score = score;
    return row;
  };
  UrlRow row = page(6 * kHourMs, 500'000);
  LeaveTop(options, 900'000, &row);
  EXPECT_EQ(row.interval_ms, options.start_interval_ms);
  EXPECT_EQ(row.due_ms, fetched_ms + 6 * kHourMs) << "its next fetch is near, and begins anew";
  for (const int32_t before : {400'000, 800'000}) {  // it was none
    row = page(6 * kHourMs, 500'000);
    LeaveTop(options, before, &row);
    EXPECT_EQ(row, page(6 * kHourMs, 500'000));
  }
  row = page(30 * kDayMs, 900'000);
  EnterTop(options, 800'000, &row);
  EXPECT_EQ(row.interval_ms, options.top_interval_ms);
  EXPECT_EQ(row.due_ms, fetched_ms + options.top_interval_ms);
  row = page(30 * kDayMs, 900'000);
  row.due_set_ms = 1;
  EnterTop(options, 800'000, &row);
  EXPECT_EQ(row.due_ms, fetched_ms + 30 * kDayMs) << "the operator's";
  row = page(30 * kDayMs, 900'000);
  row.state = UrlState::kDuplicate;
  EnterTop(options, 800'000, &row);
  EXPECT_EQ(row.due_ms, fetched_ms + 2 * options.top_interval_ms);
  row = page(30 * kDayMs, 900'000);
  row.fixed_interval_ms = row.interval_ms;
  EnterTop(options, 800'000, &row);
  EXPECT_EQ(row.interval_ms, 30 * kDayMs);
}

TEST(Refresh, SeedsOwnIntervalWins) {
  UrlRow row;
  row.score = kScoreOne;
  row.fixed_interval_ms = 400 * kDayMs;
  Follow({{"first", true, true, 400 * kDayMs, 0}, {"changed", false, true, 400 * kDayMs, 1'000'000}}, row,
         {.name = "news", .longest_ms = kDayMs});
}

TEST(Refresh, ClassIsTheLongestInterval) {
  Follow({{"first", true, true, kDayMs, 0}, {"same", false, false, kDayMs, 0}}, {},
         {.name = "news", .longest_ms = kDayMs});
  Follow({{"a class over the default's", true, true, 7 * kDayMs, 0}}, {},
         {.name = "archive", .longest_ms = 365 * kDayMs});
  UrlRow old;
  old.fetches = 10;
  old.interval_ms = 200 * kDayMs;
  old.unchanged = 2;
  Follow({{"third time", false, false, 365 * kDayMs, 0}}, old, {.name = "archive", .longest_ms = 365 * kDayMs});
  Follow({{"never under the shortest", true, true, kHourMs, 0}}, {}, {.name = "ticker", .longest_ms = 60'000});
}

TEST(Refresh, ClassBeginsWithItsFirstInterval) {
  const RefreshClass docs = {.name = "docs", .first_ms = 3 * kDayMs, .longest_ms = 14 * kDayMs};
  Follow({{"first", true, true, 3 * kDayMs, 0},
          {"same", false, false, 3 * kDayMs, 0},
          {"same", false, false, 3 * kDayMs, 0},
          {"third time", false, false, 6 * kDayMs, 0},
          {"changed", false, true, 3 * kDayMs, 250'000}},
         {}, docs);
  const RefreshClass tail = {.name = "tail", .first_ms = 30 * kDayMs, .longest_ms = 30 * kDayMs};
  Follow({{"first", true, true, 30 * kDayMs, 0}, {"changed", false, true, 30 * kDayMs, 1'000'000}}, {}, tail);
  UrlRow top;
  top.score = kScoreOne;
  Follow({{"a top page of any class", true, true, 6 * kHourMs, 0}}, top, tail);
}

TEST(Refresh, WindowIsAsLongAsTheInterval) {
  UrlRow row;
  row.due_ms = kStart;
  row.interval_ms = kDayMs;
  EXPECT_TRUE(IsWithinWindow(row, kStart - 1));
  EXPECT_TRUE(IsWithinWindow(row, kStart + kDayMs));
  EXPECT_FALSE(IsWithinWindow(row, kStart + kDayMs + 1));
  row.due_ms = kNever;
  EXPECT_TRUE(IsWithinWindow(row, kStart));
}

// -- rules files ------------------------------------------------------------------------------------------------------

TEST(Refresh, DuplicatesWaitTwiceUnlessTheOperatorSaidHowLong) {
  UrlRow row = {.state = UrlState::kFetched, .interval_ms = kDayMs};
  EXPECT_EQ(WaitOf(row), kDayMs);
  row.state = UrlState::kDuplicate;
  EXPECT_EQ(WaitOf(row), 2 * kDayMs);
  row.fixed_interval_ms = kDayMs;
  EXPECT_EQ(WaitOf(row), kDayMs);
}

TEST(RefreshRules, FirstRuleThatMatchesDecides) {
  ASSERT_OK_AND_ASSIGN(const RefreshRules rules, RefreshRules::Parse("\xef\xbb\xbf# class interval rule\r\n"
                                                                     "news\t1d   +^https?://[^/]*/(news|ticker)/\r\n"
                                                                     "\r\n"
                                                                     "> docs.example.com\r\n"
                                                                     "manual 14d +.\r\n"
                                                                     "<\r\n"
                                                                     "news 12h +/breaking$\n",
                                                                     "refresh.txt"));
  struct Case {
    const char* key;
    const char* name;
    int64_t longest_ms;
    uint32_t line;
  };
  constexpr Case kCases[] = {{"com,example)/news/1", "news", kDayMs, 2},
                             {"com,example)http:8080/ticker/", "news", kDayMs, 2},
                             {"com,example,docs)/a", "manual", 14 * kDayMs, 5},
                             {"com,example,docs)/news/a", "news", kDayMs, 2},
                             {"com,example)/breaking", "news", 12 * kHourMs, 7},
                             {"com,example)/breaking/2", "default", 0, 0},
                             {"not a key", "default", 0, 0}};
  for (const Case& c : kCases) {
    const RefreshClass& found = rules.ClassOf({.key = c.key});
    EXPECT_EQ(found.name, c.name) << c.key;
    EXPECT_EQ(found.longest_ms, c.longest_ms) << c.key;
    EXPECT_EQ(found.line, c.line) << c.key;
  }
}

TEST(RefreshRules, LinesNamePagesByHostDomainPathTypeAndSitemap) {
  ASSERT_OK_AND_ASSIGN(const RefreshRules rules,
                       RefreshRules::Parse("news host=News.example.com\n"
                                           "tail path=/archive/\n"
                                           "docs 3d..14d domain=example.org type=application/pdf\n"
                                           "wire 1h sitemap=https://example.com/news\n"
                                           "pictures 60d type=image/*\n"
                                           "live 2h host=example.net +/live/[a-z ]+$\n"
                                           "> b.example\n"
                                           "manual 9d path=/manual/\n"
                                           "<\n"
                                           "news 2d domain=example.net path=/n?\n",
                                           "refresh.txt"));
  const struct {
    const char* what;
    UrlRow row;
    const char* name;
    int64_t first_ms, longest_ms;
    uint32_t line;
  } cases[] = {
      {"ready-made", {.key = "com,example,news)/x"}, "news", kDayMs, kDayMs, 1},
      {"not a host below it", {.key = "com,example,news,www)/x"}, "default", 0, 0, 0},
      {"the first line decides", {.key = "com,example,news)/archive/x"}, "news", kDayMs, kDayMs, 1},
      {"ready-made, by path", {.key = "de,a)http:8080/archive/x"}, "tail", 30 * kDayMs, 30 * kDayMs, 2},
      {"no such path", {.key = "de,a)/archive"}, "default", 0, 0, 0},
      {"domain and type",
       {.key = "org,example,www)/a", .content_type = "Application/PDF; x=y"},
       "docs",
       3 * kDayMs,
       14 * kDayMs,
       3},
      {"the type alone is not enough",
       {.key = "org,example2)/a", .content_type = "application/pdf"},
       "default",
       0,
       0,
       0},
      {"by its sitemap", {.key = "com,a)/a", .sitemap = "com,example)/news-2.xml"}, "wire", 0, kHourMs, 4},
      {"another sitemap", {.key = "com,a)/a", .sitemap = "com,example)/old.xml"}, "default", 0, 0, 0},
      {"a family of types", {.key = "com,a)/a", .content_type = "image/png"}, "pictures", 0, 60 * kDayMs, 5},
      {"host and expression", {.key = "net,example)/live/x"}, "live", 0, 2 * kHourMs, 6},
      {"the expression of another host", {.key = "net,example,www)/live/x"}, "default", 0, 0, 0},
      {"in a section", {.key = "example,b,c)/manual/x"}, "manual", 0, 9 * kDayMs, 8},
      {"outside of it", {.key = "example,c)/manual/x"}, "default", 0, 0, 0},
      {"an interval of its own, and a query", {.key = "net,example,a)/n?x"}, "news", 0, 2 * kDayMs, 10},
  };
  for (const auto& one : cases) {
    const RefreshClass& found = rules.ClassOf(one.row);
    EXPECT_EQ(found.name, one.name) << one.what;
    EXPECT_EQ(found.first_ms, one.first_ms) << one.what;
    EXPECT_EQ(found.longest_ms, one.longest_ms) << one.what;
    EXPECT_EQ(found.line, one.line) << one.what;
  }
}

TEST(RefreshRules, NoRulesAreTheDefaultClass) {
  ASSERT_OK_AND_ASSIGN(const RefreshRules rules, RefreshRules::Parse("# nothing\n", "refresh.txt"));
  EXPECT_TRUE(rules.empty());
  EXPECT_EQ(rules.ClassOf({.key = "com,a)/"}).name, "default");
  EXPECT_TRUE(RefreshRules().empty());
}

TEST(RefreshRules, WhatMakesNoSenseIsNamedByFileAndLine) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"news", "refresh.txt:1: write CLASS FIRST..LONGEST"},
           {"\nnews soon +x", "refresh.txt:2: "},
           {"news 0 +x", "refresh.txt:1: '0' is not an interval"},
           {"news 1000000d +x", "refresh.txt:1: '1000000d' is not an interval"},
           {"news 1d", "refresh.txt:1: '': the rule must begin with '+'"},
           {"news 1d -x", "refresh.txt:1: '-x' is none of host=, domain=, path=, type=, sitemap=, and no rule"},
           {"news 1d..", "refresh.txt:1: "},
           {"docs 14d..3d +x", "refresh.txt:1: '14d..3d' begins with the longer interval"},
           {"docs host=a.com", "refresh.txt:1: 'docs' has no interval; only news and tail go without"},
           {"news host=a.com host=b.com", "refresh.txt:1: 'host=' stands twice"},
           {"news host=", "refresh.txt:1: 'host=' has no value"},
           {"news host=a..com", "refresh.txt:1: 'a..com' is no host"},
           {"news prefix=/a", "refresh.txt:1: 'prefix=/a' is none of"},
           {"news path=a", "refresh.txt:1: 'path=a' must begin with '/'"},
           {"tail type=pdf", "refresh.txt:1: 'type=pdf' is no content type"},
           {"news sitemap=/news.xml", "refresh.txt:1: 'sitemap=/news.xml' must begin with http://"},
           {"news 1d +(", "refresh.txt:1: "},
           {"<\n", "refresh.txt:1: '<' ends what no line"},
           {"> a.com\nnews +x\n<\n<\n", "refresh.txt:4: '<' ends"},
           {"# a\n> \n", "refresh.txt:2: "}}) {
    const auto rules = RefreshRules::Parse(text, "refresh.txt");
    ASSERT_FALSE(rules.ok()) << text;
    EXPECT_TRUE(rules.status().message().starts_with(message)) << rules.status().message();
  }
}

// -- two years --------------------------------------------------------------------------------------------------------

// What a server says of a page on a day: a status, and which version of its content.
struct Answer {
  int32_t status = 200;
  int64_t version = 0;
};
using Page = std::function<Answer(int64_t day)>;

struct Visit {
  int64_t day;
  UrlRow row;  // afterwards
};

// Daily rounds, which begin some seconds sooner or later, each of which fetches the page where it is due.
std::vector<Visit> TwoYears(const Page& page, UrlRow row = {}) {
  std::vector<Visit> visits;
  row.key = "com,a)/page";
  row.due_ms = kStart;
  for (int64_t day = 0; day < 730; ++day) {
    const int64_t now_ms = kStart + day * kDayMs + day * 7919 % 29'000;
    if (row.due_ms > now_ms) continue;
    const Answer answer = page(day);
    FetchRow fetch;
    fetch.key = row.key;
    fetch.fetched_ms = now_ms + 40 * 60'000;
    fetch.status = answer.status;
    fetch.outcome = answer.status == 200  ? Outcome::kFetched
                    : answer.status < 500 ? Outcome::kGone
                                          : Outcome::kServerError;
    if (answer.status == 200) fetch.body_digest = "version " + std::to_string(answer.version);
    const UrlNews news = {.key = row.key, .fetch = &fetch};
    const Transition next = NextState(&row, news, {.now_ms = now_ms, .round_ms = now_ms, .segment = "s"});
    EXPECT_TRUE(next.row);
    row = *next.row;
    visits.push_back({day, row});
  }
  return visits;
}

// Days between visits, from the `from`th on.
std::vector<int64_t> Gaps(const std::vector<Visit>& visits, size_t from = 0) {
  std::vector<int64_t> gaps;
  for (size_t i = from + 1; i < visits.size(); ++i) gaps.push_back(visits[i].day - visits[i - 1].day);
  return gaps;
}

TEST(TwoYears, ChangingPageIsFetchedDaily) {
  const auto visits = TwoYears([](int64_t day) { return Answer{.version = day}; });
  EXPECT_EQ(Gaps(visits).front(), 7);
  for (const int64_t gap : Gaps(visits, 1)) EXPECT_EQ(gap, 1);
  EXPECT_EQ(visits.back().row.change_rate, kScoreOne);
}

TEST(TwoYears, StaticPageIsFetchedMonthly) {
  const auto visits = TwoYears([](int64_t) { return Answer{}; });
  int64_t before = 0;
  for (const int64_t gap : Gaps(visits)) {
    EXPECT_GE(gap, before);
    EXPECT_GE(gap, 7);
    EXPECT_LE(gap, 30);
    before = gap;
  }
  EXPECT_EQ(before, 30);
  EXPECT_LT(visits.size(), 35U);
}

TEST(TwoYears, FlappingPageStaysBetweenADayAndAWeek) {
  for (const int64_t period : {2, 3, 5, 9}) {
    const auto visits = TwoYears([period](int64_t day) { return Answer{.version = day / period % 2}; });
    for (const int64_t gap : Gaps(visits)) {
      EXPECT_GE(gap, 1) << period;
      EXPECT_LE(gap, 30) << period;
    }
    EXPECT_GT(visits.size(), 30U) << period;
  }
}

TEST(TwoYears, VanishingPageIsGoneAfterThreeRoundsAndLookedAtEveryNinetyDays) {
  for (const int32_t status : {404, 500}) {
    const auto visits = TwoYears([status](int64_t day) { return Answer{.status = day < 200 ? 200 : status}; });
    size_t first = 0;
    while (visits[first].row.state == UrlState::kFetched) ++first;
    EXPECT_EQ(visits[first].row.state, UrlState::kFailing);
    EXPECT_EQ(visits[first + 1].row.state, UrlState::kFailing);
    EXPECT_EQ(visits[first + 2].row.state, UrlState::kGone);
    EXPECT_LE(visits[first].day, 200 + 31);
    EXPECT_EQ(visits[first + 2].day - visits[first].day, 2);
    for (const int64_t gap : Gaps(visits, first + 2)) EXPECT_EQ(gap, 90);
    EXPECT_EQ(visits.back().row.state, UrlState::kGone);
    EXPECT_EQ(visits.back().row.body_digest, "version 0");
  }
}

TEST(TwoYears, PageGoneForGoodIsNeverLookedAtAgain) {
  const auto visits = TwoYears([](int64_t day) { return Answer{.status = day < 100 ? 200 : 410}; });
  EXPECT_EQ(visits.back().row.state, UrlState::kGone);
  EXPECT_EQ(visits.back().row.due_ms, kNever);
  EXPECT_LE(visits.back().day, 100 + 31);
}

TEST(TwoYears, ReturningPageIsBackWithinNinetyDays) {
  const auto visits = TwoYears([](int64_t day) { return Answer{.status = day < 100 || day >= 400 ? 200 : 404}; });
  size_t back = 0;
  while (!(visits[back].day >= 400 && visits[back].row.state == UrlState::kFetched)) ++back;
  EXPECT_LE(visits[back].day, 400 + 90);
  EXPECT_EQ(visits[back - 1].row.state, UrlState::kGone);
  EXPECT_EQ(visits[back].row.retries, 0);
  for (const int64_t gap : Gaps(visits, back)) EXPECT_LE(gap, 30);
}

TEST(TwoYears, PageThatFailsNowAndThenIsNeverGone) {
  const auto visits = TwoYears([](int64_t day) { return Answer{.status = day % 3 == 0 ? 503 : 200}; });
  for (const Visit& visit : visits) EXPECT_NE(visit.row.state, UrlState::kGone);
}

}  // namespace
}  // namespace trawl
