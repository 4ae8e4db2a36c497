// Input: any bytes as an answer of YARN.
#include <cstdint>
#include <string_view>

#include "formats/hadoop/yarn_answers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto applications = trawl::YarnApplicationsFrom(text); applications.ok()) {
    for (const auto& application : *applications) (void)(application.TrawlJob() + application.JobId());
  }
  (void)trawl::YarnApplicationFrom(text).ok();
  (void)trawl::YarnJobFrom(text).ok();
  (void)trawl::YarnTasksFrom(text).ok();
  (void)trawl::YarnAttemptsFrom(text).ok();
  (void)trawl::YarnCountersFrom(text, "Trawl").ok();
  return 0;
}
