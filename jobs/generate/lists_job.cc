// The second job of generate, whose stored name is "generate".
//
//   reads        the chosen hosts; urls, hosts, robots and patterns, by the ranges of slots of the first job
//   shuffles by  list; then domain, host, and within a host by rank
//   writes       task i writes list i: fetchlist, fetchlist_hosts, fetchlist_robots, and its domains: held
//   counters     urls, hosts, domains, and the tiers: high, medium, low; limited: URLs of patterns that have a budget;
//                left_out. and the name of a reason: URLs that the first job left out
#include "jobs/generate/lists_job.h"

#include <utility>
#include <vector>

#include "formats/rows/candidate_row.h"
#include "jobs/generate/list_sender.h"
#include "jobs/generate/list_writer.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/slot_parts.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Result<std::vector<ChosenHostRow>> ReadChosen(TaskContext& context, const Json& part) {
  std::vector<ChosenHostRow> chosen;
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(part, "chosen"));
  for (const Json& json : *files) {
    ARROW_ASSIGN_OR_RAISE(const FileReceipt file, FileReceiptFromJson(json));
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<ChosenHostRow>(
        context.store(), context.plan().segment(), ChosenHostRow::kTable, file, [&chosen](const ChosenHostRow& row) {
          chosen.push_back(row);
          return Status::OK();
        }));
  }
  return chosen;
}

Status MapChosen(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const auto chosen, ReadChosen(context, part));
  if (chosen.empty()) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const CrawlScope scope, ScopeOfPlan(context.store(), context.snapshot(), context.plan()));
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  ARROW_ASSIGN_OR_RAISE(const RobotsOptions robots, context.Read(RobotsOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const GenerateOptions generate, context.Read(GenerateOptionGroup()));
  return SendLists(context, slots, chosen, scope, robots, fetch, generate, sink);
}

// The first job has no report that people look at, so this one has its counts of what was left out.
Status CountLeftOut(TaskContext& context) {
  if (!HasMember(context.plan().facts, "left_out")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const Json* left_out, GetObject(context.plan().facts, "left_out"));
  for (const auto& [name, count] : left_out->items()) {
    if (count.is_number_integer()) context.counters()["left_out." + name] += count.get<int64_t>();
  }
  return Status::OK();
}

Status ReduceList(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const Json* lists, GetArray(context.plan().facts, "lists"));
  const auto number = static_cast<size_t>(context.id().number);
  if (number >= lists->size()) return Status::Invalid("the plan has no list ", number);
  RowFileOptions files = FileOptions(job);
  files.sorted = false;
  if (number == 0) ARROW_RETURN_NOT_OK(CountLeftOut(context));
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

// Stores the chosen hosts of one part in files of their own. An empty array where no host was chosen.
Result<Json> StoreChosen(Store* store, const Plan& plan, const Selection& selection, const Assignment& assignment,
                         size_t part) {
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
          row.domain = selection.domains.RecordOf(static_cast<uint64_t>(host.domain));
          return writer.Append(row);
        },
        {.columns = {"key", "domain", "page_ms", "wait_ms"}, .batch_rows = kNarrowBatchRows}));
  }
  ARROW_ASSIGN_OR_RAISE(const auto receipts, writer.Finish());
  Json files = Json::array();
  for (const FileReceipt& receipt : receipts) files.push_back(ToJson(receipt));
  return files;
}

}  // namespace

JobSpec GenerateListsSpec() { return {.name = "generate", .map = MapChosen, .reduce = ReduceList}; }

Status PlanListsJob(Store* store, const Selection& selection, const Assignment& assignment,
                    const GenerateOptions& options, Plan* plan) {
  for (size_t part = 0; part < selection.parts.size(); ++part) {
    ARROW_ASSIGN_OR_RAISE(Json chosen, StoreChosen(store, *plan, selection, assignment, part));
    if (chosen.empty()) continue;
    Json json = selection.parts[part].slots;
    json["chosen"] = std::move(chosen);
    plan->parts.push_back(std::move(json));
  }
  Json lists = Json::array();
  for (const ListSummary& list : assignment.lists) {
    lists.push_back({{"time_limit_ms", options.time_limit_ms},
                     {"pages_a_day", options.pages_a_day},
                     {"host_pages", options.host_pages},
                     {"slow", list.slow}});
  }
  plan->facts["lists"] = std::move(lists);
  plan->facts["left_out"] = Json::object();
  for (const auto& [name, count] : selection.counters.counts()) {
    if (selection.left_out_until_ms.contains(name)) plan->facts["left_out"][name] = count;
  }
  plan->partitions = static_cast<int>(assignment.lists.size());
  return Status::OK();
}

}  // namespace trawl
