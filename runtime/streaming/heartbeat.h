// A thread that tells Hadoop that a task is alive, whatever the task itself is doing, and that ends the process when
// whoever started it is gone.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "formats/documents/json.h"

namespace trawl {

class TaskHeartbeat {
 public:
  // `rows_written` outlives it.
  explicit TaskHeartbeat(const std::atomic<int64_t>* rows_written);
  // Reports the rest and stops.
  ~TaskHeartbeat();
  TaskHeartbeat(const TaskHeartbeat&) = delete;
  TaskHeartbeat& operator=(const TaskHeartbeat&) = delete;

  // What the task is ("m3-0"); reported at once.
  void SetName(const std::string& name);
  // Numbers to show with the next beat, for whoever watches.
  void Show(const Json& gauges);

 private:
  void Run();
  void Beat();
  void ReportRows();

  const std::atomic<int64_t>* const rows_written_;
  const int parent_;
  int64_t reported_rows_ = 0;  // of the thread
  std::mutex mutex_;           // guards what follows
  std::condition_variable wake_;
  std::string name_ = "starting";
  std::string gauges_;
  bool is_finished_ = false;
  std::thread thread_;
};

// The gauges in a status line; null where it has none.
Json GaugesInStatus(const std::string& status);

// The counter of the rows that tasks have written so far.
inline constexpr char kRowsCounter[] = "rows_written";

}  // namespace trawl
