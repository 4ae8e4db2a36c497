// Input: any bytes as a file of Hadoop's settings.
#include <cstdint>
#include <string_view>

#include "formats/hadoop/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  trawl::HadoopConfig config;
  (void)config.Add(std::string_view(reinterpret_cast<const char*>(data), size)).ok();
  (void)config.ResourceManagers();
  (void)config.HistoryServer();
  return 0;
}
