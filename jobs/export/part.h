// One file of an export, ORC or Parquet, row by row: a task writes one for each table that it exports. One thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/rows/row_codec.h"
#include "formats/tables/columns.h"
#include "jobs/export/folder.h"
#include "runtime/job/task.h"
#include "runtime/options/options.h"
#include "runtime/store/store.h"

namespace trawl {

struct ExportOptions {
  ExportFormat format = ExportFormat::kOrc;
  bool overwrite = false;
  bool unique = false;
};
const OptionGroup<ExportOptions>& ExportOptionGroup();

class ExportFile {
 public:
  // Replaces what an interrupted export or a failed attempt may have left under that name.
  static arrow::Result<std::unique_ptr<ExportFile>> Open(Store* store, const std::string& path, ExportFormat format,
                                                         const std::vector<ColumnSpec>& columns);
  ~ExportFile();

  arrow::Status Write(const BatchBuilder& batch);
  arrow::Status Commit();

 private:
  ExportFile();
  struct State;
  std::unique_ptr<State> state_;
};

// Writes the task's rows of one exported table; counts them under its name.
template <typename ExportedRow>
class ExportPart {
 public:
  // `table` names the folder. `context` must outlive it.
  ExportPart(TaskContext* context, std::string table) : context_(context), table_(std::move(table)) {}

  arrow::Status Open(Store* to) {
    ARROW_ASSIGN_OR_RAISE(const ExportOptions options, context_->Read(ExportOptionGroup()));
    const std::string path = ExportPartName(table_.c_str(), context_->id().number, options.format);
    ARROW_ASSIGN_OR_RAISE(file_, ExportFile::Open(to, path, options.format, columns_));
    context_->counters()[table_] += 0;
    return arrow::Status::OK();
  }
  arrow::Status Append(const ExportedRow& row) {
    AppendToBatch(row, &batch_);
    ++context_->counters()[table_];
    return batch_.full() ? WriteBatch() : arrow::Status::OK();
  }
  arrow::Status Finish() {
    if (batch_.rows() > 0) ARROW_RETURN_NOT_OK(WriteBatch());
    return file_->Commit();
  }

 private:
  static constexpr int64_t kBatchRows = 4096;

  arrow::Status WriteBatch() {
    ARROW_RETURN_NOT_OK(context_->CheckStop());
    ARROW_RETURN_NOT_OK(file_->Write(batch_));
    batch_.Clear();
    return arrow::Status::OK();
  }

  TaskContext* const context_;
  const std::string table_;
  const std::vector<ColumnSpec> columns_ = ColumnsOf<ExportedRow>();
  std::unique_ptr<ExportFile> file_;
  BatchBuilder batch_ = BatchBuilder(columns_, kBatchRows);
};

}  // namespace trawl
