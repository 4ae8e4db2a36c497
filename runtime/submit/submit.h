// The door of runtime/submit: submits a Streaming job by YARN's REST services, without a Java machine of its own.
//
// It does what `hadoop jar hadoop-streaming.jar` does: it stores job.xml and the job's splits on HDFS, and has YARN start
// MapReduce's application master. Where a cluster or a job needs more than that, it says so and has done nothing: then
// Hadoop's own client submits. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/process/stop.h"
#include "runtime/store/hadoop_files.h"
#include "runtime/submit/job_settings.h"
#include "runtime/submit/manager.h"
#include "runtime/submit/staging.h"

namespace trawl {

// A job as the caller has it; names of HDFS are whole: hdfs://host:port/path.
struct RestJob {
  StreamingJob job;
  std::string bundle;              // a file of this machine
  std::string jar;                 // hadoop-streaming's, of this machine
  std::vector<std::string> files;  // of this machine
  std::string work;                // the folder on HDFS that keeps bundles: hdfs://host:port/path
};

class RestSubmitter {
 public:
  // Reads Hadoop's settings. NotImplemented, with the reason, where this cluster's jobs have to be submitted by Hadoop's
  // client. `managers` are the ResourceManagers' addresses.
  static arrow::Result<std::unique_ptr<RestSubmitter>> Make(std::vector<std::string> managers);

  // Returns why this job has to be submitted by Hadoop's client; empty where it does not.
  std::string WhyNot(const RestJob& job) const;

  // Returns the application's id; the same command finds the job by its tags, whenever this process dies. NotImplemented,
  // with the reason, where nothing was submitted and Hadoop's client may do better. After another error the job may run.
  arrow::Result<std::string> Submit(const RestJob& job, const StopToken& stop);

 private:
  RestSubmitter(HadoopConfig settings, ManagerClient manager, std::string user)
      : settings_(std::move(settings)), manager_(std::move(manager)), user_(std::move(user)) {}

  arrow::Status StoreShared(const RestJob& job, ClientPlace* place);
  arrow::Result<NodeResource> StoreOnce(const std::string& local,
                                        const std::function<std::string(const std::string& digest)>& path_of,
                                        const std::string& link, NodeResource::Kind kind);
  arrow::Result<std::string> Fill(const RestJob& rest, const StagingFolder& folder, ClientPlace place,
                                  const std::string& application) const;
  arrow::Result<std::string> Send(const std::string& application, const std::string& body, const StagingFolder& folder,
                                  const StopToken& stop) const;

  const HadoopConfig settings_;
  const ManagerClient manager_;
  const std::string user_;
  std::unique_ptr<HadoopFiles> files_;
};

}  // namespace trawl
