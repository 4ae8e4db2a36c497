// The second job of generate.
//
//   reads        the chosen hosts; urls, hosts and robots, by the ranges of slots of the first job
//   shuffles by  list; then domain, host, and within a host by rank
//   writes       task i writes list i: fetchlist, fetchlist_hosts, fetchlist_robots, and the domains that it holds, held
//   counters     urls, hosts, domains, and the tiers: high, medium, low
#include "jobs/fetch_lists.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/candidate_row.h"
#include "formats/held_row.h"
#include "formats/host_row.h"
#include "formats/robots_row.h"
#include "formats/url_key.h"
#include "formats/url_row.h"
#include "jobs/crawl.h"
#include "jobs/due_urls.h"
#include "jobs/fetch_options.h"
#include "jobs/held_domains.h"
#include "jobs/host_share.h"
#include "jobs/scope.h"
#include "runtime/layout.h"
#include "runtime/row_walk.h"
#include "runtime/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// What follows domain and host in a shuffle key: the host comes before its robots rows, and these before its URLs.
enum class ListPart : char { kHost = 1, kRobots = 2, kUrl = 3 };

// Before the bytes of a host row.
struct HostPace {
  int64_t page_ms = 0;
  int64_t wait_ms = 0;
};

// Sends the rows of chosen hosts to their lists, table by table.
class ListSender {
 public:
  ListSender(TaskContext& context, SlotRange slots, const std::vector<ChosenHostRow>& chosen, RowSink& sink)
      : context_(context), slots_(slots), chosen_(chosen), sink_(sink) {}

  Status SendHosts() {
    ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<HostRow>(context_.store(), context_.snapshot()));
    const TimeMs now_ms = context_.plan().now_ms;
    return ForEachHost(std::move(table), [&](const ChosenHostRow& host, RowWalk* walk) -> Status {
      ARROW_RETURN_NOT_OK(walk->SeekTo({slot_, host.key}));
      HostRow row;
      row.key = host.key;
      if (!walk->at_end() && walk->key() == host.key) walk->Read(&row);
      if (IsSlow(row, now_ms)) row.slow_until_ms = std::max(row.slow_until_ms, now_ms + kSlowMs);
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
        EncodeRow(row, &bytes_);
        order_ = row.key;
        ARROW_RETURN_NOT_OK(SendPart(host, ListPart::kRobots));
        ARROW_RETURN_NOT_OK(walk->Next());
      }
      return Status::OK();
    });
  }

  Status SendUrls(const UrlPolicy& policy) {
    ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(context_.store(), context_.snapshot()));
    DueUrls due(*table, &policy, context_.plan().now_ms);
    return ForEachHost(table, [&](const ChosenHostRow& host, RowWalk* walk) -> Status {
      ARROW_RETURN_NOT_OK(walk->SeekTo({slot_, origins_}));
      const std::string end = host.key + "*";  // comes behind all URLs of the host (formats/url_key.h)
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

 private:
  // Calls `send` for one host after the other, with its place in the walk's table noted.
  template <typename Send>
  Status ForEachHost(std::shared_ptr<const Table> table, Send&& send) {
    ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(table), {.slots = slots_}));
    for (const ChosenHostRow& host : chosen_) {
      ARROW_RETURN_NOT_OK(context_.CheckStop());
      slot_ = SlotOfKey(host.key);
      origins_ = host.key + ")";
      prefix_ = HoldingDomainOf(host.key) + '\0' + host.key + '\0';
      order_.clear();
      ARROW_RETURN_NOT_OK(send(host, &walk));
    }
    return Status::OK();
  }

  Status SendUrl(const ChosenHostRow& host, DueUrls& due, const ColumnBatch& batch, int64_t row) {
    const UrlRank last = {static_cast<uint64_t>(host.rank_high), static_cast<uint64_t>(host.rank_low)};
    const UrlRank rank = due.rank(batch, row);
    if (last < rank || !due.IsWanted(batch, row)) return Status::OK();
    ReadFromBatch(batch, row, &url_row_);
    EncodeRow(url_row_, &bytes_);
    ++tiers_[static_cast<size_t>(rank.tier())];
    order_.clear();
    rank.AppendTo(&order_);
    order_ += url_row_.key;
    return SendPart(host, ListPart::kUrl);
  }

  // What is in bytes_.
  Status SendPart(const ChosenHostRow& host, ListPart part) {
    key_.assign(prefix_);
    key_.push_back(static_cast<char>(part));
    key_.append(order_);
    return sink_.EmitTo(host.list, key_, bytes_);
  }

 public:
  void CountTiers() {
    for (size_t tier = 0; tier < tiers_.size(); ++tier) context_.counters()[NameOf(static_cast<UrlTier>(tier))] += tiers_[tier];
  }

 private:
  TaskContext& context_;
  const SlotRange slots_;
  const std::vector<ChosenHostRow>& chosen_;
  RowSink& sink_;
  // Of the host under way.
  uint32_t slot_ = 0;
  std::string origins_, prefix_;
  // Of the row under way: its place within the host, the whole key, the value.
  std::string order_, key_, bytes_;
  UrlRow url_row_;
  std::array<int64_t, kTiers> tiers_{};
};

Result<std::vector<ChosenHostRow>> ReadChosen(TaskContext& context, const Json& part) {
  std::vector<ChosenHostRow> chosen;
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(part, "chosen"));
  for (const Json& json : *files) {
    ARROW_ASSIGN_OR_RAISE(const FileReceipt file, FileReceiptFromJson(json));
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<ChosenHostRow>(context.store(), context.plan().segment(), ChosenHostRow::kTable,
                                                         file, [&chosen](const ChosenHostRow& row) {
                                                           chosen.push_back(row);
                                                           return Status::OK();
                                                         }));
  }
  return chosen;
}

Status MapChosen(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const auto chosen, ReadChosen(context, part));
  if (chosen.empty()) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const UrlPolicy policy, PolicyOfPlan(context.store(), context.snapshot(), context.plan()));
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  ListSender sender(context, slots, chosen, sink);
  ARROW_RETURN_NOT_OK(sender.SendHosts());
  ARROW_RETURN_NOT_OK(sender.SendRobots());
  ARROW_RETURN_NOT_OK(sender.SendUrls(policy));
  sender.CountTiers();
  return Status::OK();
}

// Writes a list: its rows come domain by domain and host by host.
class ListWriter {
 public:
  ListWriter(TaskContext& context, bool by_domain, RowFileOptions files)
      : context_(context),
        by_domain_(by_domain),
        urls_(context.OpenDataset<UrlRow>(kGenerateStep, files)),
        hosts_(context.OpenDataset<HostRow>("fetchlist_hosts", files)),
        robots_(context.OpenDataset<RobotsRow>("fetchlist_robots", files)),
        held_(context.OpenDataset<HeldRow>(HeldRow::kTable, files)) {
    domain_.list = context.id().number;
  }

  Status Take(std::string_view key, std::string_view bytes) {
    const size_t domain_end = key.find('\0');
    const size_t host_end = domain_end == std::string_view::npos ? domain_end : key.find('\0', domain_end + 1);
    if (host_end == std::string_view::npos || host_end + 1 >= key.size()) return Status::Invalid("a row without domain and host");
    if (key.substr(0, domain_end) != domain_.key) {
      ARROW_RETURN_NOT_OK(EndDomain());
      domain_.key.assign(key.substr(0, domain_end));
    }
    switch (static_cast<ListPart>(key[host_end + 1])) {
      case ListPart::kHost:
        return TakeHost(bytes);
      case ListPart::kRobots:
        ARROW_RETURN_NOT_OK(DecodeRow(bytes, &robots_row_));
        return robots_->Append(robots_row_);
      case ListPart::kUrl:
        ARROW_RETURN_NOT_OK(DecodeRow(bytes, &url_row_));
        ++host_pages_;
        return urls_->Append(url_row_);
    }
    return Status::Invalid("a row of an unknown part of the list");
  }

  // `facts` is what the plan says of the list; what was written is added.
  Status Finish(Json facts) {
    ARROW_RETURN_NOT_OK(EndDomain());
    const std::pair<const char*, int64_t> counts[] = {
        {"urls", urls_->rows()}, {"hosts", hosts_->rows()}, {"domains", held_->rows()}};
    for (const auto& [name, count] : counts) {
      facts[name] = count;
      context_.counters()[name] += count;
    }
    facts["expected_ms"] = expected_ms_;
    context_.facts() = std::move(facts);
    return Status::OK();
  }

 private:
  Status TakeHost(std::string_view bytes) {
    EndHost();
    if (bytes.size() < sizeof pace_) return Status::Invalid("a host row of ", bytes.size(), " bytes is cut off");
    std::memcpy(&pace_, bytes.data(), sizeof pace_);
    ARROW_RETURN_NOT_OK(DecodeRow(bytes.substr(sizeof pace_), &host_));
    ++domain_.hosts;
    return hosts_->Append(host_);
  }

  void EndHost() {
    const int64_t host_ms = host_pages_ == 0 ? 0 : pace_.wait_ms + host_pages_ * pace_.page_ms;
    domain_.expected_ms = by_domain_ ? domain_.expected_ms + host_ms : std::max(domain_.expected_ms, host_ms);
    domain_.pages += host_pages_;
    host_pages_ = 0;
  }

  Status EndDomain() {
    EndHost();
    if (domain_.hosts == 0) return Status::OK();
    expected_ms_ = std::max(expected_ms_, domain_.expected_ms);
    ARROW_RETURN_NOT_OK(held_->Append(domain_));
    domain_ = {.key = "", .list = domain_.list};
    return Status::OK();
  }

  TaskContext& context_;
  const bool by_domain_;
  RunWriter<UrlRow>* const urls_;
  RunWriter<HostRow>* const hosts_;
  RunWriter<RobotsRow>* const robots_;
  RunWriter<HeldRow>* const held_;
  HeldRow domain_;
  HostPace pace_;
  int64_t host_pages_ = 0;
  int64_t expected_ms_ = 0;
  HostRow host_;
  RobotsRow robots_row_;
  UrlRow url_row_;
};

Status ReduceList(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const Json* lists, GetArray(context.plan().facts, "lists"));
  const auto number = static_cast<size_t>(context.id().number);
  if (number >= lists->size()) return Status::Invalid("the plan has no list ", number);
  RowFileOptions files = FileOptions(job);
  files.sorted = false;
  ListWriter list(context, fetch.politeness_by == PolitenessUnit::kDomain, files);
  for (int64_t rows = 0;; ++rows) {
    if (rows % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return list.Finish((*lists)[number]);
    std::string_view bytes;
    ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&bytes));
    if (has_value) ARROW_RETURN_NOT_OK(list.Take(groups.key(), bytes));
  }
}

// The chosen hosts of one part, in a file of their own; nothing where none was chosen.
Result<Json> StoreChosen(Store* store, const Plan& plan, const Selection& selection, const Assignment& assignment, size_t part) {
  RunWriter<ChosenHostRow> writer(store, DatasetFolder(selection.segment, ChosenHostRow::kTable),
                                  plan.job + "-p" + std::to_string(part), {.sorted = false});
  size_t number = selection.parts[part].first_host;
  ChosenHostRow row;
  for (const FileReceipt& file : selection.parts[part].hosts) {
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<CandidateHostRow>(
        store, selection.segment, CandidateHostRow::kTable, file,
        [&](const CandidateHostRow& host) -> Status {
          const HostTaken& taken = assignment.hosts[number++];
          if (taken.list < 0) return Status::OK();
          row.key = host.key;
          row.list = taken.list;
          row.rank_high = static_cast<int64_t>(taken.last.high);
          row.rank_low = static_cast<int64_t>(taken.last.low);
          row.page_ms = host.page_ms;
          row.wait_ms = host.wait_ms;
          return writer.Append(row);
        },
        {"key", "page_ms", "wait_ms"}, 0, 4096));
  }
  ARROW_ASSIGN_OR_RAISE(const auto receipts, writer.Finish());
  Json files = Json::array();
  for (const FileReceipt& receipt : receipts) files.push_back(ToJson(receipt));
  return files;
}

}  // namespace

JobSpec FetchListsSpec() { return {.name = "generate", .map = MapChosen, .reduce = ReduceList}; }

Status PlanFetchLists(Store* store, const Selection& selection, const Assignment& assignment, int64_t time_limit_ms,
                      Plan* plan) {
  for (size_t part = 0; part < selection.parts.size(); ++part) {
    ARROW_ASSIGN_OR_RAISE(Json chosen, StoreChosen(store, *plan, selection, assignment, part));
    if (chosen.empty()) continue;
    Json json = selection.parts[part].slots;
    json["chosen"] = std::move(chosen);
    plan->parts.push_back(std::move(json));
  }
  Json lists = Json::array();
  for (const ListSummary& list : assignment.lists) {
    lists.push_back({{"time_limit_ms", time_limit_ms}, {"slow", list.slow}});
  }
  plan->facts["lists"] = std::move(lists);
  plan->partitions = static_cast<int>(assignment.lists.size());
  return Status::OK();
}

}  // namespace trawl
