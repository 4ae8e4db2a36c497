#include "jobs/stats/fetch_stats.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/guessed_sitemap.h"
#include "formats/url/key.h"
#include "jobs/politeness/robots_standing.h"
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

template <typename Map>
auto* SlotIn(Map* map, const std::string& name, size_t most) {
  const bool is_full = map->size() >= most && !map->contains(name);
  return &(*map)[is_full ? std::string("(others)") : name];
}

bool IsSuccess(Outcome outcome) {
  return outcome == Outcome::kFetched || outcome == Outcome::kNotModified || outcome == Outcome::kRedirect;
}

// Whether the URL was asked for, whatever came of it.
bool WasAsked(const FetchRow& row) {
  // Such a page failed with its host.
  if (row.reason.starts_with(kNobodyThere)) return false;
  // That a host has no sitemap says nothing of how it serves its pages.
  if (IsNoSitemap(row)) return false;
  switch (row.outcome) {
    case Outcome::kNone:
    case Outcome::kRobotsDenied:
    case Outcome::kRobotsDeferred:
    case Outcome::kAddressRefused:
    case Outcome::kSchemeRefused:
    case Outcome::kBreakerOpen:
    case Outcome::kNotReached:
      return false;
    default:
      return true;
  }
}

}  // namespace

int ResponseTimes::BucketOf(int64_t ms) {
  if (ms <= 1) return 0;
  return std::min(static_cast<int>(std::log(static_cast<double>(ms)) / std::log(kStep)), kBuckets - 1);
}

void ResponseTimes::Add(int64_t ms) {
  ++buckets_[static_cast<size_t>(BucketOf(ms))];
  ++count_;
  sum_ms_ += ms;
}

void ResponseTimes::Merge(const ResponseTimes& other) {
  for (size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
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
  ++outcomes[IsNoSitemap(row) ? std::string(kNoSitemapOutcome) : TextOf(row.outcome)];
  if (row.status > 0 && !IsNoSitemap(row)) ++statuses[row.status];
  if (IsSuccess(row.outcome)) {
    ++succeeded;
  } else if (!IsNoSitemap(row)) {
    const std::string what = TextOf(row.outcome) + (row.status > 0 ? " " + std::to_string(row.status) : "");
    ++*SlotIn(&reasons, what + (row.reason.empty() ? "" : ": " + row.reason), kMostReasons);
  }
  bytes += row.bytes;
  wire_bytes += row.wire_bytes;
  if (WasAsked(row)) ++asked;
  if (row.status > 0) {
    ++answered_s[row.fetched_ms / 1000];
    response.Add(row.total_ms);
    Host* const host = SlotIn(&hosts, HostOfKey(row.key), kMostHosts);
    ++host->answers;
    host->total_ms += row.total_ms;
  }
  if (row.content_file.empty()) return;
  ++pages;
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
  for (const auto& [reason, count] : other.reasons) *SlotIn(&reasons, reason, kMostReasons) += count;
  for (const auto& [second, count] : other.answered_s) answered_s[second] += count;
  response.Merge(other.response);
  for (const auto& [name, host] : other.hosts) {
    Host* const into = SlotIn(&hosts, name, kMostHosts);
    into->answers += host.answers;
    into->total_ms += host.total_ms;
  }
  for (const uint64_t digest : other.digests_) {
    if (!digests_.insert(digest).second) ++duplicates;
  }
}

std::vector<std::pair<std::string, FetchStats::Host>> FetchStats::SlowestHosts(size_t most) const {
  std::vector<std::pair<std::string, Host>> all(hosts.begin(), hosts.end());
  const auto slower = [](const auto& a, const auto& b) {
    const int64_t left = a.second.total_ms * b.second.answers, right = b.second.total_ms * a.second.answers;
    return left != right ? left > right : a.first < b.first;
  };
  const size_t kept = std::min(most, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), slower);
  all.resize(kept);
  return all;
}

std::vector<std::pair<std::string, int64_t>> FetchStats::TopReasons(size_t most) const {
  std::vector<std::pair<std::string, int64_t>> all(reasons.begin(), reasons.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (all.size() > most) all.resize(most);
  return all;
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
    ARROW_RETURN_NOT_OK(
        ForEachDatasetRow<FetchRow>(store, fetched.segment, FetchRow::kTable, file, visit,
                                    {.columns = {"key", "kind", "outcome", "reason", "status", "total_ms", "wire_bytes",
                                                 "bytes", "body_digest", "content_file", "fetched_ms"},
                                     .batch_rows = kNarrowBatchRows}));
  }
  return stats;
}

Json ToJson(const FetchStats& stats) {
  Json statuses = Json::object();
  for (const auto& [status, count] : stats.statuses) statuses[std::to_string(status)] = count;
  Json outcomes = Json::object();
  for (const auto& [outcome, count] : stats.outcomes) outcomes[outcome] = count;
  Json errors = Json::array();
  for (const auto& [reason, count] : stats.TopReasons(10)) errors.push_back({{"reason", reason}, {"count", count}});
  Json slowest = Json::array();
  for (const auto& [name, host] : stats.SlowestHosts(10)) {
    slowest.push_back({{"host", name}, {"average_ms", host.total_ms / host.answers}, {"answers", host.answers}});
  }
  const auto share = [](int64_t part, int64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  return {{"pages", stats.pages},
          {"fetched", stats.asked},
          {"statuses", statuses},
          {"outcomes", outcomes},
          {"bytes", stats.bytes},
          {"wire_bytes", stats.wire_bytes},
          {"success_rate", share(stats.succeeded, stats.asked)},
          {"duplicate_rate", share(stats.duplicates, stats.pages)},
          {"response_ms",
           {{"average", stats.response.average_ms()},
            {"p50", stats.response.Quantile(0.5)},
            {"p99", stats.response.Quantile(0.99)}}},
          {"answered", stats.response.count() == 0
                           ? Json()
                           : Json{{"first_ms", stats.AnsweredBy(0.01)}, {"median_ms", stats.AnsweredBy(0.5)}}},
          {"top_errors", errors},
          {"slowest_hosts", slowest}};
}

}  // namespace trawl
