#include "runtime/backends/hdfs.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>
#include <vector>

#include "arrow/filesystem/hdfs.h"
#include "arrow/io/interfaces.h"
#include "arrow/util/io_util.h"
#include "arrow/util/uri.h"
#include "runtime/backends/exclusive_rename.h"
#include "runtime/backends/hdfs_client.h"
#include "runtime/backends/hdfs_draft.h"
#include "runtime/store/draft_writer.h"
#include "runtime/store/path.h"
#include "runtime/store/positioned_file.h"
#include "runtime/store/status.h"

namespace trawl {

namespace {

// A request costs a round trip to a DataNode and a Java array of its size.
constexpr BlockCacheOptions kBlocks = {.block_bytes = 4 * kChunkBytes, .read_ahead_blocks = 2};

constexpr char kHdfs[] = "hdfs";

class HdfsFile : public PositionedFile {
 public:
  HdfsFile(std::shared_ptr<const Hdfs> hdfs, std::string path, int64_t size_bytes,
           std::shared_ptr<arrow::io::RandomAccessFile> file)
      : PositionedFile(std::move(path), size_bytes), hdfs_(std::move(hdfs)), file_(std::move(file)) {}

 protected:
  arrow::Status ReadRange(int64_t position, int64_t size, void* out) override {
    const auto read = file_->ReadAt(position, size, out);
    if (!read.ok()) return hdfs_->client->Explained(read.status(), "reading", name());
    if (*read == size) return arrow::Status::OK();
    return arrow::Status::IOError("reading ", hdfs_->client->NameOf(name()), ": it ends at byte ", position + *read);
  }

 private:
  const std::shared_ptr<const Hdfs> hdfs_;
  const std::shared_ptr<arrow::io::RandomAccessFile> file_;
};

class HdfsStore : public Store {
 public:
  HdfsStore(Hdfs hdfs, std::string description, std::string root, bool is_exclusive)
      : hdfs_(std::make_shared<const Hdfs>(std::move(hdfs))),
        description_(std::move(description)),
        root_(std::move(root)),
        is_exclusive_(is_exclusive) {}

  arrow::Result<std::unique_ptr<StoreWriter>> OpenWriter(const std::string& path) override;
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override;
  arrow::Result<CreateOutcome> CreateExclusive(const std::string& path, const std::string& content) override;
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override;
  arrow::Result<bool> Exists(const std::string& path) override;
  arrow::Status Remove(const std::string& path) override;
  arrow::Status RemoveFolder(const std::string& path) override;
  std::string Describe() const override { return description_; }

 protected:
  BlockCacheOptions preferred_blocks() const override { return kBlocks; }

 private:
  // Returns "/" for a root at the top.
  std::string FullPath(const std::string& path) const {
    if (path.empty()) return root_.empty() ? "/" : root_;
    return root_ + "/" + path;
  }
  // Proves once that a rename does not replace, where that is not known.
  arrow::Status BeforeWriting();
  arrow::Result<std::optional<HdfsFileInfo>> Look(const std::string& path) const;
  arrow::Status ListInto(const std::string& folder, bool recursive, std::vector<StoreEntry>* entries) const;

  const std::shared_ptr<const Hdfs> hdfs_;
  const std::string description_;
  const std::string root_;  // without a '/' at its end
  std::mutex proving_;
  bool is_exclusive_;  // guarded by proving_
};

arrow::Status HdfsStore::BeforeWriting() {
  const std::lock_guard<std::mutex> lock(proving_);
  if (!is_exclusive_) ARROW_RETURN_NOT_OK(ProveExclusiveRename(hdfs_, root_));
  is_exclusive_ = true;
  return arrow::Status::OK();
}

arrow::Result<std::optional<HdfsFileInfo>> HdfsStore::Look(const std::string& path) const {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  return hdfs_->client->Look(FullPath(path));
}

arrow::Result<std::unique_ptr<StoreWriter>> HdfsStore::OpenWriter(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  ARROW_RETURN_NOT_OK(BeforeWriting());
  ARROW_ASSIGN_OR_RAISE(auto draft, HdfsDraft::Open(hdfs_, FullPath(path)));
  return std::make_unique<DraftWriter<HdfsDraft>>(std::move(draft));
}

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> HdfsStore::OpenUnverified(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const auto info, Look(path));
  const std::string full = FullPath(path);
  if (!info.has_value()) return FileNotFound(hdfs_->client->NameOf(full));
  if (info->is_folder) return ErrnoStatus(EISDIR, "opening", hdfs_->client->NameOf(full));
  auto file = hdfs_->arrow->OpenInputFile(full);
  if (!file.ok()) return hdfs_->client->Explained(file.status(), "opening", full);
  return std::make_shared<HdfsFile>(hdfs_, full, info->size_bytes, std::move(*file));
}

arrow::Result<CreateOutcome> HdfsStore::CreateExclusive(const std::string& path, const std::string& content) {
  ARROW_ASSIGN_OR_RAISE(const auto taken, Look(path));
  if (taken.has_value()) return CreateOutcome::kExists;
  ARROW_RETURN_NOT_OK(BeforeWriting());
  ARROW_ASSIGN_OR_RAISE(const auto draft, HdfsDraft::Open(hdfs_, FullPath(path)));
  ARROW_RETURN_NOT_OK(draft->Write(content));
  const arrow::Status status = draft->Publish();
  if (status.IsAlreadyExists()) return CreateOutcome::kExists;
  ARROW_RETURN_NOT_OK(status);
  return CreateOutcome::kCreated;
}

arrow::Result<std::vector<StoreEntry>> HdfsStore::List(const std::string& folder, bool recursive) {
  ARROW_RETURN_NOT_OK(CheckStoreFolder(folder));
  std::vector<StoreEntry> entries;
  ARROW_RETURN_NOT_OK(ListInto(folder, recursive, &entries));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return entries;
}

// Lists folder by folder, since Arrow's own recursion does not say which folder was missing: a folder that goes
// meanwhile counts as absent. Arrow's allow_not_found does not help either: it takes a dead NameNode for an empty
// folder.
arrow::Status HdfsStore::ListInto(const std::string& folder, bool recursive, std::vector<StoreEntry>* entries) const {
  const std::string full = FullPath(folder);
  arrow::fs::FileSelector selector;
  selector.base_dir = full;
  const auto listed = hdfs_->arrow->GetFileInfo(selector);
  if (!listed.ok()) {
    if (arrow::internal::ErrnoFromStatus(listed.status()) == ENOENT) return arrow::Status::OK();
    return hdfs_->client->Explained(listed.status(), "listing", full);
  }
  for (const arrow::fs::FileInfo& info : *listed) {
    if (info.path() == full) return ErrnoStatus(ENOTDIR, "listing", hdfs_->client->NameOf(full));
    StoreEntry entry{JoinPath(folder, info.base_name()), info.IsDirectory(), 0,
                     std::chrono::duration_cast<std::chrono::milliseconds>(info.mtime().time_since_epoch()).count()};
    if (!entry.is_folder) entry.size_bytes = info.size();
    if (recursive && entry.is_folder) ARROW_RETURN_NOT_OK(ListInto(entry.path, recursive, entries));
    entries->push_back(std::move(entry));
  }
  return arrow::Status::OK();
}

arrow::Result<bool> HdfsStore::Exists(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const auto info, Look(path));
  return info.has_value() && !info->is_folder;
}

arrow::Status HdfsStore::Remove(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const auto info, Look(path));
  if (!info.has_value()) return arrow::Status::OK();
  if (info->is_folder) return ErrnoStatus(EISDIR, "removing", hdfs_->client->NameOf(FullPath(path)));
  return hdfs_->client->Delete(FullPath(path));
}

arrow::Status HdfsStore::RemoveFolder(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const auto info, Look(path));
  if (!info.has_value()) return arrow::Status::OK();
  if (!info->is_folder) return ErrnoStatus(ENOTDIR, "removing folder", hdfs_->client->NameOf(FullPath(path)));
  return hdfs_->client->Delete(FullPath(path));
}

// Arrow would ask for 3 replicas where the root does not say; 0 leaves the number to the cluster.
arrow::Result<arrow::fs::HdfsOptions> ReadOptions(const arrow::util::Uri& uri) {
  ARROW_ASSIGN_OR_RAISE(arrow::fs::HdfsOptions options, arrow::fs::HdfsOptions::FromUri(uri));
  ARROW_ASSIGN_OR_RAISE(const auto query, uri.query_items());
  const bool says_replication =
      std::any_of(query.begin(), query.end(), [](const auto& item) { return item.first == "replication"; });
  if (!says_replication) options.replication = 0;
  if (uri.host().empty()) options.ConfigureEndPoint(uri.scheme() == kHdfs ? "default" : uri.scheme() + ":///", 0);
  return options;
}

arrow::Result<Hdfs> Connect(const arrow::util::Uri& uri, const StoreOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const arrow::fs::HdfsOptions hdfs_options, ReadOptions(uri));
  ARROW_ASSIGN_OR_RAISE(const std::string library, PrepareLibHdfs(options.libhdfs));
  Hdfs hdfs;
  ARROW_ASSIGN_OR_RAISE(hdfs.client, HdfsClient::Connect(library, {hdfs_options.host(), hdfs_options.port(),
                                                                   hdfs_options.user(), hdfs_options.kerb_ticket()}));
  auto arrow_store = arrow::fs::HadoopFileSystem::Make(hdfs_options);
  if (!arrow_store.ok()) return hdfs.client->Explained(arrow_store.status(), "connecting to", "");
  hdfs.arrow = std::move(*arrow_store);
  return hdfs;
}

}  // namespace

arrow::Result<Hdfs> ConnectHdfs(const std::string& root, const StoreOptions& options) {
  arrow::util::Uri uri;
  ARROW_RETURN_NOT_OK(uri.Parse(root));
  return Connect(uri, options);
}

arrow::Result<std::unique_ptr<Store>> OpenHdfsStore(const std::string& root, const StoreOptions& options) {
  arrow::util::Uri uri;
  ARROW_RETURN_NOT_OK(uri.Parse(root));
  ARROW_ASSIGN_OR_RAISE(Hdfs hdfs, Connect(uri, options));
  std::string path = uri.path();
  while (path.ends_with('/')) path.pop_back();
  const std::string port = uri.port_text().empty() ? "" : ":" + uri.port_text();
  return std::make_unique<HdfsStore>(std::move(hdfs), uri.scheme() + "://" + uri.host() + port + path, path,
                                     /*is_exclusive=*/uri.scheme() == kHdfs);
}

}  // namespace trawl
