// The door of formats/rows: converts a row struct to columns and bytes, and back, from the one list of its fields.
//
// A row is a struct with
//   static constexpr char kTable[] = "urls";            its table's or dataset's name
//   static constexpr uint8_t kVersion = 1;              raised when fields are added; fields are only ever added at the
//                                                       end
//   template <typename Row, typename Visit>
//   static constexpr void VisitFields(Row& row, Visit&& visit)
//                                                       visit("name", row.field) for each; a third argument kBinary for
//                                                       raw bytes, in exports kTimestamp, kFlag and kDouble for
//                                                       timestamps, booleans and doubles (as bits of an int64)
// Field types: std::string, bool, an 8-bit enum, int32_t, int64_t. A field that holds its type's zero counts as
// missing.
//
// Bytes (the shuffle, logical digests), little-endian: version (1), a mask of the fields that are present (8, bit i =
// field i), then those fields in order: 1, 4 or 8 bytes, strings as length (4) and bytes. Equal rows have equal bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "arrow/status.h"
#include "formats/tables/columns.h"

namespace trawl {

template <ColumnType kType>
struct ColumnTag {};
inline constexpr ColumnTag<ColumnType::kBinary> kBinary;
inline constexpr ColumnTag<ColumnType::kTime> kTimestamp;
inline constexpr ColumnTag<ColumnType::kFlag> kFlag;
inline constexpr ColumnTag<ColumnType::kReal> kDouble;

namespace row_codec {

template <typename T>
inline constexpr bool kIsString = std::is_same_v<std::remove_const_t<T>, std::string>;

// The stored type of a fixed-width field: a bool and an enum take one signed byte.
template <typename T>
using StoredAs = std::conditional_t<sizeof(T) == 1, int8_t, std::remove_const_t<T>>;

template <typename T>
constexpr ColumnType TypeOf() {
  if constexpr (kIsString<T>) {
    return ColumnType::kText;
  } else {
    static_assert(sizeof(T) == 1 || std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>);
    return sizeof(T) == 1 ? ColumnType::kInt8 : sizeof(T) == 4 ? ColumnType::kInt32 : ColumnType::kInt64;
  }
}
template <typename T, ColumnType kType>
constexpr ColumnType TypeOf(ColumnTag<kType>) {
  static_assert(WidthOf(kType) == WidthOf(TypeOf<T>()));
  return kType;
}

template <typename T>
bool IsThere(const T& field) {
  if constexpr (kIsString<T>) {
    return !field.empty();
  } else {
    return field != T{};
  }
}

}  // namespace row_codec

template <typename Row>
std::vector<ColumnSpec> ColumnsOf() {
  std::vector<ColumnSpec> specs;
  Row row;
  Row::VisitFields(row, [&specs](const char* name, auto& field, auto... tag) {
    specs.push_back({name, row_codec::TypeOf<std::remove_reference_t<decltype(field)>>(tag...)});
  });
  return specs;
}

// REQUIRES: !batch.full(), and a batch made for ColumnsOf<Row>().
template <typename Row>
void AppendToBatch(const Row& row, BatchBuilder* batch) {
  size_t index = 0;
  size_t string_bytes = 0;
  const int64_t at = batch->rows();
  Row::VisitFields(row, [&](const char*, const auto& field, auto...) {
    using T = std::remove_const_t<std::remove_reference_t<decltype(field)>>;
    ColumnBuilder& column = batch->column(index++);
    if constexpr (row_codec::kIsString<T>) {
      column.SetBytes(at, field);
      string_bytes += field.size();
    } else {
      column.Set(at, static_cast<row_codec::StoredAs<T>>(field));
    }
  });
  batch->FinishRow(string_bytes);
}

// Overwrites every field of `row`; strings keep their capacity.
template <typename Row>
void ReadFromBatch(const ColumnBatch& batch, int64_t at, Row* row) {
  size_t index = 0;
  Row::VisitFields(*row, [&](const char*, auto& field, auto...) {
    using T = std::remove_reference_t<decltype(field)>;
    const ColumnView& column = batch.columns[index++];
    if constexpr (row_codec::kIsString<T>) {
      field.assign(column.GetBytes(at));
    } else {
      field = static_cast<T>(column.template Get<row_codec::StoredAs<T>>(at));
    }
  });
}

// Replaces `out` with the row's bytes. This runs once for every row written, so it makes room once and then only
// copies.
template <typename Row>
void EncodeRow(const Row& row, std::string* out) {
  constexpr size_t kHead = 1 + sizeof(uint64_t);
  size_t most = kHead;
  Row::VisitFields(row, [&most](const char*, const auto& field, auto...) {
    if constexpr (row_codec::kIsString<std::remove_reference_t<decltype(field)>>) {
      most += sizeof(uint32_t) + field.size();
    } else {
      most += sizeof field;
    }
  });
  out->resize(most);
  char* end = out->data() + kHead;
  const auto put = [&end](const void* bytes, size_t size) {
    std::memcpy(end, bytes, size);
    end += size;
  };
  uint64_t mask = 0;
  int bit = 0;
  Row::VisitFields(row, [&](const char*, const auto& field, auto...) {
    using T = std::remove_const_t<std::remove_reference_t<decltype(field)>>;
    if (row_codec::IsThere(field)) {
      mask |= uint64_t{1} << bit;
      if constexpr (row_codec::kIsString<T>) {
        const auto size = static_cast<uint32_t>(field.size());
        put(&size, sizeof size);
        put(field.data(), field.size());
      } else {
        const auto stored = static_cast<row_codec::StoredAs<T>>(field);
        put(&stored, sizeof stored);
      }
    }
    ++bit;
  });
  (*out)[0] = static_cast<char>(Row::kVersion);
  std::memcpy(out->data() + 1, &mask, sizeof mask);
  out->resize(static_cast<size_t>(end - out->data()));
}

// Overwrites every field of `row`. Invalid where the bytes are cut off, too many, or from a newer version.
template <typename Row>
arrow::Status DecodeRow(std::string_view bytes, Row* row) {
  uint64_t mask = 0;
  if (bytes.size() < 9) return arrow::Status::Invalid(Row::kTable, " row of ", bytes.size(), " bytes is cut off");
  const auto version = static_cast<uint8_t>(bytes[0]);
  if (version > Row::kVersion) {
    return arrow::Status::Invalid(Row::kTable, " row of version ", version, "; this program knows up to ",
                                  Row::kVersion);
  }
  std::memcpy(&mask, bytes.data() + 1, sizeof mask);
  bytes.remove_prefix(9);
  bool whole = true;
  int bit = 0;
  const auto take = [&bytes, &whole](void* to, size_t size) {
    whole = whole && bytes.size() >= size;
    if (!whole) return;
    std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  Row::VisitFields(*row, [&](const char*, auto& field, auto...) {
    using T = std::remove_reference_t<decltype(field)>;
    const bool there = (mask >> bit++ & 1) != 0;
    if constexpr (row_codec::kIsString<T>) {
      uint32_t size = 0;
      if (there) take(&size, sizeof size);
      whole = whole && size <= bytes.size();
      field.assign(bytes.substr(0, whole ? size : 0));
      if (whole) bytes.remove_prefix(size);
    } else {
      row_codec::StoredAs<T> stored{};
      if (there) take(&stored, sizeof stored);
      field = static_cast<T>(stored);
    }
  });
  if (!whole || !bytes.empty() || (bit < 64 && mask >> bit != 0)) {
    return arrow::Status::Invalid(Row::kTable, " row: its bytes do not fit its field mask");
  }
  return arrow::Status::OK();
}

}  // namespace trawl
