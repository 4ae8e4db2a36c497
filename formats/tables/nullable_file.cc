#include "formats/tables/nullable_file.h"

#include <exception>
#include <utility>

#include "arrow/adapters/orc/adapter.h"
#include "arrow/adapters/orc/options.h"
#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/io/interfaces.h"
#include "arrow/memory_pool.h"
#include "arrow/record_batch.h"
#include "arrow/type.h"
#include "formats/tables/orc.h"
#include "parquet/arrow/writer.h"
#include "parquet/properties.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Rows that are kept as Arrow's before they go to the writer.
constexpr int64_t kRowsABatch = 4096;
constexpr size_t kTextBytesABatch = 8 << 20;
// A row group is in memory until it ends.
constexpr int64_t kRowsAGroup = int64_t{1} << 17;
constexpr size_t kTextBytesAGroup = size_t{64} << 20;
constexpr int64_t kStripeBytes = 16 << 20;
// Arrow's own choice is 9, which takes twice the time for some 3 % less.
constexpr int kGzipLevel = 6;

std::shared_ptr<arrow::DataType> ArrowType(NullableType type) {
  switch (type) {
    case NullableType::kText:
      return arrow::utf8();
    case NullableType::kInt16:
      return arrow::int16();
    case NullableType::kInt32:
      return arrow::int32();
    case NullableType::kMillis:
      return arrow::timestamp(arrow::TimeUnit::MILLI, "UTC");
  }
  return arrow::null();
}

}  // namespace

struct NullableFile::State {
  std::string name;
  std::shared_ptr<arrow::io::OutputStream> sink;
  std::vector<NullableColumn> columns;
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders;
  // One of the two.
  std::unique_ptr<parquet::arrow::FileWriter> parquet;
  std::unique_ptr<arrow::adapters::orc::ORCFileWriter> orc;
  size_t column = 0;  // of the next value
  int64_t rows = 0;   // in the builders
  size_t text_bytes = 0;
  int64_t group_rows = 0;  // in the row group so far
  size_t group_bytes = 0;
  Status first_error;

  // Arrow reports errors as values and, out of both libraries, as exceptions.
  template <typename Call>
  Status Guarded(Call&& call) {
    try {
      const Status status = call();
      return status.ok() ? status : Status::IOError(name, ": ", status.message());
    } catch (const std::exception& error) {
      return Status::IOError(name, ": ", error.what());
    }
  }
  void Keep(const Status& status) {
    if (first_error.ok() && !status.ok()) first_error = status;
  }
  Status MakeWriter(NullableFormat format);
  Status WriteBatch();
};

Status NullableFile::State::MakeWriter(NullableFormat format) {
  if (format == NullableFormat::kParquet) {
    const auto properties = parquet::WriterProperties::Builder()
                                .compression(parquet::Compression::GZIP)
                                ->compression_level(kGzipLevel)
                                ->max_row_group_length(kRowsAGroup)
                                ->build();
    return parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(), sink, properties).Value(&parquet);
  }
  arrow::adapters::orc::WriteOptions options;
  options.compression = arrow::Compression::GZIP;
  options.stripe_size = kStripeBytes;
  options.row_index_stride = kOrcStride;
  return arrow::adapters::orc::ORCFileWriter::Open(sink.get(), options).Value(&orc);
}

Status NullableFile::State::WriteBatch() {
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (const auto& builder : builders) {
    ARROW_ASSIGN_OR_RAISE(auto array, builder->Finish());
    arrays.push_back(std::move(array));
  }
  const auto batch = arrow::RecordBatch::Make(schema, rows, std::move(arrays));
  const int64_t batch_rows = std::exchange(rows, 0);
  const size_t batch_bytes = std::exchange(text_bytes, 0);
  if (orc != nullptr) return orc->Write(*batch);
  if (group_rows >= kRowsAGroup || group_bytes >= kTextBytesAGroup) {
    ARROW_RETURN_NOT_OK(parquet->NewBufferedRowGroup());
    group_rows = 0;
    group_bytes = 0;
  }
  group_rows += batch_rows;
  group_bytes += batch_bytes;
  return parquet->WriteRecordBatch(*batch);
}

NullableFile::NullableFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
NullableFile::~NullableFile() = default;

Result<std::unique_ptr<NullableFile>> NullableFile::Make(std::shared_ptr<arrow::io::OutputStream> sink,
                                                         std::string name, const std::vector<NullableColumn>& columns,
                                                         NullableFormat format) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->sink = std::move(sink);
  state->columns = columns;
  arrow::FieldVector fields;
  for (const NullableColumn& column : columns) {
    fields.push_back(arrow::field(column.name, ArrowType(column.type), column.is_nullable));
    ARROW_ASSIGN_OR_RAISE(auto builder, arrow::MakeBuilder(fields.back()->type()));
    state->builders.push_back(std::move(builder));
  }
  state->schema = arrow::schema(std::move(fields));
  ARROW_RETURN_NOT_OK(state->Guarded([&] { return state->MakeWriter(format); }));
  return std::unique_ptr<NullableFile>(new NullableFile(std::move(state)));
}

void NullableFile::Text(std::string_view value) {
  State& state = *state_;
  state.text_bytes += value.size();
  state.Keep(static_cast<arrow::StringBuilder&>(*state.builders[state.column++]).Append(value));
}

void NullableFile::Int(int64_t value) {
  State& state = *state_;
  const size_t at = state.column++;
  arrow::ArrayBuilder& builder = *state.builders[at];
  switch (state.columns[at].type) {
    case NullableType::kInt16:
      return state.Keep(static_cast<arrow::Int16Builder&>(builder).Append(static_cast<int16_t>(value)));
    case NullableType::kInt32:
      return state.Keep(static_cast<arrow::Int32Builder&>(builder).Append(static_cast<int32_t>(value)));
    default:
      return state.Keep(static_cast<arrow::TimestampBuilder&>(builder).Append(value));
  }
}

void NullableFile::Null() {
  State& state = *state_;
  state.Keep(state.builders[state.column++]->AppendNull());
}

Status NullableFile::EndRow() {
  State& state = *state_;
  state.column = 0;
  ++state.rows;
  if (state.rows == kRowsABatch || state.text_bytes >= kTextBytesABatch) {
    if (state.first_error.ok()) state.Keep(state.Guarded([&] { return state.WriteBatch(); }));
  }
  return state.first_error;
}

Status NullableFile::Close() {
  State& state = *state_;
  ARROW_RETURN_NOT_OK(state.first_error);
  // An ORC file into which nothing was written would come out empty, without a footer.
  state.Keep(state.Guarded([&]() -> Status {
    if (state.rows > 0 || state.orc != nullptr) ARROW_RETURN_NOT_OK(state.WriteBatch());
    return state.orc != nullptr ? state.orc->Close() : state.parquet->Close();
  }));
  return state.first_error;
}

}  // namespace trawl
