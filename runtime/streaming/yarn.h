// A YARN cluster by its REST services: finding, following and ending applications.
//
// Start at YarnClient::Find. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/hadoop/yarn_answers.h"

namespace trawl {

struct YarnAddresses {
  std::vector<std::string> resource_managers;  // "http://host:port"; whichever of them answers
  std::string history;
};

// Where the cluster's services are: `resource_manager` where it is not empty, else what the settings in HADOOP_CONF_DIR
// (or $HADOOP_HOME/etc/hadoop) say.
arrow::Result<YarnAddresses> FindYarn(const std::string& resource_manager);

class YarnClient {
 public:
  explicit YarnClient(YarnAddresses addresses) : addresses_(std::move(addresses)) {}

  // Running or over, newest first, as far back as the ResourceManager remembers.
  arrow::Result<std::vector<YarnApplication>> ApplicationsTagged(const std::string& tag) const;
  arrow::Result<YarnApplication> Application(const std::string& id) const;
  // Ends it at once. OK where it was over already.
  arrow::Status Kill(const YarnApplication& application, const std::string& why) const;

  // What the application master of a running application says; nothing as long as there is none.
  std::optional<YarnJob> JobOf(const YarnApplication& application) const;
  std::vector<YarnTask> TasksOf(const YarnApplication& application) const;
  std::map<std::string, int64_t> CountersOf(const YarnApplication& application, const std::string& group) const;

  // Why attempts of a job failed that is over, as the history server has it; empty where it knows nothing.
  std::string FailureOf(const YarnApplication& application) const;

 private:
  arrow::Result<std::string> AskManager(const std::string& path) const;
  arrow::Result<std::string> AskJob(const YarnApplication& application, const std::string& what) const;
  arrow::Result<std::string> AskHistory(const YarnApplication& application, const std::string& what) const;

  YarnAddresses addresses_;
};

}  // namespace trawl
