// The decisions of a job before its start, stored in `jobs/<id>/plan.json`: tasks read it and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/process_identity.h"
#include "runtime/options/options.h"
#include "runtime/process/clock.h"

namespace trawl {

// About how much a job does: the runner that fits is chosen by it.
struct PlannedWork {
  int64_t bytes = -1;   // that its tasks read and write, as they are stored; -1: nobody has said
  int64_t wait_ms = 0;  // time that passes while its tasks mostly wait for others
};

// The values of Plan::runner.
inline constexpr char kLocalRunner[] = "local";
inline constexpr char kStreamingRunner[] = "streaming";

struct Plan {
  std::string job;
  std::string verb;
  std::string version;      // version of the program that planned
  int64_t snapshot = 0;     // the one that the job reads
  TimeMs now_ms = 0;        // the only time that its tasks know
  TimeMs planned_ms = 0;    // by the machine's clock, for tasks that need to know the plan's age
  ProcessIdentity process;  // the process that runs the job; plans of older versions lack it
  OptionTexts options;      // every effective value
  // One map task per part; only the job knows what a part means.
  std::vector<Json> parts;
  // Number of reduce tasks, each with an even share of the slots. 0: the map tasks write the output, each for the slots
  // of its part.
  int partitions = 0;
  PlannedWork work;
  // Where its tasks run, and why there. It stays as it is, whatever the command says that goes on with the job. Plans of
  // older versions lack it and have the option alone.
  std::string runner;
  std::string runner_reason;
  // Whether a later command goes on with the job when its driver is dead, so that its files must stay.
  bool outlives_driver = false;
  // Everything else that the job decided.
  Json facts = Json::object();

  // The segment that the job makes or works on: the fact "segment".
  std::string segment() const;
  bool is_on_cluster() const;
};

Json ToJson(const Plan& plan);
arrow::Result<Plan> PlanFromJson(const Json& json);

// Returns a new job's id, from its time, its verb and 32 random bits: "20260101T120000Z-inject-5f3a9c01". Ids sort by
// time.
std::string NewJobId(const std::string& verb, TimeMs now_ms);

}  // namespace trawl
