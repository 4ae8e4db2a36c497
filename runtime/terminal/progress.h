// Shows the progress of long work: on a terminal one live line, rewritten in place; elsewhere a line every 30 s.
//
//   Progress progress({.mode = ChooseProgressMode(STDERR_FILENO, quiet), .title = "inject"}, SystemClock(),
//                     [&rows] { return ReadableCount(rows.load()) + " rows"; });
//
// It lives as long as the work; a verb gets one from VerbContext::ShowProgress. The result is not progress: a verb
// prints it itself.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "runtime/process/clock.h"

namespace trawl {

// The width of the terminal that the descriptor is; 80 where it is none.
size_t TerminalColumns(int fd);

enum class ProgressMode { kSilent, kLive, kLines };

// Live on a terminal that can move its cursor (TERM is set and not "dumb"), lines elsewhere.
ProgressMode ChooseProgressMode(int fd, bool is_quiet);

// Says in a few words what has been done and what is being done. Called from the progress thread; it must not call Say.
using ProgressSource = std::function<std::string()>;

struct ProgressSettings {
  ProgressMode mode = ProgressMode::kSilent;
  int fd = 2;
  std::string title = {};
};

// Decides when to print and prints; it has no thread. Progress calls it; tests move its clock by hand.
class ProgressPrinter {
 public:
  // `clock` outlives the printer.
  ProgressPrinter(ProgressSettings settings, const Clock& clock, ProgressSource source);

  // Prints if it is time. Skips a terminal that takes nothing at the moment (Ctrl-S).
  void Tick();
  // Prints a line that stays, above the live one.
  void Say(std::string_view line);
  // Removes the live line.
  void Finish();

 private:
  std::string Line() const;
  void Write(std::string_view text) const;

  const ProgressSettings settings_;
  const Clock& clock_;
  const ProgressSource source_;
  const int64_t start_ms_;
  int64_t next_ms_;
};

// The printer on a thread of its own. Any thread may call Say.
class Progress {
 public:
  Progress(const ProgressSettings& settings, const Clock& clock, ProgressSource source);
  // Stops the thread and removes the live line; the source is not called any more.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Say(std::string_view line);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_finished_ = false;
  ProgressPrinter printer_;
  std::thread thread_;
};

}  // namespace trawl
