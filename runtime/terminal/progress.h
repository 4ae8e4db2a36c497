// What long work shows while it runs: one live line on a terminal, rewritten in place; elsewhere a line every 30 s.
//
//   Progress progress({.mode = ChooseProgressMode(STDERR_FILENO, quiet), .title = "inject"}, SystemClock(),
//                     [&rows] { return ReadableCount(rows.load()) + " rows"; });
//
// lives as long as the work; a verb gets one from VerbContext::ShowProgress. The result is not progress: a verb prints
// it itself.
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

enum class ProgressMode { kSilent, kLive, kLines };

// Live on a terminal that can move its cursor (TERM is set and not "dumb"), lines elsewhere.
ProgressMode ChooseProgressMode(int fd, bool is_quiet);

// In a few words what has been done and what is being done. Called from the progress thread; it must not call Say.
using ProgressSource = std::function<std::string()>;

struct ProgressSettings {
  ProgressMode mode = ProgressMode::kSilent;
  int fd = 2;
  std::string title = {};
};

// Decides when to print what; has no thread. Progress calls it; tests move its clock by hand.
class ProgressPrinter {
 public:
  // `clock` outlives it.
  ProgressPrinter(ProgressSettings settings, const Clock& clock, ProgressSource source);

  // Prints if it is time. A terminal that takes nothing right now (Ctrl-S) is passed over.
  void Tick();
  // A line that stays, above the live one.
  void Say(std::string_view line);
  // Takes the live line away.
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
  // Stops the thread and takes the live line away; the source is not called any more.
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
