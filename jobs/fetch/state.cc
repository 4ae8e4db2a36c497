#include "jobs/fetch/state.h"

#include <algorithm>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/robots_row.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "jobs/politeness/share.h"
#include "jobs/politeness/verdict.h"

namespace trawl {

namespace {

// A URL that is throttled again and again is left to another round.
constexpr int kMostThrottles = 3;

}  // namespace

FetchState::FetchState(FetchInputs inputs)
    : options_(inputs.options),
      retry_waits_ms_(RetryWaitsMs(inputs.options)),
      start_ms_(inputs.start_ms),
      continues_(inputs.continues),
      host_limits_(inputs.host_limits),
      host_table_(std::move(inputs.host_table)),
      robots_table_(std::move(inputs.robots_table)),
      list_(std::move(inputs.list)),
      frontier_(options_, start_ms_),
      gate_(std::move(inputs.gate)),
      host_rows_(std::move(inputs.host_rows)),
      domains_(host_rows_) {
  if (inputs.url_table != nullptr) urls_.emplace(std::move(inputs.url_table));
  for (const ListedHost& host : inputs.listed_hosts) {
    held_domains_.emplace(PublicSuffixes::BuiltIn().HoldingDomain(HostOfKey(host.key)));
  }
  ReplayFetched(inputs);
  QueueListed(inputs.listed_hosts);
  QueueHops(std::move(inputs.redirects));
  failed_ms_ = {};
}

// -- URLs -------------------------------------------------------------------------------------------------------------

void FetchState::CountRequest(UrlNumber url) {
  UrlProgress& progress = list_.progress(url);
  progress.requests = static_cast<uint8_t>(std::min(progress.requests + 1, 255));
}

bool FetchState::Settle(UrlNumber url, Outcome outcome, bool blameless) {
  UrlProgress& progress = list_.progress(url);
  progress.is_done = true;
  if (outcome == Outcome::kThrottled) {
    progress.is_done = ++progress.throttles >= kMostThrottles;
  } else if (MayPass(outcome) || blameless) {
    progress.is_done = progress.failures >= retry_waits_ms_.size();
    if (!progress.is_done) ++progress.failures;
    has_blameless_ = has_blameless_ || (blameless && !progress.is_done);
  }
  return progress.is_done;
}

int64_t FetchState::RetryWaitMs(UrlNumber url) {
  if (retry_waits_ms_.empty()) return 0;
  const size_t failures = std::clamp<size_t>(list_.progress(url).failures, 1, retry_waits_ms_.size());
  return retry_waits_ms_[failures - 1];
}

int64_t FetchState::LeaveRetries() {
  int64_t urls = 0;
  for (size_t host = 0; host < frontier_.hosts(); ++host) urls += frontier_.GiveBack(static_cast<HostNumber>(host));
  return urls;
}

bool FetchState::NoteRedirect(std::string_view from, std::string_view to) {
  const uint64_t from_hash = Hash64(from);
  uint64_t at = Hash64(to);
  redirects_[from_hash] = at;
  for (int steps = 0; steps <= options_.max_hops + 1; ++steps) {
    if (at == from_hash) return false;
    const auto next = redirects_.find(at);
    if (next == redirects_.end()) return true;
    at = next->second;
  }
  return true;
}

HopFate FetchState::QueueHop(HopUrl hop) {
  if (list_.Find(hop.key) || !Holds(HostOfKey(hop.key))) return HopFate::kLeft;
  if (IsSettledInCrawl(hop.key)) return HopFate::kKnown;
  const HostNumber host = HostFor(hop.key);
  if (frontier_.row(host).blocked) return HopFate::kLeft;
  frontier_.Append(host, list_.AddHop(std::move(hop)));
  return HopFate::kQueued;
}

bool FetchState::IsSettledInCrawl(std::string_view key) {
  if (!urls_) return false;
  const auto known = urls_->Find(key);
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
  // Another segment may have its domain, and have asked it just before; the tables know of that once it is applied.
  if (!Holds(HostOfKey(key))) row.answered_ms = std::max(row.answered_ms, start_ms_);
  domains_.AddHost(static_cast<HostNumber>(frontier_.hosts()), &row);
  const bool by_domain = options_.politeness_by == PolitenessUnit::kDomain;
  const std::string host = HostOfKey(key);
  const std::string unit(by_domain ? PublicSuffixes::BuiltIn().HoldingDomain(host) : host);
  // A list has some hosts of a domain; another of them may have been asked just before, in the previous round.
  const bool waits_first = continues_ || (by_domain && host_table_ != nullptr && !host_table_->runs().empty());
  const HostNumber number = frontier_.AddHost(std::move(row), unit, waits_first);
  host_by_key_.emplace(std::move(host_key), number);
  return number;
}

// A host that the list does not have may be blocked, told to wait, or slow all the same. Where that cannot be looked
// up it is left alone.
HostRow FetchState::LookUpHost(const std::string& host_key, std::string_view origin) {
  HostRow row;
  if (host_table_ == nullptr) return row;
  const auto known = FindRow<HostRow>(*host_table_, host_key);
  if (known.ok() && *known && !(*known)->removed) row = **known;
  row.blocked = row.blocked || !known.ok();
  if (robots_table_ == nullptr) return row;
  const auto rules = FindRow<RobotsRow>(*robots_table_, origin);
  if (rules.ok() && *rules && !(*rules)->removed) gate_.Add(**rules);
  return row;
}

bool FetchState::Holds(std::string_view host) const {
  return held_domains_.contains(std::string(PublicSuffixes::BuiltIn().HoldingDomain(host)));
}

bool FetchState::IsFull(HostNumber host, int64_t now_ms) {
  return PagesLeftOf(frontier_.row(host), host_limits_, now_ms).Least() == 0 || domains_.IsFull(host, now_ms);
}

bool FetchState::MustPause(HostNumber host, int64_t now_ms) {
  const HostRow& row = frontier_.row(host);
  return IsBreakerOpen(row, now_ms) || row.not_before_ms - now_ms > kLongestPauseMs;
}

void FetchState::NoteLearned(HostNumber host, bool is_urgent) {
  learned_.insert(host);
  has_urgent_news_ = has_urgent_news_ || is_urgent;
}

std::vector<HostRow> FetchState::TakeLearned() {
  std::vector<HostRow> rows;
  for (const HostNumber host : learned_) rows.push_back(frontier_.row(host));
  learned_.clear();
  has_urgent_news_ = false;
  return rows;
}

// -- the first queues -------------------------------------------------------------------------------------------------

void FetchState::ReplayFetched(const FetchInputs& inputs) {
  for (const EarlierFetch& fetch : inputs.fetched) {
    list_.progress(fetch.url).requests = static_cast<uint8_t>(std::min(fetch.requests, 255));
    // What failed with its host was not asked for, and is not asked for again.
    const bool was_asked = fetch.requests > 0;
    if (!was_asked) SettleUnasked(fetch.url);
    const bool settled = !was_asked || Settle(fetch.url, fetch.outcome, fetch.blameless);
    // A throttled URL waits for its host alone.
    if (!settled && fetch.outcome != Outcome::kThrottled) failed_ms_[fetch.url] = fetch.fetched_ms;
  }
  for (const HopUrl& hop : inputs.redirects) NoteRedirect(hop.hop_of, hop.key);
}

void FetchState::QueueListed(const std::vector<ListedHost>& hosts) {
  for (size_t i = 0; i < hosts.size(); ++i) {
    const HostNumber host = HostFor(hosts[i].key);
    const UrlNumber end = i + 1 < hosts.size() ? hosts[i + 1].first : list_.listed();
    for (UrlNumber url = hosts[i].first; url < end; ++url) QueueUrl(host, url);
  }
}

void FetchState::QueueHops(std::vector<HopUrl> redirects) {
  const UrlNumber known = list_.size();
  for (UrlNumber url = list_.listed(); url < known; ++url) QueueUrl(HostFor(list_.Hop(url).key), url);
  // Targets of redirects that an attempt before met and did not come to.
  for (HopUrl& hop : redirects) {
    if (list_.Find(hop.key) || hop.hops > options_.max_hops || !Holds(HostOfKey(hop.key))) continue;
    if (IsSettledInCrawl(hop.key)) continue;
    const HostNumber host = HostFor(hop.key);
    QueueUrl(host, list_.AddHop(std::move(hop)));
  }
}

// The first attempt goes by the pauses that generate has planned with.
bool FetchState::IsLeftAlone(HostNumber number) {
  const HostRow& host = frontier_.row(number);
  if (host.blocked || IsBreakerOpen(host, start_ms_) || IsFull(number, start_ms_)) return true;
  return continues_ && host.not_before_ms - start_ms_ > kLongestPauseMs;
}

void FetchState::QueueUrl(HostNumber host, UrlNumber url) {
  if (list_.progress(url).is_done) {
    ++urls_done_before_;
  } else if (IsLeftAlone(host)) {
    ++given_back_;
  } else if (const auto failed = failed_ms_.find(url); failed != failed_ms_.end()) {
    frontier_.AskLater(host, url, failed->second + RetryWaitMs(url));
  } else {
    frontier_.Append(host, url);
  }
}

}  // namespace trawl
