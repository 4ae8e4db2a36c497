#include "jobs/select/url_rank.h"

#include <algorithm>
#include <array>

#include "formats/digests/digest.h"
#include "formats/url/key.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr int32_t kHighScore = 700'000;
constexpr int32_t kLowScore = 300'000;

bool IsDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Whether a text is the number of a page after the first: "2", "17".
bool IsFurtherNumber(std::string_view text) { return IsDigits(text) && text.size() <= 5 && text != "0" && text != "1"; }

bool IsYear(std::string_view text) {
  return IsDigits(text) && text.size() == 4 && (text.starts_with("19") || text.starts_with("20"));
}
bool IsMonthOrDay(std::string_view text) { return IsDigits(text) && text.size() <= 2; }

// Removes the next piece of `rest`, up to and with `separator`, and returns it without the separator.
std::string_view TakePiece(std::string_view* rest, char separator) {
  const size_t end = std::min(rest->find(separator), rest->size());
  const std::string_view piece = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return piece;
}

constexpr std::array<std::string_view, 9> kPageParameters = {"page",   "p",      "pg",    "paged", "pagenum",
                                                             "pageno", "offset", "start", "from"};

}  // namespace

const char* NameOf(UrlTier tier) {
  static constexpr const char* kNames[kTiers] = {"high", "medium", "low"};
  return kNames[static_cast<size_t>(tier)];
}

void UrlRank::AppendTo(std::string* bytes) const {
  for (const uint64_t value : {high, low}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes->push_back(static_cast<char>(value >> shift & 255));
  }
}

bool IsFurtherPage(std::string_view path_and_query) {
  std::string_view query = path_and_query;
  std::string_view path = TakePiece(&query, '?');
  while (!query.empty()) {
    std::string_view value = TakePiece(&query, '&');
    const std::string_view name = TakePiece(&value, '=');
    const bool counts = std::find(kPageParameters.begin(), kPageParameters.end(), name) != kPageParameters.end();
    if (counts && IsFurtherNumber(value)) return true;
  }
  bool behind_page = false;
  while (!path.empty()) {
    std::string_view segment = TakePiece(&path, '/');
    if (behind_page && IsFurtherNumber(segment)) return true;
    behind_page = segment == "page";
    if (segment.starts_with("page-") && IsFurtherNumber(segment.substr(5))) return true;
  }
  return false;
}

bool IsArchive(std::string_view path_and_query) {
  std::string_view path = TakePiece(&path_and_query, '?');
  // The number of pieces of a date at the end of the path: a year, a month, a day.
  int date = 0;
  while (!path.empty()) {
    const std::string_view segment = TakePiece(&path, '/');
    if (segment == "archive" || segment == "archives") return true;
    if (segment.empty()) continue;
    if (date > 0 && date < 3 && IsMonthOrDay(segment)) {
      ++date;
    } else {
      date = IsYear(segment) ? 1 : 0;
    }
  }
  return date > 0;
}

UrlTier TierOf(std::string_view key, const RankFacts& facts) {
  switch (facts.tier) {
    case TierChoice::kHigh:
      return UrlTier::kHigh;
    case TierChoice::kMedium:
      return UrlTier::kMedium;
    case TierChoice::kLow:
      return UrlTier::kLow;
    case TierChoice::kByRule:
      break;
  }
  if (facts.is_trap) return facts.is_seed ? UrlTier::kHigh : UrlTier::kLow;
  if (facts.is_seed || facts.score >= kHighScore) return UrlTier::kHigh;
  const std::string_view path = key.substr(OriginPartOfKey(key).size());
  if (path == "/") return UrlTier::kHigh;
  if (facts.score < kLowScore || IsFurtherPage(path) || IsArchive(path)) return UrlTier::kLow;
  return UrlTier::kMedium;
}

namespace {

int32_t BehindBest(int32_t score) {
  return static_cast<int32_t>(std::clamp<int64_t>(int64_t{kScoreOne} - score, 0, kScoreOne));
}

// How much later its turn comes than it came due, by tier and score. Each tier has a third of the aging and uses half of
// it, so that a better tier is ahead by a sixth at least.
int64_t LagOf(UrlTier tier, int32_t behind_best, int64_t aging_ms) {
  if (aging_ms <= 0) return 0;
  return aging_ms * (2 * int64_t{kScoreOne} * static_cast<int64_t>(tier) + behind_best) /
         (2 * kTiers * int64_t{kScoreOne});
}

int64_t MostLagOf(const RankFacts& facts) {
  if (facts.interval_ms <= 0) return INT64_MAX;
  // Squares of longer ones would not fit, and such a page may have any lag.
  const int64_t interval_ms = std::min(facts.interval_ms, 30 * kDayMs);
  return facts.interval_ms > 30 * kDayMs ? INT64_MAX : interval_ms * interval_ms / (14 * kDayMs);
}

}  // namespace

RankFacts RankFactsOf(const UrlRow& row) {
  return {.is_seed = row.is_seed,
          .score = row.score,
          .tier = row.tier,
          .due_ms = row.due_ms,
          .interval_ms = row.interval_ms};
}

UrlRank RankOf(std::string_view key, const RankFacts& facts, int64_t aging_ms) {
  constexpr TimeMs kMostTurnMs = (TimeMs{1} << (64 - UrlRank::kTurnShift)) - 1;  // in the year 2109
  const UrlTier tier = TierOf(key, facts);
  const int32_t behind_best = BehindBest(facts.score);
  const int64_t lag_ms = std::min(LagOf(tier, behind_best, aging_ms), MostLagOf(facts));
  const TimeMs turn_ms = std::min(std::clamp<TimeMs>(facts.due_ms, 0, kMostTurnMs) + lag_ms, kMostTurnMs);
  return {static_cast<uint64_t>(turn_ms) << UrlRank::kTurnShift | static_cast<uint64_t>(tier) << UrlRank::kTierShift |
              static_cast<uint64_t>(behind_best),
          Hash64(key)};
}

std::string RankText(std::string_view key, const RankFacts& facts, int64_t aging_ms) {
  const UrlTier tier = TierOf(key, facts);
  const int64_t lag_ms = LagOf(tier, BehindBest(facts.score), aging_ms);
  std::string text =
      std::string("tier ") + NameOf(tier) + ", score " + FormatDecimal(facts.score, 6) + ": its turn comes ";
  const int64_t shorter_ms = std::min(lag_ms, MostLagOf(facts));
  text += shorter_ms > 0 ? ReadableDuration(shorter_ms) + " after it came due" : "when it came due";
  if (shorter_ms < lag_ms) {
    return text + ", for its interval of " + ReadableDuration(facts.interval_ms) + " (by tier and score " +
           ReadableDuration(lag_ms) + ")";
  }
  return text + " (--generate.aging " + ReadableDuration(aging_ms) + ")";
}

}  // namespace trawl
