// Contents that trawl settle compares with one another, round by round, without pages or the exact job: a test writes
// settle_contents itself.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/rows/settle_rows.h"
#include "formats/url/key.h"
#include "jobs/policy/settle_options.h"
#include "jobs/settle/near_job.h"
#include "runtime/job/local_runner.h"
#include "runtime/options/global.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

// The digest of a content, for any text.
inline std::string ContentOf(const std::string& text) { return ToHex(Sha256Of(text)); }

inline SettledContentRow ContentRowOf(const std::string& content, uint64_t fingerprint, const std::string& order,
                                      const std::string& page) {
  return {.key = content + ")", .page = page, .order = order, .simhash = static_cast<int64_t>(fingerprint)};
}

template <typename Row>
void SortRows(std::vector<Row>* rows) {
  std::vector<std::pair<uint32_t, size_t>> slots;
  for (size_t i = 0; i < rows->size(); ++i) slots.emplace_back(SlotOfKey((*rows)[i].key), i);
  std::sort(slots.begin(), slots.end(), [rows](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : (*rows)[a.second].key < (*rows)[b.second].key;
  });
  std::vector<Row> sorted;
  sorted.reserve(rows->size());
  for (const auto& [slot, i] : slots) sorted.push_back(std::move((*rows)[i]));
  *rows = std::move(sorted);
}

struct NearSettlement {
  JobOutput output;
  std::vector<VerdictRow> verdicts;
  double seconds = 0;
};

class NearScene {
 public:
  NearScene(Store* store, std::string temp_folder) : store_(store), temp_folder_(std::move(temp_folder)) {}

  int distance = 3;
  int parts = 0;  // as --partitions
  int threads = 2;
  NearPolicy near_policy = NearPolicy::kMark;
  bool second_look = true;

  // Writes the rows as a run that no snapshot names.
  arrow::Result<RunReference> WriteContents(std::vector<SettledContentRow> rows, std::string run = "") {
    SortRows(&rows);
    if (run.empty()) run = "contents-" + std::to_string(++runs_);
    RunWriter<SettledContentRow> writer(store_, RunFolder(SettledContentRow::kTable, run), "r0-0", {});
    for (const SettledContentRow& row : rows) ARROW_RETURN_NOT_OK(writer.Append(row));
    RunRecord record = {.table = SettledContentRow::kTable, .schema = SettledContentRow::kVersion, .job = run};
    ARROW_ASSIGN_OR_RAISE(record.files, writer.Finish());
    return WriteRunRecord(store_, run, record);
  }

  // Settles and publishes.
  arrow::Result<NearSettlement> Settle(const std::vector<SettledContentRow>& rows, bool all = false) {
    ARROW_ASSIGN_OR_RAISE(const RunReference contents, WriteContents(rows));
    ARROW_ASSIGN_OR_RAISE(NearSettlement settlement, Compare(contents, all));
    ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store_));
    Manifest next = NextManifest(present, "publish-" + std::to_string(++runs_), "test", 0);
    std::vector<RunReference>& runs = next.tables[FingerprintRow::kTable];
    if (all) runs.clear();
    const auto run = settlement.output.runs.find(FingerprintRow::kTable);
    if (run != settlement.output.runs.end()) runs.push_back(run->second);
    if (runs.empty()) next.tables.erase(FingerprintRow::kTable);
    ARROW_RETURN_NOT_OK(PublishSnapshot(store_, next).status());
    return settlement;
  }

  // Settles without publishing.
  arrow::Result<NearSettlement> Compare(const RunReference& contents, bool all) {
    LocalRunner runner({.threads = threads, .memory_bytes = int64_t{256} << 20, .temp_folder = temp_folder_});
    JobEnvironment environment;
    environment.store = store_;
    environment.runner = &runner;
    environment.clock = &SystemClock();
    environment.version = "test";
    environment.options = GlobalOptionGroup().Print({});
    environment.options.merge(JobOptionGroup().Print({}));
    environment.options.merge(
        SettleOptionGroup().Print({.near_policy = near_policy, .distance = distance, .second_look = second_look}));
    environment.options["temp_dir"] = temp_folder_;
    ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store_));
    ARROW_ASSIGN_OR_RAISE(
        const JobResult result,
        RunJob(environment, NearJobRequest(present.manifest.number, contents, all, {.partitions = parts}, threads)));
    NearSettlement settlement = {.output = result.output, .seconds = result.seconds};
    const auto run = result.output.runs.find(VerdictRow::kTable);
    if (run == result.output.runs.end()) return settlement;
    ARROW_ASSIGN_OR_RAISE(const auto verdicts, Table::OpenRuns<VerdictRow>(store_, {run->second}));
    ARROW_RETURN_NOT_OK(ForEachRow<VerdictRow>(verdicts, {}, [&settlement](const VerdictRow& row) {
      settlement.verdicts.push_back(row);
      return arrow::Status::OK();
    }));
    return settlement;
  }

  // The rows of the table, in its order.
  std::vector<FingerprintRow> Rows() const {
    std::vector<FingerprintRow> rows;
    const auto table = Table::Open<FingerprintRow>(store_, ReadPresent(store_).ValueOrDie().manifest).ValueOrDie();
    (void)ForEachRow<FingerprintRow>(table, {}, [&rows](const FingerprintRow& row) {
      rows.push_back(row);
      return arrow::Status::OK();
    });
    return rows;
  }

 private:
  Store* const store_;
  const std::string temp_folder_;
  int runs_ = 0;
};

}  // namespace trawl
