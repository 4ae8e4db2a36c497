// A thread that tells Hadoop that a task is alive, whatever the task itself is doing, and that ends the process when
// its parent process is gone.
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
  // `rows_written` outlives this object.
  explicit TaskHeartbeat(const std::atomic<int64_t>* rows_written);
  // Reports the remaining rows and stops.
  ~TaskHeartbeat();
  TaskHeartbeat(const TaskHeartbeat&) = delete;
  TaskHeartbeat& operator=(const TaskHeartbeat&) = delete;

  // Sets the task's name ("m3-0") and reports it at once.
  void SetName(const std::string& name);
  // Sets numbers to show with the next beat.
  void Show(const Json& gauges);

 private:
  void Run();
  void Beat();
  void ReportRows();

  const std::atomic<int64_t>* const rows_written_;
  const int parent_;
  int64_t reported_rows_ = 0;  // only the thread uses it
  std::mutex mutex_;           // guards the members after it
  std::condition_variable wake_;
  std::string name_ = "starting";
  std::string gauges_;
  bool is_finished_ = false;
  std::thread thread_;
};

// Returns the gauges in a status line; null where it has no gauges.
Json GaugesInStatus(const std::string& status);

// The counter of the rows that tasks have written so far.
inline constexpr char kRowsCounter[] = "rows_written";

}  // namespace trawl
