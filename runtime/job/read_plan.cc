#include "runtime/job/read_plan.h"

#include "formats/documents/sealed_json.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<Plan> PlanFromText(const std::string& text, const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(text, path));
  Result<Plan> plan = PlanFromJson(json);
  if (!plan.ok()) return Status::IOError(path, ": ", plan.status().message());
  return plan;
}

Result<Plan> ReadPlan(Store* store, const std::string& job) {
  constexpr int64_t kMaxPlanBytes = int64_t{256} << 20;
  const std::string path = PlanPath(job);
  ARROW_ASSIGN_OR_RAISE(const std::string text, store->ReadWhole(path, kMaxPlanBytes));
  ARROW_ASSIGN_OR_RAISE(Plan plan, PlanFromText(text, path));
  if (plan.job != job) return Status::IOError(path, ": is not of this job but of ", plan.job);
  return plan;
}

}  // namespace trawl
