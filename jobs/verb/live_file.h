// The numbers of a job while it runs, as a file beside its plan, so that another process can show them:
// `jobs/<id>/_live-<n>.json`. The file with the highest number counts.
//
// A job that is killed leaves its last file. Whoever reads it asks first whether the process of the plan still lives.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// Writes the file again and again on a thread of its own, and removes it at the end. A short job never writes one. A
// store that fails does not disturb the job.
class LiveFile {
 public:
  // `numbers` is called from the thread. The store, the clock and what `numbers` reads outlive the object.
  LiveFile(Store* store, const Clock& clock, std::string job, std::function<Json()> numbers);
  ~LiveFile();
  LiveFile(const LiveFile&) = delete;
  LiveFile& operator=(const LiveFile&) = delete;

 private:
  void Run();
  void Write();

  Store* const store_;
  const Clock& clock_;
  const std::string job_;
  const std::function<Json()> numbers_;
  int64_t number_ = 0;  // of the last file; 0: none yet
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_finished_ = false;
  std::thread thread_;
};

// What the job's newest file says, with `at_ms`, the time by the clock of the machine that wrote it. Null where there is
// none.
arrow::Result<Json> ReadLiveFile(Store* store, const std::string& job);

}  // namespace trawl
