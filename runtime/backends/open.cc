// Defines OpenStore and ShutDownStores of runtime/store/store.h: chooses the backend that a root names.
#include "runtime/backends/hdfs.h"
#include "runtime/backends/local.h"
#include "runtime/backends/s3.h"
#include "runtime/store/root.h"
#include "runtime/store/store.h"

namespace trawl {

arrow::Result<std::unique_ptr<Store>> OpenStore(const std::string& root, const StoreOptions& options) {
  constexpr std::string_view kFile = "file://";
  const LocalDraftOptions local{.sync = options.sync};
  if (root.starts_with("s3://")) return OpenS3Store(root);
  if (root.starts_with("s3a://") || root.starts_with("s3n://")) {
    return arrow::Status::Invalid("write the root as s3://…, not ", root.substr(0, root.find(':')),
                                  "://…: Trawl speaks to S3 itself, and not through Hadoop");
  }
  if (IsHadoopRoot(root)) return OpenHdfsStore(root, options);
  if (root.starts_with(kFile)) {
    const std::string path = root.substr(kFile.size());
    if (!path.starts_with('/')) return arrow::Status::Invalid(root, ": write file:///path, or just the path");
    return OpenLocalStore(path, local);
  }
  if (root.starts_with("http://") || root.starts_with("https://")) {
    return arrow::Status::Invalid("write the root as a path, file:///path, hdfs://… or s3://…, not ", root);
  }
  return OpenLocalStore(root, local);
}

void ShutDownStores() { ShutDownS3(); }

}  // namespace trawl
