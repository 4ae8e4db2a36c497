// What Hadoop Streaming is told at a submission: the table of docs/streaming.md as code. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/job/plan.h"
#include "runtime/streaming/options.h"

namespace trawl {

// A tag by which all jobs of a crawl are found: `crawl` is what its store calls itself.
std::string CrawlTag(const std::string& crawl);

// NAME=VALUE each, none that Trawl needs as it sets it itself, and none that is a secret.
arrow::Status CheckDefinitions(const std::vector<std::string>& definitions);

// Where a submission's parts lie, as Hadoop names them.
struct StreamingPlaces {
  std::string root;   // as tasks open it
  std::string crawl;  // the same for CrawlTag
  std::string control;
  std::string output;
  std::string bundle;
};

// The settings of a plan's job by name: Trawl's, and the operator's over those that may be his.
std::map<std::string, std::string> StreamingSettings(const Plan& plan, const StreamingPlaces& places,
                                                     const StreamingOptions& options, int attempts,
                                                     const std::map<std::string, std::string>& task_environment);

// The arguments of `hadoop jar hadoop-streaming.jar`.
std::vector<std::string> StreamingArguments(const Plan& plan, const StreamingPlaces& places,
                                            const StreamingOptions& options,
                                            const std::map<std::string, std::string>& settings);

// The control file: a line a part, its number.
std::string ControlFile(const Plan& plan);

}  // namespace trawl
