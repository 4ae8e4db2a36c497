#include "jobs/select/url_holds.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/url/key.h"
#include "formats/url/pattern.h"
#include "jobs/policy/advice.h"
#include "jobs/politeness/delay.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/select/due_urls.h"
#include "jobs/select/url_rank.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

std::string ReasonText(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

std::string InARow(int64_t count) { return count == 1 ? "once" : ReadableCount(count) + " times in a row"; }

Result<HostRow> FindHost(const Table& table, const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(std::optional<HostRow> row, FindRow<HostRow>(table, key));
  if (row && !row->removed) return *std::move(row);
  HostRow fresh;
  fresh.key = key;
  return fresh;
}

// The robots.txt files of all the host's origins, as HostFacts reads them.
Status ReadRobots(const HoldContext& context, const std::string& key, UrlStanding* standing) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<RobotsRow>(context.store, *context.snapshot));
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(HostOfKey(standing->host.key)));
  const uint32_t slot = SlotOfKey(key);
  const ScanOptions scan = {.slots = {slot, slot + 1}, .from_key = range.from, .to_key = range.to};
  const std::string_view origin = OriginPartOfKey(key);
  return ForEachRow<RobotsRow>(std::move(table), scan, [&](const RobotsRow& row) {
    const std::optional<int64_t> delay_ms = CrawlDelayOf(row.text, context.fetch.agent);
    CrawlDelay& longest = standing->crawl_delay;
    if (delay_ms && *delay_ms >= longest.ms.value_or(0)) longest = {delay_ms, row.due_ms};
    const TimeMs until_ms = DeferredUntil(row, context.robots, context.now_ms);
    standing->wait.Add(row, context.robots, context.now_ms);
    if (until_ms > 0) {
      standing->deferred.emplace(row.key, Deferral{until_ms, row.is_dead});
    } else if (row.is_dead) {
      standing->dead.Add(row.key);
    }
    if (row.key == origin) {
      standing->robots = row;
      standing->robots_until_ms = until_ms;
    }
    return Status::OK();
  });
}

Status ReadPattern(const HoldContext& context, const std::string& key, UrlStanding* standing) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<PatternRow>(context.store, *context.snapshot));
  const std::string pattern = PatternOfKey(key);
  const std::string names[] = {pattern, FamilyOfPattern(pattern), FamilyOfOrigin(pattern)};
  constexpr size_t kNames = std::size(names);
  std::optional<PatternRow> rows[kNames];
  PatternBudget budgets[kNames];
  const PatternBudget* found[kNames] = {};
  for (size_t i = 0; i < kNames; ++i) {
    if (names[i].empty()) continue;
    ARROW_ASSIGN_OR_RAISE(rows[i], FindRow<PatternRow>(*table, names[i]));
    if (!rows[i] || rows[i]->removed) continue;
    budgets[i] = BudgetOf(*rows[i], context.now_ms, context.generate.aging_ms);
    found[i] = &budgets[i];
  }
  const PatternBudget* const chosen = ChooseBudget(found[0], ChooseFamily(found[1], found[2]));
  if (chosen != nullptr) standing->budget = *chosen;
  const size_t shown = chosen == nullptr ? 0 : static_cast<size_t>(chosen - budgets);
  if (found[shown] != nullptr) standing->pattern = std::move(rows[shown]);
  return Status::OK();
}

// "50 pages today, of at most 10 (--generate.pages_a_day)": a limit that was lowered may have been passed.
std::string OfAtMost(int64_t pages, bool is_of_day, int64_t limit, std::string_view option) {
  return ReadableCount(pages, "page") + (is_of_day ? " today, of at most " : " in all, of at most ") +
         ReadableCount(limit) + " (" + std::string(option) + ")";
}

}  // namespace

Result<UrlStanding> ReadStanding(const HoldContext& context, const std::string& key) {
  UrlStanding standing;
  const std::string host(HostPartOfKey(key));
  standing.domain_key = HoldingDomainOf(host);
  ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<HostRow>(context.store, *context.snapshot));
  ARROW_ASSIGN_OR_RAISE(standing.host, FindHost(*hosts, host));
  ARROW_ASSIGN_OR_RAISE(HostRow domain, FindHost(*hosts, standing.domain_key));
  standing.domain = std::move(domain.domain);
  ARROW_RETURN_NOT_OK(ReadRobots(context, key, &standing));
  standing.is_host_known = TellsOfHost(standing.host);
  standing.host.operator_delay_ms = OperatorDelayOf(standing.host, standing.domain);
  standing.share = ShareOf(standing.host, standing.crawl_delay, context.generate, context.fetch, context.now_ms);
  standing.domain_share = DomainShareOf(standing.domain, context.generate, context.now_ms);
  ARROW_ASSIGN_OR_RAISE(const HeldDomains held, HeldDomains::Read(context.store, *context.snapshot, context.now_ms));
  if (const DomainHolder* const holder = held.HolderOf(standing.domain_key)) standing.holder = *holder;
  ARROW_RETURN_NOT_OK(ReadPattern(context, key, &standing));
  return standing;
}

std::string FullText(const HostRow& host, const HostShare& share) {
  const bool is_of_day = share.left_out == LeftOut::kDayIsFull;
  return HostOfKey(host.key) + " has had " +
         OfAtMost(is_of_day ? host.pages_today : host.pages, is_of_day, share.limit,
                  is_of_day ? share.day_option : share.all_option);
}

std::string HostHoldText(const UrlStanding& standing, const FetchOptions& fetch) {
  const HostRow& host = standing.host;
  const HostShare& share = standing.share;
  const std::string name = HostOfKey(host.key);
  switch (share.left_out) {
    case LeftOut::kBlocked:
      return name + " is blocked by the operator" + ReasonText(host.operator_reason) + " (trawl host " + name +
             " --unblock)";
    case LeftOut::kBreakerOpen:
      return name + " failed " + InARow(host.failures_in_a_row) + ": no requests until then";
    case LeftOut::kThrottled:
      return name + " asked for a pause until then";
    case LeftOut::kCrawlDelay:
      return name + (DelayOf(host, standing.crawl_delay.ms, fetch).skip
                         ? " has a Crawl-delay that is too long for this crawl (--fetch.long_crawl_delay): its "
                           "robots.txt is checked again then"
                         : " wants more time between two requests than a round has: no requests until then");
    case LeftOut::kDayIsFull:
    case LeftOut::kHostIsFull:
      return FullText(host, share);
    case LeftOut::kNone:
    case LeftOut::kDomainBlocked:
    case LeftOut::kDomainDayIsFull:
    case LeftOut::kDomainIsFull:
      break;
  }
  return "";
}

std::string DomainHoldText(const UrlStanding& standing) {
  const DomainRecord& record = standing.domain;
  const DomainShare& share = standing.domain_share;
  const std::string name = HostOfKey(standing.domain_key);
  if (share.left_out == LeftOut::kNone) return "";
  if (share.left_out == LeftOut::kDomainBlocked) {
    return name + " is blocked by the operator" + ReasonText(record.operator_reason) + " (trawl host --domain " + name +
           " --unblock)";
  }
  return name + " and its hosts have had " +
         OfAtMost(share.is_of_day ? record.pages_today : record.pages, share.is_of_day, share.limit, share.option);
}

bool IsTriedAgain(const UrlStanding& standing) {
  return standing.robots && standing.robots->is_dead && standing.robots_until_ms == 0;
}

Result<std::string> TriedForAll(const HoldContext& context, const CrawlScope& scope, const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(context.store, *context.snapshot));
  const std::string origin(OriginPartOfKey(key));
  const uint32_t slot = SlotOfKey(key);
  const ScanOptions options = {.slots = {slot, slot + 1},
                               .from_key = origin + "/",
                               .to_key = origin + static_cast<char>('/' + 1),
                               .wanted = DueUrls::ColumnsToRead()};
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(table), options));
  DueUrls due(&scope, context.now_ms, context.generate.aging_ms);
  RowSpan span;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return std::string();
    for (int64_t row = span.begin; row < span.end; ++row) {
      if (due.IsDue(*span.batch, row) && due.IsInScope(*span.batch, row)) return std::string(due.key(*span.batch, row));
    }
  }
}

namespace {

// A count of the row, in whole pages.
int64_t Pages(int64_t thousandths) { return (thousandths + 500) / 1000; }

}  // namespace

std::string PatternText(const UrlStanding& standing) {
  const PatternRow& row = *standing.pattern;
  std::string text = ReadablePattern(row.key) + " has yielded " + ReadableCount(Pages(row.fresh), "new page") + " of " +
                     ReadableCount(Pages(row.fetched)) + " (" + ReadableCount(Pages(row.duplicates), "duplicate") +
                     ", " + ReadableCount(Pages(row.near_duplicates)) + " nearly)";
  if (Pages(row.likes) > 0) text += ", of which " + ReadableCount(Pages(row.likes)) + " are like others of it";
  if (standing.budget.most > 0) {
    text += "; a round takes " + ReadableCount(static_cast<int64_t>(standing.budget.most)) + " of it";
    if (standing.budget.is_doubtful) text += ", for it is doubtful";
    if (standing.budget.is_young) text += ", for it is new";
  }
  return text;
}

Result<int64_t> HeldByPattern(const HoldContext& context, const CrawlScope& scope, const UrlStanding& standing,
                              const UrlRow& url) {
  if (standing.budget.most == 0 || url.due_set_ms > 0 || url.kind != UrlKind::kPage) return 0;
  RankFacts facts = RankFactsOf(url);
  const bool is_low = IsTrap(standing.host) || standing.budget.ranks_low();
  facts.is_trap = is_low;
  const TimeMs held_ms = standing.budget.held_ms;
  facts.due_ms = std::max(facts.due_ms, held_ms);
  const UrlRank rank = RankOf(url.key, facts, context.generate.aging_ms);
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(context.store, *context.snapshot));
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(HostOfKey(url.key)));
  const uint32_t slot = SlotOfKey(url.key);
  const ScanOptions options = {.slots = {slot, slot + 1},
                               .from_key = range.from,
                               .to_key = range.to,
                               .wanted = DueUrls::ColumnsToRead(/*with_due_set=*/true)};
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(table), options));
  DueUrls due(&scope, context.now_ms, context.generate.aging_ms);
  ARROW_ASSIGN_OR_RAISE(HostPatterns patterns, HostPatterns::Open(context.store, *context.snapshot, options.slots,
                                                                  context.now_ms, context.generate.aging_ms));
  ARROW_RETURN_NOT_OK(patterns.Find(slot, HostPartOfKey(url.key)));
  const PatternBudget* const budget = patterns.BudgetFor(url.key);
  int64_t before = 0;
  RowSpan span;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return before < static_cast<int64_t>(standing.budget.most) ? 0 : before;
    const ColumnBatch& batch = *span.batch;
    for (int64_t row = span.begin; row < span.end; ++row) {
      if (!due.IsDue(batch, row) || !due.IsPage(batch, row) || due.IsSetDue(batch, row)) continue;
      if (!(due.rank(batch, row, is_low, held_ms) < rank)) continue;
      const std::string_view key = due.key(batch, row);
      if (patterns.BudgetFor(key) != budget || standing.deferred.contains(OriginPartOfKey(key))) continue;
      before += due.IsInScope(batch, row) ? 1 : 0;
    }
  }
}

std::string PatternHoldText(const UrlStanding& standing, const std::string& key, int64_t before) {
  return "held: pattern " + PatternText(standing) + ", and " + ReadableCount(before, "due URL") +
         (before == 1 ? " comes first; " : " come first; ") + "trawl urls set --due now " +
         ShellWord(UrlOfKey(key).ValueOr(key)) + " fetches it all the same";
}

std::vector<UrlHold> HoldsOf(const UrlStanding& standing, const FetchOptions& fetch) {
  std::vector<UrlHold> holds;
  const HostShare& share = standing.share;
  const DomainShare& domain = standing.domain_share;
  if (share.left_out != LeftOut::kNone) holds.push_back({share.until_ms, HostHoldText(standing, fetch)});
  if (domain.left_out != LeftOut::kNone) holds.push_back({domain.until_ms, DomainHoldText(standing)});
  if (standing.robots_until_ms > 0) holds.push_back({standing.robots_until_ms, HoldTextOf(*standing.robots)});
  if (standing.holder) {
    holds.push_back({standing.holder->until_ms, "segment " + standing.holder->segment + " holds " +
                                                    HostOfKey(standing.domain_key) + " until it is applied"});
  }
  return holds;
}

}  // namespace trawl
