// The answers that led on to another robots.txt, in one value of a robots row: for each its size (4 bytes, little-endian)
// and the bytes of its row. Pure; any thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/robots_row.h"

namespace trawl {

struct RobotsHop {
  static constexpr char kTable[] = "hops of robots";
  static constexpr uint8_t kVersion = 1;

  int32_t status = 0;
  std::string redirect_url;  // where it leads
  RobotsCapture capture;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("status", row.status);
    visit("redirect_url", row.redirect_url);
    RobotsCapture::VisitFields(row.capture, visit);
  }

  bool operator==(const RobotsHop&) const = default;
};

inline void AppendRobotsHop(const RobotsHop& hop, std::string* hops) {
  std::string row;
  EncodeRow(hop, &row);
  const auto size = static_cast<uint32_t>(row.size());
  hops->append(reinterpret_cast<const char*>(&size), sizeof size).append(row);
}

// Invalid where the bytes are no hops.
inline arrow::Result<std::vector<RobotsHop>> RobotsHopsOf(std::string_view hops) {
  std::vector<RobotsHop> all;
  while (!hops.empty()) {
    uint32_t size = 0;
    if (hops.size() < sizeof size) return arrow::Status::Invalid("a hop of a robots.txt is cut off");
    std::memcpy(&size, hops.data(), sizeof size);
    hops.remove_prefix(sizeof size);
    if (hops.size() < size) return arrow::Status::Invalid("a hop of a robots.txt is cut off");
    ARROW_RETURN_NOT_OK(DecodeRow(hops.substr(0, size), &all.emplace_back()));
    hops.remove_prefix(size);
  }
  return all;
}

}  // namespace trawl
