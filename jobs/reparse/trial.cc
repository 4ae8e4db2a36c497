// trawl reparse --dry_run, its second job: compares links that were read under other rules with the urls table.
//
//   reads        the links of a segment that is not applied; urls, by ranges of slots
//   shuffles by  slot and key of the link's target
//   writes       nothing
//   counters     urls_new; let_in.RULE of these; leave_out.RULE
#include "jobs/reparse/trial.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "formats/rows/link_row.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/policy/scope.h"
#include "jobs/reparse/to_read.h"
#include "runtime/job/slot_parts.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr Columns<LinkRow> kLinkColumns = {"key", "to", "enters", "nofollow", "depth"};

// The name of a rule of the present settings, in counters.
std::string RuleName(UrlCheck check) { return check == UrlCheck::kAccepted ? "none" : std::string(NameOf(check)); }

// Sends each target that may enter, with the check by which the present settings refuse it.
Status MapLinks(TaskContext& context, const FileReceipt& file, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const CrawlScope present,
                        OtherScopeOfPlan(context.store(), context.snapshot(), context.plan()));
  std::string url;
  int64_t rows = 0;
  const auto send = [&](const LinkRow& link) -> Status {
    if (++rows % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (!link.enters || link.nofollow || !WriteUrlOfKey(link.to, &url)) return Status::OK();
    const UrlVerdict verdict = present.Check(url, static_cast<uint32_t>(std::max(link.depth, 0)));
    const UrlCheck check = verdict.accepted ? UrlCheck::kAccepted : verdict.by;
    return sink.Emit(link.to, std::string(1, static_cast<char>(check)));
  };
  return ForEachDatasetRow<LinkRow>(context.store(), context.plan().segment(), LinkRow::kTable, file, send,
                                    {.columns = kLinkColumns, .batch_rows = kNarrowBatchRows});
}

// Counts the known URLs that the rules that are tried refuse, and the present ones do not.
Status MapKnown(TaskContext& context, SlotRange slots) {
  ARROW_ASSIGN_OR_RAISE(const CrawlScope present,
                        OtherScopeOfPlan(context.store(), context.snapshot(), context.plan()));
  ARROW_ASSIGN_OR_RAISE(const CrawlScope tried, ScopeOfPlan(context.store(), context.snapshot(), context.plan()));
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  const auto columns = Columns<UrlRow>({"key", "state", "outcome", "depth"});
  std::string url;
  int64_t rows = 0;
  return ForEachRow<UrlRow>(urls, {.slots = slots, .wanted = columns.Flags()}, [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (IsDropped(row) || !WriteUrlOfKey(row.key, &url)) return Status::OK();
    const auto depth = static_cast<uint32_t>(std::max(row.depth, 0));
    const UrlVerdict verdict = tried.Check(url, depth);
    if (verdict.accepted || !present.Check(url, depth).accepted) return Status::OK();
    ++context.counters()["leave_out." + RuleName(verdict.by)];
    return Status::OK();
  });
}

Status MapPart(TaskContext& context, const Json& part, RowSink& sink) {
  if (HasMember(part, "slots")) {
    ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
    return MapKnown(context, slots);
  }
  ARROW_ASSIGN_OR_RAISE(const Json* receipt, GetObject(part, "file"));
  ARROW_ASSIGN_OR_RAISE(const FileReceipt file, FileReceiptFromJson(*receipt));
  return MapLinks(context, file, sink);
}

Status ReduceTargets(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(context.store(), context.snapshot()));
  KnownRows<UrlRow> urls(table, Columns<UrlRow>({"key"}).Flags());
  std::string_view value;
  for (int64_t keys = 1;; ++keys) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return Status::OK();
    if (keys % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    const RowPlace place = PlaceOfShuffleKey(groups.key());
    ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> known, urls.Locate(place));
    // The first check in the order of their numbers speaks for all links to the target.
    int8_t check = INT8_MAX;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      if (!value.empty()) check = std::min(check, static_cast<int8_t>(value[0]));
    }
    if (known && known->entry.state != 0) continue;
    ++context.counters()["urls_new"];
    ++context.counters()["let_in." + RuleName(static_cast<UrlCheck>(check))];
  }
}

JobRequest TrialRequest(Store* store, const ReadingPlan& planned) {
  JobRequest request;
  request.spec = {.name = "reparse_trial", .map = MapPart, .reduce = ReduceTargets};
  request.plan = [store, planned](const JobEnvironment&, const Snapshot& base, Plan* plan) -> Status {
    plan->facts["segment"] = planned.segment;
    ARROW_RETURN_NOT_OK(PlanScope(store, plan));
    ARROW_RETURN_NOT_OK(PlanOtherScope(store, RulesOfSettings(base.manifest), plan));
    plan->parts = EvenSlotParts(4);
    plan->partitions = 4;
    if (!planned.has_pages) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto parsed, ReadStep(store, planned.segment, kParseStep));
    if (!parsed) return Status::IOError("segment ", planned.segment, " was read and its record is not there");
    for (const FileReceipt& file : parsed->FilesOf(LinkRow::kTable)) {
      if (file.rows > 0) plan->parts.push_back({{"file", ToJson(file)}});
    }
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

std::map<std::string, int64_t> CountsBelow(const Counters& counters, const std::string& group) {
  std::map<std::string, int64_t> counts;
  for (const auto& [name, count] : counters.counts()) {
    if (name.starts_with(group)) counts[name.substr(group.size())] = count;
  }
  return counts;
}

}  // namespace

JobSpec ReparseTrialSpec() { return {.name = "reparse_trial", .map = MapPart, .reduce = ReduceTargets}; }

Result<Trial> TryReading(Store* store, const ReadingRequest& request, const RunJobHere& run) {
  ReadingPlan planned;
  ARROW_ASSIGN_OR_RAISE(const JobResult read, run(ReparseRequest(request, &planned)));
  Trial trial;
  trial.gone = planned.gone;
  if (planned.has_pages) {
    ARROW_ASSIGN_OR_RAISE(const auto record, ReadStep(store, planned.segment, kParseStep));
    if (!record) return Status::IOError("segment ", planned.segment, " was read and its record is not there");
    ARROW_ASSIGN_OR_RAISE(const Counters counters, CountersFromJson(record->counters));
    trial.pages = counters.Get("pages");
    trial.links = counters.Get("links");
    trial.gone += counters.Get("bodies_gone");
  }
  ARROW_ASSIGN_OR_RAISE(const JobResult compared, run(TrialRequest(store, planned)));
  trial.urls_new = compared.output.counters.Get("urls_new");
  trial.let_in = CountsBelow(compared.output.counters, "let_in.");
  trial.leave_out = CountsBelow(compared.output.counters, "leave_out.");
  if (planned.has_pages) ARROW_RETURN_NOT_OK(store->RemoveFolder(SegmentFolder(planned.segment)));
  return trial;
}

}  // namespace trawl
