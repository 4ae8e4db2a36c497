// What a job decided before it started, `jobs/<id>/plan.json`: tasks read it and nothing else.
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

struct Plan {
  std::string job;
  std::string verb;
  std::string version;      // of the program that planned
  int64_t snapshot = 0;     // what the job reads
  TimeMs now_ms = 0;        // the one time that its tasks know
  TimeMs planned_ms = 0;    // by the machine's clock, for the tasks that need to know how long ago that was
  ProcessIdentity process;  // that runs the job; plans of older versions say none
  OptionTexts options;      // every effective value
  // A map task each; what a part says is the job's own affair.
  std::vector<Json> parts;
  // Reduce tasks, each with an even share of the slots. 0: the map tasks write the output, each for the slots of its
  // part.
  int partitions = 0;
  // Whatever else the job decided.
  Json facts = Json::object();

  // The segment that the job makes or works on: the fact "segment".
  std::string segment() const;
};

Json ToJson(const Plan& plan);
arrow::Result<Plan> PlanFromJson(const Json& json);

// A new job's id: its time, its verb and 32 random bits: "20260101T120000Z-inject-5f3a9c01". Ids sort by time.
std::string NewJobId(const std::string& verb, TimeMs now_ms);

}  // namespace trawl
