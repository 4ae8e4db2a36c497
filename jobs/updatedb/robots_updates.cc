#include "jobs/updatedb/robots_updates.h"

#include <optional>
#include <utility>

#include "formats/url/key.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/updatedb/next_host.h"
#include "jobs/verb/job_options.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<std::unique_ptr<RobotsUpdates>> RobotsUpdates::Open(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  RunWriter<RobotsRow>* const run = context.OpenRun<RobotsRow>(FileOptions(job));
  ARROW_ASSIGN_OR_RAISE(const RefreshOptions refresh, context.Read(RefreshOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const int64_t round_ms, GetInt(context.plan().facts, "round_ms"));
  return std::unique_ptr<RobotsUpdates>(new RobotsUpdates(context, run, std::move(table), refresh, round_ms));
}

Status RobotsUpdates::Reduce(RowPlace place, GroupStream& groups) {
  bool is_first = true;
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
    if (!more) break;
    ARROW_RETURN_NOT_OK(DecodeRow(value.substr(1), &row_));
    if (is_first || IsNewerRobots(row_, newest_)) std::swap(row_, newest_);
    is_first = false;
  }
  origin_.assign(place.key);
  ARROW_ASSIGN_OR_RAISE(const bool is_known, table_.Find(place, &row_));
  const RobotsRow* const known = is_known ? &row_ : nullptr;
  const std::optional<RobotsRow> next = NextRobots(known, newest_, refresh_, round_ms_);
  news_ = {.robots_failures = next ? next->failures : row_.failures};
  text_.reset();
  if (!next) return Status::OK();
  text_ = next->text;
  news_.fate = FateOf(known, *next, refresh_);
  news_.asked_ms = next->fetched_ms;
  if (next->is_dead) {
    news_.outcome = OutcomeOfDead(*next);
    news_.reason = ReasonOfDead(*next);
  }
  ++written_;
  return run_->Append(*next);
}

const OriginNews* RobotsUpdates::NewsFor(std::string_view url_key) const {
  return OriginPartOfKey(url_key) == origin_ ? &news_ : nullptr;
}

const std::string* RobotsUpdates::TextFor(std::string_view url_key) const {
  return text_ && OriginPartOfKey(url_key) == origin_ ? &*text_ : nullptr;
}

}  // namespace trawl
