// The loop of one fetch task: asks every host that may be asked, takes the answers, and closes parts. It stops when it
// is told to, or when its list may belong to another attempt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "arrow/status.h"
#include "formats/scope/crawl_scope.h"
#include "jobs/fetch/asker.h"
#include "jobs/fetch/part_writer.h"
#include "jobs/fetch/state.h"
#include "jobs/verb/live_gauges.h"
#include "runtime/http/http.h"
#include "runtime/job/task.h"
#include "runtime/root/attempt_chain.h"

namespace trawl {

struct FetchTaskSettings {
  FetchOptions options;
  RobotsOptions robots;
  NormalForm form = NormalForm::kStandard;
  std::string segment;
  int list = 0;
  // Tasks that run on this machine at once and share its memory and sockets.
  int tasks = 1;
  // Shared by those tasks; outlives them.
  HostTurns* turns = nullptr;
  // The bodies that were stored for the list; outlives the task.
  SharedBodies* bodies = nullptr;
  // No request begins later, by the crawl's time.
  int64_t until_ms = 0;
};

class FetchTask {
 public:
  // All but `settings` must outlive it.
  static arrow::Result<std::unique_ptr<FetchTask>> Make(TaskContext& context, const FetchTaskSettings& settings,
                                                        const CrawlScope& scope, FetchState& state,
                                                        AttemptChain& chain);
  ~FetchTask();

  // OK where the list is done; StoppedError where the task was told to stop. In both cases everything that was fetched
  // is in the chain's parts.
  arrow::Status Run();

 private:
  FetchTask(TaskContext& context, const FetchTaskSettings& settings, FetchState& state, AttemptChain& chain);
  int64_t MonotonicMs() const { return context_.clock().MonotonicMs(); }
  int64_t NowMs() const { return context_.NowMs(); }
  bool MayBegin(int64_t now_ms) const;
  void Write(FetchedPage page);
  arrow::Status AskWhatMayBeAsked();
  arrow::Status Wait();
  arrow::Status Loop();
  arrow::Status Drain();
  void LeaveLongRetries(int64_t now_ms);
  bool IsOver(int64_t now_ms) const;
  void ClosePart();
  void ClosePartIfDue();
  int64_t ThreadBusyPercent();
  void ShowGauges(bool at_once);

  TaskContext& context_;
  const FetchTaskSettings settings_;
  FetchState& state_;
  AttemptChain& chain_;
  Counters part_counters_;
  std::unique_ptr<HttpClient> client_;
  std::unique_ptr<Asker> asker_;
  std::unique_ptr<FetchPartWriter> parts_;
  std::vector<HttpAnswer> answers_;
  int64_t began_ms_ = 0;
  int64_t part_began_ms_ = 0;
  int urgent_parts_ = 0;  // closed early, for a successor's sake
  int64_t part_bytes_ = 0;
  bool part_has_rows_ = false;
  int64_t shown_ms_ = 0;
  FetchGauges gauges_;
  int64_t busy_since_ms_ = 0, busy_used_ms_ = 0;
};

}  // namespace trawl
