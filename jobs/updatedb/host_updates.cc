#include "jobs/updatedb/host_updates.h"

#include <algorithm>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "jobs/policy/score.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/verb/job_options.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

HostUpdates::HostUpdates(TaskContext& context, const FetchOptions& fetch, RunWriter<HostRow>* run,
                         std::shared_ptr<const Table> table)
    : context_(context), fetch_(fetch), run_(run), table_(std::move(table)), linking_hosts_(kFullAuthorityHosts) {}

Result<std::unique_ptr<HostUpdates>> HostUpdates::Open(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<HostRow>(context.store(), context.snapshot()));
  RunWriter<HostRow>* const run = context.OpenRun<HostRow>(FileOptions(job));
  return std::unique_ptr<HostUpdates>(new HostUpdates(context, fetch, run, std::move(table)));
}

Status HostUpdates::GoTo(RowPlace place) {
  const std::string_view host_part = HostPartOfKey(place.key);
  if (host_part == host_part_) return Status::OK();
  ARROW_RETURN_NOT_OK(Finish());
  host_part_.assign(host_part);
  host_hash_ = Hash64(host_part);
  ARROW_ASSIGN_OR_RAISE(is_known_, table_.Find({place.slot, host_part_}, &known_));
  SetStanding();
  return Status::OK();
}

Status HostUpdates::Observe(const HostRow& row) {
  if (is_observed_ && !IsNewerObservation(row, observed_)) return Status::OK();
  is_observed_ = true;
  observed_ = row;
  SetStanding();
  return Status::OK();
}

void HostUpdates::ObserveDomain(const DomainEvent& event) {
  PageNews& news = domain_news_[event.host];
  if (event.news.pages > news.pages) news = event.news;
}

void HostUpdates::AddLinkingHost(uint64_t host) {
  if (host != host_hash_) linking_hosts_.Add(host);
}

void HostUpdates::AddStated(const StatedEvent& stated) {
  tally_.priorities_stated += stated.priorities;
  tally_.priorities_top += stated.top;
  SetStanding();
}

void HostUpdates::AddLastmod(bool was_right) {
  ++tally_.lastmods_checked;
  tally_.lastmods_wrong += was_right ? 0 : 1;
}

bool HostUpdates::TakesNewUrl() {
  if (!standing_.suspected_trap) return true;
  const bool is_same_day = is_known_ && known_.discovered_day_ms >= DayOf(context_.plan().now_ms);
  const int64_t before = is_same_day ? known_.discovered_today : 0;
  if (before + tally_.discovered < kTrapUrlsADay) return true;
  ++tally_.left_out;
  return false;
}

void HostUpdates::AddProbe(ProbeAnswer probe) {
  if (probe.asked_ms > tally_.probe.asked_ms) tally_.probe = std::move(probe);
}

bool HostUpdates::TakeGuess(int64_t interval_ms) {
  const int64_t now_ms = context_.plan().now_ms;
  const int64_t last_ms = is_known_ ? known_.default_sitemap_ms : 0;
  // The guess is asked a round later. A daily round that comes some seconds sooner than the last answer did is not early.
  const bool is_early = last_ms > 0 && last_ms > now_ms - interval_ms + kMinuteMs;
  if (tally_.guessed_ms > 0 || is_early) return false;
  tally_.guessed_ms = now_ms;
  return true;
}

void HostUpdates::NoteGuess(int64_t asked_ms) { tally_.guessed_ms = std::max(tally_.guessed_ms, asked_ms); }

void HostUpdates::SetStanding() {
  standing_ = HostStanding();
  const HostTally stated = {.priorities_stated = tally_.priorities_stated, .priorities_top = tally_.priorities_top};
  if (!is_known_ && !is_observed_ && stated == HostTally()) return;
  const HostRow now = NextRow(stated);
  standing_.suspected_trap = now.suspected_trap;
  standing_.believes_priorities = BelievesPriorities(now);
  standing_.believes_lastmods = BelievesLastmods(now);
}

HostRow HostUpdates::NextRow(const HostTally& tally) const {
  return NextHost(is_known_ ? &known_ : nullptr, is_observed_ ? &observed_ : nullptr, tally, fetch_,
                  context_.plan().now_ms);
}

Status HostUpdates::Finish() {
  if (host_part_.empty()) return Status::OK();
  tally_.linking_hosts = linking_hosts_.count();
  const bool has_news = is_observed_ || !(tally_ == HostTally());
  if (has_news || !domain_news_.empty()) {
    HostRow row = NextRow(tally_);
    row.key = host_part_;
    Counters& counters = context_.counters();
    if (has_news) {
      ++counters["hosts"];
      counters["hosts_new"] += is_known_ && TellsOfHost(known_) ? 0 : 1;
      counters["hosts_suspected"] += row.suspected_trap ? 1 : 0;
    }
    counters["domains"] += domain_news_.empty() ? 0 : 1;
    for (const auto& [host, news] : domain_news_) AddPages(news, &row.domain);
    if (!is_known_ || !(row == known_)) ARROW_RETURN_NOT_OK(run_->Append(row));
  }
  host_part_.clear();
  is_known_ = is_observed_ = false;
  tally_ = HostTally();
  domain_news_.clear();
  linking_hosts_.Clear();
  return Status::OK();
}

}  // namespace trawl
