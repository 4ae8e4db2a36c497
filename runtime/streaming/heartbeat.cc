#include "runtime/streaming/heartbeat.h"

#include <unistd.h>

#include <chrono>

#include "runtime/streaming/channel.h"

namespace trawl {

namespace {

// Hadoop ends a task that is silent for mapreduce.task.timeout, ten minutes unless the cluster sets another time.
constexpr int kSecondsABeat = 10;
constexpr int kExitOrphaned = 3;

}  // namespace

TaskHeartbeat::TaskHeartbeat(const std::atomic<int64_t>* rows_written)
    : rows_written_(rows_written), parent_(getppid()), thread_([this] { Run(); }) {}

TaskHeartbeat::~TaskHeartbeat() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_finished_ = true;
  }
  wake_.notify_all();
  thread_.join();
  ReportRows();
}

void TaskHeartbeat::SetName(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  name_ = name;
  TaskChannel::ReportStatus(name_);
}

void TaskHeartbeat::Show(const Json& gauges) {
  std::string text = DumpJson(gauges);
  const std::lock_guard<std::mutex> lock(mutex_);
  gauges_ = std::move(text);
}

void TaskHeartbeat::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (int second = 0; !is_finished_; ++second) {
    if (second % kSecondsABeat == 0) Beat();
    // The Java parent is gone: nobody takes this task's output, and another attempt may be running.
    if (getppid() != parent_) _exit(kExitOrphaned);
    wake_.wait_for(lock, std::chrono::seconds(1));
  }
}

void TaskHeartbeat::Beat() {
  TaskChannel::ReportStatus(gauges_.empty() ? name_ : name_ + " " + gauges_);
  ReportRows();
}

void TaskHeartbeat::ReportRows() {
  const int64_t rows = rows_written_->load();
  if (rows > reported_rows_) TaskChannel::ReportCounter(kRowsCounter, rows - reported_rows_);
  reported_rows_ = rows;
}

Json GaugesInStatus(const std::string& status) {
  const size_t begin = status.find('{');
  if (begin == std::string::npos) return Json();
  const auto gauges = ParseJson(std::string_view(status).substr(begin));
  return gauges.ok() ? *gauges : Json();
}

}  // namespace trawl
