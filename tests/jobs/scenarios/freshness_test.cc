// 120 daily rounds over 10,000 pages on 40 hosts, of which a round can fetch a tenth, in the order of ranks and in one of
// tier and score alone: who is fetched within its window, who waits longest, who is overtaken. No web: ranks, Assign and
// NextState are the real ones, and time is simulated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/rows/times.h"
#include "jobs/policy/score.h"
#include "jobs/select/assign.h"
#include "jobs/updatedb/next_state.h"
#include "tests/support/crawl/listed_candidates.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr TimeMs kStart = 1'767'225'600'000;
constexpr int64_t kAging = 7 * kDayMs;
constexpr int64_t kDays = 120;
constexpr uint32_t kHosts = 40;
constexpr int64_t kCapacity = 1000;

enum class Order { kByTurn, kByTierAndScore };

struct Page {
  UrlRow row;
  std::string kind;
  uint32_t host = 0;
  int64_t changes_every = 0;  // days; 0: never
};

// 300 news pages, which change every day; 4,000 of the tail, which never do; 300 that change every 4 to 10 days, and 5,400
// that never do. In the first weeks more is due than a round can fetch, later less. Depths, inlinks and hosts are spread over all of them.
std::vector<Page> MakePages() {
  std::vector<Page> pages;
  const auto add = [&pages](const std::string& kind, const std::string& folder, int count, auto&& changes_every) {
    for (int i = 0; i < count; ++i) {
      const uint64_t chance = Hash64(kind + std::to_string(i));
      Page page = {.kind = kind, .host = static_cast<uint32_t>(chance % kHosts), .changes_every = changes_every(i)};
      page.row.key = "com,h" + std::to_string(page.host) + ")/" + folder + std::to_string(i);
      page.row.state = UrlState::kUnfetched;
      page.row.depth = static_cast<int32_t>(1 + chance / 100 % 3);
      page.row.inlinks = static_cast<int32_t>(1 + chance / 1000 % 20);
      page.row.due_ms = page.row.discovered_ms = kStart;
      page.row.score = ScoreOf({.depth = page.row.depth, .linking_hosts = page.row.inlinks - 1, .key = page.row.key});
      pages.push_back(std::move(page));
    }
  };
  add("news", "news/", 300, [](int) { return 1; });
  add("tail", "tail/", 4000, [](int) { return 0; });
  add("changing", "c/", 300, [](int i) { return 4 + i % 7; });
  add("static", "s/", 5400, [](int) { return 0; });
  return pages;
}

struct Kept {
  int64_t refreshed = 0;
  int64_t within_window = 0;
  int64_t longest_wait_ms = 0;
  // Pages, day by day, after the round: also those that were never fetched, which are missed by no other number.
  int64_t page_days = 0;
  int64_t page_days_in_window = 0;

  double share() const { return static_cast<double>(page_days_in_window) / static_cast<double>(page_days); }
};

struct Outcomes {
  std::map<std::string, Kept> kept;  // by kind
  // How much later than a URL that was left out another one had come due that was taken, at most.
  int64_t overtaken_ms = 0;

  int64_t LongestWait() const {
    int64_t longest_ms = 0;
    for (const auto& [kind, one] : kept) longest_ms = std::max(longest_ms, one.longest_wait_ms);
    return longest_ms;
  }
};

class Simulation {
 public:
  explicit Simulation(Order order)
      : order_(order),
        rules_(RefreshRules::Parse("news path=/news/\ntail path=/tail/\n", "rules").ValueOrDie()),
        pages_(MakePages()) {
    for (uint32_t host = 0; host < kHosts; ++host) offers_.push_back({.domain = host, .page_ms = 1000});
  }

  Outcomes Run() {
    for (int64_t day = 0; day < kDays; ++day) Round(day);
    for (const Page& page : pages_) NoteWait(page, kStart + kDays * kDayMs);
    return outcomes_;
  }

 private:
  UrlRank RankOfPage(const UrlRow& row) const {
    const UrlRank rank = RankOf(row.key, RankFactsOf(row), kAging);
    if (order_ == Order::kByTurn) return rank;
    return {rank.high & ((uint64_t{1} << UrlRank::kTurnShift) - 1), rank.low};
  }

  void Round(int64_t day) {
    const TimeMs now_ms = kStart + day * kDayMs + day * 7919 % 29'000;
    std::vector<Candidate> candidates;
    for (const Page& page : pages_) {
      if (page.row.due_ms <= now_ms) candidates.push_back({RankOfPage(page.row), page.host});
    }
    ListedCandidates source(std::move(candidates));
    const Assignment taken =
        Assign(offers_, &source, {.top_n = kCapacity, .domain_turn = DomainTurnOf(kCapacity, 500'000)}).ValueOrDie();
    EXPECT_LE(taken.urls, kCapacity);
    TimeMs last_taken_ms = 0, first_left_ms = kNever;
    for (Page& page : pages_) {
      if (page.row.due_ms > now_ms) continue;
      const HostTaken& host = taken.hosts[page.host];
      if (host.pages == 0 || host.last < RankOfPage(page.row)) {
        first_left_ms = std::min(first_left_ms, page.row.due_ms);
        continue;
      }
      last_taken_ms = std::max(last_taken_ms, page.row.due_ms);
      Fetch(&page, day, now_ms);
    }
    for (const Page& page : pages_) NoteDay(page, now_ms);
    if (first_left_ms != kNever)
      outcomes_.overtaken_ms = std::max(outcomes_.overtaken_ms, last_taken_ms - first_left_ms);
  }

  void Fetch(Page* page, int64_t day, TimeMs now_ms) {
    FetchRow fetch;
    fetch.key = page->row.key;
    fetch.outcome = Outcome::kFetched;
    fetch.status = 200;
    fetch.content_type = "text/html";
    fetch.fetched_ms = now_ms + 40 * kMinuteMs;
    fetch.body_digest = std::to_string(page->changes_every == 0 ? 0 : day / page->changes_every);
    NoteWait(*page, fetch.fetched_ms);
    if (page->row.state == UrlState::kFetched) {
      Kept& kept = outcomes_.kept[page->kind];
      ++kept.refreshed;
      kept.within_window += IsWithinWindow(page->row, fetch.fetched_ms) ? 1 : 0;
    }
    const LinkStanding graph = {.linking_hosts = page->row.inlinks - 1};
    const UrlNews news = {.key = page->row.key, .fetch = &fetch, .graph = &graph};
    const StatePolicy policy = {.classes = &rules_, .now_ms = now_ms, .round_ms = now_ms, .segment = "s"};
    page->row = *NextState(&page->row, news, policy).row;
  }

  // Whether the page is no later than one interval; for one that was never fetched, the longest one of its class.
  void NoteDay(const Page& page, TimeMs now_ms) {
    const int64_t window_ms =
        page.row.interval_ms > 0 ? page.row.interval_ms : LongestOf(rules_.ClassOf(page.row), RefreshOptions());
    Kept& kept = outcomes_.kept[page.kind];
    ++kept.page_days;
    kept.page_days_in_window += now_ms - page.row.due_ms < window_ms ? 1 : 0;
  }

  void NoteWait(const Page& page, TimeMs until_ms) {
    Kept& kept = outcomes_.kept[page.kind];
    kept.longest_wait_ms = std::max(kept.longest_wait_ms, until_ms - page.row.due_ms);
  }

  const Order order_;
  const RefreshRules rules_;
  std::vector<Page> pages_;
  std::vector<HostOffer> offers_;
  Outcomes outcomes_;
};

double Days(int64_t ms) { return static_cast<double>(ms) / kDayMs; }

void Print(const char* order, const Outcomes& outcomes) {
  for (const auto& [kind, kept] : outcomes.kept) {
    std::printf(
        "%s, %s: %.1f %% of all pages in their window on an average day; %lld fetched again, %.1f %% on time; "
        "longest wait %.1f d\n",
        order, kind.c_str(), 100 * kept.share(), static_cast<long long>(kept.refreshed),
        100 * static_cast<double>(kept.within_window) / static_cast<double>(kept.refreshed),
        Days(kept.longest_wait_ms));
  }
  std::printf("%s: overtaken by at most %.1f d\n", order, Days(outcomes.overtaken_ms));
}

TEST(Freshness, PromisesAreKeptAndNobodyStarves) {
  Outcomes by_turn = Simulation(Order::kByTurn).Run();
  Outcomes before = Simulation(Order::kByTierAndScore).Run();
  Print("by turn", by_turn);
  Print("by tier and score", before);
  EXPECT_LT(by_turn.overtaken_ms, kAging);
  EXPECT_GT(before.overtaken_ms, 40 * kDayMs);
  EXPECT_LT(by_turn.LongestWait(), 12 * kDayMs) << "the first pass over all pages alone takes 10 days";
  EXPECT_GT(before.LongestWait(), 40 * kDayMs);
  for (const char* kind : {"news", "tail", "changing", "static"}) {
    EXPECT_GT(by_turn.kept[kind].share(), 0.94) << kind;
    EXPECT_GE(by_turn.kept[kind].share(), before.kept[kind].share()) << kind;
  }
}

}  // namespace
}  // namespace trawl
