// A root with an open segment whose chains, plans and live files a test writes by hand, and the clock by which they are
// read.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "formats/documents/attempt_entry.h"
#include "formats/documents/sealed_json.h"
#include "formats/documents/step_record.h"
#include "jobs/live/live.h"
#include "jobs/verb/live_gauges.h"
#include "runtime/job/plan.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "tests/support/process/manual_clock.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

class LiveScene : public testing::Test {
 protected:
  static constexpr char kSegment[] = "20260301T120000Z-5f3a9c01";
  static constexpr char kJob[] = "20260301T120000Z-fetch-875cf6ea";

  LiveScene() : store_(OpenStore(folder_.path(), {.sync = false}).ValueOrDie()), start_ms_(clock_.NowMs()) {
    manifest_.number = 7;
  }

  // Opens the segment with lists of so many URLs.
  void Open(const std::vector<int64_t>& urls) {
    StepRecord lists = {.segment = kSegment, .step = kGenerateStep, .job = "generate-1", .snapshot = 6};
    for (const int64_t count : urls) {
      StepTask task;
      task.facts["urls"] = count;
      lists.tasks.push_back(task);
    }
    const std::string text = SealJson(ToJson(lists));
    ASSERT_OK(store_->CreateExclusive(ListsRecordPath(kSegment, lists.job), text));
    manifest_.open_segments.push_back({.id = kSegment,
                                       .opened_ms = start_ms_,
                                       .until_ms = start_ms_ + 86'400'000,
                                       .job = lists.job,
                                       .lists = SealOfText(text)});
  }

  // A process of another machine, of which nobody here knows whether it lives.
  static ProcessIdentity Elsewhere(int64_t pid = 4711) { return {"other-boot pid:[1]", pid, 99}; }

  AttemptEntry Entry(AttemptEvent event, int64_t after_ms, int attempt = 0) const {
    AttemptEntry entry;
    entry.event = event;
    entry.attempt = std::string(kJob) + "-m0-" + std::to_string(attempt);
    entry.process = Elsewhere();
    entry.lease_ms = 60'000;
    entry.at_ms = start_ms_ + after_ms;
    if (event == AttemptEvent::kBegin) entry.lists_job = "generate-1";
    return entry;
  }
  AttemptEntry Part(int64_t after_ms, const Json& counters, int attempt = 0) const {
    AttemptEntry entry = Entry(AttemptEvent::kPart, after_ms, attempt);
    entry.counters = counters;
    return entry;
  }
  static AttemptEntry With(AttemptEntry entry, const FetchGauges& gauges) {
    entry.gauges = ToJson(gauges);
    return entry;
  }
  // Writes the next entry of the list's chain.
  void Write(int list, const AttemptEntry& entry) {
    ASSERT_OK(store_->CreateExclusive(AttemptPath(kSegment, list, next_[list]++), SealJson(ToJson(entry))));
  }

  void WritePlan(const std::string& job, const std::string& verb, const ProcessIdentity& process, int64_t offset_ms = 0,
                 const std::string& runner = "local") {
    Plan plan;
    plan.job = job;
    plan.verb = verb;
    plan.snapshot = manifest_.number;
    plan.planned_ms = clock_.NowMs();
    plan.now_ms = plan.planned_ms - offset_ms;
    plan.process = process;
    plan.options["job.runner"] = runner;
    if (verb == "fetch") plan.facts["segment"] = kSegment;
    ASSERT_OK(store_->CreateExclusive(PlanPath(job), SealJson(ToJson(plan))));
  }

  LiveCrawl Read() {
    // What was read is given again for a while.
    clock_.Advance(10'000);
    return *reader_.Read(manifest_, {}).ValueOrDie();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
  ManualClock clock_;
  const TimeMs start_ms_;
  Manifest manifest_;
  std::map<int, int64_t> next_;
  LiveReader reader_{store_.get(), clock_};
};

}  // namespace trawl
