#include "runtime/tables/known_rows.h"

#include "formats/tables/orc.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kBatchRows = 1024;
// Jumping to another place in a file costs about as much as reading this number of rows.
constexpr int64_t kReadOnRows = 2 * kOrcStride;

}  // namespace

// The data files of one run, read forwards.
class KnownRowBatches::RunRows {
 public:
  RunRows(std::shared_ptr<const Table> table, size_t run, const std::vector<bool>& wanted)
      : table_(std::move(table)), run_(table_->runs()[run]), wanted_(wanted) {}

  Result<const ColumnBatch*> Load(size_t file, int64_t row) {
    if (reader_ == nullptr || file != file_) {
      ARROW_ASSIGN_OR_RAISE(reader_, table_->OpenData(run_, run_.record.files[file]));
      file_ = file;
      ARROW_RETURN_NOT_OK(GoTo(row));
    } else if (row < batch_.first_row || row - (batch_.first_row + batch_.rows) > kReadOnRows) {
      ARROW_RETURN_NOT_OK(GoTo(row));
    }
    while (row >= batch_.first_row + batch_.rows) {
      ARROW_ASSIGN_OR_RAISE(const bool more, reader_->Next(&batch_));
      if (!more) return Status::IOError(run_.record.files[file].name, ": row ", row, " of its sidecar is not there");
    }
    return &batch_;
  }

 private:
  Status GoTo(int64_t row) {
    batch_ = ColumnBatch();
    return reader_->Scan(row, wanted_, kBatchRows);
  }

  const std::shared_ptr<const Table> table_;
  const Table::Run& run_;  // a run of table_
  const std::vector<bool>& wanted_;
  size_t file_ = 0;
  std::unique_ptr<OrcReader> reader_;
  ColumnBatch batch_;
};

KnownRowBatches::KnownRowBatches(const std::shared_ptr<const Table>& table, std::vector<bool> wanted)
    : wanted_(std::move(wanted)) {
  for (size_t run = 0; run < table->runs().size(); ++run) {
    runs_.push_back(std::make_unique<RunRows>(table, run, wanted_));
  }
}

KnownRowBatches::~KnownRowBatches() = default;

Result<const ColumnBatch*> KnownRowBatches::Load(const KnownKey& known) {
  return runs_[known.run]->Load(known.file, known.row);
}

}  // namespace trawl
