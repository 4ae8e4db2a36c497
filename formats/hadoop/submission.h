// What YARN's REST services are told to start MapReduce's application master: the same that Hadoop's own client says.
//
// It comes from a job's settings (job.xml): class path, environment, command, memory, queue, labels, tags, rights. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/hadoop/config.h"

namespace trawl {

// A file on HDFS that a node copies before the container starts.
struct NodeResource {
  enum class Kind : int8_t {
    kFile,
    kArchive,
    kJar
  };  // of a jar the node keeps the file and unpacks what its classes need
  enum class Sharing : int8_t { kPublic, kUser, kApplication };  // who else gets the node's copy

  std::string link;  // its name in the container
  std::string url;
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;
  Kind kind = Kind::kFile;
  Sharing sharing = Sharing::kApplication;
};

struct Submission {
  std::string application;
  std::vector<NodeResource> resources;
  // By which the shuffle's two sides know each other. A second application master of the job must have the same.
  std::string shuffle_secret;
};

using EnvironmentLookup = std::function<std::string(const std::string& name)>;

// Returns the body of POST /ws/v1/cluster/apps. `own_environment` gives variables of this process, which stand for names in
// the operator's own environment for the application master.
arrow::Result<std::string> SubmissionText(const HadoopConfig& job, const Submission& submission,
                                          const EnvironmentLookup& own_environment);

// Returns why a job of these settings has to be submitted by Hadoop's own client; empty where REST does as well.
std::string WhyNotByRest(const HadoopConfig& job);

}  // namespace trawl
