#include "jobs/views/job_lists.h"

#include <chrono>

#include "jobs/operate/past_jobs.h"

namespace trawl {

using arrow::Result;

namespace {

// Lists of so many lengths are kept; pages ask for few.
constexpr size_t kMostLists = 8;

Result<std::shared_ptr<const Json>> ReadList(const View& view, int64_t limit, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const auto jobs, ReadJobs(view.store(), view.manifest(), static_cast<size_t>(limit)));
  Json list = Json::array();
  JobLister lister;
  for (size_t i = jobs.size(); i > 0 && list.size() < static_cast<size_t>(limit); --i) {
    ARROW_RETURN_NOT_OK(stop.Check());
    list.push_back(lister.Listed(jobs[i - 1]));
  }
  return std::make_shared<const Json>(std::move(list));
}

}  // namespace

std::shared_ptr<JobLists::List> JobLists::OfLimit(int64_t limit) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (lists_.size() >= kMostLists && !lists_.contains(limit)) lists_.clear();
  std::shared_ptr<List>& list = lists_[limit];
  if (list == nullptr) list = std::make_shared<List>();
  return list;
}

void JobLists::Forget() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++writes_;
}

Result<std::shared_ptr<const Json>> JobLists::Read(const View& view, int64_t limit, const StopToken& stop) {
  const std::shared_ptr<List> list = OfLimit(limit);
  std::unique_lock<std::timed_mutex> lock(list->reading, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(50))) ARROW_RETURN_NOT_OK(stop.Check());
  int64_t writes = 0;
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    writes = writes_;
  }
  const bool is_fresh = list->jobs != nullptr && list->snapshot == view.number() && list->writes == writes &&
                        clock_.MonotonicMs() - list->read_ms < kFreshMs;
  if (is_fresh) return list->jobs;
  ARROW_ASSIGN_OR_RAISE(list->jobs, ReadList(view, limit, stop));
  list->snapshot = view.number();
  list->writes = writes;
  list->read_ms = clock_.MonotonicMs();
  return list->jobs;
}

}  // namespace trawl
