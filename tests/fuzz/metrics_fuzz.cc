// What comes from outside into the metrics: the Accept header of a client, and names that a root or a document may have. The
// text stays one sample per line, whatever they hold.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "formats/metrics/exposition.h"

namespace trawl {
namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckText(const std::string& text, size_t lines) {
  Check(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) == lines);
  Check(text.find('\0') == std::string::npos && text.find('\r') == std::string::npos);
  Check(text.ends_with("\n"));
}

}  // namespace
}  // namespace trawl

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace trawl;
  const std::string input(reinterpret_cast<const char*>(data), size);
  (void)FormatAskedFor(input);
  MetricFamily family = {"trawl_pages", MetricType::kGauge, input, {}, {}};
  family.Add(1, {{"crawl", input}, {input, "x"}});
  CheckText(MetricsText({family}, MetricsFormat::kText), 3);
  CheckText(MetricsText({family}, MetricsFormat::kOpenMetrics), 4);
  family.name = input;
  const std::string named = MetricsText({family}, MetricsFormat::kText);
  if (!named.empty()) CheckText(named, 3);
  return 0;
}
