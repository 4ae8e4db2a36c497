#include "runtime/backends/exclusive_rename.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "arrow/filesystem/hdfs.h"
#include "arrow/io/interfaces.h"
#include "runtime/store/path.h"

namespace trawl {

namespace {

using arrow::Result;
using arrow::Status;

constexpr int kRaces = 5;
constexpr int kRacers = 4;

// The files of a proof, which go with it.
class Probes {
 public:
  Probes(const Hdfs& hdfs, std::string folder) : hdfs_(hdfs), folder_(std::move(folder)) {}
  ~Probes() {
    for (const std::string& name : names_) {
      const Status deleted = hdfs_.client->Delete(name);
      (void)deleted;  // what stays has a temporary name
    }
  }
  Probes(const Probes&) = delete;
  Probes& operator=(const Probes&) = delete;

  std::string NewName() { return names_.emplace_back(TemporaryPathFor(folder_ + "/probe")); }

  Result<std::string> NewFile() {
    std::string name = NewName();
    const auto stream = hdfs_.arrow->OpenOutputStream(name, nullptr);
    if (!stream.ok()) return hdfs_.client->Explained(stream.status(), "creating", name);
    if (const Status closed = (*stream)->Close(); !closed.ok()) {
      return hdfs_.client->Explained(closed, "writing", name);
    }
    return name;
  }

 private:
  const Hdfs& hdfs_;
  const std::string folder_;
  std::vector<std::string> names_;
};

// Returns how many of the racers were told that they got the name.
Result<int> Race(const Hdfs& hdfs, Probes* probes) {
  std::vector<std::string> files;
  for (int racer = 0; racer < kRacers; ++racer) {
    ARROW_ASSIGN_OR_RAISE(files.emplace_back(), probes->NewFile());
  }
  const std::string name = probes->NewName();
  std::vector<char> won(kRacers, false);
  std::vector<std::thread> threads;
  for (int racer = 0; racer < kRacers; ++racer) {
    threads.emplace_back([&, racer] {
      const Result<bool> renamed = hdfs.client->Rename(files[racer], name);
      won[racer] = renamed.ok() && *renamed;  // an error is a refusal, too
    });
  }
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(std::count(won.begin(), won.end(), true));
}

}  // namespace

Status ProveExclusiveRename(const std::shared_ptr<const Hdfs>& hdfs, const std::string& folder) {
  Probes probes(*hdfs, folder);
  for (int race = 0; race < kRaces; ++race) {
    ARROW_ASSIGN_OR_RAISE(const int winners, Race(*hdfs, &probes));
    if (winners == 1) continue;
    return Status::Invalid(
        hdfs->client->NameOf(folder), ": this file system does not keep a name for the first who takes it (of ",
        kRacers, " files that were renamed to one name at once, ", winners,
        " got it), so two jobs could publish the same snapshot; put the crawl on hdfs://…, s3://… or a local path");
  }
  return Status::OK();
}

}  // namespace trawl
