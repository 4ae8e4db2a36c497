#include "runtime/terminal/event_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/process/status_detail.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;

namespace {

const char* NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
    case LogLevel::kInfo:
      break;
  }
  return "info";
}

// A value of the text format: bare where it is one plain word, else as JSON, which has no line feed.
std::string ValueText(const Json& value) {
  if (!value.is_string()) return DumpJson(value);
  const auto text = value.get<std::string>();
  const auto is_plain = [](unsigned char c) { return c > ' ' && c < 127 && c != '"' && c != '=' && c != '\\'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_plain) ? text : DumpJson(value);
}

// JSON leaves DEL as it is; a terminal may not.
std::string WithoutDel(std::string line) {
  for (size_t at = line.find('\x7f'); at != std::string::npos; at = line.find('\x7f', at))
    line.replace(at, 1, "\\u007f");
  return line;
}

}  // namespace

std::string LogLine(LogFormat format, TimeMs time, LogLevel level, std::string_view event, const Json& fields) {
  if (format == LogFormat::kJson) {
    Json json = {{"time", FormatTimestamp(time)}, {"level", NameOf(level)}, {"event", event}};
    json.update(fields);
    return WithoutDel(DumpJson(json));
  }
  std::string line = FormatTimestamp(time) + " " + NameOf(level) + " " + std::string(event);
  for (const auto& [name, value] : fields.items()) line += " " + name + "=" + ValueText(value);
  // JSON leaves DEL and the controls above ASCII as they are.
  return Printable(line);
}

Result<std::unique_ptr<EventLog>> EventLog::Open(LogFormat format, const std::string& file, const Clock& clock) {
  std::unique_ptr<EventLog> log(new EventLog(format, clock));
  log->descriptor_ = STDERR_FILENO;
  if (file.empty()) return log;
  // A named pipe is never waited for, neither for its reader nor for room.
  log->file_ = FileDescriptor(open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666));
  if (!log->file_.is_open()) {
    if (errno == ENXIO) return UsageError("--log_file ", file, ": nobody reads this pipe; start its reader first");
    return UsageError("--log_file ", file, ": ", std::strerror(errno), "; name a file that can be written");
  }
  log->descriptor_ = log->file_.get();
  struct stat about = {};
  if (fstat(log->descriptor_, &about) == 0 && S_ISREG(about.st_mode)) {
    log->read_ = FileDescriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
    log->is_torn_ = log->EndsTorn();
  }
  return log;
}

// Whether the last line of the file has no end: its writer was killed, or its disk was full. Asked once, for a line that
// another process is writing looks the same for a moment.
bool EventLog::EndsTorn() const {
  struct stat about = {};
  char last = '\n';
  if (!read_.is_open() || fstat(read_.get(), &about) != 0 || about.st_size == 0) return is_torn_;
  return pread(read_.get(), &last, 1, about.st_size - 1) == 1 && last != '\n';
}

void EventLog::Write(LogLevel level, const std::string& event, const Json& fields) {
  std::string line = LogLine(format_, clock_.NowMs(), level, event, fields) + "\n";
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_torn_) line.insert(0, "\n");
  ssize_t written = -1;
  do {
    written = write(descriptor_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written > 0) is_torn_ = static_cast<size_t>(written) < line.size();
}

void Warn(std::ostream& err, std::string_view text) {
  auto* const logged = dynamic_cast<LoggedStream*>(&err);
  if (logged != nullptr) logged->level_ = LogLevel::kWarning;
  err << text << std::flush;
  if (logged != nullptr) logged->level_ = LogLevel::kInfo;
}

LoggedStream::~LoggedStream() { Say(); }

int LoggedStream::overflow(int c) {
  if (c == EOF) return 0;
  const char byte = static_cast<char>(c);
  return xsputn(&byte, 1) == 1 ? c : EOF;
}

std::streamsize LoggedStream::xsputn(const char* text, std::streamsize size) {
  if (to_ != nullptr) to_->write(text, size);
  for (const char c : std::string_view(text, static_cast<size_t>(size))) {
    c == '\n' ? Say() : line_.push_back(c);
  }
  return size;
}

int LoggedStream::sync() {
  if (to_ != nullptr) to_->flush();
  return 0;
}

void LoggedStream::Say() {
  if (!line_.empty()) log_.Write(level_, "said", {{"text", line_}});
  line_.clear();
}

}  // namespace trawl
