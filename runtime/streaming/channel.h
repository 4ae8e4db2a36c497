// The standard streams of a task under Hadoop Streaming.
//
// A task's records go to standard output: Hadoop takes everything printed there, by any library, for a frame. So a task
// first opens its channel, which keeps that stream for itself and makes later "standard output" go to standard error.
// Lines to Hadoop ("reporter:…") go to standard error, each whole in one write. Any thread may call Report; the rest
// belongs to one thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/hadoop/frame.h"
#include "runtime/process/file_descriptor.h"

namespace trawl {

class TaskChannel : public ByteSource, public ByteSink {
 public:
  // REQUIRES: nothing has been printed yet.
  static arrow::Result<TaskChannel> Open();

  arrow::Result<size_t> Read(char* out, size_t size) override;
  arrow::Status Write(std::string_view bytes) override;

  // Reads the rest, so that Hadoop, which continues writing, sees no broken pipe.
  arrow::Status Drain();
  // Closes the stream of the records: nothing follows.
  arrow::Status Close();

  // "reporter:counter:Trawl,<name>,<amount>".
  static void ReportCounter(std::string_view name, int64_t amount);
  // "reporter:status:<text>".
  static void ReportStatus(std::string_view text);

 private:
  explicit TaskChannel(FileDescriptor out) : out_(std::move(out)) {}
  FileDescriptor out_;
};

// The group of counters that tasks report.
inline constexpr char kCounterGroup[] = "Trawl";

}  // namespace trawl
