// The folder in which MapReduce's application master finds the files of its job, below the user's staging folder on HDFS.
//
// The application master removes it when the job ends; who fails to submit the job removes it himself. What a killed client
// left is found by a mark, and removed by the next one. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/hadoop/submission.h"
#include "runtime/store/hadoop_files.h"

namespace trawl {

class StagingFolder {
 public:
  // Makes the folder of a job, "job_1767225600000_0042", in the user's folder, "/user/NAME/.staging". NotImplemented where
  // that folder is not this user's alone. `files` outlives the result; `file_system` is hdfs://host:port.
  static arrow::Result<StagingFolder> Make(HadoopFiles* files, const std::string& file_system,
                                           const std::string& user_folder, const std::string& job,
                                           const std::string& user);

  const std::string& path() const { return path_; }

  // Writes a file of the job, and returns it under the name that it has in the container.
  arrow::Result<NodeResource> Add(const std::string& name, const std::string& content, const std::string& link) const;

  // Every task of a job reads them at once: as many copies as Hadoop's client asks for, by default.
  void SetReplication(int replication) { replication_ = replication; }

  arrow::Status Remove() const { return files_->RemoveFolder(path_); }

  // Removes what killed clients left beside this folder ten minutes ago or earlier, where `is_unknown` says that YARN does
  // not know the application.
  void RemoveLeftovers(const std::function<bool(const std::string& application)>& is_unknown) const;

 private:
  StagingFolder(HadoopFiles* files, std::string file_system, std::string user_folder, std::string path)
      : files_(files),
        file_system_(std::move(file_system)),
        user_folder_(std::move(user_folder)),
        path_(std::move(path)) {}

  HadoopFiles* files_;
  std::string file_system_;
  std::string user_folder_;
  std::string path_;
  int replication_ = 10;
};

// Returns a file on HDFS as nodes are told of it: one that everybody can read is copied to a node once, for all.
// NotImplemented where there is no such file. `may_be_public` says whether what everybody can read may be for all.
arrow::Result<NodeResource> ResourceOf(HadoopFiles* files, const std::string& file_system, const std::string& path,
                                       const std::string& link, NodeResource::Kind kind, bool may_be_public);

}  // namespace trawl
