#include "formats/tables/arrow_columns.h"

#include <cstring>

#include "arrow/array/data.h"
#include "arrow/buffer.h"
#include "arrow/record_batch.h"
#include "arrow/type.h"
#include "arrow/util/bit_util.h"

namespace trawl {

namespace {

// A bitmap of the rows for which `is_set` holds.
template <typename IsSet>
std::shared_ptr<arrow::Buffer> Bits(int64_t rows, IsSet&& is_set) {
  std::string bits(static_cast<size_t>((rows + 7) / 8), '\0');
  for (int64_t row = 0; row < rows; ++row) {
    if (is_set(row)) bits[static_cast<size_t>(row / 8)] |= static_cast<char>(1 << (row % 8));
  }
  return arrow::Buffer::FromString(std::move(bits));
}

template <typename T>
T ValueAt(const ColumnBuilder& column, int64_t row) {
  T value;
  std::memcpy(&value, column.fixed() + static_cast<size_t>(row) * sizeof(T), sizeof(T));
  return value;
}

std::shared_ptr<arrow::ArrayData> BorrowColumn(const ColumnBuilder& column, int64_t rows) {
  const auto fixed = [&column, rows] {
    return arrow::Buffer::Wrap(column.fixed(), static_cast<size_t>(rows) * WidthOf(column.type()));
  };
  std::vector<std::shared_ptr<arrow::Buffer>> buffers = {nullptr};
  int64_t nulls = 0;
  switch (column.type()) {
    case ColumnType::kText:
    case ColumnType::kBinary:
      buffers.push_back(arrow::Buffer::Wrap(column.offsets(), static_cast<size_t>(rows) + 1));
      buffers.push_back(arrow::Buffer::Wrap(column.bytes().data(), column.bytes().size()));
      break;
    case ColumnType::kTime:
      buffers[0] = Bits(rows, [&column, &nulls](int64_t row) {
        const auto time = ValueAt<int64_t>(column, row);
        const bool is_there = time != 0 && time != INT64_MAX;
        nulls += is_there ? 0 : 1;
        return is_there;
      });
      buffers.push_back(fixed());
      break;
    case ColumnType::kFlag:
      buffers.push_back(Bits(rows, [&column](int64_t row) { return ValueAt<int8_t>(column, row) != 0; }));
      break;
    default:
      buffers.push_back(fixed());
  }
  return arrow::ArrayData::Make(ArrowTypeOf(column.type()), rows, std::move(buffers), nulls);
}

}  // namespace

std::shared_ptr<arrow::DataType> ArrowTypeOf(ColumnType type) {
  switch (type) {
    case ColumnType::kInt8:
      return arrow::int8();
    case ColumnType::kInt32:
      return arrow::int32();
    case ColumnType::kInt64:
      return arrow::int64();
    case ColumnType::kText:
      return arrow::utf8();
    case ColumnType::kBinary:
      return arrow::binary();
    case ColumnType::kTime:
      return arrow::timestamp(arrow::TimeUnit::MILLI, "UTC");
    case ColumnType::kFlag:
      return arrow::boolean();
    case ColumnType::kReal:
      return arrow::float64();
  }
  return arrow::null();
}

std::shared_ptr<arrow::Schema> ArrowSchemaOf(const std::vector<ColumnSpec>& columns) {
  arrow::FieldVector fields;
  for (const ColumnSpec& column : columns) {
    fields.push_back(arrow::field(column.name, ArrowTypeOf(column.type), column.type == ColumnType::kTime));
  }
  return arrow::schema(std::move(fields));
}

std::shared_ptr<arrow::RecordBatch> BorrowBatch(const std::shared_ptr<arrow::Schema>& schema,
                                                const BatchBuilder& batch) {
  std::vector<std::shared_ptr<arrow::ArrayData>> arrays;
  for (const ColumnBuilder& column : batch.columns()) arrays.push_back(BorrowColumn(column, batch.rows()));
  return arrow::RecordBatch::Make(schema, batch.rows(), std::move(arrays));
}

}  // namespace trawl
