// Some of the columns of a row, by name. A name that the row has not does not compile. Pure; any thread.
//
//   constexpr Columns<FetchRow> kBrief = {"key", "outcome"};
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "formats/rows/row_codec.h"

namespace trawl {

namespace row_codec {

// A row that is never made: its fields are named and not read, for a compiler may not make strings.
template <typename Row>
union Unmade {
  constexpr Unmade() : none(0) {}
  constexpr ~Unmade() {}
  char none;
  Row row;
};

template <typename Row>
consteval int CountColumns() {
  int count = 0;
  const Unmade<Row> unmade;
  Row::VisitFields(unmade.row, [&count](const char*, const auto&, auto...) { ++count; });
  return count;
}

}  // namespace row_codec

// The number of the column with that name.
template <typename Row>
consteval size_t ColumnIndex(std::string_view name) {
  int found = -1;
  int number = 0;
  const row_codec::Unmade<Row> unmade;
  Row::VisitFields(unmade.row, [&](const char* column, const auto&, auto...) {
    if (name == column) found = number;
    ++number;
  });
  if (found < 0) throw "the row has no column of this name";
  return static_cast<size_t>(found);
}

template <typename Row>
class Columns {
 public:
  // All of them.
  constexpr Columns() = default;
  consteval Columns(std::initializer_list<const char*> names) {
    for (const char* const name : names) mask_ |= uint64_t{1} << ColumnIndex<Row>(name);
  }
  static consteval Columns AllBut(std::initializer_list<const char*> names) {
    Columns others;
    for (int i = 0; i < row_codec::CountColumns<Row>(); ++i) others.mask_ |= uint64_t{1} << i;
    for (const char* const name : names) others.mask_ &= ~(uint64_t{1} << ColumnIndex<Row>(name));
    return others;
  }

  // One per column of the row, for a scan; empty, which stands for all, where there is nothing to leave out.
  std::vector<bool> Flags() const {
    std::vector<bool> flags(mask_ == 0 ? 0 : row_codec::CountColumns<Row>());
    for (size_t i = 0; i < flags.size(); ++i) flags[i] = (mask_ >> i & 1) != 0;
    return flags;
  }

 private:
  uint64_t mask_ = 0;  // bit i: column i; 0: all
};

}  // namespace trawl
