#include "jobs/export/part.h"

#include "arrow/io/interfaces.h"
#include "formats/tables/orc.h"
#include "formats/tables/parquet.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

const OptionGroup<ExportOptions>& ExportOptionGroup() {
  static const auto group =
      OptionGroup<ExportOptions>("export", "What is written")
          .Choice("format", &ExportOptions::format, "format of the files; text is for the graph",
                  {{"orc", ExportFormat::kOrc}, {"parquet", ExportFormat::kParquet}, {"text", ExportFormat::kText}})
          .Bool("overwrite", &ExportOptions::overwrite, "replace a finished export of another snapshot or format")
          .Bool("unique", &ExportOptions::unique,
                "of pages: leave out those that another one stands for, and count them")
          .AllMain();
  return group;
}

struct ExportFile::State {
  std::unique_ptr<StoreWriter> file;
  std::unique_ptr<OrcWriter> orc;  // these two write into file
  std::unique_ptr<ParquetWriter> parquet;
};

ExportFile::ExportFile() : state_(std::make_unique<State>()) {}
ExportFile::~ExportFile() = default;

Result<std::unique_ptr<ExportFile>> ExportFile::Open(Store* store, const std::string& path, ExportFormat format,
                                                     const std::vector<ColumnSpec>& columns) {
  ARROW_RETURN_NOT_OK(store->Remove(path));
  std::unique_ptr<ExportFile> opened(new ExportFile());
  State& state = *opened->state_;
  ARROW_ASSIGN_OR_RAISE(state.file, store->OpenWriter(path));
  if (format == ExportFormat::kOrc) {
    ARROW_ASSIGN_OR_RAISE(state.orc, OrcWriter::Make(state.file->stream(), path, columns, {}));
  } else {
    // This object owns the stream; Parquet only wants to share it.
    const std::shared_ptr<arrow::io::OutputStream> shared(state.file->stream(), [](arrow::io::OutputStream*) {});
    ARROW_ASSIGN_OR_RAISE(state.parquet, ParquetWriter::Make(shared, path, columns));
  }
  return opened;
}

Status ExportFile::Write(const BatchBuilder& batch) {
  return state_->orc ? state_->orc->Write(batch) : state_->parquet->Write(batch);
}

Status ExportFile::Commit() {
  ARROW_RETURN_NOT_OK(state_->orc ? state_->orc->Close() : state_->parquet->Close());
  return state_->file->Commit().status();
}

}  // namespace trawl
