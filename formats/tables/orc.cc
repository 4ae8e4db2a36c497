#include "formats/tables/orc.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "arrow/adapters/orc/adapter.h"
#include "arrow/adapters/orc/options.h"
#include "arrow/array/array_binary.h"
#include "arrow/array/array_primitive.h"
#include "arrow/io/interfaces.h"
#include "arrow/memory_pool.h"
#include "arrow/record_batch.h"
#include "arrow/type.h"
#include "formats/tables/arrow_columns.h"

namespace trawl {

using arrow::Result;
using arrow::Status;
namespace orc = arrow::adapters::orc;

namespace {

// A writer holds a block before compression and one after it for each of some three streams of a column, and so does a
// reader: a table of sixty columns would take hundreds of megabytes for blocks that are hardly filled. So its columns
// share this many bytes. Fewer bytes than the least are not taken by ORC.
constexpr int64_t kBlocksOfColumnsBytes = int64_t{4} << 20;
constexpr int64_t kLeastBlockBytes = int64_t{64} << 10;

int64_t BlockBytes(const OrcWriteOptions& options, size_t columns) {
  const auto share = std::bit_floor(static_cast<uint64_t>(kBlocksOfColumnsBytes) / std::max<size_t>(columns, 1));
  return std::clamp(static_cast<int64_t>(share), std::min(kLeastBlockBytes, options.block_bytes), options.block_bytes);
}

// Turns the adapter's exceptions and errors into a Status that begins with the file's name.
template <typename Call>
Status Guarded(const std::string& name, Call&& call) {
  try {
    const Status status = call();
    if (status.ok()) return status;
    return Status::IOError(name, ": ", status.message());
  } catch (const std::exception& error) {
    return Status::IOError(name, ": ", error.what());
  }
}

ColumnView ViewOf(const arrow::Array& array, ColumnType type) {
  switch (type) {
    case ColumnType::kInt8:
      return ColumnView(static_cast<const arrow::Int8Array&>(array).raw_values());
    case ColumnType::kInt32:
      return ColumnView(static_cast<const arrow::Int32Array&>(array).raw_values());
    case ColumnType::kInt64:
      return ColumnView(static_cast<const arrow::Int64Array&>(array).raw_values());
    default: {
      const auto& strings = static_cast<const arrow::BinaryArray&>(array);
      return {strings.raw_value_offsets(), strings.raw_data()};
    }
  }
}

}  // namespace

struct OrcWriter::State {
  std::string name;
  std::shared_ptr<arrow::Schema> schema;
  std::unique_ptr<orc::ORCFileWriter> writer;
  bool wrote = false;
  Status first_error;
};

OrcWriter::OrcWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
OrcWriter::~OrcWriter() = default;

Result<std::unique_ptr<OrcWriter>> OrcWriter::Make(arrow::io::OutputStream* sink, std::string name,
                                                   const std::vector<ColumnSpec>& columns, OrcWriteOptions options) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->schema = ArrowSchemaOf(columns);
  orc::WriteOptions write;
  write.compression = options.is_compressed ? arrow::Compression::ZSTD : arrow::Compression::UNCOMPRESSED;
  write.stripe_size = options.stripe_bytes;
  write.compression_block_size = BlockBytes(options, columns.size());
  write.row_index_stride = kOrcStride;
  write.dictionary_key_size_threshold = 0;
  ARROW_RETURN_NOT_OK(
      Guarded(state->name, [&] { return orc::ORCFileWriter::Open(sink, write).Value(&state->writer); }));
  return std::unique_ptr<OrcWriter>(new OrcWriter(std::move(state)));
}

Status OrcWriter::Write(const BatchBuilder& batch) {
  ARROW_RETURN_NOT_OK(state_->first_error);
  const auto borrowed = BorrowBatch(state_->schema, batch);
  state_->wrote = true;
  state_->first_error = Guarded(state_->name, [&] { return state_->writer->Write(*borrowed); });
  return state_->first_error;
}

Status OrcWriter::Close() {
  ARROW_RETURN_NOT_OK(state_->first_error);
  if (!state_->wrote) {
    // Without any Write the file would come out empty, without a footer.
    ARROW_ASSIGN_OR_RAISE(const auto empty, arrow::RecordBatch::MakeEmpty(state_->schema));
    ARROW_RETURN_NOT_OK(Guarded(state_->name, [&] { return state_->writer->Write(*empty); }));
  }
  state_->first_error = Guarded(state_->name, [&] { return state_->writer->Close(); });
  return state_->first_error;
}

struct OrcReader::State {
  std::string name;
  std::vector<ColumnSpec> columns;
  std::unique_ptr<orc::ORCFileReader> reader;
  // For each column of the table, its number in the file; -1 where the file lacks it.
  std::vector<int> in_file;
  // For the current scan: the file's columns that are read, in order, and for each column of the table its place among
  // them.
  std::vector<int> include;
  std::vector<int> place;
  int64_t batch_rows = 0;
  int64_t next_row = 0;
  std::shared_ptr<arrow::RecordBatchReader> stripe;
};

OrcReader::OrcReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
OrcReader::~OrcReader() = default;

Result<std::unique_ptr<OrcReader>> OrcReader::Open(std::shared_ptr<arrow::io::RandomAccessFile> file, std::string name,
                                                   std::vector<ColumnSpec> columns) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->columns = std::move(columns);
  std::shared_ptr<arrow::Schema> schema;
  ARROW_RETURN_NOT_OK(Guarded(state->name, [&]() -> Status {
    ARROW_ASSIGN_OR_RAISE(state->reader, orc::ORCFileReader::Open(file, arrow::default_memory_pool()));
    return state->reader->ReadSchema().Value(&schema);
  }));
  bool any = false;
  for (const ColumnSpec& column : state->columns) {
    const int at = schema->GetFieldIndex(column.name);
    state->in_file.push_back(at);
    any = any || at >= 0;
    if (at >= 0 && !schema->field(at)->type()->Equals(ArrowTypeOf(column.type))) {
      return Status::IOError(state->name, ": column ", column.name, " is ", schema->field(at)->type()->ToString(),
                             ", not ", ArrowTypeOf(column.type)->ToString());
    }
  }
  if (!any) return Status::IOError(state->name, ": an ORC file of something else, it has none of the columns wanted");
  return std::unique_ptr<OrcReader>(new OrcReader(std::move(state)));
}

int64_t OrcReader::rows() const { return state_->reader->NumberOfRows(); }

Status OrcReader::Scan(int64_t row, const std::vector<bool>& wanted, int64_t batch_rows) {
  State& state = *state_;
  state.include.clear();
  for (size_t i = 0; i < state.columns.size(); ++i) {
    if (state.in_file[i] >= 0 && (wanted.empty() || wanted[i])) state.include.push_back(state.in_file[i]);
  }
  std::sort(state.include.begin(), state.include.end());
  if (state.include.empty())
    state.include.push_back(0);  // the rows are counted even where the file lacks every wanted column
  state.place.assign(state.columns.size(), -1);
  for (size_t i = 0; i < state.columns.size(); ++i) {
    if (!wanted.empty() && !wanted[i]) continue;
    const auto found = std::find(state.include.begin(), state.include.end(), state.in_file[i]);
    if (state.in_file[i] >= 0) state.place[i] = static_cast<int>(found - state.include.begin());
  }
  state.batch_rows = batch_rows;
  state.stripe.reset();
  return Guarded(state.name, [&]() -> Status {
    state.next_row = state.reader->NumberOfRows();
    for (int64_t i = 0; i < state.reader->NumberOfStripes(); ++i) {
      const orc::StripeInformation stripe = state.reader->GetStripeInformation(i);
      if (row >= stripe.first_row_id + stripe.num_rows) continue;
      // The row index counts from the start of a stripe. On any other row the adapter's skip fails now and then.
      const int64_t into = std::max<int64_t>(row - stripe.first_row_id, 0);
      state.next_row = stripe.first_row_id + into / kOrcStride * kOrcStride;
      return state.reader->Seek(state.next_row);
    }
    return Status::OK();
  });
}

Result<bool> OrcReader::Next(ColumnBatch* batch) {
  State& state = *state_;
  std::shared_ptr<arrow::RecordBatch> read;
  while (state.next_row < state.reader->NumberOfRows()) {
    ARROW_RETURN_NOT_OK(Guarded(state.name, [&]() -> Status {
      if (state.stripe == nullptr) {
        ARROW_ASSIGN_OR_RAISE(state.stripe, state.reader->NextStripeReader(state.batch_rows, state.include));
        if (state.stripe == nullptr) return Status::IOError("the rows end before the footer's count");
      }
      return state.stripe->ReadNext(&read);
    }));
    if (read != nullptr && read->num_rows() > 0) break;
    state.stripe.reset();
    read.reset();
  }
  if (read == nullptr) return false;

  batch->rows = read->num_rows();
  batch->first_row = state.next_row;
  batch->columns.assign(state.columns.size(), ColumnView());
  for (size_t i = 0; i < state.columns.size(); ++i) {
    if (state.place[i] < 0) continue;
    const arrow::Array& array = *read->column(state.place[i]);
    if (array.null_count() > 0) return Status::IOError(state.name, ": column ", state.columns[i].name, " has nulls");
    batch->columns[i] = ViewOf(array, state.columns[i].type);
  }
  state.next_row += read->num_rows();
  batch->owner = std::move(read);
  return true;
}

}  // namespace trawl
