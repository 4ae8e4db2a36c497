// trawl watch: shows what runs on a crawl, from a process of its own. It writes nothing into the root.
#include "jobs/live/watch.h"

#include <unistd.h>

#include <memory>
#include <optional>

#include "jobs/verb/crawl.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/snapshot.h"
#include "runtime/terminal/screen.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostWorkers = 200;
constexpr char kControlD = '\x04';

struct WatchOptions {
  int64_t interval_ms = 2'000;
  int32_t count = 0;
  bool until_idle = false;
};

const OptionGroup<WatchOptions>& WatchOptionGroup() {
  static const auto group =
      OptionGroup<WatchOptions>("watch", "What is shown, and how often")
          .Duration("interval", &WatchOptions::interval_ms, "time between two looks", Between(200, 3'600'000))
          .Main()
          .Int("count", &WatchOptions::count,
               "end after as many looks; 0: on a terminal and with --json go on until stopped, else 1", AtLeast(0))
          .Main()
          .Bool("until_idle", &WatchOptions::until_idle, "end when nothing runs")
          .Main();
  return group;
}

class Watch {
 public:
  Watch(VerbContext& context, Store* store, const WatchOptions& options)
      : context_(context), options_(options), store_(store), reader_(store, context.process.clock) {
    const bool is_terminal = context.process.is_out_terminal && !context.global.json;
    looks_ = options.count > 0 ? options.count : is_terminal || context.global.json || options.until_idle ? 0 : 1;
    if (is_terminal && options.count != 1) screen_ = std::make_unique<Screen>(STDOUT_FILENO, STDIN_FILENO);
  }

  Status Run() {
    for (int32_t looked = 1;; ++looked) {
      ARROW_ASSIGN_OR_RAISE(const bool is_idle, Look());
      if (looked == looks_ || (options_.until_idle && is_idle) || !GoesOn()) return Status::OK();
    }
  }

 private:
  Result<bool> Look() {
    ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store_));
    ARROW_ASSIGN_OR_RAISE(const auto live, reader_.Read(present.manifest, context_.process.stop));
    if (screen_) {
      std::vector<std::string> lines = WatchLines(*live, kMostWorkers);
      lines.push_back("q ends");
      screen_->Show(lines);
      return live->state == "idle";
    }
    Json json = StatusJson(*live);
    json["list"] = WorkersJson(*live)["workers"];
    std::string text;
    for (const std::string& line : WatchLines(*live, kMostWorkers)) text += line + "\n";
    ARROW_RETURN_NOT_OK(context_.Answer(json, text));
    context_.process.out.flush();
    return live->state == "idle";
  }

  // False once somebody ends it.
  bool GoesOn() {
    const StopToken& stop = context_.process.stop;
    if (!screen_) {
      Screen::Pause(options_.interval_ms, stop);
      return !stop.stopped();
    }
    const std::optional<char> key = screen_->WaitForKey(options_.interval_ms, stop);
    return !stop.stopped() && (!key || (*key != 'q' && *key != 'Q' && *key != kControlD));
  }

  VerbContext& context_;
  const WatchOptions options_;
  Store* const store_;
  LiveReader reader_;
  int32_t looks_ = 0;
  std::unique_ptr<Screen> screen_;
};

Result<int> RunWatch(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const WatchOptions options, context.Read(WatchOptionGroup()));
  Watch watch(context, crawl->store(), options);
  const Status status = watch.Run();
  // Whoever stops looking has seen enough: that is no failure.
  if (!status.ok() && KindOf(status) != StatusKind::kStopped) return status;
  return kExitDone;
}

}  // namespace

Verb WatchVerb() {
  return {
      .name = "watch",
      .summary = "show what a running crawl does, from another process",
      .purpose = VerbPurpose::kLook,
      .description =
          "Shows the step that runs, the rate of the last five minutes, what is done and left, which hosts wait and "
          "for what, and who works on which list, each with its age. It works for runs on this machine and on a "
          "cluster, and on every store, because it reads what the crawl stores anyway. On a terminal the page is "
          "refreshed until q is pressed; a pipe gets one page, and with --json one object per look.",
      .examples = {{"Until q is pressed", "trawl watch"},
                   {"Once, for a program", "trawl watch --json --watch.count 1"},
                   {"A line every minute until the crawl is done", "trawl watch --json --interval 1m --until_idle"}},
      .groups = {&WatchOptionGroup()},
      .run = RunWatch};
}

}  // namespace trawl
