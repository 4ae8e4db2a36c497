// The options that every verb has, and the one that all reading verbs share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/options/options.h"
#include "runtime/process/clock.h"
#include "runtime/terminal/event_log.h"

namespace trawl {

struct GlobalOptions {
  std::string root = "./crawl";
  int32_t threads = 0;
  int64_t memory_bytes = 1 << 30;
  std::string temp_dir;
  std::string libhdfs;
  TimeMs now_ms = kNoTime;
  bool json = false;
  bool quiet = false;
  std::string config;
  LogFormat log_format = LogFormat::kOff;
  std::string log_file;
  std::string metrics_file;
};
const OptionGroup<GlobalOptions>& GlobalOptionGroup();

// For verbs that only read.
struct ReadingOptions {
  int64_t snapshot = -1;  // -1: the newest
};
const OptionGroup<ReadingOptions>& ReadingOptionGroup();

// For verbs that may find nothing to do.
struct IdleOptions {
  int32_t idle_exit = 1;
};
const OptionGroup<IdleOptions>& IdleOptionGroup();

// Fills in values that only the machine knows: threads 0 becomes the number of its cores, an empty temp_dir becomes
// $TMPDIR or /tmp, and no time becomes the clock's. `environment` are NAME=VALUE lines.
GlobalOptions Completed(GlobalOptions options, const std::vector<std::string>& environment, const Clock& clock);

}  // namespace trawl
