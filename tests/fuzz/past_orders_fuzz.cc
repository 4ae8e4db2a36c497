// Input: a plan's facts or a report, from which a server that starts reads which orders with an Idempotency-Key were carried out. Whatever
// it says, an order's answer is of the job that recorded it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jobs/writes/batch_order.h"
#include "jobs/writes/pending_order.h"

namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr char kJob[] = "20260101T120000Z-inject-5f3a9c01";
  constexpr int64_t kSnapshot = 7;
  const auto record = trawl::ParseJson({reinterpret_cast<const char*>(data), size});
  if (!record.ok()) return 0;
  const auto orders = trawl::OrdersOfRecord(*record, kJob, kSnapshot);
  if (!orders.ok()) return 0;
  for (const trawl::PastOrder& order : *orders) {
    Check(trawl::GetString(order.answer, "job").ValueOr("") == kJob);
    Check(trawl::GetInt(order.answer, "snapshot").ValueOr(-1) == kSnapshot);
    Check(trawl::GetBool(order.answer, "changed").ValueOr(false));
    Check(trawl::ParseJson(trawl::DumpJson(trawl::DoneJson(order.id, order.verb, order.answer))).ok());
  }
  return 0;
}
