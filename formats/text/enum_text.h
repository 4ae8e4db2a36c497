// The words for enumerations that are stored as numbers: an array of texts, indexed by the stored number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace trawl {

// "unknown-77" for a number that this program does not know.
template <typename Enum, size_t kCount>
std::string TextFrom(const std::array<const char*, kCount>& texts, Enum value) {
  const auto number = static_cast<size_t>(static_cast<uint8_t>(value));
  return number < kCount ? texts[number] : "unknown-" + std::to_string(number);
}

}  // namespace trawl
