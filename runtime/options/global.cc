#include "runtime/options/global.h"

#include <algorithm>
#include <thread>

namespace trawl {

namespace {

constexpr int64_t kLeastMemoryBytes = 16 << 20;  // below it, sort buffers spill runs too short to merge at once
constexpr int64_t kMostThreads = 1024;

std::string ValueOf(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& line : environment) {
    if (line.compare(0, name.size() + 1, name + "=") == 0) return line.substr(name.size() + 1);
  }
  return "";
}

}  // namespace

const OptionGroup<GlobalOptions>& GlobalOptionGroup() {
  using G = GlobalOptions;
  static const auto group =
      OptionGroup<G>("", "Every verb")
          .String("root", &G::root, "where the crawl lives: a path, hdfs://… or s3://…", "ROOT")
          .Int("threads", &G::threads, "threads to work on; 0 is as many as there are cores", Between(0, kMostThreads))
          .Size("memory", &G::memory_bytes, "what sort buffers and caches share", AtLeast(kLeastMemoryBytes))
          .String("temp_dir", &G::temp_dir, "folder for spilled data; none given: $TMPDIR, or /tmp", "DIR")
          .String("libhdfs", &G::libhdfs,
                  "HDFS: Hadoop's libhdfs.so or its folder; none given: ARROW_LIBHDFS_DIR, $HADOOP_HOME/lib/native, or "
                  "beside this program",
                  "FILE")
          .Time("now", &G::now_ms, "the time to reckon with, so that a run can be repeated; none given: the clock's")
          .Bool("json", &G::json, "print the result as one JSON object; a listing has one a line")
          .Bool("quiet", &G::quiet, "print no progress and no summary")
          .String("config", &G::config, "an INI file with options", "FILE");
  return group;
}

const OptionGroup<ReadingOptions>& ReadingOptionGroup() {
  using R = ReadingOptions;
  static const auto group =
      OptionGroup<R>("", "Reading")
          .Int("snapshot", &R::snapshot, "the snapshot to look at; -1 is the newest", AtLeast(-1));
  return group;
}

const OptionGroup<IdleOptions>& IdleOptionGroup() {
  static const auto group = OptionGroup<IdleOptions>("", "When there is nothing to do")
                                .Int("idle_exit", &IdleOptions::idle_exit, "the exit code then", Between(0, 255));
  return group;
}

GlobalOptions Completed(GlobalOptions options, const std::vector<std::string>& environment, const Clock& clock) {
  if (options.threads == 0) options.threads = std::max(1, static_cast<int32_t>(std::thread::hardware_concurrency()));
  if (options.temp_dir.empty()) options.temp_dir = ValueOf(environment, "TMPDIR");
  if (options.temp_dir.empty()) options.temp_dir = "/tmp";
  if (options.now_ms == kNoTime) options.now_ms = clock.NowMs();
  return options;
}

}  // namespace trawl
