#include "jobs/policy/url_change.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "jobs/policy/score.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kDropped[] = "dropped by the operator";
constexpr char kPutBack[] = "put back by the operator, was ";
// A hundred years, so that sums of times stay far from the end of int64.
constexpr int64_t kLongestMs = 36'525 * kDayMs;

bool IsAnswered(const UrlRow& row) {
  return row.state == UrlState::kFetched || row.state == UrlState::kRedirected || row.state == UrlState::kDuplicate;
}

// The last outcome brought no answer of the page, though the state does not say so: deferred, throttled, a redirect that
// the crawl does not take.
bool IsHeldUp(const UrlRow& row) {
  return row.outcome != Outcome::kNone && row.outcome != Outcome::kFetched && row.outcome != Outcome::kNotModified &&
         row.outcome != Outcome::kRedirect;
}

bool IsMistake(const UrlRow& row) {
  const bool left = row.state == UrlState::kRefused || row.state == UrlState::kGone ||
                    row.state == UrlState::kFailing || row.state == UrlState::kDenied;
  return left || IsHeldUp(row);
}

// The state as it was before the mistake: what the row knows of the page says which.
void PutBack(TimeMs now_ms, UrlRow* row) {
  const std::string was = row->outcome != Outcome::kNone ? TextOf(row->outcome) : TextOf(row->state);
  if (!row->redirect_to.empty()) {
    row->state = UrlState::kRedirected;
  } else if (row->state != UrlState::kDuplicate) {
    row->state = row->body_digest.empty()    ? UrlState::kUnfetched
                 : row->duplicate_of.empty() ? UrlState::kFetched
                                             : UrlState::kDuplicate;
  }
  row->outcome = Outcome::kNone;
  row->reason = kPutBack + was;
  row->status = 0;
  row->retries = 0;
  row->due_ms = row->due_set_ms = now_ms;
}

void Drop(UrlRow* row) {
  row->state = UrlState::kRefused;
  row->outcome = Outcome::kDropped;
  row->reason = kDropped;
  row->status = 0;
  row->retries = 0;
  row->due_ms = kNever;
  row->due_set_ms = 0;
  row->duplicate_of.clear();
  row->near_duplicate_of.clear();
  row->distance = 0;
}

void SetDue(TimeMs due_ms, TimeMs now_ms, bool has_budgets, UrlRow* row) {
  const bool waits_already = due_ms <= now_ms && row->due_ms <= now_ms && row->state == UrlState::kUnfetched &&
                             row->fetches == 0 && row->outcome == Outcome::kNone;
  if (waits_already && (!has_budgets || row->due_set_ms > 0)) return;
  row->due_ms = due_ms;
  row->due_set_ms = now_ms;
}

void SetInterval(int64_t interval_ms, UrlRow* row) {
  if (row->fixed_interval_ms == interval_ms) return;
  row->fixed_interval_ms = interval_ms;
  const bool is_duplicate = row->state == UrlState::kDuplicate;
  if (interval_ms == 0 && (!is_duplicate || row->due_ms == kNever)) return;
  if (interval_ms > 0) row->interval_ms = interval_ms;
  // Settle doubles the intervals of duplicates, but not those of the operator.
  const int64_t wait_ms = is_duplicate && interval_ms == 0 ? 2 * row->interval_ms : row->interval_ms;
  if (IsAnswered(*row) && !IsHeldUp(*row) && row->due_set_ms == 0) row->due_ms = row->fetched_ms + wait_ms;
}

void SetScore(int32_t score, const ScoreStanding& standing, UrlRow* row) {
  row->fixed_score = score != UrlChange::kByRule;
  if (row->fixed_score) {
    row->score = score;
  } else if (row->is_seed) {
    row->score = kScoreOne;
  } else {
    row->score = ScoreByRule(*row, standing);
  }
}

void SetMetadata(const std::map<std::string, std::string>& pairs, UrlRow* row) {
  if (pairs.empty()) return;
  std::map<std::string, std::string> all;
  for (size_t begin = 0; begin < row->metadata.size();) {
    const size_t end = std::min(row->metadata.find('\n', begin), row->metadata.size());
    const std::string pair = row->metadata.substr(begin, end - begin);
    const size_t equals = std::min(pair.find('='), pair.size());
    all[pair.substr(0, equals)] = pair.substr(std::min(equals + 1, pair.size()));
    begin = end + 1;
  }
  for (const auto& [key, value] : pairs) all[key] = value;
  std::vector<std::string> lines;
  for (const auto& [key, value] : all) lines.push_back(key + "=" + value);
  std::sort(lines.begin(), lines.end());
  row->metadata.clear();
  for (const std::string& line : lines) row->metadata += (row->metadata.empty() ? "" : "\n") + line;
}

}  // namespace

bool UrlChange::IsAny() const { return *this != UrlChange(); }

// Rules:
//  1. A dropped URL takes nothing but undrop, and what comes with it.
//  2. Drop: refused for good, with the outcome dropped, due never, and no duplicate any more. What else is known of the
//     page stays.
//  3. Retry puts back what was refused, gone, failing or denied, and what was deferred or throttled: its state as before
//     (fetched, duplicate or redirected where a page or a redirect is known, else unfetched), no failures, due now. Undrop does the
//     same with a dropped URL. Another URL stays as it is.
//  4. A due time is the operator's until the URL is asked for then (NextState, rule 16). "Now" leaves a URL alone that was
//     never asked for and is due already; but where patterns have budgets, one of which may hold it, it is marked so
//     that it needs none.
//  5. An interval counts from the last answer, unless the operator set a due time, too.
//  6. A score stays, whatever links say; by rule again, a seed keeps it until another one is set.
ChangeEffect ApplyChange(const UrlChange& change, TimeMs now_ms, UrlRow* row, bool has_budgets,
                         const ScoreStanding& standing) {
  if (IsDropped(*row) && !change.undrop) return change.drop ? ChangeEffect::kNone : ChangeEffect::kIsDropped;
  const UrlRow before = *row;
  if (change.drop) {
    Drop(row);
    return ChangeEffect::kChanged;
  }
  const bool puts_back = (change.undrop && IsDropped(*row)) || (change.retry && IsMistake(*row));
  if (puts_back) PutBack(now_ms, row);
  if (change.due_ms) SetDue(*change.due_ms, now_ms, has_budgets, row);
  if (change.interval_ms) SetInterval(*change.interval_ms, row);
  if (change.score) SetScore(*change.score, standing, row);
  if (change.tier) row->tier = *change.tier;
  if (change.kind) row->kind = *change.kind;
  SetMetadata(change.metadata, row);
  if (puts_back) return ChangeEffect::kPutBack;
  return *row == before ? ChangeEffect::kNone : ChangeEffect::kChanged;
}

namespace {

Result<double> ParseNumber(std::string_view text) {
  std::string_view number = text;
  if (number.starts_with('+')) number.remove_prefix(1);
  double score = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), score);
  const bool is_number = error == std::errc() && end == number.data() + number.size() && !number.starts_with('-');
  if (!is_number || !std::isfinite(score)) return Status::Invalid("score '", text, "' is not a number from 0 to 1");
  return score;
}

int32_t Millionths(double score) { return static_cast<int32_t>(std::lround(score * kScoreOne)); }

}  // namespace

Result<int32_t> ParseScore(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const double score, ParseNumber(text));
  if (score > 1) return Status::Invalid("score '", text, "' is over 1; write a number from 0 to 1");
  return Millionths(score);
}

Result<int32_t> ParseSeedScore(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const double score, ParseNumber(text));
  return Millionths(std::min(score, 1.0));
}

Result<TierChoice> ParseTier(std::string_view text) {
  if (text == "high" || text == "0") return TierChoice::kHigh;
  if (text == "medium" || text == "1") return TierChoice::kMedium;
  if (text == "low" || text == "2") return TierChoice::kLow;
  return Status::Invalid("priority '", text, "' is not known; write high, medium or low, or 0, 1 or 2");
}

Result<int64_t> ParseInterval(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const int64_t interval_ms, ParseDuration(text));
  // A shorter one would make a page due again before its round has ended.
  if (interval_ms < kMinuteMs || interval_ms > kLongestMs)
    return Status::Invalid("interval ", text, " is not an interval of at least 1m; write one like 1d");
  return interval_ms;
}

Result<TimeMs> ParseDue(std::string_view text, TimeMs now_ms) {
  if (text == "now") return now_ms;
  const std::string_view length = text.starts_with('+') ? text.substr(1) : text;
  const Result<int64_t> from_now_ms = ParseDuration(length);
  if (from_now_ms.ok() && *from_now_ms <= kLongestMs) return now_ms + *from_now_ms;
  const Result<TimeMs> time_ms = ParseTimestamp(text);
  if (time_ms.ok() && *time_ms > 0) return time_ms;
  return Status::Invalid("'", text, "' is no time; write now, 3d, or 2026-03-01T12:00:00Z");
}

Json ToJson(const UrlChange& change) {
  Json json = Json::object();
  for (const auto& [name, is_set] :
       {std::pair("retry", change.retry), std::pair("drop", change.drop), std::pair("undrop", change.undrop)}) {
    if (is_set) json[name] = true;
  }
  if (change.due_ms) json["due_ms"] = *change.due_ms;
  if (change.score) json["score"] = *change.score;
  if (change.interval_ms) json["interval_ms"] = *change.interval_ms;
  if (change.tier) json["tier"] = static_cast<int>(*change.tier);
  return json;
}

Result<UrlChange> UrlChangeFromJson(const Json& json) {
  UrlChange change;
  change.retry = HasMember(json, "retry");
  change.drop = HasMember(json, "drop");
  change.undrop = HasMember(json, "undrop");
  if (HasMember(json, "due_ms")) {
    ARROW_ASSIGN_OR_RAISE(change.due_ms, GetInt(json, "due_ms"));
  }
  if (HasMember(json, "interval_ms")) {
    ARROW_ASSIGN_OR_RAISE(change.interval_ms, GetInt(json, "interval_ms"));
  }
  if (HasMember(json, "score")) {
    ARROW_ASSIGN_OR_RAISE(const int64_t score, GetInt(json, "score"));
    change.score = static_cast<int32_t>(score);
  }
  if (HasMember(json, "tier")) {
    ARROW_ASSIGN_OR_RAISE(const int64_t tier, GetInt(json, "tier"));
    change.tier = static_cast<TierChoice>(tier);
  }
  return change;
}

}  // namespace trawl
