#include "jobs/fetch/part_writer.h"

#include <algorithm>
#include <utility>

#include "runtime/root/layout.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

using arrow::Status;

namespace {

// A writer keeps this much until it writes a stripe. Many tasks run at once, each with two such files. A task of parse
// that begins within a stripe of bodies reads that stripe from its start.
constexpr int64_t kFetchStripeBytes = int64_t{4} << 20;
constexpr int64_t kContentStripeBytes = int64_t{1} << 20;

// One file per part and dataset, whatever its size: a row names the file of its body before that file is closed.
RowFileOptions PartFile(int64_t batch_rows, int64_t stripe_bytes) {
  RowFileOptions options;
  options.sorted = false;
  options.file_bytes = INT64_MAX;
  options.file_rows = INT64_MAX;
  options.batch_rows = batch_rows;
  options.orc.stripe_bytes = stripe_bytes;
  return options;
}

// Memory for pages that wait for the disk, over all tasks.
constexpr int64_t kQueuedBytes = int64_t{48} << 20;
constexpr int64_t kLeastQueuedBytes = int64_t{4} << 20;

int64_t BytesOf(const FetchedPage& page) {
  int64_t bytes = static_cast<int64_t>(sizeof(page) + page.fetch.listed.size() + page.fetch.request_headers.size() +
                                       page.fetch.response_headers.size());
  if (page.content) bytes += static_cast<int64_t>(page.content->body.size() + page.content->headers.size());
  return bytes;
}

}  // namespace

// The open files of a part.
struct FetchPartWriter::Writers {
  Writers(Store* store, const std::string& segment, const std::string& part_prefix)
      : content_file(part_prefix + "-0.orc"),
        fetch(store, DatasetFolder(segment, FetchRow::kTable), part_prefix, PartFile(256, kFetchStripeBytes)),
        content(store, DatasetFolder(segment, ContentRow::kTable), part_prefix, PartFile(64, kContentStripeBytes)),
        hosts(store, DatasetFolder(segment, HostRow::kTable), part_prefix, PartFile(256, kFetchStripeBytes)),
        robots(store, DatasetFolder(segment, RobotsRow::kTable), part_prefix, PartFile(64, kFetchStripeBytes)) {}

  const std::string content_file;
  RunWriter<FetchRow> fetch;
  RunWriter<ContentRow> content;
  RunWriter<HostRow> hosts;
  RunWriter<RobotsRow> robots;
};

FetchPartWriter::FetchPartWriter(Store* store, std::string segment, std::string prefix, AttemptChain* chain,
                                 SharedBodies* bodies, int tasks, std::function<void()> wake)
    : store_(store),
      segment_(std::move(segment)),
      prefix_(std::move(prefix)),
      chain_(chain),
      bodies_(*bodies),
      most_queued_bytes_(std::max(kQueuedBytes / std::max(tasks, 1), kLeastQueuedBytes)),
      wake_(std::move(wake)) {
  thread_ = std::thread([this] { Work(); });
}

FetchPartWriter::~FetchPartWriter() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// -- the loop's side --------------------------------------------------------------------------------------------------

void FetchPartWriter::Add(FetchedPage page) {
  const int64_t bytes = BytesOf(page);
  Push({.page = std::move(page), .end = std::nullopt, .bytes = bytes});
}

void FetchPartWriter::ClosePart(PartEnd end) { Push({.page = std::nullopt, .end = std::move(end)}); }

void FetchPartWriter::Push(Piece piece) {
  queued_bytes_ += piece.bytes;
  bool was_empty;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    was_empty = pieces_.empty();
    pieces_.push_back(std::move(piece));
  }
  if (was_empty) changed_.notify_all();
}

Status FetchPartWriter::status() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return status_;
}

Status FetchPartWriter::Finish() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return (pieces_.empty() && is_idle_) || !status_.ok(); });
  return status_;
}

// -- its own ----------------------------------------------------------------------------------------------------------

void FetchPartWriter::Work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !pieces_.empty(); });
    if (ends_) return;
    std::deque<Piece> pieces;
    pieces.swap(pieces_);
    is_idle_ = false;
    Status status = status_;
    lock.unlock();
    for (Piece& piece : pieces) {
      const int64_t bytes = piece.bytes;
      if (status.ok()) status = Write(std::move(piece));
      const bool was_behind = IsBehind();
      queued_bytes_ -= bytes;
      if (was_behind && !IsBehind()) wake_();
    }
    lock.lock();
    const bool fails = status_.ok() && !status.ok();
    status_ = status;
    is_idle_ = true;
    changed_.notify_all();
    if (fails) wake_();
  }
}

Status FetchPartWriter::Write(Piece piece) {
  if (writers_ == nullptr) {
    writers_ = std::make_unique<Writers>(store_, segment_, prefix_ + "-" + std::to_string(next_part_++));
  }
  return piece.page ? WritePage(std::move(*piece.page)) : WriteEnd(std::move(*piece.end));
}

Status FetchPartWriter::WritePage(FetchedPage page) {
  if (page.content && bodies_.Share(&page.fetch)) {
    ++shared_["bodies_shared"];
    shared_["bytes_shared"] += static_cast<int64_t>(page.content->body.size());
  } else if (page.content) {
    page.fetch.content_file = writers_->content_file;
    page.fetch.content_row = writers_->content.rows();
    ARROW_RETURN_NOT_OK(writers_->content.Append(*page.content));
    bodies_.Add(page.fetch);
  }
  return writers_->fetch.Append(page.fetch);
}

Status FetchPartWriter::WriteEnd(PartEnd end) {
  for (const HostRow& row : end.hosts) ARROW_RETURN_NOT_OK(writers_->hosts.Append(row));
  for (const RobotsRow& row : end.robots) ARROW_RETURN_NOT_OK(writers_->robots.Append(row));
  std::map<std::string, std::vector<FileReceipt>> files;
  ARROW_ASSIGN_OR_RAISE(files[ContentRow::kTable], writers_->content.Finish());
  ARROW_ASSIGN_OR_RAISE(files[FetchRow::kTable], writers_->fetch.Finish());
  ARROW_ASSIGN_OR_RAISE(files[HostRow::kTable], writers_->hosts.Finish());
  ARROW_ASSIGN_OR_RAISE(files[RobotsRow::kTable], writers_->robots.Finish());
  writers_.reset();
  std::erase_if(files, [](const auto& dataset) { return dataset.second.empty(); });
  end.counters.update(ToJson(shared_));
  shared_ = Counters();
  return chain_->AddPart(std::move(files), std::move(end.counters));
}

}  // namespace trawl
