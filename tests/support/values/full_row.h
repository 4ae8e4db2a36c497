#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace trawl {

// A row in which every field says which one it is.
template <typename Row>
Row FullRow(const std::string& key) {
  Row row;
  int number = 0;
  Row::VisitFields(row, [&number](const char* name, auto& field, auto...) {
    using T = std::remove_reference_t<decltype(field)>;
    ++number;
    if constexpr (std::is_same_v<T, std::string>) {
      field = std::string(name) + " ü";
    } else if constexpr (std::is_same_v<T, bool>) {
      field = true;
    } else if constexpr (sizeof(T) == 1) {
      field = static_cast<T>(1 + number % 4);
    } else {
      field = static_cast<T>((sizeof(T) == 8 ? int64_t{1'000'000'007} : int64_t{10'007}) * number);
    }
  });
  row.key = key;
  if constexpr (requires { row.removed; }) row.removed = false;
  return row;
}

}  // namespace trawl
