// The parts of trawl settle that are pure: who stands for a group, and what a verdict does to a row; and lists of pages of
// any length.
#include <gtest/gtest.h>

#include "formats/documents/run_json.h"
#include "jobs/settle/members.h"
#include "jobs/settle/representative.h"
#include "jobs/settle/settled_row.h"
#include "tests/support/crawl/settled_web.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(Representative, TheFirstRuleThatTellsDecides) {
  UrlRow earlier = PageOf("https://a.example/zz", "c");
  earlier.discovered_ms = kStartMs - 1;
  UrlRow other_status = PageOf("https://a.example/", "c");
  other_status.status = 203;
  // Each before the next.
  const std::vector<UrlRow> order = {
      PageOf("https://a.example/", "c"),
      PageOf("https://a.example/b", "c"),
      earlier,
      PageOf("https://a.example/yy", "c"),
      PageOf("https://www.a.example/yy", "c"),
      PageOf("https://a.example/b/c", "c"),
      PageOf("https://a.example/?x", "c"),
      PageOf("https://a.example/?x&y=1", "c"),
      other_status,
      PageOf("http://a.example/", "c"),
  };
  for (size_t i = 1; i < order.size(); ++i) {
    EXPECT_LT(OrderOfPage(order[i - 1]), OrderOfPage(order[i])) << order[i - 1].key << " " << order[i].key;
  }
  EXPECT_LT(WholeOrder(true, OrderOfPage(order.back())), WholeOrder(false, OrderOfPage(order.front())));
  // What was asked again without a change, and what fails for now, keep their places.
  UrlRow again = order[0];
  again.status = 304;
  EXPECT_EQ(OrderOfPage(again), OrderOfPage(order[0]));
  again.status = 503;
  EXPECT_GT(OrderOfPage(again), OrderOfPage(order[0]));
  again.state = UrlState::kFailing;
  EXPECT_EQ(OrderOfPage(again), OrderOfPage(order[0]));
}

TEST(Representative, ACanonicalCountsWhereItIsOfTheSameHostOrNamesItself) {
  const std::string page = "example,a)/x", same_host = "example,a)/y", mirror = "example,b)/x";
  EXPECT_FALSE(VoteOfPage(page, page));
  EXPECT_FALSE(VoteOfPage(page, ""));
  NamedPages named;
  named.Add(*VoteOfPage(page, same_host));
  named.Add(*VoteOfPage(page, mirror));
  EXPECT_TRUE(named.Names(same_host, ""));
  EXPECT_FALSE(named.Names(mirror, "")) << "the mirror does not say so";
  EXPECT_TRUE(named.Names(mirror, mirror));
  EXPECT_FALSE(named.Names(page, page));
  const NamedPages stored(named.Bytes());
  EXPECT_TRUE(stored.Names(same_host, "") && stored.Names(mirror, mirror));
  EXPECT_FALSE(stored.WouldChange(*VoteOfPage(page, mirror)));
}

TEST(Representative, VotesHaveALimitThatDoesNotDependOnTheirOrder) {
  NamedPages up, down;
  for (uint64_t vote = 0; vote < 5'000; ++vote) {
    up.Add(vote * 7);
    down.Add((4'999 - vote) * 7);
  }
  EXPECT_EQ(up.Bytes(), down.Bytes());
  EXPECT_EQ(up.Bytes().size(), 8 * NamedPages::kMost);
  EXPECT_FALSE(up.WouldChange(8 * 7 * NamedPages::kMost));
}

TEST(SettledRow, WhatTakesNoPartHasNoPointer) {
  for (const UrlState state : {UrlState::kGone, UrlState::kRedirected, UrlState::kDenied, UrlState::kRefused}) {
    UrlRow row = PageOf("https://a.example/", "c");
    row.state = state;
    row.duplicate_of = row.near_duplicate_of = "example,b)/";
    row.distance = 3;
    ApplySettlement({.is_exact = true, .duplicate_of = "example,b)/"}, NearPolicy::kMark, &row);
    EXPECT_EQ(row.state, state);
    EXPECT_EQ(row.duplicate_of + row.near_duplicate_of, "");
    EXPECT_EQ(row.distance, 0);
  }
}

TEST(SettledRow, StateAndDueTimeFollowThePointers) {
  struct Case {
    const char* what;
    Settlement settlement;
    NearPolicy near_policy;
    UrlState before, after;
    const char* duplicate_of;
    const char* near_of;
    int64_t intervals;  // that the due time moves
  };
  const Settlement exact = {.is_exact = true, .duplicate_of = "e"}, none = {.is_exact = true};
  const Settlement near = {.is_near = true, .near_duplicate_of = "n", .distance = 2};
  const Settlement both = {
      .is_exact = true, .duplicate_of = "e", .is_near = true, .near_duplicate_of = "n", .distance = 2};
  constexpr auto kFetched = UrlState::kFetched, kDuplicate = UrlState::kDuplicate, kFailing = UrlState::kFailing;
  const Case cases[] = {
      {"equal", exact, NearPolicy::kMark, kFetched, kDuplicate, "e", "", 1},
      {"equal as before", exact, NearPolicy::kMark, kDuplicate, kDuplicate, "e", "", 0},
      {"equal no more", none, NearPolicy::kMark, kDuplicate, kFetched, "", "", -1},
      {"fails", exact, NearPolicy::kMark, kFailing, kFailing, "e", "", 0},
      {"near, marked", near, NearPolicy::kMark, kFetched, kFetched, "", "n", 0},
      {"near, a duplicate", near, NearPolicy::kDuplicate, kFetched, kDuplicate, "", "n", 1},
      {"both, marked", both, NearPolicy::kMark, kFetched, kDuplicate, "e", "", 1},
      {"both, duplicates", both, NearPolicy::kDuplicate, kFetched, kDuplicate, "", "n", 1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    UrlRow row = PageOf("https://a.example/", "c");
    const int64_t due_ms = row.due_ms;
    row.state = c.before;
    ApplySettlement(c.settlement, c.near_policy, &row);
    EXPECT_EQ(row.state, c.after);
    EXPECT_EQ(row.duplicate_of, c.duplicate_of);
    EXPECT_EQ(row.near_duplicate_of, c.near_of);
    EXPECT_EQ(row.distance, *c.near_of == '\0' ? 0 : 2);
    EXPECT_EQ(row.due_ms, due_ms + c.intervals * row.interval_ms);
  }
  // The operator's word stays.
  UrlRow row = PageOf("https://a.example/", "c");
  row.fixed_interval_ms = row.interval_ms;
  const int64_t due_ms = row.due_ms;
  ApplySettlement(exact, NearPolicy::kMark, &row);
  EXPECT_EQ(row.due_ms, due_ms);
  EXPECT_EQ(row.state, kDuplicate);
}

TEST(RunFact, IsTheWholeReference) {
  RunReference run = {.run = "20260101T000000Z-settle_exact-1", .rows = 12, .removed = 3, .bytes = 4'000, .seal = "5e"};
  run.digest.Add(Hash128("a row"));
  ASSERT_OK_AND_ASSIGN(const RunReference back, RunFromJson(RunToJson(run)));
  EXPECT_EQ(back, run);
}

TEST(Members, AListIsReadAsOftenAsOneWantsAlsoWhereItIsLong) {
  const TemporaryFolder folder;
  MemberList list(folder.path());
  for (const int pages : {3, 40'000, 0, 2}) {
    list.Clear();
    for (int i = 0; i < pages; ++i) {
      Member member = {.leaves = i % 2 == 0, .has_row = i % 3 == 0};
      member.row.key = std::to_string(i) + std::string(300, 'x');
      ASSERT_OK(list.Add(member));
    }
    for (int times = 0; times < 2; ++times) {
      list.Rewind();
      Member member;
      int read = 0;
      for (;; ++read) {
        ASSERT_OK_AND_ASSIGN(const bool more, list.Next(&member));
        if (!more) break;
        ASSERT_EQ(member.row.key, std::to_string(read) + std::string(300, 'x'));
        ASSERT_EQ(member.leaves, read % 2 == 0);
        ASSERT_EQ(member.has_row, read % 3 == 0);
      }
      EXPECT_EQ(read, pages);
    }
  }
}

}  // namespace
}  // namespace trawl
