// Two things that Arrow's Hadoop filesystem does not do: rename without replacing, and tell "there is no such file"
// from a NameNode that is down. Both use libhdfs itself, the library that Arrow uses too.
//
// Any thread. Paths are absolute HDFS paths.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

// Finds libhdfs.so: `libhdfs` is the file or its folder; "" stands for ARROW_LIBHDFS_DIR, $HADOOP_HOME/lib/native, the
// binary's libraries, and where the loader looks, in this order. Sets what libhdfs needs and this process' environment
// lacks: the class path, and Java options that keep the JVM small and its hands off our signals. An error says in words
// what is missing. The result is for dlopen. REQUIRES: no other thread uses the environment meanwhile, which holds
// where stores are opened first.
arrow::Result<std::string> PrepareLibHdfs(const std::string& libhdfs);

struct HdfsEndpoint {
  std::string name_node;  // "hdfs://host", "hdfs://nameservice" or "default"
  int port = 0;           // 0: the port of the cluster's own configuration
  std::string user;       // "": the user that the environment names
  std::string kerberos_ticket_cache;
};

struct HdfsFileInfo {
  bool is_folder = false;
  int64_t size_bytes = 0;
  int replication = 0;
  int64_t modified_s = 0;
  int permissions = 0;
  std::string owner = {};
};

class HdfsClient {
 public:
  // Does not tell whether the NameNode is there.
  static arrow::Result<std::unique_ptr<HdfsClient>> Connect(const std::string& library, const HdfsEndpoint& endpoint);
  ~HdfsClient();

  // The name of a path in messages.
  std::string NameOf(const std::string& path) const { return origin_ + path; }

  // Returns nothing where the NameNode said that there is nothing of that name.
  arrow::Result<std::optional<HdfsFileInfo>> Look(const std::string& path) const;

  // Returns false where the NameNode refused: `to` exists, or `from` does not. After an error the rename may have
  // happened. REQUIRES: `to` is not a folder; the file would be moved into it.
  arrow::Result<bool> Rename(const std::string& from, const std::string& to) const;

  // Deletes a file, or a folder with all that is in it. A missing one is no error.
  arrow::Status Delete(const std::string& path) const;

  // Makes the folder and those above it where they are missing.
  arrow::Status MakeFolder(const std::string& path) const;
  arrow::Status SetPermissions(const std::string& path, int permissions) const;
  arrow::Status SetTime(const std::string& path, int64_t modified_s) const;
  arrow::Status SetReplication(const std::string& path, int replication) const;

  // Explains `status`, with which Arrow's filesystem has just failed in this thread: "reading hdfs://…/x: " and the
  // reason that Java gave, or else Arrow's.
  arrow::Status Explained(const arrow::Status& status, const char* doing, const std::string& path) const;

 private:
  struct Functions;
  HdfsClient(std::unique_ptr<Functions> functions, const HdfsEndpoint& endpoint);
  arrow::Status Failure(int error, const char* doing, const std::string& path) const;
  std::string LastCause() const;

  const std::unique_ptr<Functions> functions_;
  const std::string origin_;  // "hdfs://host:port", before every path in messages
  void* connection_ = nullptr;
};

}  // namespace trawl
