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
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/row_walk.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Whether the round may leave out URLs that their hosts would take.
bool IsLimited(const RoundAhead& round) {
  if (round.generate.per_domain > 0 || round.domain_pages != kNoLimit ||
      round.fetch.politeness_by == PolitenessUnit::kDomain)
    return true;
  const auto runs = round.snapshot->tables.find(UrlRow::kTable);
  if (round.generate.top_n == 0 || runs == round.snapshot->tables.end()) return false;
  int64_t rows = 0;
  for (const RunReference& run : runs->second) rows += run.rows;
  return rows > round.generate.top_n;
}

// Goes through the URLs host by host, in the order of the table.
class Counter {
 public:
  Counter(const RoundAhead& round, const UrlRow& url, const HostShare& share, const HeldDomains& held, RowWalk hosts)
      : round_(round),
        rank_(RankOf(url.key, RankFactsOf(url), round.generate.aging_ms)),
        own_host_(HostPartOfKey(url.key)),
        own_domain_(HoldingDomainOf(own_host_)),
        own_share_(share),
        dead_(round.dead),
        held_(held),
        domain_turn_(DomainTurnOf(round.generate.top_n, round.generate.domain_share)),
        hosts_(std::move(hosts)) {}

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
    const bool is_better = due.rank(batch, row) < rank_;
    // Worse ones of other domains may have their turn first.
    if ((!is_better && domain_turn_ == 0) || !due.IsInScope(batch, row)) return Status::OK();
    const std::string_view host = HostPartOfKey(due.key(batch, row));
    if (host != host_) {
      ARROW_RETURN_NOT_OK(EndHost());
      host_ = host;
    }
    ++all_;
    better_ += is_better ? 1 : 0;
    return Status::OK();
  }

  // Whether generate leaves the URL to another round, or to another URL of its origin.
  bool WaitsForOrigin(DueUrls& due, const ColumnBatch& batch, int64_t row) {
    const std::string_view key = due.key(batch, row);
    if ((round_.deferred.empty() && dead_.empty()) || HostPartOfKey(key) != own_host_) return false;
    if (round_.deferred.contains(OriginPartOfKey(key))) return true;
    return !dead_.empty() && due.IsInScope(batch, row) && dead_.LeavesOut(key);
  }

  Status EndHost() {
    const int64_t better = std::exchange(better_, 0), all = std::exchange(all_, 0);
    if (all == 0) return Status::OK();
    const bool is_own = host_ == own_host_;
    const std::string domain = HoldingDomainOf(host_);
    if (!is_own && held_.HolderOf(domain) != nullptr) return Status::OK();
    HostShare share = own_share_;
    if (is_own) {
      before_.of_host = better;
    } else {
      ARROW_ASSIGN_OR_RAISE(share, ShareOfOther());
    }
    const int64_t taken = std::min(better, share.pages);
    OfDomain& of_domain = domains_[Hash64(domain)];
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

  Result<HostShare> ShareOfOther() {
    HostRow row;
    row.key = host_;
    ARROW_RETURN_NOT_OK(hosts_.SeekTo({SlotOfKey(host_), host_}));
    if (!hosts_.at_end() && hosts_.key() == host_) hosts_.Read(&row);
    return ShareOf(row, {}, round_.generate, round_.fetch, round_.now_ms);
  }

  const RoundAhead& round_;
  const UrlRank rank_;
  const std::string own_host_, own_domain_;
  const HostShare& own_share_;
  DeadOrigins dead_;
  const HeldDomains& held_;
  const int64_t domain_turn_;  // 0: domains have none
  RowWalk hosts_;
  std::string host_;  // that the scan is at
  int64_t better_ = 0, all_ = 0;
  struct OfDomain {
    int64_t better = 0, all = 0;
  };
  std::unordered_map<uint64_t, OfDomain> domains_;
  UrlsBefore before_;
};

}  // namespace

Result<UrlsBefore> CountUrlsBefore(const RoundAhead& round, const UrlRow& url, const HostShare& share) {
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(round.store, *round.snapshot));
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(round.store, *round.snapshot));
  ARROW_ASSIGN_OR_RAISE(const HeldDomains held, HeldDomains::Read(round.store, *round.snapshot, round.now_ms));
  ScanOptions options = {.wanted = DueUrls::ColumnsToRead()};
  if (!IsLimited(round)) {
    const std::string host(HostPartOfKey(url.key));
    ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(HostOfKey(host)));
    const uint32_t slot = SlotOfKey(url.key);
    options.slots = {slot, slot + 1};
    options.from_key = range.from;
    options.to_key = range.to;
  }
  ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(hosts), {.slots = options.slots}));
  return Counter(round, url, share, held, std::move(walk)).Count(std::move(urls), options);
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
