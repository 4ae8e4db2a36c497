#include "runtime/job/slot_parts.h"

#include <algorithm>

namespace trawl {

using arrow::Result;
using arrow::Status;

std::vector<Json> SlotParts(int64_t rows, int threads) {
  // Gives enough parts that no thread waits long for the last one; opening a part's files costs some milliseconds.
  constexpr int64_t kRowsAPart = 250'000;
  const int most = std::max(threads * 4, 1);
  const auto wanted = std::max<int64_t>((rows + kRowsAPart - 1) / kRowsAPart, 1);
  const int parts = static_cast<int>(wanted <= most ? wanted : std::max<int64_t>(most, rows / 4'000'000));
  return EvenSlotParts(parts);
}

std::vector<Json> EvenSlotParts(int parts) {
  std::vector<Json> out;
  for (int i = 0; i < parts; ++i) out.push_back({{"slots", SlotsToJson(RangeOfPartition(i, parts))}});
  return out;
}

Json SlotsToJson(const SlotRange& slots) { return Json::array({slots.begin, slots.end}); }

Result<SlotRange> SlotsOfPart(const Json& part) {
  ARROW_ASSIGN_OR_RAISE(const Json* slots, GetArray(part, "slots"));
  if (slots->size() != 2 || !(*slots)[0].is_number_unsigned() || !(*slots)[1].is_number_unsigned()) {
    return Status::Invalid("'slots' is not a pair of numbers");
  }
  const SlotRange range = {(*slots)[0].get<uint32_t>(), (*slots)[1].get<uint32_t>()};
  if (range.begin > range.end || range.end > kSlots) return Status::Invalid("'slots' is not a range of slots");
  return range;
}

}  // namespace trawl
