// What generate takes of patterns that have a budget, and the paths that cannot exist which it puts on lists, on tables
// that the tests write.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "formats/rows/settle_rows.h"
#include "formats/rows/times.h"
#include "formats/url/pattern.h"
#include "jobs/generate/generate.h"
#include "jobs/select/host_patterns.h"
#include "jobs/select/outlook.h"
#include "jobs/select/pattern_worth.h"
#include "jobs/select/probe.h"
#include "runtime/job/local_runner.h"
#include "runtime/root/segment_data.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int64_t kNow = 1'767'225'600'000;

UrlRow Due(const std::string& key, int64_t since_ms = 1) {
  UrlRow row = UnfetchedRow(key);
  row.score = 500'000;
  row.due_ms = kNow - since_ms;
  return row;
}

PatternRow Limited(const std::string& key, int32_t budget) {
  PatternRow row;
  row.key = key;
  row.fetched = 40'000;
  row.fresh = 1'000;
  row.duplicates = 39'000;
  row.fetched_ever = 40;
  row.counted_ms = kNow - kHourMs;
  row.budget = budget;
  return row;
}

class GenerateBudgets : public ::testing::Test {
 protected:
  arrow::Status Generate(OptionTexts options = {}, int threads = 1, TimeMs now_ms = kNow) {
    LocalRunner runner({.threads = threads, .memory_bytes = 64 << 20, .temp_folder = crawl_.root(), .attempts = 1});
    JobEnvironment environment;
    environment.store = crawl_.store();
    environment.runner = &runner;
    environment.clock = &SystemClock();
    environment.now_ms = now_ms;
    environment.version = "test";
    environment.options = std::move(options);
    environment.options.merge(GenerateOptionTexts());
    return GenerateSegment(environment, "", threads).Value(&outcome_);
  }

  // The URLs of the lists, list by list in their order. The segment is given back.
  std::vector<UrlRow> Taken() {
    std::vector<UrlRow> rows;
    if (outcome_.segment.empty()) return rows;
    const OpenSegment open = crawl_.Present().open_segments.back();
    const auto record = ReadLists(crawl_.store(), open.id, open.job, open.lists);
    EXPECT_OK(record);
    for (const FileReceipt& file : record->FilesOf("fetchlist")) {
      EXPECT_OK(ForEachDatasetRow<UrlRow>(crawl_.store(), open.id, "fetchlist", file, [&rows](const UrlRow& row) {
        rows.push_back(row);
        return arrow::Status::OK();
      }));
    }
    EXPECT_OK(crawl_.Close(open.id, SegmentEnd::kAbandoned));
    return rows;
  }
  std::set<std::string> TakenKeys() {
    std::set<std::string> keys;
    for (const UrlRow& row : Taken()) keys.insert(row.key);
    return keys;
  }
  int64_t LeftOut(const std::string& why) const { return outcome_.selection.counters.Get(why); }

  SegmentFixture crawl_;
  GenerateOutcome outcome_;
};

TEST_F(GenerateBudgets, OnlyTheBestOfAPatternAreTakenAndTheOthersAreHeld) {
  UrlRow best = Due("com,a)/day/7");
  best.score = 600'000;
  UrlRow wanted = Due("com,a)/day/8");
  wanted.due_set_ms = wanted.due_ms;
  UrlRow feed = Due("com,a)/day/9");
  feed.kind = UrlKind::kFeed;
  std::vector<UrlRow> rows = {best, wanted, feed, Due("com,a)/about"), Due("com,b)/day/1"), Due("com,b)/day/2")};
  for (int i = 10; i < 30; ++i) rows.push_back(Due("com,a)/day/" + std::to_string(i), kDayMs));
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  ASSERT_OK(crawl_.Put<PatternRow>({Limited("com,a)/day/#", 1), Limited("com,b)/day/#", -1)}));
  ASSERT_OK(Generate({{"generate.probe_errors", "false"}}));
  EXPECT_EQ(LeftOut("pattern_budget"), 20);
  EXPECT_EQ(outcome_.assignment.urls, 6);
  EXPECT_EQ(outcome_.job.output.counters.Get("left_out.pattern_budget"), 20) << "and the report says so";
  EXPECT_EQ(outcome_.job.output.counters.Get("urls"), 6);
  const Outlook outlook = OutlookOf(outcome_.selection, kNow);
  ASSERT_EQ(outlook.held.size(), 1U);
  EXPECT_EQ(outlook.held[0].until_ms, kNever);
  EXPECT_NE(HeldText(ToJson(outlook)["held"]).find("20 due are held: of patterns that yield little"),
            std::string::npos);
  EXPECT_EQ(TakenKeys(), (std::set<std::string>{"com,a)/about", "com,a)/day/7", "com,a)/day/8", "com,a)/day/9",
                                                "com,b)/day/1", "com,b)/day/2"}))
      << "what has waited for a day is no better for it";
}

TEST_F(GenerateBudgets, UrlsOfAPatternWithABudgetComeAfterOthers) {
  // Two days late, and still after what came due a minute ago; but in the long run they have their turn.
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a)/day/1", 30 * kDayMs), Due("com,b)/x", kMinuteMs)}));
  PatternRow pattern = Limited("com,a)/day/#", 1);
  pattern.counted_ms = kNow - 2 * kDayMs;
  ASSERT_OK(crawl_.Put<PatternRow>({pattern}));
  ASSERT_OK(Generate({{"generate.top_n", "1"}, {"generate.domain_share", "1"}, {"generate.probe_errors", "false"}}));
  EXPECT_EQ(TakenKeys(), (std::set<std::string>{"com,b)/x"}));
  UrlRow fresh = Due("com,b)/x");
  fresh.due_ms = kNow + 8 * kDayMs;
  ASSERT_OK(crawl_.Put<UrlRow>({fresh}));
  ASSERT_OK(Generate({{"generate.top_n", "1"}, {"generate.domain_share", "1"}, {"generate.probe_errors", "false"}}, 1,
                     kNow + 9 * kDayMs));
  EXPECT_EQ(TakenKeys(), (std::set<std::string>{"com,a)/day/1"})) << "the pattern was counted over aging before";
}

TEST_F(GenerateBudgets, AFamilyHasOneBudgetForItsMembersThatAreNotJudged) {
  std::vector<UrlRow> rows;
  for (const char* names : {"color=1", "color=2", "size=1", "size=2", "brand=1", "brand=2", "view=1", "view=2"}) {
    rows.push_back(Due(std::string("com,a)/list?") + names));
  }
  rows.push_back(Due("com,a)/list"));
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  PatternRow young = Limited("com,a)/list?color", -1), old = Limited("com,a)/list?size", -1);
  young.fetched = 3'000;
  ASSERT_OK(crawl_.Put<PatternRow>({Limited("com,a)/list?*", 1), young, old, Limited("com,a)/list?brand", 1)}));
  ASSERT_OK(Generate({{"generate.probe_errors", "false"}}));
  std::map<std::string, int> taken;
  for (const std::string& key : TakenKeys()) ++taken[key.substr(0, key.find('='))];
  EXPECT_EQ(taken["com,a)/list?color"] + taken["com,a)/list?view"], 1) << "from the family's";
  EXPECT_EQ(taken["com,a)/list?brand"], 1) << "from its own";
  EXPECT_EQ(taken["com,a)/list?size"], 2) << "it is judged, and needs none";
  EXPECT_EQ(taken["com,a)/list"], 1);
  EXPECT_EQ(LeftOut("pattern_budget"), 3 + 1);
  const Json explained = AnswerOf(Trawl(
      {"readdb", "get", taken["com,a)/list?view"] > 0 ? "https://a.com/list?color=1" : "https://a.com/list?view=1",
       "--explain", "--root", crawl_.root(), "--json", "--now", "2026-01-01T00:00:00Z"}));
  EXPECT_NE(explained.dump().find("held: pattern https://a.com/list?* has yielded"), std::string::npos)
      << explained.dump();
}

// The rules once more, in the plainest way.
std::set<std::string> Reference(const std::vector<UrlRow>& rows, const std::map<std::string, PatternRow>& patterns,
                                int64_t aging_ms, size_t per_host, size_t top_n) {
  using Ranked = std::pair<UrlRank, std::string>;
  std::map<std::string, std::vector<Ranked>> of_pattern, of_host;
  for (const UrlRow& row : rows) {
    RankFacts facts = RankFactsOf(row);
    const std::string host(row.key.substr(0, row.key.find(')')));
    const auto found = patterns.find(PatternOfKey(row.key));
    const bool is_doubtful = found != patterns.end() && found->second.duplicates > found->second.fetched / 2;
    const bool is_young = found != patterns.end() && found->second.budget < 0 && !is_doubtful &&
                          found->second.fetched_ever < 40 && found->second.counted_ms + aging_ms > kNow;
    const bool has = found != patterns.end() && (found->second.budget >= 0 || is_doubtful || is_young) &&
                     row.due_set_ms == 0 && row.kind == UrlKind::kPage;
    facts.is_trap = has && !is_young;
    if (has && !is_young)
      facts.due_ms = std::max(facts.due_ms, std::min(kNow + aging_ms / 3, found->second.counted_ms + aging_ms));
    (has ? of_pattern[found->first] : of_host[host]).emplace_back(RankOf(row.key, facts, aging_ms), row.key);
  }
  for (auto& [key, urls] : of_pattern) {
    std::sort(urls.begin(), urls.end());
    const PatternRow& pattern = patterns.at(key);
    const bool is_doubtful = pattern.duplicates > pattern.fetched / 2;
    const int64_t known = std::max<int64_t>(is_doubtful ? pattern.fetched_ever / 2 : pattern.fetched_ever, 20);
    const auto most = static_cast<size_t>(pattern.budget < 0 ? known : std::max(pattern.budget, 1));
    if (urls.size() > most) urls.resize(most);
    auto& all = of_host[key.substr(0, key.find(')'))];
    all.insert(all.end(), urls.begin(), urls.end());
  }
  std::vector<Ranked> best;
  for (auto& [host, urls] : of_host) {
    std::sort(urls.begin(), urls.end());
    if (urls.size() > per_host) urls.resize(per_host);
    best.insert(best.end(), urls.begin(), urls.end());
  }
  std::sort(best.begin(), best.end());
  if (best.size() > top_n) best.resize(top_n);
  std::set<std::string> keys;
  for (const Ranked& one : best) keys.insert(one.second);
  return keys;
}

TEST_F(GenerateBudgets, BothJobsTakeWhatTheRulesSayHoweverTheyAreCut) {
  std::mt19937 random(16);
  std::vector<UrlRow> rows;
  std::map<std::string, PatternRow> patterns;
  for (int host = 0; host < 26; ++host) {
    const std::string origin = "com,h" + std::string(1, static_cast<char>('a' + host)) + ")";
    for (const char* form : {"/day/", "/list?p=", "/s/"}) {
      for (unsigned i = 0; i < random() % 40; ++i) {
        UrlRow row = Due(origin + form + std::to_string(i), static_cast<int64_t>(random() % (20 * kDayMs)));
        row.score = static_cast<int32_t>(random() % 1'000'000);
        row.is_seed = random() % 20 == 0;
        row.due_set_ms = random() % 15 == 0 ? row.due_ms : 0;
        row.kind = random() % 20 == 0 ? UrlKind::kSitemap : UrlKind::kPage;
        rows.push_back(row);
      }
      if (random() % 3 == 0) continue;
      PatternRow pattern = Limited(PatternOfKey(origin + form + "1"), static_cast<int32_t>(random() % 9) - 2);
      pattern.counted_ms = kNow - static_cast<int64_t>(random() % (20 * kDayMs));
      if (random() % 2 == 0) pattern.duplicates = 0;
      pattern.fetched_ever = 10 + static_cast<int64_t>(random() % 50);
      patterns[pattern.key] = pattern;
    }
  }
  std::vector<PatternRow> pattern_rows;
  for (const auto& [key, row] : patterns) pattern_rows.push_back(row);
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  ASSERT_OK(crawl_.Put<PatternRow>(pattern_rows));
  for (const size_t top_n : {7, 60, 200, 100'000}) {
    for (const size_t per_host : {4, 1000}) {
      const std::set<std::string> expected = Reference(rows, patterns, 7 * kDayMs, per_host, top_n);
      for (const int threads : {1, 2, 5}) {
        ASSERT_OK(Generate({{"generate.top_n", std::to_string(top_n)},
                            {"generate.per_host", std::to_string(per_host)},
                            {"generate.domain_share", "1"},
                            {"generate.probe_errors", "false"}},
                           threads));
        EXPECT_EQ(outcome_.assignment.urls, static_cast<int64_t>(expected.size()));
        EXPECT_EQ(TakenKeys(), expected) << top_n << " " << per_host << " " << threads;
      }
    }
  }
}

TEST_F(GenerateBudgets, UrlsOfADoubtfulPatternWaitForOthersAndAreTakenWhereThereIsRoom) {
  PatternRow doubtful = Limited("com,a)/shop?*", -1);
  doubtful.fetched = 10'000;
  doubtful.duplicates = 0;
  doubtful.likes = 6'000;
  PatternRow good = Limited("com,a)/shop?color", -1);
  good.duplicates = 0;
  std::vector<UrlRow> rows;
  for (int i = 0; i < 5; ++i) {
    rows.push_back(Due("com,a)/shop?view=" + std::to_string(i), kDayMs));
    rows.push_back(Due("com,a)/shop?color=" + std::to_string(i)));
    rows.push_back(Due("com,b)/x/" + std::to_string(i)));
  }
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  ASSERT_OK(crawl_.Put<PatternRow>({doubtful, good}));
  ASSERT_OK(Generate({{"generate.top_n", "10"}, {"generate.domain_share", "1"}}));
  for (const std::string& key : TakenKeys()) EXPECT_EQ(key.find("view"), std::string::npos) << key;
  const Json explained =
      AnswerOf(Trawl({"readdb", "get", "https://a.com/shop?view=1", "--explain", "--root", crawl_.root(), "--json",
                      "--now", "2026-01-01T00:00:00Z", "--generate.top_n", "10", "--generate.domain_share", "1"}));
  EXPECT_NE(explained.dump().find("6 are like others of it; a round takes 20 of it, for it is doubtful"),
            std::string::npos)
      << explained.dump();
  EXPECT_NE(explained.dump().find("due URLs come first, and a round takes 10 ("), std::string::npos)
      << explained.dump();
  ASSERT_OK(Generate({{"generate.top_n", "11"}, {"generate.domain_share", "1"}}));
  EXPECT_EQ(TakenKeys().size(), 11U);
  ASSERT_OK(Generate({}));
  EXPECT_EQ(outcome_.assignment.urls, 15) << "none is held";
}

TEST_F(GenerateBudgets, ANewPatternGrowsByWhatIsKnownOfItAndRanksAsUsual) {
  std::vector<UrlRow> rows = {Due("com,b)/x", kMinuteMs)};
  for (int i = 0; i < 60; ++i) {
    rows.push_back(Due("com,a)/doc/" + std::to_string(i), kDayMs));
    rows.push_back(Due("com,a)/list/" + std::to_string(i), kDayMs));
  }
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  PatternRow young = Limited("com,a)/doc/#", -1);
  young.duplicates = 0;
  for (const auto& [known, taken] : {std::pair{1, 20}, {25, 25}, {39, 39}, {40, 60}}) {
    young.fetched_ever = known;
    ASSERT_OK(crawl_.Put<PatternRow>({young}));
    ASSERT_OK(Generate({{"generate.probe_errors", "false"}}));
    EXPECT_EQ(LeftOut("pattern_budget"), 60 - taken) << known;
    EXPECT_EQ(outcome_.assignment.urls, taken + 60 + 1) << "a pattern of which nothing is known takes all";
    EXPECT_EQ(outcome_.job.output.counters.Get("limited"), 0) << "no try whether it has become better";
    Taken();
  }
  young.fetched_ever = 25;
  ASSERT_OK(crawl_.Put<PatternRow>({young}));
  ASSERT_OK(Generate({{"generate.top_n", "85"}, {"generate.domain_share", "1"}, {"generate.probe_errors", "false"}}));
  const std::set<std::string> taken = TakenKeys();
  EXPECT_FALSE(taken.contains("com,b)/x")) << "it came due after all of them";
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    const Json lines = AnswerOf(Trawl({"readdb", "get", "https://a.com/doc/" + number, "--explain", "--root",
                                       crawl_.root(), "--json", "--now", "2026-01-01T00:00:00Z"}));
    const std::string text = lines["explain"].dump();
    const bool is_held = text.find("held: pattern https://a.com/doc/#") != std::string::npos;
    EXPECT_EQ(is_held, !taken.contains("com,a)/doc/" + number)) << text;
    EXPECT_NE(text.find("a round takes 25 of it, for it is new"), std::string::npos) << text;
  }

  young.counted_ms = kNow - 7 * kDayMs;
  ASSERT_OK(crawl_.Put<PatternRow>({young}));
  ASSERT_OK(Generate({{"generate.probe_errors", "false"}}));
  EXPECT_EQ(LeftOut("pattern_budget"), 0) << "nothing has been counted since: its URLs fail, or nothing is settled";
}

TEST_F(GenerateBudgets, NewFamiliesOfAnOriginHaveItsBudget) {
  std::vector<UrlRow> rows;
  for (int i = 0; i < 10; ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    rows.push_back(Due("com,a)/" + name + "/x"));
    rows.push_back(Due("com,a)/" + name));
    rows.push_back(Due("com,a)/good/" + name));
    rows.push_back(Due("com,a)http:8080/" + name + "/x"));
  }
  PatternRow good = Limited("com,a)/good/**", -1);
  good.duplicates = 0;
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  ASSERT_OK(crawl_.Put<PatternRow>({Limited("com,a)/**", 2), good}));
  ASSERT_OK(Generate({{"generate.probe_errors", "false"}}));
  std::map<std::string, int> taken;
  for (const std::string& key : TakenKeys()) ++taken[key.starts_with("com,a)/good/") ? "good" : key.substr(0, 7)];
  EXPECT_EQ(taken["good"], 10) << "a family that is judged needs none";
  EXPECT_EQ(taken["com,a)/"], 2);
  EXPECT_EQ(taken["com,a)h"], 10) << "another origin";
}

TEST(HostPatternRows, TextsThatSayAboutTheSameAreDoubtful) {
  for (const auto& [fetched, spread, is] :
       {std::tuple{8'000, 80, true}, {8'000, 81, false}, {7'999, 80, false}, {8'000, 0, false}}) {
    PatternRow row;
    row.fetched = fetched;
    row.spread = spread;
    EXPECT_EQ(IsDoubtful(row), is) << fetched << " " << spread;
  }
}

TEST(HostPatternRows, APatternIsJudgedByItselfAndElseByItsFamily) {
  const PatternBudget good = {.is_judged = true}, doubtful = {.most = 30, .is_doubtful = true},
                      limited = {.most = 2, .is_judged = true},
                      judged_doubtful = {.most = 20, .is_judged = true, .is_doubtful = true},
                      young = {.most = 20, .is_young = true}, more = {.most = 40};
  struct Case {
    const PatternBudget *own, *family, *chosen;
  };
  for (const Case& c :
       {Case{nullptr, nullptr, nullptr}, Case{nullptr, &limited, &limited}, Case{nullptr, &doubtful, &doubtful},
        Case{nullptr, &good, nullptr}, Case{&good, &limited, nullptr}, Case{&doubtful, &limited, &limited},
        Case{&doubtful, &good, &doubtful}, Case{&doubtful, nullptr, &doubtful},
        Case{&judged_doubtful, &limited, &judged_doubtful}, Case{&limited, &good, &limited},
        Case{&doubtful, &more, &more}, Case{&young, &more, &more}, Case{&young, &good, &young},
        Case{&young, &doubtful, &doubtful}, Case{&doubtful, &young, &doubtful}, Case{nullptr, &young, &young}}) {
    EXPECT_EQ(ChooseBudget(c.own, c.family), c.chosen);
  }
}

TEST(HostPatternRows, TextsThatAreAboutTheSameLookLikeErrors) {
  for (const auto& [spread, is] : {std::pair{0, false}, {kAlikeSpread, true}, {kAlikeSpread + 1, false}}) {
    PatternRow row;
    row.fetched_ever = 50;
    row.fetched = 50'000;
    row.spread = spread;
    EXPECT_EQ(LooksLikeErrors(row), is) << spread;
  }
}

TEST_F(GenerateBudgets, ExplainAndCheckNameThePatternAndWhatFetchesTheUrl) {
  std::vector<UrlRow> rows;
  for (int i = 0; i < 5; ++i) rows.push_back(Due("com,a)/calendar/" + std::to_string(i) + "/1"));
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  ASSERT_OK(crawl_.Put<PatternRow>({Limited("com,a)/calendar/#/#", 2)}));
  ASSERT_OK(Generate({{"generate.probe_errors", "false"}}));
  const std::set<std::string> taken = TakenKeys();
  ASSERT_EQ(taken.size(), 2U);
  const std::vector<std::string> tail = {"--root", crawl_.root(), "--json", "--now", "2026-01-01T00:00:00Z"};
  const auto ask = [&tail](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), tail.begin(), tail.end());
    return AnswerOf(Trawl(arguments));
  };
  for (const UrlRow& row : rows) {
    const std::string url = "https://a.com/calendar/" + row.key.substr(16);
    std::map<std::string, std::string> lines;
    const Json explained = ask({"readdb", "get", url, "--explain"});
    for (const Json& line : explained["explain"]) lines[line["about"]] = line["text"];
    EXPECT_EQ(
        lines["pattern"],
        "https://a.com/calendar/#/# has yielded 1 new page of 40 (39 duplicates, 0 nearly); a round takes 2 of it");
    EXPECT_NE(lines["rank"].find("for its pattern has a budget, as if it had come due at 2026-01-03T08:00:00"),
              std::string::npos)
        << lines["rank"];
    const Json holds = ask({"check", "url", url})["holds"];
    if (taken.contains(row.key)) {
      EXPECT_EQ(lines["next"], "in the next round") << row.key;
      EXPECT_EQ(holds, Json::array());
      continue;
    }
    ASSERT_EQ(holds.size(), 1U);
    const auto hold = holds[0].get<std::string>();
    EXPECT_EQ(lines["next"].find("not in the next round, " + hold.substr(0, hold.find(';'))), 0U) << lines["next"];
    EXPECT_EQ(hold.find("held: pattern https://a.com/calendar/#/# has yielded 1 new page of 40"), 0U) << hold;
    EXPECT_NE(hold.find(" --due now '" + url + "' fetches it all the same"), std::string::npos) << hold;
    EXPECT_EQ(ask({"urls", "set", url, "--due", "now"})["changed"], 1);
    EXPECT_EQ(ask({"urls", "set", url, "--due", "now"})["changed"], 0) << "once is enough";
    ASSERT_OK(Generate({{"generate.probe_errors", "false"}}, 1, kNow + kHourMs));
    const std::set<std::string> now = TakenKeys();
    EXPECT_TRUE(now.contains(row.key)) << "past the budget";
    EXPECT_EQ(now.size(), 3U) << "which the others have as before";
    break;
  }
}

// -- paths that cannot exist ------------------------------------------------------------------------------------------

TEST(HostPatternRows, PagesLookLikeErrorsWhereFourOfFiveAreLikeOthers) {
  struct Case {
    int64_t ever, fetched, duplicates, near, soft;
    bool is;
  };
  constexpr Case kCases[] = {{4, 4'000, 4'000, 0, 0, false}, {5, 5'000, 4'000, 0, 0, true},
                             {5, 5'000, 3'999, 0, 0, false}, {40, 9'000, 4'000, 3'200, 0, true},
                             {40, 9'000, 0, 0, 9'000, true}, {40, 0, 0, 0, 0, false}};
  for (const Case& c : kCases) {
    PatternRow row;
    row.fetched_ever = c.ever;
    row.fetched = c.fetched;
    row.duplicates = c.duplicates;
    row.near_duplicates = c.near;
    row.soft_errors = c.soft;
    EXPECT_EQ(LooksLikeErrors(row), c.is) << c.ever << " " << c.duplicates;
  }
}

TEST_F(GenerateBudgets, AHostWhosePagesLookLikeErrorsIsAskedForAPathThatCannotExist) {
  HostRow asked, long_ago;
  asked.key = "com,asked";
  asked.probe_ms = kNow - 29 * kDayMs;
  long_ago.key = "com,longago";
  long_ago.probe_ms = kNow - 30 * kDayMs;
  ASSERT_OK(crawl_.Put<HostRow>({asked, long_ago}));
  RobotsRow away;
  away.key = "com,away)";
  away.failures = 1;
  away.fetched_ms = kNow - 1;
  away.due_ms = kNow + kHourMs;
  ASSERT_OK(crawl_.Put<RobotsRow>({away}));
  std::vector<PatternRow> patterns = {Limited("com,never)http:8080/x/#", -1)};
  std::vector<UrlRow> rows = {Due("com,never)http:8080/x/1"), Due("com,good)/x/1"), Due("com,quiet)/x/1", -kDayMs)};
  for (const char* host : {"com,asked)", "com,longago)", "com,away)"}) {
    rows.push_back(Due(std::string(host) + "/x/1"));
    patterns.push_back(Limited(std::string(host) + "/x/#", -1));
  }
  patterns.push_back(Limited("com,quiet)/x/#", -1));
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  ASSERT_OK(crawl_.Put<PatternRow>(patterns));
  ASSERT_OK(Generate());
  std::map<std::string, UrlRow> probes;
  std::map<std::string, int> place;
  for (const UrlRow& row : Taken()) {
    const std::string host = row.key.substr(0, row.key.find(')'));
    ++place[host];
    if (row.kind == UrlKind::kProbe) {
      EXPECT_EQ(place[host], 2) << "after the pages";
      probes[row.key] = row;
    }
  }
  ASSERT_EQ(probes.size(), 2U) << "not of a host that has nothing due, or whose robots.txt cannot be had";
  EXPECT_TRUE(probes.contains(ProbeKeyOf("com,longago)")));
  EXPECT_TRUE(probes.contains(ProbeKeyOf("com,never)http:8080"))) << "at the origin of the pattern";
  EXPECT_EQ(outcome_.assignment.urls, 4);
  EXPECT_EQ(outcome_.job.output.counters.Get("urls"), 4) << "it counts as no page";
  ASSERT_OK(Generate({{"generate.probe_errors", "false"}}));
  EXPECT_EQ(TakenKeys().size(), 4U);
}

}  // namespace
}  // namespace trawl
