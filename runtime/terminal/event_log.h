// The log of a process: one line per event, as text or as JSON, to a file or to standard error.
//
// A line is one write, appended, so several processes may share a file; where one of them left a line without an end, the
// next one begins on a line of its own. Whatever a page or an error says, an event stays one line. A line that cannot be
// written at once is dropped: neither a full disk nor a pipe that nobody reads must stop a crawl. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/process/clock.h"
#include "runtime/process/file_descriptor.h"

namespace trawl {

enum class LogFormat : int8_t { kOff, kText, kJson };
enum class LogLevel : int8_t { kInfo, kWarning, kError };

// Takes an event: its level, its name in the past tense ("job_published"), and its fields.
using EventSink = std::function<void(LogLevel level, const std::string& event, const Json& fields)>;

// The line of an event, without a line feed. `fields` is an object.
std::string LogLine(LogFormat format, TimeMs time, LogLevel level, std::string_view event, const Json& fields);

class EventLog {
 public:
  // Opens `file` for appending; an empty name stands for standard error. UsageError where that cannot be, also for a named
  // pipe that nobody reads. `clock` must outlive the log.
  static arrow::Result<std::unique_ptr<EventLog>> Open(LogFormat format, const std::string& file, const Clock& clock);

  void Write(LogLevel level, const std::string& event, const Json& fields);

 private:
  EventLog(LogFormat format, const Clock& clock) : format_(format), clock_(clock) {}
  bool EndsTorn() const;

  const LogFormat format_;
  const Clock& clock_;
  FileDescriptor file_;
  FileDescriptor read_;  // the same file, where it is one that can be read
  int descriptor_ = -1;
  std::mutex mutex_;      // guards is_torn_
  bool is_torn_ = false;  // the last line was cut, as far as this process knows
};

// Writes text to `err`. If that is a LoggedStream, its lines are warnings in the log. REQUIRES: whole lines.
void Warn(std::ostream& err, std::string_view text);

// A stream that passes text on to `to` (null: to nobody), and each line of it to the log as the event "said". One
// thread.
class LoggedStream : private std::streambuf, public std::ostream {
 public:
  LoggedStream(EventLog& log, std::ostream* to) : std::ostream(this), log_(log), to_(to) {}
  ~LoggedStream() override;

 private:
  friend void Warn(std::ostream& err, std::string_view text);
  int overflow(int c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  void Say();

  EventLog& log_;
  std::ostream* const to_;
  LogLevel level_ = LogLevel::kInfo;
  std::string line_;
};

}  // namespace trawl
