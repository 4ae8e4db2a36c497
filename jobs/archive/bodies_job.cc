// The first job of trawl archive.
//
//   reads        fetch of the segments that are archived, and the narrow columns of parse; DIR/_trawl/EARLIER/originals
//   shuffles by  digest of the body, then the order in which captures of it count
//   writes       DIR/_trawl/NAME/revisits: a DecisionRow for each capture that is not simply its own body
//   counters     bodies, of which originals; same_payload, not_modified, moved, no_body; skipped
//
// Places travel, not bodies. A body of which the SHA-1 was not noted when it came is read where a revisit needs it.
#include "jobs/archive/bodies_job.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "formats/cdx/capture_row.h"
#include "formats/digests/digest.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/some_columns.h"
#include "formats/warc/names.h"
#include "jobs/archive/body_decisions.h"
#include "jobs/archive/body_event.h"
#include "jobs/archive/stored_files.h"
#include "jobs/capture/captures.h"
#include "jobs/capture/decision_row.h"
#include "jobs/capture/keeping_store.h"
#include "jobs/capture/plan_facts.h"
#include "jobs/capture/wishes.h"
#include "jobs/segment/stored_bodies.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kRevisitsFact[] = "revisits";

constexpr size_t kDigestBytes = 32;

class BodySink {
 public:
  explicit BodySink(RowSink* sink) : sink_(*sink) {}

  // `digest` has 32 bytes.
  Status Emit(std::string_view digest, size_t segment, const BodyEvent& event) {
    key_.assign(digest);
    key_.push_back(static_cast<char>(event.rank));
    AppendBigEndian(segment, &key_);
    AppendBigEndian(static_cast<uint64_t>(std::max<int64_t>(event.began_ms, 0)), &key_);
    AppendBigEndian(static_cast<uint64_t>(event.file), &key_);
    AppendBigEndian(static_cast<uint64_t>(event.row), &key_);
    key_.append(event.record_id);
    EncodeRow(event, &bytes_);
    const auto partition = Hash64(digest) % static_cast<uint64_t>(sink_.partitions());
    return sink_.EmitTo(static_cast<int>(partition), key_, bytes_);
  }

 private:
  RowSink& sink_;
  std::string key_, bytes_;
};

constexpr auto kFetchColumns =
    Columns<FetchRow>({"key", "url", "listed", "outcome", "fetched_ms", "total_ms", "began_ms", "response_headers",
                       "bytes", "body_digest", "body_sha1", "content_file", "content_row", "shares_body"});

// Sends the captures of one part.
class CaptureSender {
 public:
  CaptureSender(TaskContext* context, const ArchiveFacts& facts, const ArchivePartPlan& part, RowSink* sink)
      : context_(*context), facts_(facts), part_(part), bodies_(context->store()), sink_(sink) {}

  Status Run() {
    const std::string& segment = facts_.begin.segments[part_.segment].id;
    ARROW_ASSIGN_OR_RAISE(wishes_, CaptureWishes::Open(&context_, segment, facts_.begin.as_of_ms));
    ARROW_ASSIGN_OR_RAISE(const std::vector<FileReceipt> files, FetchFilesOf(context_.store(), segment));
    for (size_t file = part_.fetch_begin; file < part_.fetch_end; ++file) {
      if (file >= files.size()) return Status::IOError("segment ", segment, ": the record of its fetch has changed");
      int64_t number = 0;
      ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(context_.store(), segment, FetchRow::kTable, files[file],
                                                      [&](const FetchRow& row) -> Status {
                                                        if (number % 512 == 0)
                                                          ARROW_RETURN_NOT_OK(context_.CheckStop());
                                                        return Send(row, segment, static_cast<int32_t>(file),
                                                                    files[file].name, number++);
                                                      },
                                                      {.columns = kFetchColumns}));
    }
    return Status::OK();
  }

 private:
  Status Send(const FetchRow& row, const std::string& segment, int32_t file, const std::string& file_name,
              int64_t number) {
    const bool is_fetched = row.outcome == Outcome::kFetched;
    if ((!is_fetched && row.outcome != Outcome::kNotModified) || !HasWholeHead(row.response_headers)) {
      return Status::OK();
    }
    UrlRow listed;
    const bool was_listed = !row.listed.empty();
    if (was_listed) ARROW_RETURN_NOT_OK(DecodeRow(row.listed, &listed));
    ARROW_ASSIGN_OR_RAISE(const char* const reason, wishes_->LeftOutBy(row, was_listed ? &listed : nullptr));
    BodyEvent event = {.part = part_.number, .file = file, .row = number};
    event.place = PlaceOfCapture(segment, file_name, number);
    event.began_ms = BeganMs(row);
    std::string digest = row.body_digest;
    // A row that does not say what its body was has nothing in common with others.
    if (digest.size() != kDigestBytes) digest = Sha256Of(event.place);
    if (reason != nullptr) {
      event.rank = Rank::kSkipped;
      event.text = reason;
      return sink_.Emit(digest, part_.segment, event);
    }
    if (row.body_digest.size() != kDigestBytes) return Status::OK();
    event.key = row.key;
    event.url = TargetUriOf(row.url);
    event.bytes = row.bytes;
    event.sha1 = row.body_sha1;
    event.rank = Rank::kNotModified;
    if (is_fetched) ARROW_RETURN_NOT_OK(FindBody(row, segment, was_listed ? &listed : nullptr, &event));
    return sink_.Emit(digest, part_.segment, event);
  }

  Status FindBody(const FetchRow& row, const std::string& segment, const UrlRow* listed, BodyEvent* event) {
    event->rank = Rank::kNotFound;
    const auto look = [&](const std::string& at, const std::string& file, int64_t number) -> Result<bool> {
      ARROW_ASSIGN_OR_RAISE(const bool is_there, bodies_.Has(at, file));
      if (!is_there) return false;
      event->rank = Rank::kStored;
      event->body_segment = at;
      event->body_file = file;
      event->body_row = number;
      return true;
    };
    if (!row.content_file.empty()) {
      ARROW_ASSIGN_OR_RAISE(const bool is_there, look(segment, row.content_file, row.content_row));
      event->is_own = is_there && !row.shares_body;
      if (is_there) return Status::OK();
    }
    if (listed != nullptr && listed->body_digest == row.body_digest && !listed->body_file.empty()) {
      return look(listed->body_segment, listed->body_file, listed->body_row).status();
    }
    return Status::OK();
  }

  TaskContext& context_;
  const ArchiveFacts& facts_;
  const ArchivePartPlan part_;
  StoredBodies bodies_;
  std::unique_ptr<CaptureWishes> wishes_;
  BodySink sink_;
};

Status SendEarlier(TaskContext& context, const ArchiveFacts& facts, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const std::string folder, GetString(part, "originals"));
  ARROW_ASSIGN_OR_RAISE(const Json* json, GetObject(part, "file"));
  ARROW_ASSIGN_OR_RAISE(const FileReceipt file, FileReceiptFromJson(*json));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(facts.directory));
  BodySink bodies(&sink);
  std::string digest;
  int64_t rows = 0;
  const Status read = ForEachKeptRow<OriginalRow>(to.get(), folder, file, [&](const OriginalRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (row.key.size() != 2 * kDigestBytes + 1 || !FromHex(row.key.substr(0, 2 * kDigestBytes), &digest)) {
      return Status::IOError(folder, "/", file.name, ": '", row.key, "' is not the key of a body");
    }
    BodyEvent event = {.rank = Rank::kEarlier, .url = row.url, .began_ms = row.began_ms, .bytes = row.bytes};
    event.text = row.digest;
    event.record_id = row.record_id;
    return bodies.Emit(digest, 0, event);
  });
  if (read.ok() || KindOf(read)) return read;
  ARROW_ASSIGN_OR_RAISE(const std::string name, GetString(part, "name"));
  return read.WithMessage(read.message(), "; put back a copy of ", facts.directory, "/", folder, "/", file.name,
                          ", or write it again:  ", ArchiveCommand(facts.directory, name, "--overwrite"));
}

Status MapCaptures(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const ArchiveFacts facts, ArchiveFactsOf(context.plan()));
  if (HasMember(part, "originals")) return SendEarlier(context, facts, part, sink);
  ARROW_ASSIGN_OR_RAISE(const ArchivePartPlan own, ArchivePartPlanFromJson(part));
  return CaptureSender(&context, facts, own, &sink).Run();
}

Status ReduceBodies(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const ArchiveFacts facts, ArchiveFactsOf(context.plan()));
  ARROW_ASSIGN_OR_RAISE(const ArchiveOptions options, context.Read(ArchiveOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(facts.directory));
  KeepingStore kept(to.get());
  for (const char* const name :
       {"bodies", "originals", "same_payload", "not_modified", "moved", "no_body", "skipped"}) {
    context.counters()[name] += 0;
  }
  RunWriter<DecisionRow> out(&kept, ArchivePaths(facts.begin.name).Revisits(), KeptPrefix(context.id().number),
                             KeptFileOptions());
  BodyDecisions decisions(&context, options, std::move(urls), &out);
  BodyEvent event;
  std::string_view value;
  for (int64_t captures = 1;; ++captures) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) break;
    if (captures % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      ARROW_RETURN_NOT_OK(DecodeRow(value, &event));
      ARROW_RETURN_NOT_OK(decisions.Add(groups.key().substr(0, kDigestBytes), event));
    }
  }
  ARROW_RETURN_NOT_OK(decisions.Finish());
  ARROW_ASSIGN_OR_RAISE(const std::vector<FileReceipt> files, out.Finish());
  context.facts() = {{kRevisitsFact, ToJson(files)}};
  return Status::OK();
}

}  // namespace

JobSpec ArchiveBodiesSpec() { return {.name = "archive_bodies", .map = MapCaptures, .reduce = ReduceBodies}; }

JobRequest ArchiveBodiesRequest(BodiesWish wish, const JobOptions& job, int64_t snapshot, int64_t captures) {
  JobRequest request;
  request.spec = ArchiveBodiesSpec();
  request.base_snapshot = snapshot;
  request.keeps_plan = true;  // gc leaves the bodies alone as long as this process lives
  request.plan = [wish = std::move(wish), job, captures](const JobEnvironment&, const Snapshot&, Plan* plan) {
    AddArchiveFacts(wish.begin, wish.directory, plan);
    for (const ArchivePartPlan& part : wish.parts) plan->parts.push_back(ToJson(part));
    for (const EarlierOriginals& earlier : wish.earlier) {
      for (const FileReceipt& file : earlier.files) {
        plan->parts.push_back({{"originals", earlier.folder}, {"name", earlier.name}, {"file", ToJson(file)}});
      }
    }
    constexpr int64_t kRecordBytes = 400;
    plan->partitions = PartitionsFor(job, captures * kRecordBytes);
    plan->work.bytes = captures * kRecordBytes;
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

Result<std::vector<FileReceipt>> DecisionsOf(const JobOutput& output) {
  std::vector<FileReceipt> files;
  for (const TaskReceipt& receipt : output.receipts) {
    if (!receipt.id.is_reduce || !HasMember(receipt.facts, kRevisitsFact)) continue;
    ARROW_ASSIGN_OR_RAISE(const auto more, FileReceiptsFromJson(receipt.facts[kRevisitsFact]));
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

}  // namespace trawl
