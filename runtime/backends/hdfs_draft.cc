#include "runtime/backends/hdfs_draft.h"

#include <cerrno>
#include <utility>

#include "arrow/filesystem/hdfs.h"
#include "arrow/io/interfaces.h"
#include "runtime/store/path.h"
#include "runtime/store/status.h"

namespace trawl {

HdfsDraft::HdfsDraft(std::shared_ptr<const Hdfs> hdfs, std::string path)
    : hdfs_(std::move(hdfs)), path_(std::move(path)), temporary_(TemporaryPathFor(path_)) {}

arrow::Result<std::unique_ptr<HdfsDraft>> HdfsDraft::Open(std::shared_ptr<const Hdfs> hdfs, const std::string& path) {
  std::unique_ptr<HdfsDraft> draft(new HdfsDraft(std::move(hdfs), path));
  auto stream = draft->hdfs_->arrow->OpenOutputStream(draft->temporary_, nullptr);
  if (!stream.ok()) return draft->hdfs_->client->Explained(stream.status(), "creating", path);
  draft->stream_ = std::move(*stream);
  return draft;
}

HdfsDraft::~HdfsDraft() {
  if (stream_ == nullptr || published_) return;
  // A failure here has nobody to be told to; the file that stays has a temporary name.
  const arrow::Status closed = stream_->closed() ? arrow::Status::OK() : stream_->Close();
  const arrow::Status deleted = hdfs_->client->Delete(temporary_);
  (void)closed;
  (void)deleted;
}

arrow::Status HdfsDraft::Write(std::string_view bytes) {
  const arrow::Status status = stream_->Write(bytes.data(), static_cast<int64_t>(bytes.size()));
  return status.ok() ? status : hdfs_->client->Explained(status, "writing", path_);
}

arrow::Status HdfsDraft::Close() {
  if (stream_->closed()) return arrow::Status::OK();
  const arrow::Status closed = stream_->Close();
  return closed.ok() ? closed : hdfs_->client->Explained(closed, "writing", path_);
}

arrow::Status HdfsDraft::CloseAtWholeSecond() {
  ARROW_RETURN_NOT_OK(Close());
  ARROW_ASSIGN_OR_RAISE(const auto written, hdfs_->client->Look(temporary_));
  if (!written) return FileNotFound(hdfs_->client->NameOf(temporary_));
  return hdfs_->client->SetTime(temporary_, written->modified_s);
}

arrow::Status HdfsDraft::Publish() {
  const HdfsClient& client = *hdfs_->client;
  ARROW_RETURN_NOT_OK(Close());
  // A rename onto a folder would move the file into it.
  ARROW_ASSIGN_OR_RAISE(const auto taken, client.Look(path_));
  if (taken.has_value()) return ErrnoStatus(EEXIST, "creating", client.NameOf(path_));
  ARROW_ASSIGN_OR_RAISE(published_, client.Rename(temporary_, path_));
  if (published_) return arrow::Status::OK();
  // Refused; or Hadoop's client lost the reply of a rename that was done, and asked again. The temporary name tells
  // which.
  ARROW_ASSIGN_OR_RAISE(const auto unmoved, client.Look(temporary_));
  ARROW_ASSIGN_OR_RAISE(const auto winner, client.Look(path_));
  published_ = !unmoved.has_value() && winner.has_value();
  if (published_) return arrow::Status::OK();
  if (winner.has_value()) return ErrnoStatus(EEXIST, "creating", client.NameOf(path_));
  return arrow::Status::IOError("creating ", client.NameOf(path_), ": the NameNode refused to rename ", temporary_);
}

}  // namespace trawl
