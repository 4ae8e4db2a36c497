#include "jobs/metrics/metrics_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "runtime/process/status_detail.h"
#include "runtime/root/snapshot.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr auto kEvery = std::chrono::seconds(15);
// At its end a verb waits for counts no longer than this.
constexpr int64_t kMostWaitMs = 5'000;

// Whether a file of the root's folder tree is meant. A store that is not local has no files here.
bool LiesIn(const std::string& file, const std::string& root) {
  if (root.find("://") != std::string::npos) return false;
  std::error_code error;
  const auto inside = std::filesystem::weakly_canonical(file, error).lexically_normal();
  const auto folder = std::filesystem::weakly_canonical(root, error).lexically_normal();
  const auto relative = inside.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Gives the text its name at once, so that nobody reads a part of it. Everybody may read it: another user's process does.
Status Replace(const std::string& file, const std::string& text) {
  const std::string partial = file + "." + std::to_string(getpid()) + ".tmp";
  const auto failed = [&](const char* what) {
    const int error = errno;
    unlink(partial.c_str());
    return UsageError("--metrics_file ", file, ": ", what, ": ", std::strerror(error),
                      "; name a file in a folder that can be written to");
  };
  const int out = open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (out < 0) return failed("cannot be made");
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written <= 0) {
      close(out);
      return failed("cannot be written");
    }
    done += static_cast<size_t>(written);
  }
  if (close(out) != 0) return failed("cannot be written");
  return std::rename(partial.c_str(), file.c_str()) == 0 ? Status::OK() : failed("cannot be replaced");
}

}  // namespace

Result<std::unique_ptr<MetricsFile>> MetricsFile::Start(const MetricsFileOptions& options, const Clock& clock) {
  if (LiesIn(options.file, options.metrics.root)) {
    return UsageError("--metrics_file ", options.file, " lies in the root ", options.metrics.root,
                      ", which is for the crawl alone; name a file elsewhere");
  }
  std::unique_ptr<MetricsFile> file(new MetricsFile(options, clock));
  ARROW_RETURN_NOT_OK(file->Write(/*is_last=*/false));
  file->thread_ = std::thread([self = file.get()] { self->Run(); });
  return file;
}

MetricsFile::~MetricsFile() { (void)Finish(); }

Status MetricsFile::Finish() {
  if (!thread_.joinable()) return Status::OK();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  thread_.join();
  return Write(/*is_last=*/true);
}

void MetricsFile::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!wake_.wait_for(lock, kEvery, [this] { return ends_; })) {
    lock.unlock();
    (void)Write(/*is_last=*/false);  // the last time tells of it
    lock.lock();
  }
}

Status MetricsFile::Write(bool is_last) { return Replace(options_.file, Text(is_last)); }

// Every verb may be given a root that is not there yet, or a store that is away: then the file says that it is not ready.
std::string MetricsFile::Text(bool is_last) {
  std::vector<MetricFamily> families;
  if (store_ == nullptr) {
    Result<std::unique_ptr<Store>> opened = OpenStore(options_.metrics.root, {.libhdfs = options_.libhdfs});
    if (opened.ok()) {
      store_ = *std::move(opened);
      live_ = std::make_unique<LiveReader>(store_.get(), clock_);
      metrics_ = std::make_unique<CrawlMetrics>(store_.get(), clock_, live_.get(), options_.metrics);
    }
  }
  bool is_ready = false;
  const Result<Snapshot> present = store_ == nullptr ? Status::IOError("no store") : ReadPresent(store_.get());
  if (present.ok()) {
    if (is_last) (void)metrics_->WaitForCounts(present->manifest, kMostWaitMs);
    Result<std::vector<MetricFamily>> made = metrics_->Families(present->manifest, {});
    is_ready = made.ok();
    if (is_ready) families = *std::move(made);
  }
  families.push_back(ReadyFamily(options_.metrics.crawl, is_ready));
  // Files of several crawls may lie side by side, and no two may have the same series.
  for (MetricFamily& family : families) {
    if (family.name != "trawl_build_info") continue;
    for (MetricSample& sample : family.samples) sample.labels.emplace_back("crawl", options_.metrics.crawl);
  }
  return MetricsText(families, MetricsFormat::kText);
}

}  // namespace trawl
