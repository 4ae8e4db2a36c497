// Input: what workers left in a crawl, one document per line: "0 {…}" is the next entry of the chain of list 0 (0 to 3), "p {…}" the
// plan of the job, "l {…}" its live file. Documents get their seals here; a line that is no object is stored as it is. Whatever
// they say, what runs now is told, in numbers that make sense.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "formats/documents/sealed_json.h"
#include "jobs/live/live.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"
#include "runtime/store/store.h"
#include "tests/support/process/manual_clock.h"

namespace trawl {
namespace {

constexpr char kSegment[] = "20260301T120000Z-5f3a9c01";
constexpr char kJob[] = "20260301T120000Z-fetch-875cf6ea";
constexpr int kLists = 4;
constexpr int kMostLines = 20;

void Check(bool holds) {
  if (!holds) std::abort();
}

std::string Sealed(std::string_view text) {
  const auto json = ParseJson(text);
  return json.ok() && json->is_object() ? SealJson(*json) : std::string(text);
}

// Files in memory: thousands of crawls a second.
class MemoryStore : public Store {
 public:
  std::map<std::string, std::string> files;

  arrow::Result<std::unique_ptr<StoreWriter>> OpenWriter(const std::string&) override { return Unwanted(); }
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override {
    const auto file = files.find(path);
    if (file == files.end()) return FileNotFound(path);
    return std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(file->second));
  }
  arrow::Result<CreateOutcome> CreateExclusive(const std::string&, const std::string&) override { return Unwanted(); }
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool) override {
    std::vector<StoreEntry> entries;
    for (const auto& [path, text] : files) {
      if (!path.starts_with(folder + "/")) continue;
      const size_t slash = path.find('/', folder.size() + 1);
      const std::string entry = path.substr(0, slash);
      if (!entries.empty() && entries.back().path == entry) continue;
      entries.push_back({.path = entry, .is_folder = slash != std::string::npos});
    }
    return entries;
  }
  arrow::Result<bool> Exists(const std::string& path) override { return files.contains(path); }
  arrow::Status Remove(const std::string&) override { return Unwanted(); }
  arrow::Status RemoveFolder(const std::string&) override { return Unwanted(); }
  std::string Describe() const override { return "memory"; }

 private:
  static arrow::Status Unwanted() { return arrow::Status::NotImplemented("whoever looks writes nothing"); }
};

class Scene {
 public:
  Scene() {
    manifest_.number = 7;
    manifest_.open_segments.push_back(
        {.id = kSegment, .opened_ms = clock_.NowMs(), .until_ms = clock_.NowMs() + 86'400'000, .job = "generate-1"});
  }

  void Run(std::string_view input) {
    int64_t next[kLists] = {};
    for (int lines = 0; !input.empty() && lines < kMostLines; ++lines) {
      const size_t end = std::min(input.find('\n'), input.size());
      const std::string_view line = input.substr(0, end);
      input.remove_prefix(std::min(end + 1, input.size()));
      if (line.size() < 2) continue;
      const std::string text = Sealed(line.substr(2));
      const int list = (line[0] - '0') & (kLists - 1);
      const std::string path = line[0] == 'p'   ? PlanPath(kJob)
                               : line[0] == 'l' ? JobLivePath(kJob, 1)
                                                : AttemptPath(kSegment, list, next[list]++);
      store_.files.emplace(path, text);
    }
    Look();
    store_.files.clear();
  }

 private:
  void Look() {
    LiveReader reader(&store_, clock_);
    const auto read = reader.Read(manifest_, {});
    Check(read.ok());
    const LiveCrawl& live = **read;
    Check(live.rate.errors >= 0 && live.rate.errors <= live.rate.fetched + 1 && live.rate.pages_per_sec >= 0);
    Check(live.settled() >= 0 && live.left() >= 0 && live.waits.hosts_active >= 0 && live.waits.age_ms >= 0);
    for (const LiveWorker& worker : live.workers) {
      Check(worker.sums.asked >= worker.sums.succeeded && worker.sums.succeeded >= 0 && worker.sums.bytes >= 0);
      Check(ParseJson(DumpJson(WorkerStatsJson(worker, live.read_ms))).ok());
    }
    Check(ParseJson(DumpJson(StatusJson(live))).ok() && ParseJson(DumpJson(WorkersJson(live))).ok());
    for (const ThroughputStep step : {ThroughputStep::kMinute, ThroughputStep::kHour, ThroughputStep::kRound}) {
      const auto points = reader.Throughput(manifest_, {.since_ms = 0, .until_ms = INT64_MAX, .step = step}, {});
      Check(points.ok() && points->size() <= LiveReader::kMostPoints);
      for (const ThroughputPoint& point : *points) Check(ParseJson(DumpJson(ToJson(point))).ok());
    }
  }

  ManualClock clock_;
  MemoryStore store_;
  Manifest manifest_;
};

}  // namespace
}  // namespace trawl

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static trawl::Scene scene;
  scene.Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
