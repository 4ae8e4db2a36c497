#include "formats/tables/parquet.h"

#include "arrow/array.h"
#include "arrow/io/interfaces.h"
#include "arrow/memory_pool.h"
#include "arrow/record_batch.h"
#include "formats/tables/arrow_columns.h"
#include "parquet/arrow/writer.h"
#include "parquet/properties.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

struct ParquetWriter::State {
  std::string name;
  std::shared_ptr<arrow::Schema> schema;
  std::unique_ptr<parquet::arrow::FileWriter> writer;
  int64_t group_bytes = 0;  // text in the row group so far
  Status first_error;
};

namespace {

// libparquet reports errors as values and as exceptions; this function turns both into a Status.
template <typename Call>
Status Guarded(const std::string& name, Call&& call) {
  try {
    const Status status = call();
    return status.ok() ? status : Status::IOError(name, ": ", status.message());
  } catch (const std::exception& error) {
    return Status::IOError(name, ": ", error.what());
  }
}

constexpr int64_t kRowsAGroup = int64_t{1} << 17;
// A row group is in memory until it ends, and a row may have megabytes of text.
constexpr int64_t kTextBytesAGroup = int64_t{64} << 20;

int64_t TextBytes(const arrow::RecordBatch& batch) {
  int64_t bytes = 0;
  for (const auto& column : batch.columns()) {
    const bool is_text = column->type_id() == arrow::Type::STRING || column->type_id() == arrow::Type::BINARY;
    if (is_text) bytes += static_cast<const arrow::BinaryArray&>(*column).total_values_length();
  }
  return bytes;
}

}  // namespace

ParquetWriter::ParquetWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ParquetWriter::~ParquetWriter() = default;

Result<std::unique_ptr<ParquetWriter>> ParquetWriter::Make(std::shared_ptr<arrow::io::OutputStream> sink,
                                                           std::string name, const std::vector<ColumnSpec>& columns) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->schema = ArrowSchemaOf(columns);
  const auto properties = parquet::WriterProperties::Builder()
                              .compression(parquet::Compression::ZSTD)
                              ->max_row_group_length(kRowsAGroup)
                              ->build();
  ARROW_RETURN_NOT_OK(Guarded(state->name, [&] {
    return parquet::arrow::FileWriter::Open(*state->schema, arrow::default_memory_pool(), std::move(sink), properties)
        .Value(&state->writer);
  }));
  return std::unique_ptr<ParquetWriter>(new ParquetWriter(std::move(state)));
}

Status ParquetWriter::Write(const BatchBuilder& batch) {
  ARROW_RETURN_NOT_OK(state_->first_error);
  const auto borrowed = BorrowBatch(state_->schema, batch);
  state_->first_error = Guarded(state_->name, [&]() -> Status {
    if (state_->group_bytes >= kTextBytesAGroup) {
      ARROW_RETURN_NOT_OK(state_->writer->NewBufferedRowGroup());
      state_->group_bytes = 0;
    }
    state_->group_bytes += TextBytes(*borrowed);
    return state_->writer->WriteRecordBatch(*borrowed);
  });
  return state_->first_error;
}

Status ParquetWriter::Close() {
  ARROW_RETURN_NOT_OK(state_->first_error);
  state_->first_error = Guarded(state_->name, [&] { return state_->writer->Close(); });
  return state_->first_error;
}

}  // namespace trawl
