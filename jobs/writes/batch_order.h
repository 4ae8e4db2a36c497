// An order of a batch: while it is carried out with the others of its kind, and as the plan and the report of their job
// record it. One thread.
//
//   "orders": [{"order": "20260101T120000Z-seeds-5f3a9c01", "verb": "seeds", "name": "ba78…", "fingerprint": "e3b0…",
//               "counts": {"queued": 3, "known": 1}}]
//
// By these records a server that was killed knows what it has done: an order of the same name gets the answer of that time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/writes/order.h"

namespace trawl {

// What was done of an order, by this process or one before it.
struct PastOrder {
  std::string id;
  std::string verb;
  OrderName name;
  Json answer = Json::object();  // "job", "snapshot", "changed", and the counts
};

struct BatchOrder {
  const Order* order = nullptr;
  std::string id;
  OrderName name;
  // Where it was carried out before: it changes nothing again.
  std::optional<PastOrder> past = {};
  Json counts = Json::object();  // that are recorded
  OrderOutcome outcome = {};
};

// The fact of a plan and the member of a report. Orders of the past are left out: their own job has them.
inline constexpr char kOrdersFact[] = "orders";
Json RecordOf(const std::vector<BatchOrder>& batch);
// Reads the orders of a plan's facts or of a report. `job` did them, and published `snapshot`.
arrow::Result<std::vector<PastOrder>> OrdersOfRecord(const Json& record, const std::string& job, int64_t snapshot);

}  // namespace trawl
