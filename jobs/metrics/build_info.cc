// The one file that knows the commit, so that a new commit compiles nothing else anew.
#include "jobs/metrics/families.h"
#include "jobs/verb/version.h"

// CMake gives it where the sources are a checkout.
#ifndef TRAWL_COMMIT
#define TRAWL_COMMIT "unknown"
#endif

namespace trawl {

MetricFamily BuildFamily() {
  MetricFamily build = {"trawl_build_info", MetricType::kGauge, "Always 1; the labels say which trawl this is", {}, {}};
  build.Add(1, {{"version", kVersion}, {"commit", TRAWL_COMMIT}});
  return build;
}

}  // namespace trawl
