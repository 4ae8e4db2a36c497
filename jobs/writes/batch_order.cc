#include "jobs/writes/batch_order.h"

namespace trawl {

using arrow::Result;

Json RecordOf(const std::vector<BatchOrder>& batch) {
  Json record = Json::array();
  for (const BatchOrder& one : batch) {
    if (one.past) continue;
    record.push_back({{"order", one.id},
                      {"verb", NameOf(*one.order)},
                      {"name", one.name.key},
                      {"fingerprint", one.name.fingerprint},
                      {"counts", one.counts}});
  }
  return record;
}

Result<std::vector<PastOrder>> OrdersOfRecord(const Json& record, const std::string& job, int64_t snapshot) {
  std::vector<PastOrder> orders;
  if (!HasMember(record, kOrdersFact)) return orders;
  ARROW_ASSIGN_OR_RAISE(const Json* listed, GetArray(record, kOrdersFact));
  for (const Json& json : *listed) {
    PastOrder& order = orders.emplace_back();
    ARROW_ASSIGN_OR_RAISE(order.id, GetString(json, "order"));
    ARROW_ASSIGN_OR_RAISE(order.verb, GetString(json, "verb"));
    ARROW_ASSIGN_OR_RAISE(order.name.key, GetString(json, "name"));
    ARROW_ASSIGN_OR_RAISE(order.name.fingerprint, GetString(json, "fingerprint"));
    ARROW_ASSIGN_OR_RAISE(const Json* counts, GetObject(json, "counts"));
    order.answer = {{"job", job}, {"snapshot", snapshot}, {"changed", true}};
    // The names of counts, and nothing that would say something else of the job.
    for (const auto& [name, count] : counts->items()) {
      if (count.is_number_integer() && !order.answer.contains(name)) order.answer[name] = count;
    }
  }
  return orders;
}

}  // namespace trawl
