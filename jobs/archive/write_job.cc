// The second job of trawl archive.
//
//   reads        DIR/_trawl/NAME/revisits; fetch, content, parse and robots of the segments that are archived
//   shuffles by  part, then the place of the capture
//   writes       DIR/crawl-data/NAME/segments/…; DIR/_trawl/NAME/captures, originals and part-00000.json
//   counters     captures; of each part's own (CaptureWriter)
//
// Each reduce task has one part: it goes through the part's fetch files from front to back, with the decisions in the same
// order beside it, and steps through the content files, in which bodies lie in the same order, too.
#include "jobs/archive/write_job.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "formats/documents/sealed_json.h"
#include "formats/rows/content_row.h"
#include "jobs/capture/capture_writer.h"
#include "jobs/capture/captures.h"
#include "jobs/capture/decision_row.h"
#include "jobs/capture/parse_facts.h"
#include "jobs/capture/plan_facts.h"
#include "jobs/capture/stored_body.h"
#include "jobs/cdxindex/archive_options.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/root/segment_data.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kPartsFact[] = "parts";
// The first version of rows of robots that tell of the request and its answer.
constexpr int kRobotsWithCapture = 3;

constexpr auto kFacts =
    Columns<ParseRow>({"key", "body_digest", "failed", "media_type", "charset", "title", "language", "tree"});
constexpr auto kFactsAndText =
    Columns<ParseRow>({"key", "body_digest", "failed", "media_type", "charset", "title", "language", "tree", "text"});
constexpr int64_t kFactsBatchRows = 512;
constexpr int64_t kTextBatchRows = 16;  // a text may have 4 MiB

Result<std::vector<ArchivePartPlan>> PartsOf(const Plan& plan) {
  ARROW_ASSIGN_OR_RAISE(const Json* json, GetArray(plan.facts, kPartsFact));
  std::vector<ArchivePartPlan> parts;
  for (const Json& part : *json) {
    ARROW_ASSIGN_OR_RAISE(parts.emplace_back(), ArchivePartPlanFromJson(part));
  }
  return parts;
}

Status MapDecisions(TaskContext& context, const Json& part, RowSink& sink) {
  if (!HasMember(part, "file")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const ArchiveFacts facts, ArchiveFactsOf(context.plan()));
  ARROW_ASSIGN_OR_RAISE(const std::vector<ArchivePartPlan> parts, PartsOf(context.plan()));
  std::map<int, int> partitions;  // by the number of the part
  for (size_t i = 0; i < parts.size(); ++i) partitions[parts[i].number] = static_cast<int>(i);
  ARROW_ASSIGN_OR_RAISE(const Json* json, GetObject(part, "file"));
  ARROW_ASSIGN_OR_RAISE(const FileReceipt file, FileReceiptFromJson(*json));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(facts.directory));
  std::string key, bytes;
  int64_t rows = 0;
  return ForEachKeptRow<DecisionRow>(to.get(), ArchivePaths(facts.begin.name).Revisits(), file,
                                     [&](const DecisionRow& row) -> Status {
                                       if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
                                       const auto partition = partitions.find(row.part);
                                       if (partition == partitions.end()) return Status::OK();  // it is written
                                       key.clear();
                                       AppendBigEndian(static_cast<uint64_t>(row.file), &key);
                                       AppendBigEndian(static_cast<uint64_t>(row.row), &key);
                                       EncodeRow(row, &bytes);
                                       return sink.EmitTo(partition->second, key, bytes);
                                     });
}

// The decisions of one part, in the order of its captures.
class Decisions {
 public:
  explicit Decisions(GroupStream* groups) : groups_(*groups) {}

  Status Start() { return Advance(); }
  // Null where nothing was decided. Valid until the next call. REQUIRES: places come in order.
  Result<const DecisionRow*> For(int32_t file, int64_t row) {
    while (has_next_ && (next_.file < file || (next_.file == file && next_.row < row))) {
      return Status::Invalid("row ", next_.row, " of fetch file ", next_.file, " was decided on, and is not there");
    }
    if (!has_next_ || next_.file != file || next_.row != row) return nullptr;
    std::swap(next_, current_);
    ARROW_RETURN_NOT_OK(Advance());
    return &current_;
  }

 private:
  Status Advance() {
    std::string_view value;
    ARROW_ASSIGN_OR_RAISE(has_next_, groups_.NextGroup());
    if (!has_next_) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const bool has_value, groups_.NextValue(&value));
    return has_value ? DecodeRow(value, &next_) : Status::Invalid("a capture without its decision");
  }

  GroupStream& groups_;
  bool has_next_ = false;
  DecisionRow next_, current_;
};

// Writes one part.
class PartWriter {
 public:
  PartWriter(TaskContext* context, const ArchiveFacts& facts, const ArchiveOptions& options,
             const ArchivePartPlan& part, GroupStream* groups)
      : context_(*context),
        facts_(facts),
        options_(options),
        part_(part),
        segment_(facts.begin.segments[part.segment].id),
        decisions_(groups),
        bodies_(context->store()),
        pages_(context->store()) {}

  Result<ArchivePart> Write(Store* to) {
    ARROW_ASSIGN_OR_RAISE(writer_, CaptureWriter::Make(to, &facts_.begin, options_, part_));
    ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(context_.store(), segment_, kFetchStep));
    if (!fetched) return Status::IOError("segment ", segment_, ": the record of its fetch is gone");
    ARROW_ASSIGN_OR_RAISE(ParseFacts parsed,
                          ParseFacts::Open(context_.store(), segment_, options_.text ? kFactsAndText : kFacts,
                                           options_.text ? kTextBatchRows : kFactsBatchRows));
    parse_facts_.emplace(std::move(parsed));
    ARROW_RETURN_NOT_OK(decisions_.Start());
    ARROW_RETURN_NOT_OK(WriteAnswers(*fetched));
    ARROW_RETURN_NOT_OK(WriteRobots(*fetched));
    return writer_->Finish();
  }

 private:
  Status WriteAnswers(const StepRecord& fetched) {
    const std::vector<FileReceipt> files = fetched.FilesOf(FetchRow::kTable);
    if (part_.fetch_end > files.size()) return Changed();
    for (size_t file = part_.fetch_begin; file < part_.fetch_end; ++file) {
      int64_t number = 0;
      const auto write = [&](const FetchRow& row) -> Status {
        if (number % 64 == 0) ARROW_RETURN_NOT_OK(context_.CheckStop());
        ARROW_ASSIGN_OR_RAISE(const DecisionRow* const decision, decisions_.For(static_cast<int32_t>(file), number));
        return WriteAnswer(row, PlaceOfCapture(segment_, files[file].name, number++), decision);
      };
      ARROW_RETURN_NOT_OK(
          ForEachDatasetRow<FetchRow>(context_.store(), segment_, FetchRow::kTable, files[file], write));
    }
    return Status::OK();
  }

  Status WriteAnswer(const FetchRow& row, const std::string& place, const DecisionRow* decision) {
    if (!HasWholeHead(row.response_headers)) {
      writer_->Skip("no_answer");
      return Status::OK();
    }
    const Decision decided = decision == nullptr ? Decision::kNone : decision->decision;
    if (decided == Decision::kSkip || decided == Decision::kNoBody) {
      writer_->Skip(decided == Decision::kSkip ? decision->reason : "no_body");
      return Status::OK();
    }
    if (!options_.HasSubset(SubsetOf(row))) {
      writer_->Skip("not_asked_for");
      return Status::OK();
    }
    ++context_.counters()["captures"];
    WholeCapture capture = {.place = place, .fetch = &row, .decision = decision};
    if (row.outcome == Outcome::kFetched) {
      ARROW_RETURN_NOT_OK(ReadBody(row, decided, decision));
      capture.body = &body_.body;
      ARROW_RETURN_NOT_OK(ReadFacts(row, decided, &capture));
    }
    return writer_->WriteAnswer(capture);
  }

  // REQUIRES: fetched.
  Status ReadBody(const FetchRow& row, Decision decided, const DecisionRow* decision) {
    body_.body.clear();
    if (decided == Decision::kSamePayload || row.bytes == 0) return Status::OK();
    const bool is_elsewhere = decided == Decision::kFull;
    if (!is_elsewhere && row.content_file.empty())
      return Status::Invalid(row.url, ": nobody knows where its body lies");
    return bodies_.Read(is_elsewhere ? decision->body_segment : segment_,
                        is_elsewhere ? decision->body_file : row.content_file,
                        is_elsewhere ? decision->body_row : row.content_row, row.body_digest, &body_);
  }

  Status ReadFacts(const FetchRow& row, Decision decided, WholeCapture* capture) {
    bool was_parsed = false;
    if (!row.content_file.empty()) {
      ARROW_ASSIGN_OR_RAISE(was_parsed,
                            parse_facts_->Find(row.content_file, row.content_row, row.body_digest, &parsed_));
    } else if (decided == Decision::kFull && !row.listed.empty()) {
      UrlRow listed;
      ARROW_RETURN_NOT_OK(DecodeRow(row.listed, &listed));
      if (!listed.body_file.empty()) {
        ARROW_ASSIGN_OR_RAISE(was_parsed, pages_.Find(listed, &parsed_));
      }
    }
    if (was_parsed) capture->parsed = &parsed_;
    return Status::OK();
  }

  Status WriteRobots(const StepRecord& fetched) {
    if (!options_.HasSubset(kRobotsSubset)) return Status::OK();
    const std::vector<FileReceipt> files = fetched.FilesOf(RobotsRow::kTable);
    if (part_.robots_end > files.size()) return Changed();
    const auto schema = fetched.schemas.find(RobotsRow::kTable);
    const bool has_capture = schema != fetched.schemas.end() && schema->second >= kRobotsWithCapture;
    for (size_t file = part_.robots_begin; file < part_.robots_end; ++file) {
      int64_t number = 0;
      const auto write = [&](const RobotsRow& row) -> Status {
        if (number % 64 == 0) ARROW_RETURN_NOT_OK(context_.CheckStop());
        const std::string place = PlaceOfCapture(segment_ + "/" + RobotsRow::kTable, files[file].name, number++);
        return writer_->WriteRobots(place, row, has_capture);
      };
      const Status written =
          ForEachDatasetRow<RobotsRow>(context_.store(), segment_, RobotsRow::kTable, files[file], write);
      // The gc of an older version removed them, once updatedb had read them.
      if (!IsNotFound(written)) ARROW_RETURN_NOT_OK(written);
    }
    return Status::OK();
  }

  Status Changed() const { return Status::IOError("segment ", segment_, ": the record of its fetch has changed"); }

  TaskContext& context_;
  const ArchiveFacts& facts_;
  const ArchiveOptions& options_;
  const ArchivePartPlan part_;
  const std::string segment_;
  Decisions decisions_;
  BodiesByPlace bodies_;
  NewestPages pages_;
  std::optional<ParseFacts> parse_facts_;
  std::unique_ptr<CaptureWriter> writer_;
  ContentRow body_;
  ParseRow parsed_;
};

Status ReducePart(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const ArchiveFacts facts, ArchiveFactsOf(context.plan()));
  ARROW_ASSIGN_OR_RAISE(const ArchiveOptions options, context.Read(ArchiveOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const std::vector<ArchivePartPlan> parts, PartsOf(context.plan()));
  const auto number = static_cast<size_t>(context.id().number);
  if (number >= parts.size()) return Status::Invalid("there is no part for partition ", number);
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(facts.directory));
  PartWriter writer(&context, facts, options, parts[number], &groups);
  ARROW_ASSIGN_OR_RAISE(const ArchivePart part, writer.Write(to.get()));
  for (const auto& [name, count] : part.counts) context.counters()[name] += count;
  // Another attempt may have been faster, with the same text.
  return to->CreateExclusive(ArchivePaths(facts.begin.name).Part(part.number), SealJson(ToJson(part))).status();
}

}  // namespace

JobSpec ArchiveWriteSpec() { return {.name = "archive_write", .map = MapDecisions, .reduce = ReducePart}; }

JobRequest ArchiveWriteRequest(WriteWish wish, int64_t snapshot) {
  JobRequest request;
  request.spec = ArchiveWriteSpec();
  request.base_snapshot = snapshot;
  request.plan = [wish = std::move(wish)](const JobEnvironment&, const Snapshot&, Plan* plan) {
    AddArchiveFacts(wish.begin, wish.directory, plan);
    plan->facts[kPartsFact] = Json::array();
    for (const ArchivePartPlan& part : wish.parts) plan->facts[kPartsFact].push_back(ToJson(part));
    for (const FileReceipt& file : wish.decisions) plan->parts.push_back({{"file", ToJson(file)}});
    if (plan->parts.empty()) plan->parts.push_back(Json::object());
    plan->partitions = static_cast<int>(wish.parts.size());
    int64_t captures = 0;
    for (const FileReceipt& file : wish.decisions) captures += file.rows;
    plan->work.bytes = 2 * captures * kUsualStoredBytes;  // read and written
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

}  // namespace trawl
