#include "jobs/stats/fetch_stats.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/http/media_type.h"
#include "formats/url/key.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/sums/asked.h"
#include "jobs/sums/guessed_sitemap.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A bucket is 1.1 times as wide as the one before: 256 of them reach far beyond a day.
constexpr double kStep = 1.1;

// Reasons are for people and may name hosts or times, so at most this many different ones are kept apart.
constexpr size_t kMostReasons = 1000;
constexpr size_t kMostHosts = 200'000;
constexpr size_t kMostTypes = 200;
constexpr size_t kMostTypeBytes = 100;
// Of the lists of a report.
constexpr size_t kMostListed = 20;

template <typename Map>
auto* SlotIn(Map* map, const std::string& name, size_t most) {
  const bool is_full = map->size() >= most && !map->contains(name);
  return &(*map)[is_full ? std::string("(others)") : name];
}

// Whether it is the host that failed, and not the page.
bool IsFailureOfHost(Outcome outcome) {
  switch (outcome) {
    case Outcome::kThrottled:
    case Outcome::kServerError:
    case Outcome::kTooSlow:
    case Outcome::kTimeout:
    case Outcome::kDnsFailed:
    case Outcome::kConnectFailed:
    case Outcome::kTlsFailed:
    case Outcome::kConnectionReset:
    case Outcome::kProtocolError:
    case Outcome::kDecodeError:
      return true;
    default:
      return false;
  }
}

// The range of a number among upper bounds.
template <size_t kCount>
size_t RangeOf(int64_t number, const std::array<int64_t, kCount>& bounds) {
  return static_cast<size_t>(std::lower_bound(bounds.begin(), bounds.end(), number) - bounds.begin());
}

void Note(const std::string& key, int64_t count, FetchStats::Reason* reason) {
  reason->count += count;
  if (reason->example.empty() || (!key.empty() && key < reason->example)) reason->example = key;
}

std::string TypeOf(const FetchRow& row) {
  const std::optional<MediaType> type = ParseMediaType(row.content_type);
  return type ? type->essence.substr(0, kMostTypeBytes) : row.content_type.empty() ? "(none)" : "(others)";
}

// Whether the URL was asked for, whatever came of it.
bool WasAsked(const FetchRow& row, const std::string& outcome) {
  // Such a page failed with its host.
  if (row.reason.starts_with(kNobodyThere)) return false;
  return row.outcome != Outcome::kNone && IsRequest(outcome);
}

}  // namespace

int ResponseTimes::BucketOf(int64_t ms) {
  if (ms <= 1) return 0;
  return std::min(static_cast<int>(std::log(static_cast<double>(ms)) / std::log(kStep)), kBuckets - 1);
}

void ResponseTimes::Add(int64_t ms) {
  ++buckets_[static_cast<size_t>(BucketOf(ms))];
  ++ranges_[RangeOf(ms, kBoundsMs)];
  ++count_;
  sum_ms_ += ms;
}

void ResponseTimes::Merge(const ResponseTimes& other) {
  for (size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  for (size_t i = 0; i < ranges_.size(); ++i) ranges_[i] += other.ranges_[i];
  count_ += other.count_;
  sum_ms_ += other.sum_ms_;
}

int64_t ResponseTimes::Quantile(double share) const {
  const auto wanted = static_cast<int64_t>(std::ceil(share * static_cast<double>(count_)));
  int64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= wanted && seen > 0) return static_cast<int64_t>(std::pow(kStep, static_cast<double>(i) + 0.5));
  }
  return 0;
}

void FetchStats::Add(const FetchRow& row) {
  ++requests;
  const std::string outcome = IsNoSitemap(row) ? std::string(kNoSitemapOutcome) : TextOf(row.outcome);
  ++outcomes[outcome];
  if (row.status > 0 && !IsNoSitemap(row)) ++statuses[row.status];
  if (IsSuccess(outcome)) {
    ++succeeded;
  } else if (!IsNoSitemap(row)) {
    const std::string what = TextOf(row.outcome) + (row.status > 0 ? " " + std::to_string(row.status) : "");
    Note(row.key, 1, SlotIn(&reasons, what + (row.reason.empty() ? "" : ": " + row.reason), kMostReasons));
  }
  if (row.outcome == Outcome::kRobotsDenied) Note(row.key, 1, SlotIn(&robots_rules, row.robots_rule, kMostReasons));
  if (row.outcome == Outcome::kRobotsDeferred) robots_unreachable.insert(Hash64(HostPartOfKey(row.key)));
  bytes += row.bytes;
  wire_bytes += row.wire_bytes;
  const bool was_asked = WasAsked(row, outcome);
  if (was_asked) ++asked;
  if (was_asked || row.status > 0) {
    Host* const host = SlotIn(&hosts, HostOfKey(row.key), kMostHosts);
    host->asked += was_asked ? 1 : 0;
    host->failures += was_asked && IsFailureOfHost(row.outcome) ? 1 : 0;
    host->answers += row.status > 0 ? 1 : 0;
    host->total_ms += row.status > 0 ? row.total_ms : 0;
  }
  if (row.status > 0) {
    ++answered_s[row.fetched_ms / 1000];
    response.Add(row.total_ms);
  }
  if (row.content_file.empty()) return;
  ++pages;
  ++*SlotIn(&types, TypeOf(row), kMostTypes);
  ++sizes[RangeOf(row.bytes, kSizeBounds)];
  if (row.truncated != Truncation::kNone) ++truncated[TextOf(row.truncated)];
  if (!row.body_digest.empty() && !digests_.insert(Hash64(row.body_digest)).second) ++duplicates;
}

void FetchStats::Merge(FetchStats&& other) {
  requests += other.requests;
  asked += other.asked;
  succeeded += other.succeeded;
  pages += other.pages;
  bytes += other.bytes;
  wire_bytes += other.wire_bytes;
  duplicates += other.duplicates;
  for (const auto& [status, count] : other.statuses) statuses[status] += count;
  for (const auto& [outcome, count] : other.outcomes) outcomes[outcome] += count;
  for (const auto& [name, reason] : other.reasons) {
    Note(reason.example, reason.count, SlotIn(&reasons, name, kMostReasons));
  }
  for (const auto& [rule, reason] : other.robots_rules) {
    Note(reason.example, reason.count, SlotIn(&robots_rules, rule, kMostReasons));
  }
  robots_unreachable.merge(other.robots_unreachable);
  for (const auto& [type, count] : other.types) *SlotIn(&types, type, kMostTypes) += count;
  for (size_t i = 0; i < sizes.size(); ++i) sizes[i] += other.sizes[i];
  for (const auto& [why, count] : other.truncated) truncated[why] += count;
  for (const auto& [second, count] : other.answered_s) answered_s[second] += count;
  response.Merge(other.response);
  for (const auto& [name, host] : other.hosts) {
    Host* const into = SlotIn(&hosts, name, kMostHosts);
    into->answers += host.answers;
    into->total_ms += host.total_ms;
    into->asked += host.asked;
    into->failures += host.failures;
  }
  for (const uint64_t digest : other.digests_) {
    if (!digests_.insert(digest).second) ++duplicates;
  }
}

namespace {

// The first `most` of the values in an order, those of equal rank by their names.
template <typename Value, typename IsBefore>
std::vector<std::pair<std::string, Value>> First(const std::map<std::string, Value>& values, size_t most,
                                                 const IsBefore& is_before) {
  std::vector<std::pair<std::string, Value>> all(values.begin(), values.end());
  const size_t kept = std::min(most, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                    [&is_before](const auto& a, const auto& b) {
                      if (is_before(a.second, b.second)) return true;
                      return !is_before(b.second, a.second) && a.first < b.first;
                    });
  all.resize(kept);
  return all;
}

}  // namespace

std::vector<std::pair<std::string, FetchStats::Host>> FetchStats::SlowestHosts(size_t most) const {
  auto slowest = First(hosts, most, [](const Host& a, const Host& b) {
    return a.total_ms * std::max<int64_t>(b.answers, 1) > b.total_ms * std::max<int64_t>(a.answers, 1);
  });
  std::erase_if(slowest, [](const auto& host) { return host.second.answers == 0; });
  return slowest;
}

std::vector<std::pair<std::string, FetchStats::Host>> FetchStats::FailingHosts(size_t most) const {
  auto failing = First(hosts, most, [](const Host& a, const Host& b) { return a.failures > b.failures; });
  std::erase_if(failing, [](const auto& host) { return host.second.failures == 0; });
  return failing;
}

std::vector<std::pair<std::string, FetchStats::Reason>> FetchStats::TopReasons(size_t most) const {
  return First(reasons, most, [](const Reason& a, const Reason& b) { return a.count > b.count; });
}

TimeMs FetchStats::AnsweredBy(double share) const {
  const auto wanted = static_cast<int64_t>(std::ceil(share * static_cast<double>(response.count())));
  int64_t seen = 0;
  for (const auto& [second, count] : answered_s) {
    seen += count;
    if (seen >= wanted) return second * 1000;
  }
  return 0;
}

Result<FetchStats> ReadFetchStats(Store* store, const StepRecord& fetched) {
  FetchStats stats;
  for (const FileReceipt& file : fetched.FilesOf(FetchRow::kTable)) {
    const auto visit = [&stats](const FetchRow& row) {
      if (row.kind != UrlKind::kProbe) stats.Add(row);
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(
        store, fetched.segment, FetchRow::kTable, file, visit,
        {.columns = {"key", "kind", "outcome", "reason", "status", "total_ms", "wire_bytes", "bytes", "body_digest",
                     "content_file", "fetched_ms", "content_type", "truncated", "robots_rule"},
         .batch_rows = kNarrowBatchRows}));
  }
  return stats;
}

namespace {

// [{"le": bound, "count": n}, …]; the last bound is null: it has none.
template <size_t kCount>
Json RangesJson(const std::array<int64_t, kCount>& bounds, const std::array<int64_t, kCount + 1>& counts) {
  Json json = Json::array();
  for (size_t i = 0; i < counts.size(); ++i) {
    json.push_back({{"le", i < kCount ? Json(bounds[i]) : Json()}, {"count", counts[i]}});
  }
  return json;
}

// The URL of an example's key; null where there is none.
Json ExampleJson(const std::string& key) {
  const Result<std::string> url = UrlOfKey(key);
  return url.ok() ? Json(*url) : Json();
}

Json ReasonsJson(const char* name, const std::vector<std::pair<std::string, FetchStats::Reason>>& reasons) {
  Json json = Json::array();
  for (const auto& [text, reason] : reasons) {
    json.push_back({{name, text}, {"count", reason.count}, {"example", ExampleJson(reason.example)}});
  }
  return json;
}

Json SlowestJson(const FetchStats& stats) {
  Json slowest = Json::array();
  for (const auto& [name, host] : stats.SlowestHosts(kMostListed)) {
    slowest.push_back({{"host", name}, {"average_ms", host.total_ms / host.answers}, {"answers", host.answers}});
  }
  return slowest;
}

Json FailingJson(const FetchStats& stats) {
  Json failing = Json::array();
  for (const auto& [name, host] : stats.FailingHosts(kMostListed)) {
    failing.push_back({{"host", name}, {"failures", host.failures}, {"requests", host.asked}});
  }
  return failing;
}

Json RobotsJson(const FetchStats& stats) {
  const auto outcome = [&stats](Outcome which) {
    const auto found = stats.outcomes.find(TextOf(which));
    return found == stats.outcomes.end() ? 0 : found->second;
  };
  const auto rules = First(stats.robots_rules, kMostListed,
                           [](const FetchStats::Reason& a, const FetchStats::Reason& b) { return a.count > b.count; });
  return {{"denied", outcome(Outcome::kRobotsDenied)},
          {"deferred", outcome(Outcome::kRobotsDeferred)},
          {"unreachable_hosts", stats.robots_unreachable.size()},
          {"rules", ReasonsJson("rule", rules)}};
}

}  // namespace

Json ToJson(const FetchStats& stats) {
  Json statuses = Json::object();
  for (const auto& [status, count] : stats.statuses) statuses[std::to_string(status)] = count;
  const auto share = [](int64_t part, int64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  return {{"pages", stats.pages},
          {"fetched", stats.asked},
          {"statuses", statuses},
          {"outcomes", stats.outcomes},
          {"bytes", stats.bytes},
          {"wire_bytes", stats.wire_bytes},
          {"success_rate", share(stats.succeeded, stats.asked)},
          {"duplicate_rate", share(stats.duplicates, stats.pages)},
          {"response_ms",
           {{"average", stats.response.average_ms()},
            {"p50", stats.response.Quantile(0.5)},
            {"p90", stats.response.Quantile(0.9)},
            {"p99", stats.response.Quantile(0.99)},
            {"sum", stats.response.sum_ms()},
            {"ranges", RangesJson(ResponseTimes::kBoundsMs, stats.response.ranges())}}},
          {"answered", stats.response.count() == 0
                           ? Json()
                           : Json{{"first_ms", stats.AnsweredBy(0.01)}, {"median_ms", stats.AnsweredBy(0.5)}}},
          {"top_errors", ReasonsJson("reason", stats.TopReasons(kMostListed))},
          {"hosts", stats.hosts.size()},
          {"slowest_hosts", SlowestJson(stats)},
          {"failing_hosts", FailingJson(stats)},
          {"types", stats.types},
          {"sizes", RangesJson(FetchStats::kSizeBounds, stats.sizes)},
          {"truncated", stats.truncated},
          {"robots", RobotsJson(stats)}};
}

}  // namespace trawl
