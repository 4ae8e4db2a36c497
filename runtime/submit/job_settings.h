// The settings that hadoop-streaming.jar and MapReduce's client add to those of a job. Pure; any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/hadoop/config.h"
#include "formats/hadoop/job_files.h"
#include "formats/hadoop/submission.h"

namespace trawl {

// A Streaming job, in the names of HDFS.
struct StreamingJob {
  std::map<std::string, std::string> settings;  // what -D of the command would set
  std::string control;                          // the whole name of the file whose lines are the map tasks' inputs
  std::string control_text;
  std::string output;
  std::string mapper;
  std::string reducer;  // empty where the job has no reducers
};

// Where its client is, and what it stored for the job.
struct ClientPlace {
  std::string user;
  std::string host;
  std::string address;
  std::string home;    // hdfs://host:port/user/NAME
  std::string folder;  // the job's staging folder, without hdfs://host:port
  NodeResource jar;    // hadoop-streaming.jar
  NodeResource bundle;
  std::vector<NodeResource> files;
};

// Puts the job's settings, and those that follow from them, over the client's own.
void AddJobSettings(const StreamingJob& job, const ClientPlace& place, HadoopConfig* settings);

// Returns the settings in an order in which a later one may override an earlier one of an older name: defaults, those of the
// site, those of the job.
std::vector<JobSetting> InOrder(const HadoopConfig& settings);

}  // namespace trawl
