// Numbers as their bytes, one after the other, for values that travel through a shuffle. Pure; any thread.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace trawl {

template <typename T>
void PutFixed(T value, std::string* out) {
  static_assert(std::is_trivially_copyable_v<T>);
  out->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Takes a number from the front. REQUIRES: there are as many bytes.
template <typename T>
T TakeFixed(std::string_view* bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes->data(), sizeof value);
  bytes->remove_prefix(sizeof value);
  return value;
}

}  // namespace trawl
