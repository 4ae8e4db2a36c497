// A file on HDFS that does not have its own name yet, only a temporary one beside it.
//
// One thread at a time. Paths are absolute HDFS paths.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/backends/hdfs_client.h"
#include "runtime/store/store.h"

namespace arrow::fs {
class HadoopFileSystem;
}

namespace trawl {

// One connection, shared by a store and the files and drafts that outlive it.
struct Hdfs {
  std::shared_ptr<arrow::fs::HadoopFileSystem> arrow;
  std::unique_ptr<HdfsClient> client;
};

// `root` is as OpenHdfsStore takes it (runtime/backends/hdfs.h).
arrow::Result<Hdfs> ConnectHdfs(const std::string& root, const StoreOptions& options);

class HdfsDraft {
 public:
  // Opens a draft that can become `path`, and makes the folders above.
  static arrow::Result<std::unique_ptr<HdfsDraft>> Open(std::shared_ptr<const Hdfs> hdfs, const std::string& path);
  // Removes the file, unless it was published. Where that fails the temporary name stays.
  ~HdfsDraft();
  HdfsDraft(const HdfsDraft&) = delete;
  HdfsDraft& operator=(const HdfsDraft&) = delete;

  arrow::Status Write(std::string_view bytes);

  // Ends writing, and sets the file's time to the whole second. Publish may follow.
  arrow::Status CloseAtWholeSecond();

  // Gives the file its name. AlreadyExists where the name is taken; exactly one of several drafts of one name gets it.
  // After any other error the name may or may not be there.
  arrow::Status Publish();

 private:
  HdfsDraft(std::shared_ptr<const Hdfs> hdfs, std::string path);
  arrow::Status Close();

  const std::shared_ptr<const Hdfs> hdfs_;
  const std::string path_;
  const std::string temporary_;
  std::shared_ptr<arrow::io::OutputStream> stream_;
  bool published_ = false;
};

}  // namespace trawl
