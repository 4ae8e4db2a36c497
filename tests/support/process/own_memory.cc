#include "tests/support/process/own_memory.h"

#include <malloc.h>

#include <fstream>
#include <string>

namespace trawl {

namespace {

int64_t StatusField(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stoll(line.substr(name.size() + 1)) * 1024;
  }
  return 0;
}

}  // namespace

int64_t ResidentBytes() { return StatusField("VmRSS"); }

int64_t PeakResidentBytes() { return StatusField("VmHWM"); }

void StartPeak() {
  // Memory that earlier tests freed must not hide new allocations.
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace trawl
