// Files on HDFS that Hadoop's own daemons are to read: with permissions, owners and times, of which a Store does not tell.
//
// Times are whole seconds, because libhdfs gives no more. YARN compares a file's time to the millisecond; so Write and
// Publish set it to the whole second, and what they wrote can be named to YARN by what Look returns.
//
// Any thread. Paths are absolute HDFS paths.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

struct HadoopFileInfo {
  bool is_folder = false;
  int64_t size_bytes = 0;
  int64_t modified_s = 0;
  int permissions = 0;  // as chmod takes them
  std::string owner;
};

class HadoopFiles {
 public:
  HadoopFiles() = default;
  virtual ~HadoopFiles() = default;
  HadoopFiles(const HadoopFiles&) = delete;
  HadoopFiles& operator=(const HadoopFiles&) = delete;

  // Returns nothing where there is nothing of that name.
  virtual arrow::Result<std::optional<HadoopFileInfo>> Look(const std::string& path) = 0;
  // The names in a folder; none where there is no such folder.
  virtual arrow::Result<std::vector<std::string>> List(const std::string& folder) = 0;
  // Makes the folder, and those above, where they are missing; it then has these permissions.
  virtual arrow::Status MakeFolder(const std::string& path, int permissions) = 0;
  // Writes a file that others read while they run a job; replaces one of that name.
  virtual arrow::Status Write(const std::string& path, const std::string& content, int permissions,
                              int replication) = 0;
  // Writes a file that is never replaced, and is there only whole. OK where there is one of that name.
  virtual arrow::Status Publish(const std::string& path, const std::string& content) = 0;
  // Removes a folder with all that is in it. A missing one is no error.
  virtual arrow::Status RemoveFolder(const std::string& path) = 0;
};

// `file_system` is hdfs://host[:port] or hdfs://nameservice.
arrow::Result<std::unique_ptr<HadoopFiles>> OpenHadoopFiles(const std::string& file_system);

}  // namespace trawl
