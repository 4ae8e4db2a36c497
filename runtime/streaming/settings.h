// The settings and arguments of a Hadoop Streaming submission: the table of docs/streaming.md as code. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/job/plan.h"
#include "runtime/streaming/options.h"

namespace trawl {

// Returns a tag by which all jobs of a crawl are found: `crawl` is its store's own name.
std::string CrawlTag(const std::string& crawl);

// Checks that each is NAME=VALUE, that Trawl does not need the name for itself, and that it is not a secret.
arrow::Status CheckDefinitions(const std::vector<std::string>& definitions);

// What a task runs, as Hadoop calls it in the folder of its container.
inline constexpr char kMapper[] = "trawl/bin/trawl task map", kReducer[] = "trawl/bin/trawl task reduce";

// Where a submission's parts lie, as Hadoop names them.
struct StreamingPlaces {
  std::string root;   // as tasks open it
  std::string crawl;  // the same for CrawlTag
  std::string control;
  std::string output;
  std::string bundle;
};

// Returns the settings of a plan's job by name: Trawl's, overridden by the operator's where that is allowed.
std::map<std::string, std::string> StreamingSettings(const Plan& plan, const StreamingPlaces& places,
                                                     const StreamingOptions& options, int attempts,
                                                     const std::map<std::string, std::string>& task_environment);

// Returns the arguments of `hadoop jar hadoop-streaming.jar`.
std::vector<std::string> StreamingArguments(const Plan& plan, const StreamingPlaces& places,
                                            const StreamingOptions& options,
                                            const std::map<std::string, std::string>& settings);

// Returns the control file: one line per part, its number.
std::string ControlFile(const Plan& plan);

}  // namespace trawl
