#include "jobs/select/selection.h"

#include <cstring>
#include <memory>
#include <queue>

#include "formats/rows/candidate_row.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Reads the candidates of one task, file by file and row by row.
class PartCandidates {
 public:
  PartCandidates(Store* store, const std::string& segment, const Selection::Part& part)
      : store_(store), segment_(segment), part_(part) {}

  Result<bool> Next() {
    while (at_ == row_.candidates.size()) {
      ARROW_ASSIGN_OR_RAISE(const bool more, NextRow());
      if (!more) return false;
    }
    current_ = CandidateAt(row_.candidates.data() + at_);
    current_.host += part_.first_host;
    at_ += kCandidateBytes;
    return true;
  }
  const Candidate& current() const { return current_; }

 private:
  Result<bool> NextRow() {
    at_ = 0;
    row_.candidates.clear();
    while (next_row_ == batch_.rows) {
      if (reader_ == nullptr) {
        if (next_file_ == part_.candidates.size()) return false;
        ARROW_ASSIGN_OR_RAISE(reader_, OpenDatasetFile(store_, segment_, CandidatesRow::kTable,
                                                       part_.candidates[next_file_++], ColumnsOf<CandidatesRow>()));
        ARROW_RETURN_NOT_OK(reader_->Scan(0, {}, 4));
      }
      next_row_ = 0;
      ARROW_ASSIGN_OR_RAISE(const bool more, reader_->Next(&batch_));
      if (more) continue;
      reader_.reset();
      batch_ = ColumnBatch();
    }
    ReadFromBatch(batch_, next_row_++, &row_);
    if (row_.candidates.size() % kCandidateBytes != 0)
      return Status::IOError("candidates of ", segment_, ": a row is cut off");
    return true;
  }

  Store* const store_;
  const std::string& segment_;
  const Selection::Part& part_;
  size_t next_file_ = 0;
  std::unique_ptr<OrcReader> reader_;
  ColumnBatch batch_;
  int64_t next_row_ = 0;
  CandidatesRow row_;
  size_t at_ = 0;
  Candidate current_;
};

// Merges the candidates of all tasks, the best first.
class MergedCandidates : public CandidateSource {
 public:
  static Result<std::unique_ptr<MergedCandidates>> Open(Store* store, const Selection& selection) {
    auto merged = std::make_unique<MergedCandidates>();
    for (const Selection::Part& part : selection.parts) {
      merged->parts_.push_back(std::make_unique<PartCandidates>(store, selection.segment, part));
      ARROW_RETURN_NOT_OK(merged->PushNext(merged->parts_.back().get()));
    }
    return merged;
  }

  Result<bool> Next(Candidate* candidate) override {
    if (heap_.empty()) return false;
    PartCandidates* const part = heap_.top();
    heap_.pop();
    *candidate = part->current();
    ARROW_RETURN_NOT_OK(PushNext(part));
    return true;
  }

 private:
  Status PushNext(PartCandidates* part) {
    ARROW_ASSIGN_OR_RAISE(const bool more, part->Next());
    if (more) heap_.push(part);
    return Status::OK();
  }

  struct Worse {
    bool operator()(const PartCandidates* a, const PartCandidates* b) const {
      return b->current().rank < a->current().rank;
    }
  };
  std::vector<std::unique_ptr<PartCandidates>> parts_;
  std::priority_queue<PartCandidates*, std::vector<PartCandidates*>, Worse> heap_;
};

}  // namespace

void AppendCandidate(const Candidate& candidate, std::string* bytes) {
  char packed[kCandidateBytes];
  std::memcpy(packed, &candidate.rank.high, 8);
  std::memcpy(packed + 8, &candidate.rank.low, 8);
  std::memcpy(packed + 16, &candidate.host, 4);
  bytes->append(packed, sizeof packed);
}

Candidate CandidateAt(const char* bytes) {
  Candidate candidate;
  std::memcpy(&candidate.rank.high, bytes, 8);
  std::memcpy(&candidate.rank.low, bytes + 8, 8);
  std::memcpy(&candidate.host, bytes + 16, 4);
  return candidate;
}

Status ReadOffers(Store* store, Selection* selection) {
  for (Selection::Part& part : selection->parts) {
    part.first_host = static_cast<uint32_t>(selection->offers.size());
    for (const FileReceipt& file : part.hosts) {
      ARROW_RETURN_NOT_OK(ForEachDatasetRow<CandidateHostRow>(
          store, selection->segment, CandidateHostRow::kTable, file,
          [&](const CandidateHostRow& row) {
            selection->offers.push_back(
                {.domain = static_cast<uint64_t>(row.domain),
                 .page_ms = row.page_ms,
                 .wait_ms = row.wait_ms,
                 .page_bytes = row.page_bytes,
                 .slow = row.slow,
                 .domain_pages = selection->domains.PagesOf(static_cast<uint64_t>(row.domain))});
            return Status::OK();
          },
          {.columns = {"domain", "page_ms", "wait_ms", "page_bytes", "slow"}, .batch_rows = kNarrowBatchRows}));
    }
  }
  return Status::OK();
}

Result<Assignment> AssignSelection(Store* store, const Selection& selection, const AssignOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const auto candidates, MergedCandidates::Open(store, selection));
  return Assign(selection.offers, candidates.get(), options);
}

Status RemoveSelection(Store* store, const Selection& selection) {
  for (const FileReceipt& file : selection.domain_files) {
    ARROW_RETURN_NOT_OK(store->Remove(DatasetFilePath(selection.segment, LimitedDomainRow::kTable, file.name)));
  }
  for (const Selection::Part& part : selection.parts) {
    for (const FileReceipt& file : part.hosts) {
      ARROW_RETURN_NOT_OK(store->Remove(DatasetFilePath(selection.segment, CandidateHostRow::kTable, file.name)));
    }
    for (const FileReceipt& file : part.candidates) {
      ARROW_RETURN_NOT_OK(store->Remove(DatasetFilePath(selection.segment, CandidatesRow::kTable, file.name)));
    }
  }
  if (selection.job.empty()) return Status::OK();
  // The plan goes last: gc knows by it whose files these are.
  ARROW_RETURN_NOT_OK(store->Remove(ReportPath(selection.job)));
  ARROW_RETURN_NOT_OK(store->Remove(PlanPath(selection.job)));
  return store->RemoveFolder(JobFolder(selection.job));
}

}  // namespace trawl
