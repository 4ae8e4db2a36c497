#include "jobs/generate/list_sender.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/generate/list_keys.h"
#include "jobs/politeness/delay.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/politeness/share.h"
#include "jobs/politeness/slow.h"
#include "jobs/segment/held_domains.h"
#include "jobs/select/due_urls.h"
#include "jobs/select/host_facts.h"
#include "jobs/select/host_patterns.h"
#include "jobs/select/probe.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

using arrow::Status;

namespace {

// Sends the rows of chosen hosts to their lists, table by table.
class ListSender {
 public:
  ListSender(TaskContext& context, SlotRange slots, const std::vector<ChosenHostRow>& chosen,
             const RobotsOptions& robots, const FetchOptions& fetch, const GenerateOptions& generate, RowSink& sink)
      : context_(context),
        slots_(slots),
        chosen_(chosen),
        robots_(robots),
        fetch_(fetch),
        sink_(sink),
        aging_ms_(generate.aging_ms),
        probes_(generate.probe_errors) {}

  Status SendHosts() {
    ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<HostRow>(context_.store(), context_.snapshot()));
    const TimeMs now_ms = context_.plan().now_ms;
    return ForEachHost(std::move(table), [&](const ChosenHostRow& host, RowWalk* walk) -> Status {
      ARROW_RETURN_NOT_OK(walk->SeekTo({slot_, host.key}));
      HostRow row;
      row.key = host.key;
      if (!walk->at_end() && walk->key() == host.key) walk->Read(&row);
      if (IsSlow(row, fetch_, now_ms)) row.slow_until_ms = std::max(row.slow_until_ms, now_ms + fetch_.slow_time_ms);
      if (IsTrap(row)) traps_.insert(host.key);
      if (row.probe_ms > 0) probed_ms_[host.key] = row.probe_ms;
      // In a list each host has the record of its registrable domain.
      row.domain = host.domain;
      row.operator_delay_ms = OperatorDelayOf(row, row.domain);
      EncodeRow(row, &bytes_);
      const HostPace pace = {host.page_ms, host.wait_ms};
      bytes_.insert(0, reinterpret_cast<const char*>(&pace), sizeof pace);
      return SendPart(host, ListPart::kHost);
    });
  }

  Status SendRobots() {
    ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<RobotsRow>(context_.store(), context_.snapshot()));
    RobotsRow row;
    return ForEachHost(std::move(table), [&](const ChosenHostRow& host, RowWalk* walk) -> Status {
      ARROW_RETURN_NOT_OK(walk->SeekTo({slot_, origins_}));
      while (!walk->at_end() && walk->key().starts_with(origins_)) {
        walk->Read(&row);
        if (DeferredUntil(row, robots_, context_.plan().now_ms) > 0) {
          deferred_.insert(row.key);
        } else if (row.is_dead) {
          dead_.Add(row.key);
        }
        EncodeRow(row, &bytes_);
        order_ = row.key;
        ARROW_RETURN_NOT_OK(SendPart(host, ListPart::kRobots));
        ARROW_RETURN_NOT_OK(walk->Next());
      }
      return Status::OK();
    });
  }

  Status SendUrls(const CrawlScope& scope) {
    ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(context_.store(), context_.snapshot()));
    DueUrls due(&scope, context_.plan().now_ms, aging_ms_);
    ARROW_ASSIGN_OR_RAISE(HostPatterns patterns, HostPatterns::Open(context_.store(), context_.snapshot(), slots_,
                                                                    context_.plan().now_ms, aging_ms_));
    patterns_ = &patterns;
    return ForEachHost(table, [&](const ChosenHostRow& host, RowWalk* walk) -> Status {
      ARROW_RETURN_NOT_OK(walk->SeekTo({slot_, origins_}));
      ARROW_RETURN_NOT_OK(patterns.Find(slot_, host.key));
      is_trap_ = traps_.contains(host.key);
      const std::string end = host.key + "*";  // sorts after all URLs of the host (formats/url/key.h)
      while (true) {
        const RowSpan rows = walk->RowsBefore({slot_, end});
        if (rows.begin == rows.end) return EndUrls(host, scope);
        for (int64_t row = rows.begin; row < rows.end; ++row) {
          if (due.IsDue(*rows.batch, row)) ARROW_RETURN_NOT_OK(SendUrl(host, due, *rows.batch, row));
        }
        ARROW_RETURN_NOT_OK(walk->Pass(rows));
      }
    });
  }

  void CountTiers() {
    for (size_t tier = 0; tier < tiers_.size(); ++tier)
      context_.counters()[NameOf(static_cast<UrlTier>(tier))] += tiers_[tier];
    context_.counters()["limited"] += limited_;
  }

 private:
  // Calls `send` for each host, after noting where the host's rows are.
  template <typename Send>
  Status ForEachHost(std::shared_ptr<const Table> table, Send&& send) {
    ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(table), {.slots = slots_}));
    for (const ChosenHostRow& host : chosen_) {
      ARROW_RETURN_NOT_OK(context_.CheckStop());
      slot_ = SlotOfKey(host.key);
      origins_ = host.key + ")";
      prefix_ = ListKeyPrefix(HoldingDomainOf(host.key), host.key);
      order_.clear();
      ARROW_RETURN_NOT_OK(send(host, &walk));
    }
    return Status::OK();
  }

  Status SendUrl(const ChosenHostRow& host, DueUrls& due, const ColumnBatch& batch, int64_t row) {
    const UrlRank last = {static_cast<uint64_t>(host.rank_high), static_cast<uint64_t>(host.rank_low)};
    const bool needs_budget = patterns_->has_budgets() && due.IsPage(batch, row) && !due.IsSetDue(batch, row);
    const PatternBudget* const budget = needs_budget ? patterns_->BudgetFor(due.key(batch, row)) : nullptr;
    const bool is_low = is_trap_ || (budget != nullptr && budget->ranks_low());
    const UrlRank rank = due.rank(batch, row, is_low, budget == nullptr ? 0 : budget->held_ms);
    if (IsLeftToAnother(due, batch, row)) return Status::OK();
    if (last < rank || !due.IsInScope(batch, row) || IsDeferred(due.key(batch, row))) return Status::OK();
    ReadFromBatch(batch, row, &url_row_);
    EncodeRow(url_row_, &bytes_);
    if (budget == nullptr) return SendRanked(host, rank, url_row_.key);
    // As the first job, which saw all of them: the best of the pattern. No more than the host's pages are kept.
    std::map<UrlRank, Ranked>& best = best_of_pattern_[budget];
    best[rank] = {url_row_.key, bytes_};
    if (best.size() > budget->most) best.erase(std::prev(best.end()));
    return Status::OK();
  }

  // Sends the value in bytes_.
  Status SendRanked(const ChosenHostRow& host, const UrlRank& rank, std::string_view url_key) {
    ++tiers_[static_cast<size_t>(rank.tier())];
    order_.clear();
    rank.AppendTo(&order_);
    order_ += url_key;
    return SendPart(host, ListPart::kUrl);
  }

  // Sends the URLs that have a place in the budget of their pattern.
  Status EndUrls(const ChosenHostRow& host, const CrawlScope& scope) {
    for (const auto& [budget, best] : best_of_pattern_) {
      for (const auto& [rank, url] : best) {
        bytes_ = url.bytes;
        ARROW_RETURN_NOT_OK(SendRanked(host, rank, url.key));
        limited_ += budget->is_doubtful || budget->is_young ? 0 : 1;
      }
    }
    best_of_pattern_.clear();
    return SendProbe(host, scope);
  }

  // Asks a host whose pages look like error pages of status 200 for a path that cannot exist, after its other URLs.
  Status SendProbe(const ChosenHostRow& host, const CrawlScope& scope) {
    const std::string& origin = patterns_->error_origin();
    if (!probes_ || origin.empty() || deferred_.contains(origin) || dead_.Has(origin)) return Status::OK();
    const auto probed = probed_ms_.find(host.key);
    const TimeMs now_ms = context_.plan().now_ms;
    if (probed != probed_ms_.end() && probed->second + kProbeIntervalMs > now_ms) return Status::OK();
    UrlRow row;
    row.key = ProbeKeyOf(origin);
    row.kind = UrlKind::kProbe;
    row.due_ms = row.discovered_ms = now_ms;
    std::string url;
    if (!WriteUrlOfKey(row.key, &url) || !scope.Check(url, 0).accepted) return Status::OK();
    EncodeRow(row, &bytes_);
    order_.assign(2 * sizeof(uint64_t), '\xff');
    order_ += row.key;
    return SendPart(host, ListPart::kUrl);
  }

  bool IsDeferred(std::string_view key) const {
    return !deferred_.empty() && deferred_.contains(std::string(OriginPartOfKey(key)));
  }

  // The first job let one URL of a dead origin through: the first that the scope accepts, whatever its rank.
  bool IsLeftToAnother(DueUrls& due, const ColumnBatch& batch, int64_t row) {
    return !dead_.empty() && due.IsInScope(batch, row) && dead_.LeavesOut(due.key(batch, row));
  }

  // Sends the value in bytes_.
  Status SendPart(const ChosenHostRow& host, ListPart part) {
    WriteListKey(prefix_, part, order_, &key_);
    return sink_.EmitTo(host.list, key_, bytes_);
  }

  TaskContext& context_;
  const SlotRange slots_;
  const std::vector<ChosenHostRow>& chosen_;
  const RobotsOptions& robots_;
  const FetchOptions& fetch_;
  RowSink& sink_;
  const int64_t aging_ms_;
  const bool probes_;  // whether hosts are asked for a path that cannot exist
  HostPatterns* patterns_ = nullptr;
  std::unordered_set<std::string> traps_;              // suspected hosts
  std::unordered_map<std::string, TimeMs> probed_ms_;  // hosts that were asked for a path that cannot exist
  std::unordered_set<std::string> deferred_;  // origins whose robots.txt cannot be reached; the first job left them out
  DeadOrigins dead_;
  // The current host.
  uint32_t slot_ = 0;
  std::string origins_, prefix_;
  bool is_trap_ = false;
  struct Ranked {
    std::string key, bytes;
  };
  std::unordered_map<const PatternBudget*, std::map<UrlRank, Ranked>> best_of_pattern_;
  // The current row: its place within the host, the whole key, the value.
  std::string order_, key_, bytes_;
  UrlRow url_row_;
  std::array<int64_t, kTiers> tiers_{};
  int64_t limited_ = 0;  // URLs of patterns that have a budget
};

}  // namespace

Status SendLists(TaskContext& context, SlotRange slots, const std::vector<ChosenHostRow>& chosen,
                 const CrawlScope& scope, const RobotsOptions& robots, const FetchOptions& fetch,
                 const GenerateOptions& generate, RowSink& sink) {
  ListSender sender(context, slots, chosen, robots, fetch, generate, sink);
  ARROW_RETURN_NOT_OK(sender.SendHosts());
  ARROW_RETURN_NOT_OK(sender.SendRobots());
  ARROW_RETURN_NOT_OK(sender.SendUrls(scope));
  sender.CountTiers();
  return Status::OK();
}

}  // namespace trawl
