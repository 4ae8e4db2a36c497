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
          .String("root", &G::root, "crawl folder: a path, hdfs://… or s3://…", "ROOT")
          .Main()
          .Int("threads", &G::threads, "number of threads; 0 starts one per core", Between(0, kMostThreads))
          .Size("memory", &G::memory_bytes, "memory that sort buffers and caches share", AtLeast(kLeastMemoryBytes))
          .String("temp_dir", &G::temp_dir, "folder for temporary files; without it $TMPDIR, else /tmp", "DIR")
          .String("libhdfs", &G::libhdfs,
                  "for HDFS: Hadoop's libhdfs.so or its folder; without it ARROW_LIBHDFS_DIR, $HADOOP_HOME/lib/native, "
                  "or the folder of this program",
                  "FILE")
          .Time("now", &G::now_ms, "time to use instead of the clock's, so that a run can be repeated exactly")
          .Bool("json", &G::json, "print one JSON object; a list prints one per line")
          .Main()
          .Bool("quiet", &G::quiet, "print no progress and no summary")
          .String("config", &G::config, "read options from this INI file", "FILE")
          .Choice(
              "log_format", &G::log_format,
              "write a line per event, as text or JSON, to --log_file or, without it, to standard error in place of "
              "the texts for people",
              {{"off", LogFormat::kOff}, {"text", LogFormat::kText}, {"json", LogFormat::kJson}})
          .String("log_file", &G::log_file,
                  "append the log to this file, as text unless --log_format says otherwise; processes may share it",
                  "FILE")
          .String("metrics_file", &G::metrics_file,
                  "write the crawl's metrics to this file, for Prometheus' node_exporter: every 15 s and at the end",
                  "FILE");
  return group;
}

const OptionGroup<ReadingOptions>& ReadingOptionGroup() {
  using R = ReadingOptions;
  static const auto group =
      OptionGroup<R>("", "Which state of the crawl")
          .Int("snapshot", &R::snapshot, "read the crawl as it was at this snapshot; -1 is the newest", AtLeast(-1),
               "SNAPSHOT")
          .Main();
  return group;
}

const OptionGroup<IdleOptions>& IdleOptionGroup() {
  static const auto group = OptionGroup<IdleOptions>("", "When there is nothing to do")
                                .Int("idle_exit", &IdleOptions::idle_exit, "exit code for this case", Between(0, 255))
                                .Main();
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
