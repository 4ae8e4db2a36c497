#include "jobs/generate/list_sender.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
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
#include "runtime/tables/row_walk.h"

namespace trawl {

using arrow::Status;

namespace {

// Sends the rows of chosen hosts to their lists, table by table.
class ListSender {
 public:
  ListSender(TaskContext& context, SlotRange slots, const std::vector<ChosenHostRow>& chosen,
             const RobotsOptions& robots, const FetchOptions& fetch, RowSink& sink)
      : context_(context), slots_(slots), chosen_(chosen), robots_(robots), fetch_(fetch), sink_(sink) {}

  Status SendHosts() {
    ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<HostRow>(context_.store(), context_.snapshot()));
    const TimeMs now_ms = context_.plan().now_ms;
    return ForEachHost(std::move(table), [&](const ChosenHostRow& host, RowWalk* walk) -> Status {
      ARROW_RETURN_NOT_OK(walk->SeekTo({slot_, host.key}));
      HostRow row;
      row.key = host.key;
      if (!walk->at_end() && walk->key() == host.key) walk->Read(&row);
      if (IsSlow(row, fetch_, now_ms)) row.slow_until_ms = std::max(row.slow_until_ms, now_ms + fetch_.slow_time_ms);
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

  Status SendUrls(const CrawlScope& scope, int64_t aging_ms) {
    ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(context_.store(), context_.snapshot()));
    DueUrls due(&scope, context_.plan().now_ms, aging_ms);
    return ForEachHost(table, [&](const ChosenHostRow& host, RowWalk* walk) -> Status {
      ARROW_RETURN_NOT_OK(walk->SeekTo({slot_, origins_}));
      const std::string end = host.key + "*";  // sorts after all URLs of the host (formats/url/key.h)
      while (true) {
        const RowSpan rows = walk->RowsBefore({slot_, end});
        if (rows.begin == rows.end) return Status::OK();
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
    const UrlRank rank = due.rank(batch, row);
    if (IsLeftToAnother(due, batch, row)) return Status::OK();
    if (last < rank || !due.IsInScope(batch, row) || IsDeferred(due.key(batch, row))) return Status::OK();
    ReadFromBatch(batch, row, &url_row_);
    EncodeRow(url_row_, &bytes_);
    ++tiers_[static_cast<size_t>(rank.tier())];
    order_.clear();
    rank.AppendTo(&order_);
    order_ += url_row_.key;
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
  std::unordered_set<std::string> deferred_;  // origins whose robots.txt cannot be reached; the first job left them out
  DeadOrigins dead_;
  // The current host.
  uint32_t slot_ = 0;
  std::string origins_, prefix_;
  // The current row: its place within the host, the whole key, the value.
  std::string order_, key_, bytes_;
  UrlRow url_row_;
  std::array<int64_t, kTiers> tiers_{};
};

}  // namespace

Status SendLists(TaskContext& context, SlotRange slots, const std::vector<ChosenHostRow>& chosen,
                 const CrawlScope& scope, const RobotsOptions& robots, const FetchOptions& fetch, int64_t aging_ms,
                 RowSink& sink) {
  ListSender sender(context, slots, chosen, robots, fetch, sink);
  ARROW_RETURN_NOT_OK(sender.SendHosts());
  ARROW_RETURN_NOT_OK(sender.SendRobots());
  ARROW_RETURN_NOT_OK(sender.SendUrls(scope, aging_ms));
  sender.CountTiers();
  return Status::OK();
}

}  // namespace trawl
