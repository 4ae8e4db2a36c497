#include "jobs/select/urls_before.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/host_row.h"
#include "formats/url/key.h"
#include "jobs/segment/held_domains.h"
#include "jobs/select/assign.h"
#include "jobs/select/due_urls.h"
#include "jobs/select/host_patterns.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/row_walk.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

bool MayLeaveOut(const RoundAhead& round) {
  if (round.generate.per_domain > 0 || round.domain_pages != kNoLimit ||
      round.fetch.politeness_by == PolitenessUnit::kDomain)
    return true;
  const auto runs = round.snapshot->tables.find(UrlRow::kTable);
  if (round.generate.top_n == 0 || runs == round.snapshot->tables.end()) return false;
  int64_t rows = 0;
  for (const RunReference& run : runs->second) rows += run.rows;
  return rows > round.generate.top_n;
}

namespace {

RankFacts FactsAhead(const RoundAhead& round, const UrlRow& url) {
  RankFacts facts = RankFactsOf(url);
  facts.is_trap = round.is_trap;
  facts.due_ms = std::max(facts.due_ms, round.held_ms);
  return facts;
}

// Goes through the URLs host by host, in the order of the table.
class Counter {
 public:
  Counter(const RoundAhead& round, const UrlRow& url, const HostShare& share, const HeldDomains& held, RowWalk hosts,
          HostPatterns patterns)
      : round_(round),
        rank_(RankOf(url.key, FactsAhead(round, url), round.generate.aging_ms)),
        own_host_(HostPartOfKey(url.key)),
        own_domain_(HoldingDomainOf(own_host_)),
        own_share_(share),
        dead_(round.dead),
        held_(held),
        domain_turn_(DomainTurnOf(round.generate.top_n, round.generate.domain_share)),
        hosts_(std::move(hosts)),
        patterns_(std::move(patterns)) {}

  Result<UrlsBefore> Count(std::shared_ptr<const Table> urls, const ScanOptions& options) {
    DueUrls due(round_.scope, round_.now_ms, round_.generate.aging_ms);
    ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(urls, options));
    RowSpan span;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
      if (!more) break;
      for (int64_t row = span.begin; row < span.end; ++row) ARROW_RETURN_NOT_OK(Look(due, *span.batch, row));
    }
    ARROW_RETURN_NOT_OK(EndHost());
    before_.of_crawl = CountOfCrawl();
    return before_;
  }

 private:
  Status Look(DueUrls& due, const ColumnBatch& batch, int64_t row) {
    if (!due.IsDue(batch, row) || WaitsForOrigin(due, batch, row)) return Status::OK();
    const std::string_view key = due.key(batch, row);
    if (HostPartOfKey(key) != host_.key) {
      ARROW_RETURN_NOT_OK(EndHost());
      ARROW_RETURN_NOT_OK(BeginHost(std::string(HostPartOfKey(key))));
    }
    const bool needs_budget = patterns_.has_budgets() && due.IsPage(batch, row) && !due.IsSetDue(batch, row);
    const PatternBudget* const budget = needs_budget ? patterns_.BudgetFor(key) : nullptr;
    const bool is_low = IsTrap(host_) || budget != nullptr;
    const bool is_better = due.rank(batch, row, is_low, budget == nullptr ? 0 : budget->held_ms) < rank_;
    // Worse ones of other domains may have their turn first.
    if ((!is_better && domain_turn_ == 0) || !due.IsInScope(batch, row)) return Status::OK();
    Urls& urls = budget == nullptr ? of_host_ : of_pattern_[budget];
    ++urls.all;
    urls.better += is_better ? 1 : 0;
    return Status::OK();
  }

  Status BeginHost(std::string host) {
    const uint32_t slot = SlotOfKey(host);
    ARROW_RETURN_NOT_OK(hosts_.SeekTo({slot, host}));
    host_ = HostRow();
    if (!hosts_.at_end() && hosts_.key() == host) hosts_.Read(&host_);
    host_.key = std::move(host);
    return patterns_.Find(slot, host_.key);
  }

  // Whether generate leaves the URL to another round, or to another URL of its origin.
  bool WaitsForOrigin(DueUrls& due, const ColumnBatch& batch, int64_t row) {
    const std::string_view key = due.key(batch, row);
    if ((round_.deferred.empty() && dead_.empty()) || HostPartOfKey(key) != own_host_) return false;
    if (round_.deferred.contains(OriginPartOfKey(key))) return true;
    return !dead_.empty() && due.IsInScope(batch, row) && dead_.LeavesOut(key);
  }

  Status EndHost() {
    auto [better, all] = std::exchange(of_host_, Urls());
    for (const auto& [budget, urls] : of_pattern_) {
      better += std::min(urls.better, static_cast<int64_t>(budget->most));
      all += std::min(urls.all, static_cast<int64_t>(budget->most));
    }
    of_pattern_.clear();
    if (all == 0) return Status::OK();
    const bool is_own = host_.key == own_host_;
    const std::string domain = HoldingDomainOf(host_.key);
    if (!is_own && held_.HolderOf(domain) != nullptr) return Status::OK();
    HostShare share = own_share_;
    if (is_own) {
      before_.of_host = better;
    } else {
      share = ShareOf(host_, {}, round_.generate, round_.fetch, round_.now_ms);
    }
    const int64_t taken = std::min(better, share.pages);
    Urls& of_domain = domains_[Hash64(domain)];
    of_domain.better += taken;
    of_domain.all += std::min(all, share.pages);
    if (domain != own_domain_) return Status::OK();
    before_.of_domain += taken;
    before_.domain_ms += taken * share.page_ms;
    return Status::OK();
  }

  // The URLs that Assign takes before this one.
  int64_t CountOfCrawl() const {
    int64_t in_turn = 0, in_turn_of_all = 0, better = 0;
    for (const auto& [domain, of] : domains_) {
      in_turn += std::min(of.better, domain_turn_);
      in_turn_of_all += std::min(of.all, domain_turn_);
      better += of.better;
    }
    if (domain_turn_ == 0) return better;
    return before_.of_domain < domain_turn_ ? in_turn : in_turn_of_all + better - in_turn;
  }

  const RoundAhead& round_;
  const UrlRank rank_;
  const std::string own_host_, own_domain_;
  const HostShare& own_share_;
  DeadOrigins dead_;
  const HeldDomains& held_;
  const int64_t domain_turn_;  // 0: domains have none
  RowWalk hosts_;
  HostPatterns patterns_;
  struct Urls {
    int64_t better = 0, all = 0;
  };
  HostRow host_;  // that the scan is at
  Urls of_host_;  // those that need no budget
  std::unordered_map<const PatternBudget*, Urls> of_pattern_;
  std::unordered_map<uint64_t, Urls> domains_;
  UrlsBefore before_;
};

}  // namespace

Result<UrlsBefore> CountUrlsBefore(const RoundAhead& round, const UrlRow& url, const HostShare& share) {
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(round.store, *round.snapshot));
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(round.store, *round.snapshot));
  ARROW_ASSIGN_OR_RAISE(const HeldDomains held, HeldDomains::Read(round.store, *round.snapshot, round.now_ms));
  ScanOptions options = {.wanted = DueUrls::ColumnsToRead(HostPatterns::HasRows(*round.snapshot))};
  if (!MayLeaveOut(round)) {
    const std::string host(HostPartOfKey(url.key));
    ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(HostOfKey(host)));
    const uint32_t slot = SlotOfKey(url.key);
    options.slots = {slot, slot + 1};
    options.from_key = range.from;
    options.to_key = range.to;
  }
  ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(hosts), {.slots = options.slots}));
  ARROW_ASSIGN_OR_RAISE(HostPatterns patterns, HostPatterns::Open(round.store, *round.snapshot, options.slots,
                                                                  round.now_ms, round.generate.aging_ms));
  return Counter(round, url, share, held, std::move(walk), std::move(patterns)).Count(std::move(urls), options);
}

std::string TakenText(const HostShare& share) {
  const std::string_view day_option = share.day_option, all_option = share.all_option;
  if (!all_option.empty()) return ReadableCount(share.pages, "more page") + " in all (" + std::string(all_option) + ")";
  if (day_option.empty()) return ReadableCount(share.pages, "page") + " a round";
  return ReadableCount(share.pages, "more page") + " today (" + std::string(day_option) + ")";
}

std::string LimitReached(const RoundAhead& round, const UrlsBefore& before, const HostShare& share,
                         const DomainShare& domain) {
  const GenerateOptions& generate = round.generate;
  const auto come_first = [](int64_t count, const std::string& whose) {
    return ReadableCount(count, "due URL") + whose + (count == 1 ? " comes first" : " come first");
  };
  // Where the domain has less left than the host takes, its limit is the one that counts.
  if (before.of_host >= share.pages && share.pages <= domain.pages) {
    return come_first(before.of_host, " of its host") + ", and the host takes " + TakenText(share);
  }
  if (before.of_domain >= domain.pages) {
    return "about " + come_first(before.of_domain, " of its domain") + ", and the domain takes " +
           ReadableCount(domain.pages, "more page") + (domain.is_of_day ? " today (" : " in all (") + domain.option +
           ")";
  }
  if (generate.per_domain > 0 && before.of_domain >= generate.per_domain) {
    return "about " + come_first(before.of_domain, " of its domain") + ", and a round takes " +
           ReadableCount(generate.per_domain) + " of a domain (--generate.per_domain)";
  }
  const bool by_domain = round.fetch.politeness_by == PolitenessUnit::kDomain;
  if (by_domain && before.of_domain > 0 && before.domain_ms + share.page_ms > generate.time_limit_ms) {
    return "about " + come_first(before.of_domain, " of its domain") + ", and they take the whole round " +
           "(--generate.time_limit)";
  }
  const int64_t domain_turn = DomainTurnOf(generate.top_n, generate.domain_share);
  const std::string turn =
      domain_turn == 0 || before.of_domain < domain_turn
          ? ""
          : ", of a domain " + ReadableCount(domain_turn) + " before the rest of it (--generate.domain_share)";
  if (generate.top_n > 0 && before.of_crawl >= generate.top_n) {
    return "about " + come_first(before.of_crawl, "") + ", and a round takes " + ReadableCount(generate.top_n) +
           " (--generate.top_n)" + turn;
  }
  return "";
}

}  // namespace trawl
