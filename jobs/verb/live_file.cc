#include "jobs/verb/live_file.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "formats/documents/sealed_json.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The first file comes once a job has taken long enough for somebody to ask.
constexpr std::chrono::milliseconds kFirst(1'000);
constexpr std::chrono::milliseconds kInterval(3'000);
constexpr int64_t kMostBytes = 1 << 20;

}  // namespace

LiveFile::LiveFile(Store* store, const Clock& clock, std::string job, std::function<Json()> numbers)
    : store_(store), clock_(clock), job_(std::move(job)), numbers_(std::move(numbers)) {
  thread_ = std::thread([this] { Run(); });
}

LiveFile::~LiveFile() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_finished_ = true;
  }
  wake_.notify_all();
  thread_.join();
  if (number_ > 0) (void)store_->Remove(JobLivePath(job_, number_));
}

void LiveFile::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (auto wait = kFirst; !wake_.wait_for(lock, wait, [this] { return is_finished_; }); wait = kInterval) {
    lock.unlock();
    Write();
    lock.lock();
  }
}

// A store replaces nothing, so each file has a name of its own; the one before goes once the new one is there.
void LiveFile::Write() {
  Json json = {{"job", job_}, {"at_ms", clock_.NowMs()}};
  json.update(numbers_());
  const bool is_written = store_->CreateExclusive(JobLivePath(job_, number_ + 1), SealJson(json)).ok();
  if (!is_written) return;
  if (number_ > 0) (void)store_->Remove(JobLivePath(job_, number_));
  ++number_;
}

Result<Json> ReadLiveFile(Store* store, const std::string& job) {
  // Between listing and reading the file may give way to the next one.
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(JobFolder(job), /*recursive=*/false));
    int64_t newest = 0;
    for (const StoreEntry& entry : entries) {
      const auto place = ParsePath(entry.path);
      if (place && place->kind == PlaceKind::kJobLive) newest = std::max(newest, place->number);
    }
    if (newest == 0) return Json();
    const std::string path = JobLivePath(job, newest);
    const Result<std::string> text = store->ReadWhole(path, kMostBytes);
    if (!text.ok() && IsNotFound(text.status())) continue;
    ARROW_RETURN_NOT_OK(text.status());
    return OpenSealedJson(*text, path);
  }
  return Json();
}

}  // namespace trawl
