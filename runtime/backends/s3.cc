#include "runtime/backends/s3.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

#include "arrow/filesystem/s3fs.h"
#include "arrow/io/interfaces.h"
#include "arrow/util/io_util.h"
#include "arrow/util/uri.h"
#include "runtime/backends/s3_request.h"
#include "runtime/store/file_sealer.h"
#include "runtime/store/path.h"
#include "runtime/store/positioned_file.h"
#include "runtime/store/status.h"

namespace trawl {

namespace {

using ArrowS3 = arrow::fs::S3FileSystem;

// A request at a distance costs some 30 ms, in which one connection brings about this much.
constexpr BlockCacheOptions kBlocks = {.block_bytes = 4 * kChunkBytes, .read_ahead_blocks = 2};

arrow::Status Failure(const arrow::Status& status, const char* doing, const std::string& path) {
  return status.WithMessage(doing, " s3://", path, ": ", status.message());
}

class S3File : public PositionedFile {
 public:
  S3File(std::string path, int64_t size_bytes, std::shared_ptr<arrow::io::RandomAccessFile> file)
      : PositionedFile(std::move(path), size_bytes), file_(std::move(file)) {}

 protected:
  arrow::Status ReadRange(int64_t position, int64_t size, void* out) override {
    const auto read = file_->ReadAt(position, size, out);
    if (!read.ok()) return Failure(read.status(), "reading", name());
    if (*read == size) return arrow::Status::OK();
    return arrow::Status::IOError("reading s3://", name(), ": it ends at byte ", position + *read);
  }

 private:
  const std::shared_ptr<arrow::io::RandomAccessFile> file_;
};

class S3Writer : public StoreWriter {
 public:
  S3Writer(std::shared_ptr<ArrowS3> s3, std::string path, std::shared_ptr<arrow::io::OutputStream> upload)
      : s3_(std::move(s3)),
        path_(std::move(path)),
        upload_(std::move(upload)),
        sealer_([this](std::string_view bytes) { return Write(bytes); }) {}

  // Without an abort Arrow completes the upload, and a torn file gets the name.
  ~S3Writer() override {
    if (committed_) return;
    const arrow::Status aborted = upload_->Abort();
    (void)aborted;
  }

  arrow::io::OutputStream* stream() override { return sealer_.stream(); }

  arrow::Result<FileSeal> Commit() override {
    ARROW_ASSIGN_OR_RAISE(FileSeal seal, sealer_.Finish());
    const auto info = s3_->GetFileInfo(path_);
    if (!info.ok()) return Failure(info.status(), "creating", path_);
    if (info->IsFile()) return ErrnoStatus(EEXIST, "creating", "s3://" + path_);
    const arrow::Status closed = upload_->Close();
    if (!closed.ok()) return Failure(closed, "creating", path_);
    committed_ = true;
    return seal;
  }

 private:
  arrow::Status Write(std::string_view bytes) {
    const arrow::Status status = upload_->Write(bytes.data(), static_cast<int64_t>(bytes.size()));
    return status.ok() ? status : Failure(status, "writing", path_);
  }

  const std::shared_ptr<ArrowS3> s3_;
  const std::string path_;
  const std::shared_ptr<arrow::io::OutputStream> upload_;
  FileSealer sealer_;
  bool committed_ = false;
};

class S3Store : public Store {
 public:
  S3Store(std::shared_ptr<ArrowS3> s3, S3Requests requests, std::string bucket, std::string prefix)
      : s3_(std::move(s3)), requests_(std::move(requests)), bucket_(std::move(bucket)), prefix_(std::move(prefix)) {}

  arrow::Result<std::unique_ptr<StoreWriter>> OpenWriter(const std::string& path) override;
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override;
  arrow::Result<CreateOutcome> CreateExclusive(const std::string& path, const std::string& content) override;
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override;
  arrow::Result<bool> Exists(const std::string& path) override;
  arrow::Status Remove(const std::string& path) override;
  arrow::Status RemoveFolder(const std::string& path) override;
  std::string Describe() const override { return "s3://" + FullPath(""); }

 protected:
  BlockCacheOptions preferred_blocks() const override { return kBlocks; }

 private:
  std::string KeyOf(const std::string& path) const {
    if (path.empty()) return prefix_;
    return JoinPath(prefix_, path);
  }
  // The path as Arrow names it.
  std::string FullPath(const std::string& path) const {
    const std::string key = KeyOf(path);
    return key.empty() ? bucket_ : bucket_ + "/" + key;
  }
  // A bucket that does not exist answers like an empty one: before an absence is reported the bucket is looked at,
  // once.
  arrow::Status ConfirmBucket();

  const std::shared_ptr<ArrowS3> s3_;
  const S3Requests requests_;
  const std::string bucket_;
  const std::string prefix_;
  std::atomic<bool> bucket_is_there_ = false;
};

arrow::Status S3Store::ConfirmBucket() {
  if (bucket_is_there_) return arrow::Status::OK();
  const auto info = s3_->GetFileInfo(bucket_);
  if (!info.ok()) return Failure(info.status(), "looking for bucket", bucket_);
  if (!info->IsDirectory()) return arrow::Status::IOError("bucket s3://", bucket_, " does not exist");
  bucket_is_there_ = true;
  return arrow::Status::OK();
}

arrow::Result<std::unique_ptr<StoreWriter>> S3Store::OpenWriter(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  auto upload = s3_->OpenOutputStream(FullPath(path), nullptr);
  if (!upload.ok()) return Failure(upload.status(), "creating", FullPath(path));
  return std::make_unique<S3Writer>(s3_, FullPath(path), std::move(*upload));
}

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> S3Store::OpenUnverified(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  const std::string full = FullPath(path);
  auto file = s3_->OpenInputFile(full);
  if (!file.ok() && arrow::internal::ErrnoFromStatus(file.status()) == ENOENT) {
    ARROW_RETURN_NOT_OK(ConfirmBucket());
    return FileNotFound("s3://" + full);
  }
  if (!file.ok()) return Failure(file.status(), "opening", full);
  const auto size = (*file)->GetSize();
  if (!size.ok()) return Failure(size.status(), "opening", full);
  return std::make_shared<S3File>(full, *size, std::move(*file));
}

arrow::Result<CreateOutcome> S3Store::CreateExclusive(const std::string& path, const std::string& content) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  return requests_.Create(KeyOf(path), content);
}

arrow::Result<std::vector<StoreEntry>> S3Store::List(const std::string& folder, bool recursive) {
  ARROW_RETURN_NOT_OK(CheckStoreFolder(folder));
  const std::string full = FullPath(folder);
  arrow::fs::FileSelector selector;
  selector.base_dir = full;
  selector.recursive = recursive;
  selector.allow_not_found = true;
  const auto listed = s3_->GetFileInfo(selector);
  if (!listed.ok()) return Failure(listed.status(), "listing", full);
  if (listed->empty()) ARROW_RETURN_NOT_OK(ConfirmBucket());
  std::vector<StoreEntry> entries;
  for (const arrow::fs::FileInfo& info : *listed) {
    StoreEntry entry{JoinPath(folder, info.path().substr(full.size() + 1)), info.IsDirectory()};
    if (!entry.is_folder) {
      entry.size_bytes = info.size();
      entry.modified_ms =
          std::chrono::duration_cast<std::chrono::milliseconds>(info.mtime().time_since_epoch()).count();
    }
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return entries;
}

arrow::Result<bool> S3Store::Exists(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  const auto info = s3_->GetFileInfo(FullPath(path));
  if (!info.ok()) return Failure(info.status(), "looking for", FullPath(path));
  if (info->IsFile()) return true;
  ARROW_RETURN_NOT_OK(ConfirmBucket());
  return false;
}

arrow::Status S3Store::Remove(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  return requests_.Remove({KeyOf(path)});
}

// Arrow's own removal would leave folder markers behind, and would ask some servers to remove folders before their
// content.
arrow::Status S3Store::RemoveFolder(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  ARROW_ASSIGN_OR_RAISE(const std::vector<StoreEntry> entries, List(path, /*recursive=*/true));
  std::vector<std::string> keys;
  for (const StoreEntry& entry : entries) {
    if (!entry.is_folder) keys.push_back(KeyOf(entry.path));
  }
  return requests_.Remove(keys);
}

// The parts of a role's credentials are asked for one by one. The first is asked for again, in case they changed
// meanwhile.
arrow::Result<S3Credentials> CredentialsOf(const arrow::fs::S3Options& options) {
  while (true) {
    S3Credentials credentials{options.GetAccessKey(), options.GetSecretKey(), options.GetSessionToken()};
    if (options.GetAccessKey() != credentials.access_key) continue;
    if (!credentials.access_key.empty()) return credentials;
    return arrow::Status::Invalid(
        "no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws/credentials, "
        "or run on a machine whose role provides them");
  }
}

// Addresses buckets as Arrow does: by host name on AWS, by path on other servers.
S3Endpoint EndpointOf(const arrow::fs::S3Options& options, const std::string& region, const std::string& bucket) {
  if (options.endpoint_override.empty()) {
    const std::string domain = region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
    // A certificate for one level of names does not cover a bucket with dots.
    if (bucket.find('.') != std::string::npos) return {"https://s3." + region + domain + "/" + bucket, region};
    return {options.scheme + "://" + bucket + ".s3." + region + domain, region};
  }
  const size_t scheme_end = options.endpoint_override.find("://");
  const bool has_scheme = scheme_end != std::string::npos;
  const std::string scheme = has_scheme ? options.endpoint_override.substr(0, scheme_end) : options.scheme;
  std::string host = has_scheme ? options.endpoint_override.substr(scheme_end + 3) : options.endpoint_override;
  while (host.ends_with('/')) host.pop_back();
  if (options.force_virtual_addressing) return {scheme + "://" + bucket + "." + host, region};
  return {scheme + "://" + host + "/" + bucket, region};
}

}  // namespace

arrow::Result<std::unique_ptr<Store>> OpenS3Store(const std::string& root) {
  arrow::util::Uri uri;
  // Parsing errors quote the text, which may hold a secret.
  if (!uri.Parse(root).ok()) return arrow::Status::Invalid("the root is not a URI like s3://bucket/path");
  if (!uri.username().empty() || !uri.password().empty()) {
    return arrow::Status::Invalid("s3://", uri.host(), uri.path(),
                                  ": leave credentials out of the root, which is stored and shown; set "
                                  "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws/credentials");
  }
  ARROW_RETURN_NOT_OK(arrow::fs::EnsureS3Initialized());
  std::string path;
  ARROW_ASSIGN_OR_RAISE(arrow::fs::S3Options options, arrow::fs::S3Options::FromUri(uri, &path));
  // With it a small file costs one request, not three.
  options.allow_delayed_open = true;
  ARROW_RETURN_NOT_OK(CredentialsOf(options).status());
  ARROW_ASSIGN_OR_RAISE(auto s3, ArrowS3::Make(options));
  while (path.ends_with('/')) path.pop_back();
  const std::string bucket = path.substr(0, path.find('/'));
  const std::string prefix = path.size() > bucket.size() ? path.substr(bucket.size() + 1) : "";
  ARROW_RETURN_NOT_OK(CheckStoreFolder(prefix));
  S3Requests requests(EndpointOf(options, s3->region(), bucket), [options] { return CredentialsOf(options); });
  return std::make_unique<S3Store>(std::move(s3), std::move(requests), bucket, prefix);
}

void ShutDownS3() {
  if (!arrow::fs::IsS3Initialized()) return;
  const arrow::Status ended = arrow::fs::FinalizeS3();
  (void)ended;  // the process ends
}

}  // namespace trawl
