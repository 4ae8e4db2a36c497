// The first job of generate, whose stored name is "select".
//
//   reads        urls (some columns), hosts, robots and patterns, by ranges of slots; the held domains of open segments
//   shuffles by  nothing
//   writes       candidate_hosts: a row for each host that takes something
//                candidates: its best due URLs, as many as it takes; those of each task from the best to the worst
//   counters     due, candidates; URLs that were left out: refused, robots_deferred, dead_host, held, pattern_budget,
//                overflow, and the names of LeftOut
#include "jobs/select/select_job.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "formats/digests/digest.h"
#include "formats/rows/candidate_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/politeness/share.h"
#include "jobs/politeness/slow.h"
#include "jobs/segment/held_domains.h"
#include "jobs/select/assign.h"
#include "jobs/select/domain_limits.h"
#include "jobs/select/due_urls.h"
#include "jobs/select/host_facts.h"
#include "jobs/select/host_patterns.h"
#include "jobs/verb/crawl.h"
#include "runtime/job/slot_parts.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The expected size of a page whose host has shown none.
constexpr int64_t kUsualPageBytes = 64 << 10;
// A row has 80 KiB, so that the merge of many tasks' candidates needs little memory.
constexpr size_t kCandidatesARow = 4096;

// Keeps the best of a host's due URLs, as many as the host takes.
class BestOfHost {
 public:
  void Begin(int64_t most) {
    most_ = static_cast<size_t>(most);
    heap_.clear();
  }
  // False where this URL or one before it is left out.
  bool Add(const UrlRank& rank) {
    if (heap_.size() < most_) {
      heap_.push_back(rank);
      if (heap_.size() == most_) std::make_heap(heap_.begin(), heap_.end());
      return true;
    }
    if (rank < heap_.front()) {
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.back() = rank;
      std::push_heap(heap_.begin(), heap_.end());
    }
    return false;
  }
  const std::vector<UrlRank>& ranks() const { return heap_; }

 private:
  size_t most_ = 0;
  std::vector<UrlRank> heap_;  // once it is full, the worst is in front
};

Result<LimitedDomains> ReadLimitedDomains(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(context.plan().facts, "limited_domains"));
  std::vector<FileReceipt> receipts;
  for (const Json& json : *files) {
    ARROW_ASSIGN_OR_RAISE(receipts.emplace_back(), FileReceiptFromJson(json));
  }
  return LimitedDomains::Read(context.store(), context.plan().segment(), receipts);
}

// One task: goes through the rows of its slots, host by host.
class Selector {
 public:
  static Status Run(TaskContext& context) {
    ARROW_ASSIGN_OR_RAISE(const GenerateOptions generate, context.Read(GenerateOptionGroup()));
    ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
    ARROW_ASSIGN_OR_RAISE(const RobotsOptions robots, context.Read(RobotsOptionGroup()));
    ARROW_ASSIGN_OR_RAISE(const CrawlScope scope, ScopeOfPlan(context.store(), context.snapshot(), context.plan()));
    ARROW_ASSIGN_OR_RAISE(const HeldDomains held,
                          HeldDomains::Read(context.store(), context.snapshot(), context.plan().now_ms));
    ARROW_ASSIGN_OR_RAISE(const LimitedDomains limited, ReadLimitedDomains(context));
    ARROW_ASSIGN_OR_RAISE(HostFacts facts, HostFacts::Open(context, context.slots(), fetch, robots));
    const Manifest& snapshot = context.snapshot();
    ARROW_ASSIGN_OR_RAISE(HostPatterns patterns, HostPatterns::Open(context.store(), snapshot, context.slots(),
                                                                    context.plan().now_ms, generate.aging_ms));
    ARROW_ASSIGN_OR_RAISE(const bool limits_domains, GetBool(context.plan().facts, "limits_domains"));
    Selector selector(context, generate, fetch, held, limited, limits_domains, std::move(facts), std::move(patterns));
    ARROW_RETURN_NOT_OK(selector.Scan(scope));
    return selector.Write();
  }

 private:
  Selector(TaskContext& context, const GenerateOptions& generate, const FetchOptions& fetch, const HeldDomains& held,
           const LimitedDomains& limited, bool limits_domains, HostFacts facts, HostPatterns patterns)
      : context_(context),
        generate_(generate),
        fetch_(fetch),
        held_(held),
        limited_(limited),
        cuts_(generate.top_n > 0 && generate.per_domain == 0 && fetch.politeness_by == PolitenessUnit::kHost &&
              !limits_domains),
        domain_turn_(DomainTurnOf(generate.top_n, generate.domain_share)),
        facts_(std::move(facts)),
        patterns_(std::move(patterns)),
        hosts_(context.OpenDataset<CandidateHostRow>(CandidateHostRow::kTable, {.sorted = false})),
        refused_(context.counters()["refused"]),
        deferred_(context.counters()["robots_deferred"]),
        dead_host_(context.counters()["dead_host"]),
        pattern_budget_(context.counters()["pattern_budget"]),
        overflow_(context.counters()["overflow"]),
        due_(context.counters()["due"]),
        left_out_(&due_) {}

  Status Scan(const CrawlScope& scope) {
    ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context_.store(), context_.snapshot()));
    DueUrls due(&scope, context_.plan().now_ms, generate_.aging_ms);
    ScanOptions options = {.slots = context_.slots(),
                           .wanted = DueUrls::ColumnsToRead(HostPatterns::HasRows(context_.snapshot()))};
    ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(urls, options));
    RowSpan span;
    while (true) {
      ARROW_RETURN_NOT_OK(context_.CheckStop());
      ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
      if (!more) return EndHost();
      for (int64_t row = span.begin; row < span.end; ++row) {
        if (!due.IsDue(*span.batch, row)) {
          ARROW_RETURN_NOT_OK(LookAhead(due, *span.batch, row));
          continue;
        }
        ARROW_RETURN_NOT_OK(Look(due, *span.batch, row));
      }
    }
  }

  // Notes when a row that is not due yet will be, if that is the next time of all. Only for such rows, which are few, is
  // the host looked up.
  Status LookAhead(DueUrls& due, const ColumnBatch& batch, int64_t row) {
    const TimeMs due_ms = due.due_ms(batch, row);
    if (due_ms >= next_due_ms_) return Status::OK();
    ARROW_RETURN_NOT_OK(GoToHost(due.key(batch, row)));
    next_due_ms_ = std::min(next_due_ms_, std::max(due_ms, left_out_until_ms_));
    return Status::OK();
  }

  Status Look(DueUrls& due, const ColumnBatch& batch, int64_t row) {
    const std::string_view key = due.key(batch, row);
    ARROW_RETURN_NOT_OK(GoToHost(key));
    ++due_;
    if (left_out_ != nullptr) {
      ++*left_out_;
      NoteHold(left_out_why_, left_out_until_ms_);
    } else if (const Deferral* const deferral = DeferralOf(key)) {
      ++(deferral->is_dead ? dead_host_ : deferred_);
      NoteHold(deferral->is_dead ? "dead_host" : "robots_deferred", deferral->until_ms);
    } else if (!due.IsInScope(batch, row)) {
      ++refused_;
    } else if (!host_.dead.empty() && host_.dead.LeavesOut(key)) {
      ++dead_host_;
      NoteHold("dead_host", context_.plan().now_ms);  // what the other URL finds in this round frees it
    } else {
      Offer(due, batch, row);
    }
    return Status::OK();
  }

  // Of a pattern that has a budget only the best come as far as those of the host.
  void Offer(const DueUrls& due, const ColumnBatch& batch, int64_t row) {
    const bool needs_budget = patterns_.has_budgets() && due.IsPage(batch, row) && !due.IsSetDue(batch, row);
    const PatternBudget* const budget = needs_budget ? patterns_.BudgetFor(due.key(batch, row)) : nullptr;
    if (budget == nullptr) {
      if (!best_.Add(due.rank(batch, row, is_trap_))) ++overflow_;
      return;
    }
    const auto [of_pattern, is_first] = best_of_pattern_.try_emplace(budget);
    if (is_first) of_pattern->second.Begin(static_cast<int64_t>(budget->most));
    if (of_pattern->second.Add(due.rank(batch, row, is_trap_ || budget->ranks_low(), budget->held_ms))) return;
    ++pattern_budget_;
    NoteHold("pattern_budget", kNever);  // another round takes it
  }

  void EndPatterns() {
    for (const auto& [budget, best] : best_of_pattern_) {
      for (const UrlRank& rank : best.ranks()) overflow_ += best_.Add(rank) ? 0 : 1;
    }
    best_of_pattern_.clear();
  }

  // Why the URL waits for its robots.txt, which will not be asked for in this round; null where it does not wait.
  const Deferral* DeferralOf(std::string_view key) const {
    if (host_.deferred.empty()) return nullptr;
    const auto deferred = host_.deferred.find(OriginPartOfKey(key));
    return deferred == host_.deferred.end() ? nullptr : &deferred->second;
  }

  bool IsOfHost(std::string_view key) const {
    const std::string& host = host_.row.key;
    return key.size() > host.size() && key[host.size()] == ')' && key.starts_with(host) && !host.empty();
  }

  Status GoToHost(std::string_view key) {
    if (IsOfHost(key)) return Status::OK();
    ARROW_RETURN_NOT_OK(EndHost());
    return BeginHost(key);
  }

  Status BeginHost(std::string_view key) {
    const std::string host(HostPartOfKey(key));
    left_out_ = nullptr;
    left_out_until_ms_ = 0;
    ARROW_RETURN_NOT_OK(facts_.Find(SlotOfKey(key), host, &host_));
    ARROW_RETURN_NOT_OK(patterns_.Find(SlotOfKey(key), host));
    is_trap_ = IsTrap(host_.row);
    const std::string domain = HoldingDomainOf(host);
    domain_ = Hash64(domain);
    const LimitedDomainRow* const limited = limited_.Find(domain_);
    if (limited != nullptr && host_.row.operator_delay_ms == 0) host_.row.operator_delay_ms = limited->delay_ms;
    share_ = ShareOf(host_.row, host_.crawl_delay, generate_, fetch_, context_.plan().now_ms);
    if (const DomainHolder* const holder = held_.HolderOf(domain)) LeaveOut("held", holder->until_ms);
    if (limited != nullptr && limited->left_out != 0) {
      LeaveOut(NameOf(static_cast<LeftOut>(limited->left_out)), limited->until_ms);
    }
    if (share_.left_out != LeftOut::kNone) LeaveOut(NameOf(share_.left_out), share_.until_ms);
    best_.Begin(left_out_ == nullptr ? share_.pages : 0);
    return Status::OK();
  }

  // Of several reasons the one that lasts longest counts, and of equal ones the first.
  void LeaveOut(const char* why, TimeMs until_ms) {
    if (left_out_ != nullptr && until_ms <= left_out_until_ms_) return;
    left_out_ = &context_.counters()[why];
    left_out_until_ms_ = until_ms;
    left_out_why_ = why;
  }

  // Notes when URLs that are left out for a reason, or for lack of a robots.txt, will not be held any more.
  void NoteHold(const char* why, TimeMs until_ms) {
    const auto [at, is_new] = holds_.try_emplace(why, until_ms);
    if (!is_new) at->second = std::min(at->second, until_ms);
    next_due_ms_ = std::min(next_due_ms_, until_ms);
  }

  Status EndHost() {
    EndPatterns();
    if (best_.ranks().empty()) return Status::OK();
    const auto number = static_cast<uint32_t>(host_count_++);
    for (const UrlRank& rank : best_.ranks()) candidates_.push_back({rank, number});
    domain_of_.push_back(domain_);
    best_.Begin(0);
    CandidateHostRow row;
    row.key = host_.row.key;
    row.domain = static_cast<int64_t>(domain_);
    row.page_ms = share_.page_ms;
    row.wait_ms = share_.wait_ms;
    row.page_bytes = host_.row.pages > 0 ? host_.row.bytes / host_.row.pages : kUsualPageBytes;
    row.slow = IsSlow(host_.row, fetch_, context_.plan().now_ms);
    CutToBest(4);
    return hosts_->Append(row);
  }

  // A candidate that is not among the best N of its task is not among the best N of all, unless the limit of a domain
  // leaves better ones out. Where domains only have a turn of T of the N, it may still be among the N that come first: but
  // not if the task has N better ones that are each among the best T of their domain in it. For whatever other tasks have,
  // each domain takes as many of its best T before this one, or more.
  void CutToBest(size_t slack) {
    const auto most = static_cast<size_t>(generate_.top_n);
    if (!cuts_ || candidates_.size() <= most * slack) return;
    const size_t before = candidates_.size();
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(candidates_.begin(), end, candidates_.end(), IsBetter);
    std::unordered_map<uint64_t, int64_t> of_domain;
    const auto has_turn = [&](const Candidate& candidate) {
      return domain_turn_ == 0 || of_domain[domain_of_[candidate.host]]++ < domain_turn_;
    };
    const auto with_turn = static_cast<size_t>(std::count_if(candidates_.begin(), end, has_turn));
    auto kept = end;
    if (with_turn < most) {
      std::sort(end, candidates_.end(), IsBetter);
      size_t left = most - with_turn;
      kept = std::remove_if(end, candidates_.end(), [&](const Candidate& candidate) {
        if (left == 0 || !has_turn(candidate)) return true;
        --left;
        return false;
      });
    }
    candidates_.erase(kept, candidates_.end());
    overflow_ += static_cast<int64_t>(before - candidates_.size());
  }

  static bool IsBetter(const Candidate& a, const Candidate& b) { return a.rank < b.rank; }

  Status Write() {
    CutToBest(1);
    std::sort(candidates_.begin(), candidates_.end(), IsBetter);
    auto* const out = context_.OpenDataset<CandidatesRow>(CandidatesRow::kTable, {.sorted = false});
    CandidatesRow row;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      AppendCandidate(candidates_[i], &row.candidates);
      if ((i + 1) % kCandidatesARow != 0 && i + 1 < candidates_.size()) continue;
      ARROW_RETURN_NOT_OK(out->Append(row));
      row.candidates.clear();
    }
    context_.counters()["candidates"] += static_cast<int64_t>(candidates_.size());
    context_.facts() = {{"next_due_ms", next_due_ms_}, {"left_out_until_ms", Json::object()}};
    for (const auto& [why, until_ms] : holds_) context_.facts()["left_out_until_ms"][why] = until_ms;
    return Status::OK();
  }

  TaskContext& context_;
  const GenerateOptions& generate_;
  const FetchOptions& fetch_;
  const HeldDomains& held_;
  const LimitedDomains& limited_;
  const bool cuts_;  // whether only the best of a task may go on
  const int64_t domain_turn_;
  HostFacts facts_;
  HostPatterns patterns_;
  RunWriter<CandidateHostRow>* const hosts_;
  int64_t& refused_;
  int64_t& deferred_;
  int64_t& dead_host_;
  int64_t& pattern_budget_;
  int64_t& overflow_;
  int64_t& due_;

  // The host that the scan has reached.
  HostFact host_;
  uint64_t domain_ = 0;
  HostShare share_;
  int64_t* left_out_;             // the counter of its URLs where it takes none; else null
  TimeMs left_out_until_ms_ = 0;  // until when it takes none
  const char* left_out_why_ = "";
  bool is_trap_ = false;
  BestOfHost best_;
  std::unordered_map<const PatternBudget*, BestOfHost> best_of_pattern_;  // of the host's patterns that have a budget

  int64_t host_count_ = 0;
  std::vector<uint64_t> domain_of_;  // by host
  std::vector<Candidate> candidates_;
  TimeMs next_due_ms_ = kNever;
  std::map<std::string_view, TimeMs> holds_;
};

Status SelectFromSlots(TaskContext& context, const Json&, RowSink&) { return Selector::Run(context); }

}  // namespace

JobSpec GenerateSelectSpec() { return {.name = "select", .map = SelectFromSlots}; }

namespace {

// Reads the limits of domains, and stores what the tasks need of them.
Status PlanDomainLimits(Store* store, const Manifest& present, Plan* plan, Selection* selection) {
  ARROW_ASSIGN_OR_RAISE(const GenerateOptions options, GenerateOptionGroup().Read(plan->options));
  ARROW_ASSIGN_OR_RAISE(selection->domains, DomainLimitTable::Read(store, present, options, plan->now_ms));
  ARROW_ASSIGN_OR_RAISE(selection->domain_files, selection->domains.WriteFor(store, selection->segment, plan->job));
  plan->facts["limits_domains"] = selection->domains.limits_some();
  plan->facts["limited_domains"] = Json::array();
  for (const FileReceipt& file : selection->domain_files) plan->facts["limited_domains"].push_back(ToJson(file));
  return Status::OK();
}

}  // namespace

int64_t BytesToSelectFrom(const Manifest& present) {
  return BytesOfTables(present, {UrlRow::kTable, HostRow::kTable, RobotsRow::kTable, PatternRow::kTable});
}

Result<Selection> RunSelectJob(const JobEnvironment& environment, int64_t snapshot, const std::string& segment,
                               int threads) {
  Selection selection;
  selection.segment = segment;
  JobRequest request;
  request.spec = GenerateSelectSpec();
  request.base_snapshot = snapshot;
  request.keeps_plan = true;  // it tells gc whose files these are; RemoveSelection removes it
  request.plan = [&](const JobEnvironment&, const Snapshot& base, Plan* plan) -> Status {
    ARROW_RETURN_NOT_OK(PlanScope(environment.store, plan));
    int64_t rows = 0;
    const auto found = base.manifest.tables.find(UrlRow::kTable);
    if (found != base.manifest.tables.end()) {
      for (const RunReference& run : found->second) rows += run.rows;
    }
    plan->facts["segment"] = segment;
    ARROW_RETURN_NOT_OK(PlanDomainLimits(environment.store, base.manifest, plan, &selection));
    if (rows > 0) plan->parts = SlotParts(rows, threads);
    plan->work.bytes = BytesToSelectFrom(base.manifest);
    for (const Json& part : plan->parts) selection.parts.push_back({.slots = part});
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  ARROW_ASSIGN_OR_RAISE(JobResult result, RunJob(environment, request));
  selection.job = result.job;
  selection.counters = result.output.counters;
  selection.next_due_ms = kNever;
  for (TaskReceipt& receipt : result.output.receipts) {
    Selection::Part& part = selection.parts[static_cast<size_t>(receipt.id.number)];
    part.hosts = std::move(receipt.dataset_files[CandidateHostRow::kTable]);
    part.candidates = std::move(receipt.dataset_files[CandidatesRow::kTable]);
    ARROW_ASSIGN_OR_RAISE(const int64_t next, GetInt(receipt.facts, "next_due_ms"));
    selection.next_due_ms = std::min(selection.next_due_ms, next);
    ARROW_ASSIGN_OR_RAISE(const Json* holds, GetObject(receipt.facts, "left_out_until_ms"));
    for (const auto& [why, until_ms] : holds->items()) {
      const auto [at, is_new] = selection.left_out_until_ms.try_emplace(why, until_ms.get<TimeMs>());
      if (!is_new) at->second = std::min(at->second, until_ms.get<TimeMs>());
    }
  }
  ARROW_RETURN_NOT_OK(ReadOffers(environment.store, &selection));
  return selection;
}

}  // namespace trawl
