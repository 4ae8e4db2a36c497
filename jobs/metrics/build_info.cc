#include <string>

#include "jobs/metrics/families.h"
#include "jobs/verb/version.h"

namespace trawl {

MetricFamily BuildFamily() {
  constexpr size_t kShownDigits = 12;
  const std::string commit(kCommit.empty() ? "unknown" : kCommit.substr(0, kShownDigits));
  MetricFamily build = {"trawl_build_info", MetricType::kGauge, "Always 1; the labels say which trawl this is", {}, {}};
  build.Add(1, {{"version", kVersion}, {"commit", commit}});
  return build;
}

}  // namespace trawl
