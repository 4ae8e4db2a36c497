// The second job of generate, whose stored name is "generate".
//
//   reads        the chosen hosts; urls, hosts and robots, by the ranges of slots of the first job
//   shuffles by  list; then domain, host, and within a host by rank
//   writes       task i writes list i: fetchlist, fetchlist_hosts, fetchlist_robots, and its domains: held
//   counters     urls, hosts, domains, and the tiers: high, medium, low
#include "jobs/generate/lists_job.h"

#include <utility>
#include <vector>

#include "formats/rows/candidate_row.h"
#include "jobs/generate/list_sender.h"
#include "jobs/generate/list_writer.h"
#include "jobs/policy/fetch_options.h"
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
  return SendLists(context, slots, chosen, scope, robots, sink);
}

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
          return writer.Append(row);
        },
        {.columns = {"key", "page_ms", "wait_ms"}, .batch_rows = kNarrowBatchRows}));
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
    lists.push_back(
        {{"time_limit_ms", options.time_limit_ms}, {"pages_a_day", options.pages_a_day}, {"slow", list.slow}});
  }
  plan->facts["lists"] = std::move(lists);
  plan->partitions = static_cast<int>(assignment.lists.size());
  return Status::OK();
}

}  // namespace trawl
