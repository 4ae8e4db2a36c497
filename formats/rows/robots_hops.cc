#include "formats/rows/robots_hops.h"

#include <cstring>

namespace trawl {

using arrow::Result;
using arrow::Status;

void AppendRobotsHop(const RobotsHop& hop, std::string* hops) {
  std::string row;
  EncodeRow(hop, &row);
  const auto size = static_cast<uint32_t>(row.size());
  hops->append(reinterpret_cast<const char*>(&size), sizeof size).append(row);
}

Result<std::vector<RobotsHop>> RobotsHopsOf(std::string_view hops) {
  std::vector<RobotsHop> all;
  while (!hops.empty()) {
    uint32_t size = 0;
    if (hops.size() < sizeof size) return Status::Invalid("a hop of a robots.txt is cut off");
    std::memcpy(&size, hops.data(), sizeof size);
    hops.remove_prefix(sizeof size);
    if (hops.size() < size) return Status::Invalid("a hop of a robots.txt is cut off");
    ARROW_RETURN_NOT_OK(DecodeRow(hops.substr(0, size), &all.emplace_back()));
    hops.remove_prefix(size);
  }
  return all;
}

}  // namespace trawl
