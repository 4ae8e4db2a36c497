// The second of the two jobs that settle near texts; jobs/near/news.h is the first.
//
//   reads        what the first job wrote (settle_contents itself where there are no fingerprints yet, or all are decided
//                anew), and fingerprints by ranges of slots
//   shuffles by  the order of representatives, to one partition
//   writes       fingerprints, settle_verdicts
//   counters     near_decided: contents that were decided; near_found: those of them that are near another
#include "jobs/settle/near_job.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "formats/digests/text_sketch.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/near/decisions.h"
#include "jobs/near/near.h"
#include "jobs/near/news.h"
#include "jobs/near/rows.h"
#include "jobs/near/search.h"
#include "jobs/policy/settle_options.h"
#include "runtime/job/run_facts.h"
#include "runtime/job/slot_parts.h"
#include "runtime/options/global.h"
#include "runtime/root/layout.h"
#include "runtime/shuffle/shuffle.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Facts of the plan: the runs that are read.
constexpr char kContents[] = "contents";
constexpr char kStandings[] = "standings";
constexpr char kVerdicts[] = "verdicts";
// Whether the table is left out.
constexpr char kAll[] = "all";

// The first byte of a value: a SettledContentRow, or a match of it as a FingerprintRow.
constexpr char kTurnTag = 'T';
constexpr char kMatchTag = 'M';

// The most contents that are searched for at once, and bytes of their turns: the table is read once for each such number.
constexpr size_t kMostSearched = 250'000;
constexpr size_t kMostTurnBytes = size_t{64} << 20;

// Searches for contents, and sends what is found.
class TableMatches {
 public:
  TableMatches(NearSearch search, bool second_look, RowSink* sink)
      : search_(std::move(search)), second_look_(second_look), sink_(sink) {}

  Status Add(const SettledContentRow& content) {
    turns_.push_back(TurnOf(content.order, ContentPlaceOf(content.key).content));
    wanted_.push_back(static_cast<uint64_t>(content.simhash));
    if (second_look_) sketches_.push_back(TextSketch::FromBytes(content.text_sketch));
    turn_bytes_ += turns_.back().size();
    return wanted_.size() < kMostSearched && turn_bytes_ < kMostTurnBytes ? Status::OK() : Finish();
  }
  Status Finish() {
    ARROW_ASSIGN_OR_RAISE(const auto matches, search_.Search(wanted_, sketches_));
    std::string bytes;
    for (const auto& [number, match] : matches) {
      EncodeRow(
          FingerprintRow{
              .content = match.content, .distance = match.distance, .page = match.page, .order = match.order},
          &bytes);
      ARROW_RETURN_NOT_OK(sink_->EmitTo(0, turns_[number], kMatchTag + bytes));
    }
    turns_.clear();
    wanted_.clear();
    sketches_.clear();
    turn_bytes_ = 0;
    return Status::OK();
  }

 private:
  NearSearch search_;
  const bool second_look_;
  RowSink* const sink_;
  std::vector<std::string> turns_;
  std::vector<uint64_t> wanted_;
  std::vector<TextSketch> sketches_;
  size_t turn_bytes_ = 0;
};

Result<bool> IsOfAll(const TaskContext& context) { return GetBool(context.plan().facts, kAll); }

// The contents that stood for near ones, and do not any more or are decided anew; 8 bytes for each.
Result<std::vector<uint64_t>> LeavingContents(const std::shared_ptr<const Table>& standings) {
  std::vector<uint64_t> leaving;
  ARROW_RETURN_NOT_OK(ForEachRow<FingerprintRow>(
      standings, {.wanted = Columns<FingerprintRow>({"key", "removed", "content"}).Flags(), .include_removed = true},
      [&leaving](const FingerprintRow& row) {
        if (!row.removed || !Stands(row)) return Status::OK();
        return BeginningOf(ContentPlaceOf(row.key).content, &leaving.emplace_back());
      }));
  std::sort(leaving.begin(), leaving.end());
  return leaving;
}

Status SearchTable(TaskContext& context, SlotRange slots, const std::shared_ptr<const Table>& contents, RowSink* sink) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<FingerprintRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context.Read(SettleOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto standings, OpenRunsOfFact<FingerprintRow>(context, kStandings));
  ARROW_ASSIGN_OR_RAISE(const auto leaving, LeavingContents(standings));
  TableMatches matches(NearSearch(std::move(table), standings, slots, settle.distance, leaving, context.stop()),
                       settle.second_look, sink);
  ARROW_RETURN_NOT_OK(ForEachRow<SettledContentRow>(
      contents, {.wanted = Columns<SettledContentRow>({"key", "is_gone", "order", "simhash", "text_sketch"}).Flags()},
      [&matches](const SettledContentRow& row) {
        return row.is_gone || row.simhash == 0 ? Status::OK() : matches.Add(row);
      }));
  return matches.Finish();
}

Status MapSlots(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  ARROW_ASSIGN_OR_RAISE(const auto contents, OpenRunsOfFact<SettledContentRow>(context, kContents));
  std::string bytes;
  ARROW_RETURN_NOT_OK(ForEachRow<SettledContentRow>(contents, {.slots = slots}, [&](const SettledContentRow& row) {
    if (row.is_gone) return Status::OK();
    EncodeRow(row, &bytes);
    return sink.EmitTo(0, TurnOf(row.order, ContentPlaceOf(row.key).content), kTurnTag + bytes);
  }));
  ARROW_ASSIGN_OR_RAISE(const bool is_of_all, IsOfAll(context));
  return is_of_all ? Status::OK() : SearchTable(context, slots, contents, &sink);
}

// The folder for what does not fit into memory: the driver's, which another machine may lack.
std::string TempFolder(const GlobalOptions& global) {
  std::error_code ignored;
  if (std::filesystem::is_directory(global.temp_dir, ignored)) return global.temp_dir;
  const auto usual = std::filesystem::temp_directory_path(ignored);
  return usual.empty() ? "/tmp" : usual.string();
}

// Sorts the rows of both tables into their order, on disk where they are many.
class RowSorter {
 public:
  static Result<std::unique_ptr<RowSorter>> Make(const std::string& temp_folder) {
    auto sorter = std::unique_ptr<RowSorter>(new RowSorter());
    ShuffleOptions options;
    options.shape.partitions = 2;
    options.memory_bytes = int64_t{128} << 20;
    options.temp_folder = temp_folder;
    ARROW_ASSIGN_OR_RAISE(sorter->shuffle_, Shuffle::Make(options));
    ARROW_ASSIGN_OR_RAISE(sorter->rows_, sorter->shuffle_->StartMap());
    return sorter;
  }

  Status Put(const FingerprintRow& row) {
    return row.removed ? PutRow(0, FingerprintRow{.key = row.key, .removed = true}) : PutRow(0, row);
  }
  Status Put(const VerdictRow& row) { return PutRow(1, row); }

  Status Seal() {
    ARROW_RETURN_NOT_OK(rows_->Commit());
    rows_.reset();
    return shuffle_->Seal();
  }
  // REQUIRES: sealed. Of rows of one key one that is not removed is written.
  template <typename Row>
  Status Write(TaskContext& context, RunWriter<Row>* run) {
    ARROW_ASSIGN_OR_RAISE(const auto groups, shuffle_->OpenPartition(std::is_same_v<Row, VerdictRow> ? 1 : 0));
    Row row, other;
    std::string_view value;
    for (int64_t keys = 1;; ++keys) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups->NextGroup());
      if (!more) return Status::OK();
      if (keys % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
      for (bool is_first = true;; is_first = false) {
        ARROW_ASSIGN_OR_RAISE(const bool has_value, groups->NextValue(&value));
        if (!has_value) break;
        ARROW_RETURN_NOT_OK(DecodeRow(value, &other));
        if (is_first || row.removed) std::swap(row, other);
      }
      ARROW_RETURN_NOT_OK(run->Append(row));
    }
  }

 private:
  RowSorter() = default;

  template <typename Row>
  Status PutRow(int partition, const Row& row) {
    const uint16_t slot = slot_of_(row.key);
    place_.assign({static_cast<char>(slot >> 8), static_cast<char>(slot & 0xFF)});
    place_.append(row.key);
    EncodeRow(row, &bytes_);
    return rows_->Emit(partition, place_, bytes_);
  }

  std::unique_ptr<Shuffle> shuffle_;
  std::unique_ptr<ShuffleMapOutput> rows_;
  SlotOfKeys slot_of_;
  std::string place_, bytes_;
};

// Reads the turns in their order, each with the best of its matches.
Status ForEachTurn(TaskContext& context, GroupStream& groups, const std::function<Status(ContentTurn)>& take) {
  std::string_view value;
  FingerprintRow found;
  for (int64_t keys = 1;; ++keys) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return Status::OK();
    if (keys % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ContentTurn turn;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      if (value.starts_with(kTurnTag)) {
        ARROW_RETURN_NOT_OK(DecodeRow(value.substr(1), &turn.content));
        continue;
      }
      ARROW_RETURN_NOT_OK(DecodeRow(value.substr(1), &found));
      NearMatch match = {found.distance, found.content, found.page, found.order};
      if (turn.match.content.empty() || match.Beats(turn.match)) turn.match = std::move(match);
    }
    if (turn.content.key.empty()) return Status::IOError("a match came without its content");
    ARROW_RETURN_NOT_OK(take(std::move(turn)));
  }
}

// Rules:
//  1. A content without a fingerprint is near none, and stands for none.
//  2. Any other is near the nearest content that stands and, with settle.second_look, may be a copy of the same text; of
//     equally near ones the first in the order of representatives; near none, it stands (jobs/near/decisions.h).
Status ReduceTurns(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const GlobalOptions global, context.Read(GlobalOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context.Read(SettleOptionGroup()));
  const std::string temp_folder = TempFolder(global);
  ARROW_ASSIGN_OR_RAISE(const auto sorter, RowSorter::Make(temp_folder));
  const auto put = [&sorter](const auto& row) { return sorter->Put(row); };

  int64_t& decided = context.counters()["near_decided"];
  int64_t& found = context.counters()["near_found"];
  const auto write = [&](const ContentTurn& turn) -> Status {
    const SettledContentRow& content = turn.content;
    ++decided;
    if (!turn.match.content.empty()) ++found;
    ARROW_RETURN_NOT_OK(sorter->Put(VerdictRow{.key = content.key + content.page,
                                               .is_near = true,
                                               .near_duplicate_of = turn.match.page,
                                               .distance = turn.match.distance}));
    if (content.simhash == 0) return Status::OK();
    return ForEachRowOf({.key = content.key,
                         .content = turn.match.content,
                         .distance = turn.match.distance,
                         .simhash = content.simhash,
                         .page = content.page,
                         .order = content.order,
                         .text_sketch = content.text_sketch},
                        put);
  };
  NearDecisions decisions({.distance = settle.distance, .temp_folder = temp_folder, .second_look = settle.second_look},
                          context.stop(), write);
  ARROW_RETURN_NOT_OK(ForEachTurn(context, groups, [&](ContentTurn turn) {
    return turn.content.simhash == 0 ? write(turn) : decisions.Add(std::move(turn));
  }));
  ARROW_RETURN_NOT_OK(decisions.Finish());

  ARROW_ASSIGN_OR_RAISE(const auto standings, OpenRunsOfFact<FingerprintRow>(context, kStandings));
  ARROW_RETURN_NOT_OK(ForEachRow<FingerprintRow>(standings, {.include_removed = true},
                                                 [&](const FingerprintRow& row) { return ForEachRowOf(row, put); }));
  ARROW_ASSIGN_OR_RAISE(const auto verdicts, OpenRunsOfFact<VerdictRow>(context, kVerdicts));
  ARROW_RETURN_NOT_OK(ForEachRow<VerdictRow>(verdicts, {}, put));
  ARROW_RETURN_NOT_OK(sorter->Seal());
  ARROW_RETURN_NOT_OK(sorter->Write(context, context.OpenRun<FingerprintRow>(FileOptions(job))));
  return sorter->Write(context, context.OpenRun<VerdictRow>(FileOptions(job)));
}

int64_t RowsOf(const JobOutput& output, const char* table) {
  const auto run = output.runs.find(table);
  return run == output.runs.end() ? 0 : run->second.rows;
}

}  // namespace

JobSpec NearJobSpec() { return {.name = "settle_near", .map = MapSlots, .reduce = ReduceTurns}; }

JobRequest NearJobRequest(int64_t snapshot, const RunReference& contents, bool all, const JobOptions& job,
                          int threads) {
  JobRequest request;
  request.spec = NearJobSpec();
  request.base_snapshot = snapshot;
  // What the first job wrote goes when this one has read it; what is left by a job that was killed is gc's.
  const auto remove_news = std::make_shared<std::function<void()>>([] {});
  request.plan = [contents, all, job, threads, remove_news](const JobEnvironment& environment, const Snapshot& base,
                                                            Plan* plan) -> Status {
    int64_t stored_rows = 0;
    const auto table = base.manifest.tables.find(FingerprintRow::kTable);
    if (table != base.manifest.tables.end()) {
      for (const RunReference& run : table->second) stored_rows += run.rows;
    }
    const bool is_of_all = all || stored_rows == 0;
    plan->facts[kAll] = is_of_all;
    plan->facts[kContents] = RunsToFact({contents});
    int64_t rows = contents.rows;
    if (!is_of_all) {
      const JobRequest first = NearNewsRequest(base.manifest.number, contents, job, threads);
      ARROW_ASSIGN_OR_RAISE(const JobResult news, RunJob(environment, first));
      plan->facts[kContents] = RunsToFact(RunsOf(news.output, SettledContentRow::kTable));
      plan->facts[kStandings] = RunsToFact(RunsOf(news.output, FingerprintRow::kTable));
      plan->facts[kVerdicts] = RunsToFact(RunsOf(news.output, VerdictRow::kTable));
      const int64_t anew = RowsOf(news.output, SettledContentRow::kTable);
      // Each value of a quarter that is looked at costs about as much as reading this number of rows.
      constexpr int64_t kRowsAValue = 250;
      ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, SettleOptionGroup().Read(environment.options));
      rows = std::min(stored_rows, anew * ValuesLookedAt(settle.distance) * kRowsAValue);
      const auto remove = [store = environment.store, runs = news.output.runs] {
        for (const auto& [name, run] : runs) (void)store->RemoveFolder(RunFolder(name, run.run));
      };
      if (environment.does_afterwards()) {
        ARROW_RETURN_NOT_OK(environment.DoAfterwards([remove]() -> Status {
          remove();
          return Status::OK();
        }));
      } else {
        *remove_news = remove;
      }
    }
    plan->parts = job.partitions > 0 ? EvenSlotParts(job.partitions) : SlotParts(rows, threads);
    plan->partitions = 1;
    return Status::OK();
  };
  request.apply = [remove_news](const Plan&, const JobOutput&, Manifest*) -> Result<bool> {
    (*remove_news)();
    return false;
  };
  return request;
}

}  // namespace trawl
