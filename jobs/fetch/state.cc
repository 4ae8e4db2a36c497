#include "jobs/fetch/state.h"

#include <algorithm>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "jobs/fetch/stored_bodies.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr int64_t kRetryWaitsMs[] = {30'000, 120'000, 300'000};
// A URL that is throttled again and again is left for another round.
constexpr int kMostThrottles = 3;
constexpr char kListHosts[] = "fetchlist_hosts";
constexpr char kListRobots[] = "fetchlist_robots";

constexpr Columns<FetchRow> kFetchedColumns = {"key",      "url",       "outcome",     "fetched_ms",
                                               "requests", "blameless", "redirect_to", "redirect_url",
                                               "hop_of",   "hops",      "depth",       "score"};

bool MayPass(Outcome outcome) {
  return outcome == Outcome::kServerError || outcome == Outcome::kTimeout || outcome == Outcome::kTooSlow ||
         outcome == Outcome::kConnectFailed || outcome == Outcome::kDnsFailed || outcome == Outcome::kConnectionReset;
}

// Calls `visit(receipt)` for the files of a dataset, over all parts.
template <typename Visit>
Status ForEachFile(const std::vector<AttemptEntry>& parts, const std::string& dataset, Visit&& visit) {
  for (const AttemptEntry& part : parts) {
    const auto files = part.files.find(dataset);
    if (files == part.files.end()) continue;
    for (const FileReceipt& file : files->second) ARROW_RETURN_NOT_OK(visit(file));
  }
  return Status::OK();
}

template <typename Visit>
Status ForEachFile(const StepTask& task, const std::string& dataset, Visit&& visit) {
  const auto files = task.files.find(dataset);
  if (files == task.files.end()) return Status::OK();
  for (const FileReceipt& file : files->second) ARROW_RETURN_NOT_OK(visit(file));
  return Status::OK();
}

}  // namespace

FetchState::FetchState(const FetchOptions& fetch_options, const RobotsOptions& robots, int64_t now_ms, bool continues)
    : options(fetch_options),
      frontier(fetch_options, now_ms),
      gate(fetch_options.agent, robots),
      start_ms_(now_ms),
      continues_(continues) {}

// -- URLs -------------------------------------------------------------------------------------------------------------

bool FetchState::Settle(UrlNumber url, Outcome outcome, bool blameless) {
  UrlProgress& progress = list.progress(url);
  progress.is_done = true;
  if (outcome == Outcome::kThrottled) {
    progress.is_done = ++progress.throttles >= kMostThrottles;
  } else if (MayPass(outcome) || blameless) {
    progress.is_done = progress.failures >= options.retries;
    if (!progress.is_done) ++progress.failures;
  }
  return progress.is_done;
}

int64_t FetchState::RetryWaitMs(UrlNumber url) {
  const int failures = std::clamp<int>(list.progress(url).failures, 1, static_cast<int>(std::size(kRetryWaitsMs)));
  return kRetryWaitsMs[failures - 1];
}

bool FetchState::NoteRedirect(std::string_view from, std::string_view to) {
  const uint64_t from_hash = Hash64(from);
  uint64_t at = Hash64(to);
  redirects_[from_hash] = at;
  for (int steps = 0; steps <= options.max_hops + 1; ++steps) {
    if (at == from_hash) return false;
    const auto next = redirects_.find(at);
    if (next == redirects_.end()) return true;
    at = next->second;
  }
  return true;
}

bool FetchState::IsSettledInCrawl(std::string_view key) {
  if (!urls) return false;
  const auto known = urls->Find(key);
  if (!known.ok() || !*known) return false;
  const uint8_t state = (*known)->state;
  return state != 0 && state != static_cast<uint8_t>(UrlState::kUnfetched);
}

// -- hosts ------------------------------------------------------------------------------------------------------------

HostNumber FetchState::HostFor(std::string_view key) {
  std::string host_key(HostPartOfKey(key));
  const auto found = host_by_key_.find(host_key);
  if (found != host_by_key_.end()) return found->second;
  HostRow row;
  if (auto known = host_rows_.extract(host_key)) {
    row = std::move(known.mapped());
  } else {
    row = LookUpHost(host_key, OriginPartOfKey(key));
  }
  row.key = host_key;
  const bool by_domain = options.politeness_by == PolitenessUnit::kDomain;
  const std::string host = HostOfKey(key);
  const std::string unit(by_domain ? PublicSuffixes::BuiltIn().HoldingDomain(host) : host);
  // A list has some hosts of a domain, and another one of them may just have been asked in the round before.
  const bool waits_first = continues_ || (by_domain && host_table != nullptr && !host_table->runs().empty());
  const HostNumber number = frontier.AddHost(std::move(row), unit, waits_first);
  host_by_key_.emplace(std::move(host_key), number);
  return number;
}

// Of a host that the list does not have: blocked, told to wait, or slow it may be all the same. Where that cannot be
// looked up it is left alone.
HostRow FetchState::LookUpHost(const std::string& host_key, std::string_view origin) {
  HostRow row;
  if (host_table == nullptr) return row;
  const auto known = FindRow<HostRow>(*host_table, host_key);
  if (known.ok() && *known && !(*known)->removed) row = **known;
  row.blocked = row.blocked || !known.ok();
  if (robots_table == nullptr) return row;
  const auto rules = FindRow<RobotsRow>(*robots_table, origin);
  if (rules.ok() && *rules && !(*rules)->removed) gate.Add(**rules);
  return row;
}

bool FetchState::Holds(std::string_view host) const {
  return domains_.contains(std::string(PublicSuffixes::BuiltIn().HoldingDomain(host)));
}

// -- loading ----------------------------------------------------------------------------------------------------------

Status FetchState::Load(Store* store, const std::string& segment, const StepTask& lists,
                        const std::vector<AttemptEntry>& parts) {
  ARROW_RETURN_NOT_OK(ReadHosts(store, segment, lists, parts));
  ARROW_RETURN_NOT_OK(ReadRobots(store, segment, lists, parts));
  ARROW_RETURN_NOT_OK(ReadList(store, segment, lists));
  ARROW_RETURN_NOT_OK(ReadFetched(store, segment, parts));
  FillQueues();
  host_of_ = {};
  hops_ = {};
  answered_ms_ = {};
  return Status::OK();
}

Status FetchState::ReadHosts(Store* store, const std::string& segment, const StepTask& lists,
                             const std::vector<AttemptEntry>& parts) {
  const auto read = [&](const std::string& dataset) {
    return [&, dataset](const FileReceipt& file) {
      return ForEachDatasetRow<HostRow>(store, segment, dataset, file, [this](const HostRow& row) {
        // They come in the order in which they were written; what their clocks said may not be.
        host_rows_[row.key] = row;
        return Status::OK();
      });
    };
  };
  ARROW_RETURN_NOT_OK(ForEachFile(lists, kListHosts, read(kListHosts)));
  return ForEachFile(parts, HostRow::kTable, read(HostRow::kTable));
}

Status FetchState::ReadRobots(Store* store, const std::string& segment, const StepTask& lists,
                              const std::vector<AttemptEntry>& parts) {
  const auto read = [&](const std::string& dataset) {
    return [&, dataset](const FileReceipt& file) {
      return ForEachDatasetRow<RobotsRow>(store, segment, dataset, file,
                                          [this](const RobotsRow& row) {
                                            gate.Add(row);
                                            return Status::OK();
                                          },
                                          {.batch_rows = 64});
    };
  };
  ARROW_RETURN_NOT_OK(ForEachFile(lists, kListRobots, read(kListRobots)));
  return ForEachFile(parts, RobotsRow::kTable, read(RobotsRow::kTable));
}

Status FetchState::ReadList(Store* store, const std::string& segment, const StepTask& lists) {
  std::string host_key;
  HostNumber host = 0;
  StoredBodies bodies(store);
  UrlRow row;
  ARROW_RETURN_NOT_OK(ForEachFile(lists, kGenerateStep, [&](const FileReceipt& file) {
    return ForEachDatasetRow<UrlRow>(store, segment, kGenerateStep, file, [&](const UrlRow& listed) -> Status {
      row = listed;
      ARROW_RETURN_NOT_OK(bodies.ForgetIfGone(&row));
      if (host_of_.empty() || HostPartOfKey(row.key) != host_key) {
        host_key = HostPartOfKey(row.key);
        host = HostFor(row.key);
        domains_.emplace(PublicSuffixes::BuiltIn().HoldingDomain(HostOfKey(row.key)));
      }
      list.AddListed(row);
      host_of_.push_back(host);
      return Status::OK();
    });
  }));
  list.Seal();
  return Status::OK();
}

Status FetchState::ReadFetched(Store* store, const std::string& segment, const std::vector<AttemptEntry>& parts) {
  return ForEachFile(parts, FetchRow::kTable, [&](const FileReceipt& file) {
    return ForEachDatasetRow<FetchRow>(store, segment, FetchRow::kTable, file,
                                       [this](const FetchRow& row) {
                                         TakeFetched(row);
                                         return Status::OK();
                                       },
                                       {.columns = kFetchedColumns});
  });
}

void FetchState::TakeFetched(const FetchRow& row) {
  std::optional<UrlNumber> url = list.Find(row.key);
  if (!url) url = list.AddHop({row.key, row.url, row.hop_of, row.hops, row.depth, row.score});
  list.progress(*url).requests = static_cast<uint8_t>(std::min(row.requests, 255));
  const bool settled = Settle(*url, row.outcome, row.blameless);
  // What was throttled waits for its host alone.
  if (!settled && row.outcome != Outcome::kThrottled) answered_ms_[*url] = row.fetched_ms;
  if (row.outcome != Outcome::kRedirect || row.redirect_to.empty() || row.redirect_to == row.key) return;
  NoteRedirect(row.key, row.redirect_to);
  hops_.push_back({row.redirect_to, row.redirect_url, row.key, row.hops + 1, row.depth, row.score});
}

// The first attempt goes by what generate has planned with.
bool FetchState::IsLeftAlone(const HostRow& host) const {
  if (host.blocked) return true;
  if (IsBreakerOpen(host, start_ms_) || PagesLeftToday(host, pages_a_day, start_ms_) == 0) return true;
  return continues_ && host.not_before_ms - start_ms_ > kLongestPauseMs;
}

void FetchState::QueueUrl(HostNumber host, UrlNumber url) {
  if (list.progress(url).is_done) {
    ++urls_done_before;
  } else if (IsLeftAlone(frontier.row(host))) {
    ++given_back;
  } else if (const auto answered = answered_ms_.find(url); answered != answered_ms_.end()) {
    frontier.AskLater(host, url, answered->second + RetryWaitMs(url));
  } else {
    frontier.Append(host, url);
  }
}

void FetchState::FillQueues() {
  const UrlNumber known = list.size();
  for (UrlNumber url = 0; url < list.listed(); ++url) QueueUrl(host_of_[url], url);
  for (UrlNumber url = list.listed(); url < known; ++url) QueueUrl(HostFor(list.Hop(url).key), url);
  // Targets of redirects that an attempt before met and did not come to.
  for (HopUrl& hop : hops_) {
    if (list.Find(hop.key) || hop.hops > options.max_hops || !Holds(HostOfKey(hop.key))) continue;
    if (IsSettledInCrawl(hop.key)) continue;
    const HostNumber host = HostFor(hop.key);
    QueueUrl(host, list.AddHop(std::move(hop)));
  }
}

}  // namespace trawl
