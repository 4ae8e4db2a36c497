// Talks to a YARN cluster by its REST services: finds, follows and ends applications.
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
#include "formats/hadoop/yarn_room.h"

namespace trawl {

struct YarnAddresses {
  std::vector<std::string> resource_managers;  // "http://host:port"; the first that answers is used
  std::string history;
};

// Finds the cluster's services: at `resource_manager` where it is not empty, otherwise by the settings in
// HADOOP_CONF_DIR (or $HADOOP_HOME/etc/hadoop).
arrow::Result<YarnAddresses> FindYarn(const std::string& resource_manager);

class YarnClient {
 public:
  explicit YarnClient(YarnAddresses addresses) : addresses_(std::move(addresses)) {}

  const std::vector<std::string>& resource_managers() const { return addresses_.resource_managers; }

  // Returns applications, running or over, newest first, as far back as the ResourceManager remembers.
  arrow::Result<std::vector<YarnApplication>> ApplicationsTagged(const std::string& tag) const;
  arrow::Result<YarnApplication> Application(const std::string& id) const;
  // Returns how much the queue may use at most; empty for the cluster's default queue.
  arrow::Result<YarnRoom> RoomOf(const std::string& queue) const;
  // Ends it at once. OK where it was already over.
  arrow::Status Kill(const YarnApplication& application, const std::string& why) const;

  // Returns the report of a running application's application master; nothing as long as there is no master.
  std::optional<YarnJob> JobOf(const YarnApplication& application) const;
  std::vector<YarnTask> TasksOf(const YarnApplication& application) const;
  std::map<std::string, int64_t> CountersOf(const YarnApplication& application, const std::string& group) const;

  // Returns why attempts of a finished job failed, from the history server; empty where it knows nothing.
  std::string FailureOf(const YarnApplication& application) const;

 private:
  arrow::Result<std::string> AskManager(const std::string& path) const;
  arrow::Result<std::string> AskJob(const YarnApplication& application, const std::string& what) const;
  arrow::Result<std::string> AskHistory(const YarnApplication& application, const std::string& what) const;

  YarnAddresses addresses_;
};

}  // namespace trawl
