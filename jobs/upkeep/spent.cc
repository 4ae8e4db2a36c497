#include "jobs/upkeep/spent.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/rows/candidate_row.h"
#include "formats/rows/catalog.h"
#include "jobs/segment/life.h"
#include "jobs/stats/round.h"
#include "jobs/upkeep/running_jobs.h"
#include "runtime/job/counters.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/root/snapshot.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Looking for a URL in a list of so many is as quick as looking up its domain.
constexpr int64_t kShortList = 1'000;

// "20260101T000000Z": the second in which a job began.
std::string SecondOf(const std::string& id) { return id.substr(0, id.find('-')); }

// The last two segments that were applied, the last one first.
std::vector<ClosedSegment> LastApplied(const Manifest& present) {
  std::vector<ClosedSegment> last;
  for (auto segment = present.closed_segments.rbegin(); segment != present.closed_segments.rend(); ++segment) {
    if (segment->end == SegmentEnd::kApplied && !IsStoreOfBodies(*segment)) last.push_back(*segment);
    if (last.size() == 2) break;
  }
  return last;
}

// Whether a job that began since the segment was made may still run, and reads a snapshot that has it open.
Result<bool> IsInUse(Store* store, const ClosedSegment& segment, TimeMs real_ms) {
  ARROW_ASSIGN_OR_RAISE(const auto jobs, store->List(kJobsFolder, /*recursive=*/false));
  std::vector<StoreEntry> entries;
  for (const StoreEntry& job : jobs) {
    const std::string id = job.path.substr(job.path.rfind('/') + 1);
    if (!job.is_folder || SecondOf(id) < SecondOf(segment.job)) continue;
    ARROW_ASSIGN_OR_RAISE(const auto files, store->List(job.path, /*recursive=*/false));
    entries.insert(entries.end(), files.begin(), files.end());
  }
  ARROW_ASSIGN_OR_RAISE(const RunningJobs running, RunningJobs::Read(store, entries, real_ms));
  return !running.snapshots().empty() && *running.snapshots().begin() < segment.snapshot;
}

class Remover {
 public:
  explicit Remover(Store* store) : store_(store) {}

  template <typename Wanted>
  Status RemoveDatasets(const StepRecord& record, const Wanted& is_spent) {
    for (const StepTask& task : record.tasks) {
      for (const auto& [dataset, files] : task.files) {
        if (!is_spent(dataset)) continue;
        for (const FileReceipt& file : files) {
          const std::string path = DatasetFilePath(record.segment, dataset, file.name);
          ARROW_ASSIGN_OR_RAISE(const bool is_there, store_->Exists(path));
          if (!is_there) continue;
          ARROW_RETURN_NOT_OK(store_->Remove(path));
          Count(file.seal.size_bytes);
        }
      }
    }
    return Status::OK();
  }

  // A job whose folder has more than its report, and the document of a round, is left to gc.
  Status RemoveReport(const std::string& job) {
    ARROW_ASSIGN_OR_RAISE(const auto files, store_->List(JobFolder(job), /*recursive=*/true));
    bool has_round = false;
    for (const StoreEntry& file : files) {
      if (file.path != ReportPath(job) && file.path != RoundPath(job)) return Status::OK();
      has_round = has_round || file.path == RoundPath(job);
      if (file.path == ReportPath(job)) Count(file.size_bytes);
    }
    return has_round ? store_->Remove(ReportPath(job)) : store_->RemoveFolder(JobFolder(job));
  }

  const Removed& removed() const { return removed_; }

 private:
  void Count(int64_t bytes) {
    ++removed_.files;
    removed_.bytes += bytes;
  }

  Store* const store_;
  Removed removed_;
};

// An older version noted less in the document of a round.
Result<bool> TellsOfSteps(Store* store, const ClosedSegment& segment) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<Json> round, ReadRound(store, segment));
  return round && HasMember(*round, "counters") && HasMember((*round)["counters"], "fetch");
}

}  // namespace

bool IsPassing(const std::string& job) {
  constexpr std::string_view kVerbs[] = {"-compact-", "-select-", "-settle-", "-settle_exact-", "-settle_near-"};
  return std::any_of(std::begin(kVerbs), std::end(kVerbs),
                     [&job](std::string_view verb) { return job.find(verb) != std::string::npos; });
}

bool HasOneShortList(const StepRecord& lists) {
  return lists.tasks.size() == 1 && lists.RowsOf(kFetchlist) <= kShortList;
}

bool HasAllOutcomes(const StepRecord& fetched) {
  const Result<Counters> counters = CountersFromJson(fetched.counters);
  return counters.ok() && counters->Get("not_reached") + counters->Get("given_back") == 0;
}

bool IsSpent(const std::string& dataset, const ListsFacts& facts) {
  if (dataset == kFetchlistHosts || dataset == kFetchlistRobots) return true;
  if (dataset == HostRow::kTable) return true;
  // It says on which list a domain is.
  if (dataset == HeldRow::kTable) return facts.has_one_list;
  return dataset == kFetchlist && facts.has_all_outcomes;
}

namespace {

Status RemoveOfLast(Store* store, const ClosedSegment& segment, Remover* remover) {
  ARROW_ASSIGN_OR_RAISE(const bool has_lists, store->Exists(ListsRecordPath(segment.id, segment.job)));
  if (!has_lists) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const StepRecord lists, ReadLists(store, segment.id, segment.job, segment.lists));
  const ListsFacts facts = {.has_one_list = HasOneShortList(lists), .has_all_outcomes = false};
  return remover->RemoveDatasets(lists, [&facts](const std::string& dataset) { return IsSpent(dataset, facts); });
}

// The reports of passing jobs since the segment was made, and before the one after it.
Status RemovePassing(Store* store, const ClosedSegment& segment, const ClosedSegment& next, Remover* remover) {
  ARROW_ASSIGN_OR_RAISE(const auto jobs, store->List(kJobsFolder, /*recursive=*/false));
  for (const StoreEntry& job : jobs) {
    const std::string id = job.path.substr(job.path.rfind('/') + 1);
    const std::string second = SecondOf(id);
    const bool is_between = SecondOf(segment.job) <= second && second < SecondOf(next.job);
    if (job.is_folder && is_between && IsPassing(id)) ARROW_RETURN_NOT_OK(remover->RemoveReport(id));
  }
  return Status::OK();
}

Status RemoveOfOneBefore(Store* store, const ClosedSegment& segment, Remover* remover) {
  ARROW_ASSIGN_OR_RAISE(const bool has_lists, store->Exists(ListsRecordPath(segment.id, segment.job)));
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, segment.id, kFetchStep));
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> parsed, ReadStep(store, segment.id, kParseStep));
  if (!has_lists || !fetched || !parsed) return Status::OK();  // gc looks at it
  ARROW_ASSIGN_OR_RAISE(const StepRecord lists, ReadLists(store, segment.id, segment.job, segment.lists));
  if (HasAllOutcomes(*fetched)) {
    ARROW_RETURN_NOT_OK(
        remover->RemoveDatasets(lists, [](const std::string& dataset) { return dataset == kFetchlist; }));
  }
  ARROW_RETURN_NOT_OK(
      remover->RemoveDatasets(*fetched, [](const std::string& dataset) { return IsSpent(dataset, {}); }));
  ARROW_ASSIGN_OR_RAISE(const bool tells_of_steps, TellsOfSteps(store, segment));
  if (!tells_of_steps) return Status::OK();
  for (const std::string& job : {lists.job, fetched->job, parsed->job, segment.updatedb}) {
    ARROW_RETURN_NOT_OK(remover->RemoveReport(job));
  }
  return Status::OK();
}

}  // namespace

Result<Removed> RemoveSpent(Store* store, TimeMs real_ms) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store));
  const std::vector<ClosedSegment> applied = LastApplied(present.manifest);
  Remover remover(store);
  for (size_t i = 0; i < applied.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const bool is_in_use, IsInUse(store, applied[i], real_ms));
    if (is_in_use) continue;
    if (i == 0) {
      ARROW_RETURN_NOT_OK(RemoveOfLast(store, applied[i], &remover));
      continue;
    }
    ARROW_RETURN_NOT_OK(RemoveOfOneBefore(store, applied[i], &remover));
    ARROW_RETURN_NOT_OK(RemovePassing(store, applied[i], applied[0], &remover));
  }
  return remover.removed();
}

}  // namespace trawl
