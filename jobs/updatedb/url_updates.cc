#include "jobs/updatedb/url_updates.h"

#include <algorithm>
#include <utility>

#include "formats/rows/some_columns.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/updatedb/event.h"
#include "jobs/verb/job_options.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<std::unique_ptr<UrlUpdates>> UrlUpdates::Open(TaskContext& context, HostUpdates* hosts,
                                                     const RobotsUpdates* robots) {
  std::unique_ptr<UrlUpdates> updates(new UrlUpdates(context, hosts, robots));
  ARROW_RETURN_NOT_OK(updates->ReadPolicy());
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_RETURN_NOT_OK(updates->MarkNewerRuns(*table));
  updates->plain_ =
      std::make_unique<KnownRowBatches>(table, Columns<UrlRow>({"spelling", "discovered_ms", "via"}).Flags());
  updates->table_ = std::make_unique<KnownRows<UrlRow>>(std::move(table));
  updates->run_ = context.OpenRun<UrlRow>(FileOptions(job));
  return updates;
}

Status UrlUpdates::Reduce(RowPlace place, GroupStream& groups) {
  ARROW_RETURN_NOT_OK(ReadGroup(groups));
  ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> known, table_->Locate(place));
  UrlNews news = {.key = place.key, .links = group_.links.News(), .host = hosts_->standing()};
  Count("links", group_.links.links());
  news.origin = robots_->NewsFor(place.key);
  if (!group_.has_fetch) {
    const bool is_known = known && known->entry.state != 0;
    const bool shares = is_known && news.origin != nullptr && news.origin->fate != OriginFate::kSame;
    return shares ? TakeOrigin(place.key, *known, news) : TakeLinks(place.key, known, news);
  }
  return TakeFetch(place.key, known, std::move(news));
}

Status UrlUpdates::BeginOrigin(RowPlace origin) {
  const OriginNews* const news = robots_->NewsFor(origin.key);
  return news != nullptr && news->fate != OriginFate::kSame ? sweep_.Begin(origin) : Status::OK();
}

Status UrlUpdates::GoTo(RowPlace place) {
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, sweep_.Next(place, &base_));
    if (!more) return Status::OK();
    group_.Clear();
    const UrlNews news = {.key = base_.key, .origin = robots_->NewsFor(base_.key), .host = hosts_->standing()};
    ARROW_RETURN_NOT_OK(Write(NextState(&base_, news, policy_), &base_));
  }
}

Status UrlUpdates::Finish() { return GoTo({kSlots, ""}); }

Status UrlUpdates::ReadPolicy() {
  ARROW_ASSIGN_OR_RAISE(policy_.refresh, context_.Read(RefreshOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const RobotsOptions robots, context_.Read(RobotsOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const ScopeOptions scope, context_.Read(ScopeOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const std::string rules, GetString(context_.plan().facts, "refresh_rules"));
  ARROW_ASSIGN_OR_RAISE(classes_, RefreshRules::Parse(rules, policy_.refresh.rules));
  policy_.classes = &classes_;
  policy_.robots_ttl_ms = robots.ttl_ms;
  policy_.now_ms = context_.plan().now_ms;
  ARROW_ASSIGN_OR_RAISE(policy_.round_ms, GetInt(context_.plan().facts, "round_ms"));
  policy_.segment = context_.plan().segment();
  most_depth_ = scope.depth;
  return Status::OK();
}

Status UrlUpdates::MarkNewerRuns(const Table& table) {
  ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> older, GetStrings(context_.plan().facts, "older_runs"));
  for (const Table::Run& run : table.runs()) {
    is_newer_run_.push_back(std::find(older.begin(), older.end(), run.reference.run) == older.end());
  }
  return Status::OK();
}

Status UrlUpdates::ReadGroup(GroupStream& groups) {
  group_.Clear();
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
    if (!more) return Status::OK();
    ARROW_RETURN_NOT_OK(ReadEvent(value));
  }
}

Status UrlUpdates::ReadEvent(std::string_view value) {
  switch (static_cast<UpdateTag>(value.empty() ? '\0' : value.front())) {
    case UpdateTag::kLink: {
      LinkEvent link;
      ARROW_RETURN_NOT_OK(DecodeLinkEvent(value, &link));
      group_.links.Add(link);
      if (link.counts) hosts_->AddLinkingHost(link.source_host);
      return Status::OK();
    }
    case UpdateTag::kFetch:
      ARROW_RETURN_NOT_OK(DecodeRow(value.substr(1), &fetch_));
      if (!fetch_.listed.empty()) group_.listed = std::move(fetch_.listed);
      if (!group_.has_fetch || IsLater(fetch_, group_.fetch)) std::swap(group_.fetch, fetch_);
      group_.has_fetch = true;
      return Status::OK();
    case UpdateTag::kParse:
      ARROW_RETURN_NOT_OK(DecodeRow(value.substr(1), &parse_));
      if (!group_.has_parse || parse_.fetched_ms > group_.parse.fetched_ms) std::swap(group_.parse, parse_);
      group_.has_parse = true;
      return Status::OK();
    default:
      return Status::Invalid("an event of no kind that a URL has");
  }
}

Status UrlUpdates::TakeLinks(std::string_view key, const std::optional<KnownKey>& known, const UrlNews& news) {
  if (!news.links) return Status::OK();
  const bool is_known = known && known->entry.state != 0;
  if (!MayEnter(is_known, news.links->depth)) return Status::OK();
  if (!is_known) {
    Count("links_new", group_.links.links());
    return Enter(news);
  }
  const bool is_better = news.links->depth < known->entry.depth || news.links->inlinks > 0;
  Count("links_known", group_.links.links());
  if (!TakesLinks(static_cast<UrlState>(known->entry.state)) || !is_better) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const bool found, ReadWaiting(*known, key));
  if (!found) return Enter(news);
  Count("links_raised", group_.links.links());
  return Write(NextState(&base_, news, policy_), &base_);
}

// Nearly all rows of a frontier are plain, and then a few columns are enough: where many of its rows lie close together,
// reading them whole would cost more than all the rest of the round.
Result<bool> UrlUpdates::ReadWaiting(const KnownKey& known, std::string_view key) {
  if (!known.entry.plain) return table_->Read(known, key, &base_);
  ARROW_ASSIGN_OR_RAISE(const ColumnBatch* batch, plain_->Load(known));
  ReadFromBatch(*batch, known.row - batch->first_row, &base_);
  base_.key.assign(key);
  base_.kind = UrlKind::kPage;
  base_.state = UrlState::kUnfetched;
  base_.due_ms = base_.discovered_ms;
  base_.depth = known.entry.depth;
  base_.inlinks = known.entry.inlinks;
  return true;
}

Status UrlUpdates::TakeFetch(std::string_view key, const std::optional<KnownKey>& known, UrlNews news) {
  const bool is_known = known && known->entry.state != 0;
  news.fetch = &group_.fetch;
  if (group_.has_parse && group_.parse.fetched_ms == group_.fetch.fetched_ms) news.parse = &group_.parse;
  if (!is_known && !group_.listed.empty()) {
    // It was on the list and has been removed since: its outcome no longer matters, but a link brings it back.
    Count("removed", 1);
    news.fetch = nullptr;
    return TakeLinks(key, known, news);
  }
  if (!is_known) {
    const int32_t depth = news.links ? std::min(news.links->depth, group_.fetch.depth) : group_.fetch.depth;
    return MayEnter(false, depth) ? Enter(news) : Status::OK();
  }
  if (group_.listed.empty() || is_newer_run_[known->run]) {
    ARROW_ASSIGN_OR_RAISE(const bool found, table_->Read(*known, key, &base_));
    if (!found) return Enter(news);
  } else {
    ARROW_RETURN_NOT_OK(DecodeRow(group_.listed, &base_));
  }
  Count("links_known", group_.links.links());
  const Transition next = NextState(&base_, news, policy_);
  CountRefresh(next.event);
  return Write(next, &base_);
}

Status UrlUpdates::TakeOrigin(std::string_view key, const KnownKey& known, const UrlNews& news) {
  ARROW_ASSIGN_OR_RAISE(const bool found, table_->Read(known, key, &base_));
  if (!found) return TakeLinks(key, std::nullopt, news);
  Count("links_known", group_.links.links());
  return Write(NextState(&base_, news, policy_), &base_);
}

bool UrlUpdates::MayEnter(bool is_known, int32_t depth) {
  if (hosts_->blocked()) {
    Count("links_blocked", group_.links.links());
    return false;
  }
  if (!is_known && depth > most_depth_) {
    Count("links_too_deep", group_.links.links());
    return false;
  }
  return true;
}

Status UrlUpdates::Enter(const UrlNews& news) {
  const Transition next = NextState(nullptr, news, policy_);
  if (next.row) {
    Count("urls_new", 1);
    hosts_->AddDiscovered();
  }
  return Write(next, nullptr);
}

Status UrlUpdates::Write(const Transition& next, const UrlRow* before) {
  CountEvent(next);
  if (!next.row) return Status::OK();
  Count("urls", 1);
  before != nullptr ? tally_.Replace(*before, *next.row) : tally_.Enter(*next.row);
  return run_->Append(*next.row);
}

void UrlUpdates::CountRefresh(UrlEvent event) {
  const bool was_page = base_.state == UrlState::kFetched || base_.state == UrlState::kRedirected;
  const bool has_answer = event >= UrlEvent::kFetchedNew && event <= UrlEvent::kFailed;
  if (!was_page || !has_answer) return;
  Count("refreshed", 1);
  if (IsWithinWindow(base_, group_.fetch.fetched_ms)) Count("within_window", 1);
}

void UrlUpdates::Count(const char* name, int64_t by) {
  if (by != 0) context_.counters()[name] += by;
}

void UrlUpdates::UrlGroup::Clear() {
  has_fetch = has_parse = false;
  listed.clear();
  links.Clear();
}

void UrlUpdates::CountEvent(const Transition& next) {
  switch (next.event) {
    case UrlEvent::kFetchedNew:
      Count("new", 1);
      return Count("fetched", 1);
    case UrlEvent::kFetchedChanged:
      Count("changed", 1);
      return Count("fetched", 1);
    case UrlEvent::kFetchedUnchanged:
      Count("unchanged", 1);
      return Count("fetched", 1);
    case UrlEvent::kParseFailed:
      Count("not_parsed", 1);
      return Count("fetched", 1);
    case UrlEvent::kNotModified:
      return Count("not_modified", 1);
    case UrlEvent::kRedirectTemporary:
    case UrlEvent::kRedirectPermanent:
      return Count("redirected", 1);
    case UrlEvent::kNotFound:
    case UrlEvent::kFailed:
      return Count(next.row->state == UrlState::kGone ? "gone" : "failing", 1);
    case UrlEvent::kGoneForGood:
    case UrlEvent::kClientError:
    case UrlEvent::kTlsFailed:
      return Count("gone", 1);
    case UrlEvent::kThrottled:
      return Count("throttled", 1);
    case UrlEvent::kRobotsDenied:
      return Count("denied", 1);
    case UrlEvent::kRobotsDeferred:
      return Count("deferred", 1);
    case UrlEvent::kRedirectToItself:
    case UrlEvent::kRefusedByLimit:
    case UrlEvent::kRefusedByAddress:
    case UrlEvent::kRefusedByType:
      return Count("refused", 1);
    case UrlEvent::kNotReached:
    case UrlEvent::kBlameless:
      return Count("given_back", 1);
    case UrlEvent::kLate:
      return Count("late", 1);
    case UrlEvent::kDropped:
      return Count("dropped", 1);
    case UrlEvent::kHostGone:
      Count("gone_with_host", next.row ? 1 : 0);
      return Count("gone", next.row ? 1 : 0);
    case UrlEvent::kHostBack:
      return Count("back_with_host", next.row ? 1 : 0);
    case UrlEvent::kNone:
    case UrlEvent::kLink:
      return;
  }
}

}  // namespace trawl
