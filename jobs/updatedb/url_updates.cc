#include "jobs/updatedb/url_updates.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "formats/rows/some_columns.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/sums/guessed_sitemap.h"
#include "jobs/updatedb/event.h"
#include "jobs/verb/job_options.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

bool IsPage(UrlEvent event) {
  return event == UrlEvent::kFetchedNew || event == UrlEvent::kFetchedChanged || event == UrlEvent::kFetchedUnchanged ||
         event == UrlEvent::kParseFailed;
}

}  // namespace

Result<std::unique_ptr<UrlUpdates>> UrlUpdates::Open(TaskContext& context, HostUpdates* hosts,
                                                     const RobotsUpdates* robots) {
  std::unique_ptr<UrlUpdates> updates(new UrlUpdates(context, hosts, robots));
  ARROW_RETURN_NOT_OK(updates->ReadPolicy());
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_RETURN_NOT_OK(updates->MarkNewerRuns(*table));
  updates->plain_ =
      std::make_unique<KnownRowBatches>(table, Columns<UrlRow>({"spelling", "discovered_ms", "via"}).Flags());
  updates->words_ = std::make_unique<KnownRowBatches>(table, Columns<UrlRow>({"fetched_ms", "sitemap"}).Flags());
  updates->lists_ = std::make_unique<HostLists>(table, updates->policy_.sitemaps);
  ARROW_ASSIGN_OR_RAISE(const auto robots_table, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(context.snapshot().normal_form));
  ARROW_ASSIGN_OR_RAISE(updates->links_, LinkStandings::Open(context.store(), context.snapshot()));
  updates->named_ = std::make_unique<NamedSitemaps>(robots_table, table, form);
  updates->table_ = std::make_unique<KnownRows<UrlRow>>(std::move(table));
  updates->run_ = context.OpenRun<UrlRow>(FileOptions(job));
  RowFileOptions lists = FileOptions(job);
  lists.batch_rows = OutlinksRow::kBatchRows;
  updates->outlinks_run_ = context.OpenRun<OutlinksRow>(lists);
  return updates;
}

Status UrlUpdates::Reduce(RowPlace place, GroupStream& groups) {
  ARROW_RETURN_NOT_OK(ReadGroup(place, groups));
  if (group_.has_fetch && group_.fetch.kind == UrlKind::kProbe) TakeProbe();
  ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> known, table_->Locate(place));
  UrlNews news = {.key = place.key, .links = group_.links.News(), .host = hosts_->standing(), .graph = &standing_};
  Count("links", group_.links.links());
  news.origin = robots_->NewsFor(place.key);
  if (group_.is_reread) return TakeReread(place, known, std::move(news));
  if (!group_.has_fetch) {
    const bool is_known = known && known->entry.state != 0;
    const bool shares = is_known && news.origin != nullptr && news.origin->fate != OriginFate::kSame;
    return shares ? TakeOrigin(place, *known, news) : TakeLinks(place, known, news);
  }
  return TakeFetch(place, known, std::move(news));
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
    const UrlNews news = {
        .key = base_.key, .origin = robots_->NewsFor(base_.key), .host = hosts_->standing(), .graph = &standing_};
    ARROW_ASSIGN_OR_RAISE(const Transition next, Next(&base_, news));
    ARROW_RETURN_NOT_OK(Write(next, &base_));
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
  ARROW_ASSIGN_OR_RAISE(policy_.sitemaps, context_.Read(SitemapOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context_.Read(SettleOptionGroup()));
  policy_.near_policy = settle.near_policy;
  most_depth_ = scope.depth;
  ARROW_ASSIGN_OR_RAISE(read_policy_, ReadPolicyOfPlan(context_.plan()));
  return Status::OK();
}

Status UrlUpdates::MarkNewerRuns(const Table& table) {
  ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> older, GetStrings(context_.plan().facts, "older_runs"));
  for (const Table::Run& run : table.runs()) {
    is_newer_run_.push_back(std::find(older.begin(), older.end(), run.reference.run) == older.end());
  }
  return Status::OK();
}

Status UrlUpdates::ReadGroup(RowPlace place, GroupStream& groups) {
  group_.Clear();
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
    if (!more) return Status::OK();
    ARROW_RETURN_NOT_OK(ReadEvent(place, value));
  }
}

Status UrlUpdates::ReadEvent(RowPlace place, std::string_view value) {
  switch (static_cast<UpdateTag>(value.empty() ? '\0' : value.front())) {
    case UpdateTag::kLink:
      return ReadLink(place, value);
    case UpdateTag::kFetch:
      ARROW_RETURN_NOT_OK(DecodeRow(value.substr(1), &fetch_));
      if (!fetch_.listed.empty()) group_.listed = std::move(fetch_.listed);
      if (!group_.has_fetch || IsLater(fetch_, group_.fetch)) std::swap(group_.fetch, fetch_);
      group_.has_fetch = true;
      return Status::OK();
    case UpdateTag::kParse:
    case UpdateTag::kReread: {
      ParseEvent event;
      ARROW_RETURN_NOT_OK(DecodeParseEvent(value, &event));
      ARROW_RETURN_NOT_OK(DecodeRow(event.row, &parse_));
      group_.is_reread = group_.is_reread || event.is_reread;
      if (group_.has_parse && !event.is_reread && parse_.fetched_ms <= group_.parse.fetched_ms) return Status::OK();
      std::swap(group_.parse, parse_);
      group_.place = {std::string(event.file), event.number};
      group_.has_parse = true;
      return Status::OK();
    }
    case UpdateTag::kOutlinks:
      return group_.outlinks.Add(value.substr(1));
    default:
      return Status::Invalid("an event of no kind that a URL has");
  }
}

Status UrlUpdates::ReadLink(RowPlace place, std::string_view value) {
  LinkEvent link;
  ARROW_RETURN_NOT_OK(DecodeLinkEvent(value, &link));
  if (link.is_entry && HostPartOfKey(link.via) != HostPartOfKey(place.key)) {
    ARROW_ASSIGN_OR_RAISE(const bool may_speak, named_->MaySpeakFor(place, link.via, robots_->TextFor(place.key)));
    if (!may_speak) {
      Count("links_foreign", 1);
      return Status::OK();
    }
  }
  group_.links.Add(link);
  ForEachLinkingHost(link, [this](uint64_t host) { hosts_->AddLinkingHost(host); });
  return Status::OK();
}

Status UrlUpdates::TakeLinks(RowPlace place, const std::optional<KnownKey>& known, const UrlNews& news) {
  if (!news.links) return Status::OK();
  const LinkNews& links = *news.links;
  const bool is_known = known && known->entry.state != 0;
  if (links.is_guess && (is_known || hosts_->blocked() || !hosts_->TakeGuess(policy_.sitemaps.guess_interval_ms))) {
    return Status::OK();
  }
  if (!MayEnter(is_known, links.depth)) return Status::OK();
  if (!is_known) {
    if (links.kind == UrlKind::kPage && !hosts_->TakesNewUrl()) {
      Count("links_trap", group_.links.links());
      return Status::OK();
    }
    ARROW_ASSIGN_OR_RAISE(const bool is_within, IsWithinLimits(place, links));
    if (!is_within) return Status::OK();
    Count("links_new", group_.links.links());
    return Enter(news);
  }
  const bool is_nearer = links.depth < known->entry.depth;
  const bool is_waiting = TakesLinks(static_cast<UrlState>(known->entry.state));
  Count("links_known", group_.links.links());
  if (!is_waiting && !is_nearer) return TakeWords(place.key, *known, news);
  const bool has_first_word = links.is_named || (links.is_entry && known->entry.plain);
  if (!is_nearer && links.inlinks == 0 && !has_first_word) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const bool found,
                        is_waiting ? ReadWaiting(*known, place.key) : table_->Read(*known, place.key, &base_));
  if (!found) return Enter(news);
  Count("links_raised", group_.links.links());
  return WriteByLinks(news);
}

// A sitemap that has changed names all its URLs again, most of which have not changed. Two columns of them are read; the whole
// row only of a page that a sitemap lists for the first time, or says to have changed since it was fetched.
Status UrlUpdates::TakeWords(std::string_view key, const KnownKey& known, const UrlNews& news) {
  const LinkNews& links = *news.links;
  const bool has_date = links.words.lastmod_ms > 0 && policy_.sitemaps.lastmod && news.host.believes_lastmods;
  if (!links.is_named && !links.is_entry && !has_date) return Status::OK();
  if (!links.is_named) {
    ARROW_ASSIGN_OR_RAISE(const ColumnBatch* batch, words_->Load(known));
    const int64_t at = known.row - batch->first_row;
    const bool is_listed = !batch->columns[ColumnIndex<UrlRow>("sitemap")].GetBytes(at).empty();
    const int64_t fetched_ms = batch->columns[ColumnIndex<UrlRow>("fetched_ms")].Get<int64_t>(at);
    const bool is_first = links.is_entry && !is_listed;
    if (!is_first && !(has_date && links.words.lastmod_ms > fetched_ms)) return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(const bool found, table_->Read(known, key, &base_));
  if (!found) return Enter(news);
  return WriteByLinks(news);
}

Status UrlUpdates::WriteByLinks(const UrlNews& news) {
  ARROW_ASSIGN_OR_RAISE(const Transition next, Next(&base_, news));
  if (next.row && next.row->due_ms < base_.due_ms) Count("due_by_lastmod", 1);
  return Write(next, &base_);
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

Status UrlUpdates::TakeFetch(RowPlace place, const std::optional<KnownKey>& known, UrlNews news) {
  const std::string_view key = place.key;
  const bool is_known = known && known->entry.state != 0;
  news.fetch = &group_.fetch;
  news.header_signals = std::atoi(group_.fetch.response_headers.c_str());
  if (group_.has_parse && group_.parse.fetched_ms == group_.fetch.fetched_ms) {
    news.parse = &group_.parse;
    news.place = &group_.place;
  }
  if (!is_known && !group_.listed.empty()) {
    // It was on the list and has been removed since: its outcome no longer matters, but a link brings it back.
    Count("removed", 1);
    news.fetch = nullptr;
    return TakeLinks(place, known, news);
  }
  if (!is_known) {
    if (news.links && news.links->is_guess) news.links.reset();
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
  if (IsGuessedSitemap(base_)) hosts_->NoteGuess(group_.fetch.fetched_ms);
  ARROW_ASSIGN_OR_RAISE(const Transition next, Next(&base_, news));
  if (next.lastmod_was_right) hosts_->AddLastmod(*next.lastmod_was_right);
  CountRefresh(next.event);
  if (news.parse != nullptr && IsPage(next.event)) ARROW_RETURN_NOT_OK(WriteOutlinks(key, *news.parse));
  return Write(next, &base_);
}

// The answer to a path that cannot exist is news of its host, and of no URL.
void UrlUpdates::TakeProbe() {
  const FetchRow& fetch = group_.fetch;
  const UrlEvent event = EventOf(nullptr, {.fetch = &fetch});
  const bool is_unasked = event == UrlEvent::kNotReached || event == UrlEvent::kBlameless ||
                          event == UrlEvent::kThrottled || event == UrlEvent::kRobotsDeferred;
  if (!is_unasked) {
    ProbeAnswer answer = {.asked_ms = fetch.fetched_ms};
    const bool is_read = group_.has_parse && group_.parse.fetched_ms == fetch.fetched_ms && !group_.parse.failed;
    if (fetch.outcome == Outcome::kFetched && fetch.status == 200 && is_read) {
      answer.content_digest = group_.parse.content_digest;
      const int64_t simhash = group_.parse.simhash;
      if (group_.parse.has_simhash) answer.simhash = simhash == 0 ? 1 : simhash;
    }
    hosts_->AddProbe(std::move(answer));
  }
  Count("probes", 1);
  group_.has_fetch = group_.has_parse = false;
  group_.outlinks.Clear();
}

Status UrlUpdates::TakeReread(RowPlace place, const std::optional<KnownKey>& known, UrlNews news) {
  const bool is_known = known && known->entry.state != 0;
  if (is_known) {
    ARROW_ASSIGN_OR_RAISE(const bool found, table_->Read(*known, place.key, &base_));
    if (found) {
      news.parse = &group_.parse;
      news.place = news.reread = &group_.place;
      Count("links_known", group_.links.links());
      ARROW_ASSIGN_OR_RAISE(const Transition next, Next(&base_, news));
      if (next.event == UrlEvent::kReread) ARROW_RETURN_NOT_OK(WriteOutlinks(place.key, group_.parse));
      return Write(next, &base_);
    }
  }
  // It was removed since; a link may bring it back.
  Count("removed", 1);
  return TakeLinks(place, std::nullopt, news);
}

Status UrlUpdates::TakeOrigin(RowPlace place, const KnownKey& known, const UrlNews& news) {
  ARROW_ASSIGN_OR_RAISE(const bool found, table_->Read(known, place.key, &base_));
  if (!found) return TakeLinks(place, std::nullopt, news);
  Count("links_known", group_.links.links());
  ARROW_ASSIGN_OR_RAISE(const Transition next, Next(&base_, news));
  return Write(next, &base_);
}

bool UrlUpdates::MayEnter(bool is_known, int32_t depth) {
  if (!is_known && depth > most_depth_) {
    Count("links_too_deep", group_.links.links());
    return false;
  }
  return true;
}

Result<bool> UrlUpdates::IsWithinLimits(RowPlace place, const LinkNews& links) {
  if (links.kind != UrlKind::kPage) {
    ARROW_ASSIGN_OR_RAISE(const bool is_within, lists_->Take(place, links.kind, hosts_->discovered()));
    if (!is_within) Count("lists_over_limit", 1);
    return is_within;
  }
  const bool is_within = !links.is_entry || hosts_->discovered() < policy_.sitemaps.most_urls;
  if (!is_within) Count("entries_over_limit", 1);
  return is_within;
}

Status UrlUpdates::Enter(const UrlNews& news) {
  ARROW_ASSIGN_OR_RAISE(const Transition next, Next(nullptr, news));
  if (next.row) {
    // A guess is a URL of the crawl once somebody names it, or it is there (Write).
    const bool is_guess = news.links && news.links->is_guess && news.fetch == nullptr;
    if (!is_guess) CountNew();
  }
  if (news.parse != nullptr && IsPage(next.event)) ARROW_RETURN_NOT_OK(WriteOutlinks(news.key, *news.parse));
  return Write(next, nullptr);
}

Result<Transition> UrlUpdates::Next(const UrlRow* row, const UrlNews& news) {
  ARROW_ASSIGN_OR_RAISE(standing_, links_->Of({slot_of_(news.key), news.key}));
  return NextState(row, news, policy_);
}

Status UrlUpdates::Write(const Transition& next, const UrlRow* before) {
  CountEvent(next);
  if (!next.row) return Status::OK();
  Count("urls", 1);
  if (next.row->removed) {
    if (before != nullptr) tally_.Leave(*before);
    return run_->Append(*next.row);
  }
  const bool was_guess = before != nullptr && IsGuessedSitemap(*before) && before->body_digest.empty();
  if (was_guess && (!IsGuessedSitemap(*next.row) || !next.row->body_digest.empty())) CountNew();
  before != nullptr ? tally_.Replace(*before, *next.row) : tally_.Enter(*next.row);
  CountToRead(before, *next.row);
  return run_->Append(*next.row);
}

// Rules:
//  1. Links are those of the newest body that was read, where the outcome of its request counts.
//  2. A page that has become something else keeps its row: that it is gone, denied or redirected stands in its urls row,
//     and a later 304 makes the links true again.
Status UrlUpdates::WriteOutlinks(std::string_view key, const ParseRow& parse) {
  ARROW_RETURN_NOT_OK(group_.outlinks.Join(key, parse, &outlinks_));
  Count("outlinks", 1);
  Count("outlinks_cut", outlinks_.links - outlinks_.listed);
  return outlinks_run_->Append(outlinks_);
}

void UrlUpdates::CountNew() {
  Count("urls_new", 1);
  hosts_->AddDiscovered();
}

void UrlUpdates::CountToRead(const UrlRow* before, const UrlRow& after) {
  const bool was = before != nullptr && IsToRead(*before, read_policy_);
  const bool is = IsToRead(after, read_policy_);
  Count("to_read", (is ? 1 : 0) - (was ? 1 : 0));
  Count("to_read_more", is && (!was || group_.is_reread) ? 1 : 0);
}

void UrlUpdates::CountRefresh(UrlEvent event) {
  const bool was_page =
      base_.state == UrlState::kFetched || base_.state == UrlState::kRedirected || base_.state == UrlState::kDuplicate;
  const bool has_answer = event >= UrlEvent::kFetchedNew && event <= UrlEvent::kFailed;
  if (!was_page || !has_answer) return;
  const int64_t fetched_ms = group_.fetch.fetched_ms;
  Count("refreshed", 1);
  if (IsWithinWindow(base_, fetched_ms)) Count("within_window", 1);
  refreshed_.Add(classes_.ClassOf(base_), policy_.refresh, base_, fetched_ms);
}

void UrlUpdates::Report(Json* facts) const {
  tally_.Report(facts);
  (*facts)["classes"] = ToJson(refreshed_);
}

void UrlUpdates::Count(const char* name, int64_t by) {
  if (by != 0) context_.counters()[name] += by;
}

void UrlUpdates::UrlGroup::Clear() {
  has_fetch = has_parse = is_reread = false;
  listed.clear();
  links.Clear();
  outlinks.Clear();
}

void UrlUpdates::CountEvent(const Transition& next) {
  if (next.row && next.row->removed) return Count("no_sitemap", 1);
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
    case UrlEvent::kReread:
      return Count("reread", 1);
    case UrlEvent::kNone:
    case UrlEvent::kLink:
      return;
  }
}

}  // namespace trawl
