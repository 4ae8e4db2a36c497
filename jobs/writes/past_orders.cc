#include "jobs/writes/past_orders.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "jobs/operate/job_record.h"
#include "runtime/job/plan.h"
#include "runtime/root/snapshot.h"

namespace trawl {

using arrow::Result;

namespace {

// "20260101T000000Z", as ids of jobs begin.
std::string SecondOf(const std::string& id) { return id.substr(0, id.find('-')); }

bool MayHaveOrders(const std::string& id) {
  constexpr const char* kVerbs[] = {"-inject-", "-host-", "-urls-"};
  return std::any_of(std::begin(kVerbs), std::end(kVerbs),
                     [&id](const char* verb) { return id.find(verb) != std::string::npos; });
}

Result<std::vector<PastOrder>> OrdersOfJob(Store* store, const std::string& id, int64_t present) {
  ARROW_ASSIGN_OR_RAISE(const JobRecord job, ReadJob(store, id, present));
  if (!job.report.is_null()) {
    return OrdersOfRecord(job.report, id, GetInt(job.report, "snapshot").ValueOr(0));
  }
  if (job.published && HasMember(job.plan, "facts")) return OrdersOfRecord(job.plan["facts"], id, *job.published);
  return std::vector<PastOrder>();
}

}  // namespace

Result<std::vector<PastOrder>> ReadPastOrders(Store* store, TimeMs since_ms, size_t most_jobs, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const int64_t present, PresentNumber(store));
  ARROW_ASSIGN_OR_RAISE(std::vector<std::string> ids, NewestJobs(store, 0));
  const std::string since = SecondOf(NewJobId("any", since_ms));
  std::erase_if(ids, [&since](const std::string& id) { return SecondOf(id) < since || !MayHaveOrders(id); });
  if (ids.size() > most_jobs) ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(most_jobs));
  std::vector<PastOrder> all;
  for (const std::string& id : ids) {
    ARROW_RETURN_NOT_OK(stop.Check());
    Result<std::vector<PastOrder>> orders = OrdersOfJob(store, id, present);
    // Of a document that is damaged nothing can be known; a store that is away is asked again later.
    if (!orders.ok()) orders = OrdersOfJob(store, id, present);
    if (!orders.ok()) {
      ARROW_RETURN_NOT_OK(PresentNumber(store).status());
      continue;
    }
    all.insert(all.end(), std::make_move_iterator(orders->begin()), std::make_move_iterator(orders->end()));
  }
  return all;
}

}  // namespace trawl
