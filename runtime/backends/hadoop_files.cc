// Defines OpenHadoopFiles of runtime/store/hadoop_files.h.
#include "runtime/store/hadoop_files.h"

#include <cerrno>
#include <utility>

#include "arrow/filesystem/hdfs.h"
#include "arrow/io/interfaces.h"
#include "arrow/util/io_util.h"
#include "runtime/backends/hdfs_draft.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

class LiveHadoopFiles : public HadoopFiles {
 public:
  explicit LiveHadoopFiles(Hdfs hdfs) : hdfs_(std::make_shared<const Hdfs>(std::move(hdfs))) {}

  Result<std::optional<HadoopFileInfo>> Look(const std::string& path) override {
    ARROW_ASSIGN_OR_RAISE(const auto found, client().Look(path));
    if (!found) return std::optional<HadoopFileInfo>();
    return std::optional<HadoopFileInfo>(
        {found->is_folder, found->size_bytes, found->modified_s, found->permissions, found->owner});
  }

  Result<std::vector<std::string>> List(const std::string& folder) override {
    arrow::fs::FileSelector selector;
    selector.base_dir = folder;
    std::vector<std::string> names;
    const auto listed = hdfs_->arrow->GetFileInfo(selector);
    if (!listed.ok()) {
      if (arrow::internal::ErrnoFromStatus(listed.status()) == ENOENT) return names;
      return client().Explained(listed.status(), "listing", folder);
    }
    for (const arrow::fs::FileInfo& info : *listed) names.push_back(info.base_name());
    return names;
  }

  Status MakeFolder(const std::string& path, int permissions) override {
    ARROW_RETURN_NOT_OK(client().MakeFolder(path));
    return client().SetPermissions(path, permissions);
  }

  Status Write(const std::string& path, const std::string& content, int permissions, int replication) override {
    const auto opened = hdfs_->arrow->OpenOutputStream(path, nullptr);
    if (!opened.ok()) return client().Explained(opened.status(), "creating", path);
    Status written = (*opened)->Write(content.data(), static_cast<int64_t>(content.size()));
    if (written.ok()) written = (*opened)->Close();
    if (!written.ok()) return client().Explained(written, "writing", path);
    ARROW_RETURN_NOT_OK(client().SetPermissions(path, permissions));
    ARROW_RETURN_NOT_OK(client().SetReplication(path, replication));
    ARROW_ASSIGN_OR_RAISE(const auto found, client().Look(path));
    if (!found) return FileNotFound(client().NameOf(path));
    return client().SetTime(path, found->modified_s);
  }

  Status Publish(const std::string& path, const std::string& content) override {
    ARROW_ASSIGN_OR_RAISE(const auto there, client().Look(path));
    if (there) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto draft, HdfsDraft::Open(hdfs_, path));
    ARROW_RETURN_NOT_OK(draft->Write(content));
    ARROW_RETURN_NOT_OK(draft->CloseAtWholeSecond());
    const Status published = draft->Publish();
    return published.IsAlreadyExists() ? Status::OK() : published;
  }

  Status RemoveFolder(const std::string& path) override { return client().Delete(path); }

 private:
  const HdfsClient& client() const { return *hdfs_->client; }

  const std::shared_ptr<const Hdfs> hdfs_;
};

}  // namespace

Result<std::unique_ptr<HadoopFiles>> OpenHadoopFiles(const std::string& file_system) {
  ARROW_ASSIGN_OR_RAISE(Hdfs hdfs, ConnectHdfs(file_system, {}));
  return std::make_unique<LiveHadoopFiles>(std::move(hdfs));
}

}  // namespace trawl
