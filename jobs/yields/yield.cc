#include "jobs/yields/yield.h"

#include <algorithm>

namespace trawl {

namespace {

constexpr int64_t kOnePage = 1000;  // the table counts thousandths

// Rule 2.
bool IsLittle(int64_t fetched, int64_t worthless, int64_t likes) {
  const int64_t yielding = fetched - worthless;
  return yielding * kOneOf < fetched || (likes * 2 > yielding && (yielding - likes) * kOneOfLikes < fetched);
}
bool IsLittle(const YieldNews& news) {
  return IsLittle(news.fetched, news.duplicates + news.near_duplicates + news.soft_errors, news.likes);
}

// Rule 1.
void ScaleDown(PatternRow* row) {
  const int64_t from = row->fetched, to = kMemory * kOnePage;
  if (from <= to) return;
  const auto scale = [&](int64_t* count) {
    *count = static_cast<int64_t>(static_cast<double>(*count) * static_cast<double>(to) / static_cast<double>(from));
  };
  for (int64_t* count :
       {&row->fresh, &row->likes, &row->duplicates, &row->near_duplicates, &row->soft_errors, &row->links})
    scale(count);
  row->fetched = to;
}

void AddCounts(const YieldNews& news, PatternRow* row) {
  row->fetched += news.fetched * kOnePage;
  row->fresh += news.fresh * kOnePage;
  row->likes += news.likes * kOnePage;
  row->duplicates += news.duplicates * kOnePage;
  row->near_duplicates += news.near_duplicates * kOnePage;
  row->soft_errors += news.soft_errors * kOnePage;
  row->links += news.links * kOnePage;
}

void ForgetCounts(PatternRow* row) {
  row->fetched = row->fresh = row->likes = row->links = 0;
  row->duplicates = row->near_duplicates = row->soft_errors = 0;
}

// Rules 4 and 5.
void MoveBudget(const YieldNews& news, PatternRow* row) {
  if (IsLittle(news)) {
    row->budget = std::max(row->budget / 2, 1);
    return;
  }
  row->budget *= 2;
  if (row->budget <= kLastBudget) return;
  row->budget = -1;
  ForgetCounts(row);
  AddCounts(news, row);
}

}  // namespace

void YieldNews::Add(PageWorth worth, int64_t fetched_ms) {
  ++fetched;
  latest_ms = std::max(latest_ms, fetched_ms);
  switch (worth) {
    case PageWorth::kSoftError:
      ++soft_errors;
      break;
    case PageWorth::kDuplicate:
      ++duplicates;
      break;
    case PageWorth::kNear:
      ++near_duplicates;
      break;
    case PageWorth::kLike:
      ++fresh;
      ++likes;
      break;
    case PageWorth::kFresh:
      ++fresh;
      break;
    case PageWorth::kAsBefore:
      break;
  }
}

void YieldNews::Add(const YieldNews& other) {
  fetched += other.fetched;
  fresh += other.fresh;
  likes += other.likes;
  duplicates += other.duplicates;
  near_duplicates += other.near_duplicates;
  soft_errors += other.soft_errors;
  links += other.links;
  latest_ms = std::max(latest_ms, other.latest_ms);
}

void AddYield(const YieldNews& news, PatternRow* row) {
  if (news.fetched > 0) ScaleDown(row);
  AddCounts(news, row);
  row->fetched_ever += news.fetched;
  row->counted_ms = std::max(row->counted_ms, news.latest_ms);
  if (row->budget >= 0 && news.fetched > 0) {
    MoveBudget(news, row);
  } else if (news.fetched > 0 && (YieldsLittle(*row) || (news.fetched >= kJudgedPages && IsLittle(news)))) {
    row->budget = static_cast<int32_t>(std::clamp<int64_t>(news.fetched / 2, 1, kFirstBudget));
  }
}

bool YieldsLittle(const PatternRow& row) {
  return row.fetched >= kJudgedPages * kOnePage && IsLittle(row.fetched, WorthlessOf(row), row.likes);
}

}  // namespace trawl
