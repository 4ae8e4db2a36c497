// The door of formats/tables: columns of a batch of rows, in memory, without Arrow. Writers fill them and readers see
// them.
//
// A table has columns of five types and no nulls: a missing value is the type's zero. Exports have two more types.
// Start with formats/rows/row_codec.h, which converts between these and row structs. Not thread-safe; one batch belongs
// to one thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace arrow {
class RecordBatch;
}

namespace trawl {

// kText is UTF-8 for people who read the files with other tools; kBinary is raw bytes. Only exports have kTime, a
// timestamp of milliseconds UTC that is null for 0 and for INT64_MAX (never), kFlag, a boolean, and kReal, a double whose
// bits are in an int64.
enum class ColumnType : uint8_t { kInt8, kInt32, kInt64, kText, kBinary, kTime, kFlag, kReal };

constexpr size_t WidthOf(ColumnType type) {
  switch (type) {
    case ColumnType::kInt8:
    case ColumnType::kFlag:
      return 1;
    case ColumnType::kInt32:
      return 4;
    case ColumnType::kInt64:
    case ColumnType::kTime:
    case ColumnType::kReal:
      return 8;
    default:
      return 0;
  }
}

struct ColumnSpec {
  const char* name;
  ColumnType type;
};

// One growing column of a batch. Its capacity in rows is fixed.
class ColumnBuilder {
 public:
  ColumnBuilder(ColumnType type, int64_t capacity)
      : type_(type), fixed_(static_cast<size_t>(capacity) * WidthOf(type)) {
    if (WidthOf(type) == 0) offsets_.resize(static_cast<size_t>(capacity) + 1);
  }

  // REQUIRES: row < capacity, rows set in order, and a T as wide as the column.
  template <typename T>
  void Set(int64_t row, T value) {
    std::memcpy(fixed_.data() + static_cast<size_t>(row) * sizeof(T), &value, sizeof(T));
  }
  void SetBytes(int64_t row, std::string_view value) {
    if (!value.empty()) bytes_.append(value);  // most texts of most rows are empty
    offsets_[static_cast<size_t>(row) + 1] = static_cast<int32_t>(bytes_.size());
  }
  void Clear() { bytes_.clear(); }

  ColumnType type() const { return type_; }
  const uint8_t* fixed() const { return fixed_.data(); }
  const int32_t* offsets() const { return offsets_.data(); }
  const std::string& bytes() const { return bytes_; }

 private:
  ColumnType type_;
  std::vector<uint8_t> fixed_;
  std::vector<int32_t> offsets_;
  std::string bytes_;
};

// All columns of a batch that is being filled.
class BatchBuilder {
 public:
  BatchBuilder(const std::vector<ColumnSpec>& specs, int64_t capacity) : capacity_(capacity) {
    for (const ColumnSpec& spec : specs) columns_.emplace_back(spec.type, capacity);
  }

  ColumnBuilder& column(size_t index) { return columns_[index]; }
  const std::vector<ColumnBuilder>& columns() const { return columns_; }
  int64_t rows() const { return rows_; }
  // Full by rows or by bytes: 32-bit offsets must suffice, and a batch of bodies must stay small.
  bool full() const { return rows_ == capacity_ || string_bytes_ >= kMaxStringBytes; }
  void FinishRow(size_t string_bytes) {
    ++rows_;
    string_bytes_ += string_bytes;
  }
  void Clear() {
    rows_ = 0;
    string_bytes_ = 0;
    for (ColumnBuilder& column : columns_) column.Clear();
  }

 private:
  static constexpr size_t kMaxStringBytes = 8 << 20;

  int64_t capacity_;
  int64_t rows_ = 0;
  size_t string_bytes_ = 0;
  std::vector<ColumnBuilder> columns_;
};

// One column of a batch that was read. If it is absent (an older version of the file, or not asked for), every value is
// zero.
class ColumnView {
 public:
  ColumnView() = default;
  explicit ColumnView(const void* fixed) : fixed_(static_cast<const uint8_t*>(fixed)) {}
  ColumnView(const int32_t* offsets, const uint8_t* bytes)
      : offsets_(offsets), bytes_(reinterpret_cast<const char*>(bytes)) {}

  bool present() const { return fixed_ != nullptr || offsets_ != nullptr; }

  // REQUIRES: a T as wide as the column. GetBytes: a column of text or bytes.
  template <typename T>
  T Get(int64_t row) const {
    if (fixed_ == nullptr) return T{};
    T value;
    std::memcpy(&value, fixed_ + static_cast<size_t>(row) * sizeof(T), sizeof(T));
    return value;
  }
  std::string_view GetBytes(int64_t row) const {
    if (offsets_ == nullptr) return {};
    const int32_t begin = offsets_[row];
    return {bytes_ + begin, static_cast<size_t>(offsets_[row + 1] - begin)};
  }

 private:
  const uint8_t* fixed_ = nullptr;
  const int32_t* offsets_ = nullptr;
  const char* bytes_ = nullptr;
};

// A batch that was read: views by the table's own column numbers, which live as long as `owner`.
struct ColumnBatch {
  int64_t rows = 0;
  // The number of the batch's first row within its file.
  int64_t first_row = 0;
  std::vector<ColumnView> columns;
  std::shared_ptr<arrow::RecordBatch> owner;
};

}  // namespace trawl
