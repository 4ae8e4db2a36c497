// The answers that led on to another robots.txt, in one value of a robots row: for each its size (4 bytes, little-endian)
// and the bytes of its row. Pure; any thread.
#pragma once

#include <cstdint>
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

void AppendRobotsHop(const RobotsHop& hop, std::string* hops);
// Invalid where the bytes are no hops.
arrow::Result<std::vector<RobotsHop>> RobotsHopsOf(std::string_view hops);

}  // namespace trawl
