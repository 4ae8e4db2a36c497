#include "jobs/segment/tightest_pauses.h"

#include <cstdlib>
#include <map>

#include "formats/documents/step_record.h"
#include "formats/rows/fetch_row.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;

namespace {

// A row's times are the client's, the fetch's own are those of its loop.
constexpr int64_t kInexactMs = 10;

std::optional<TightestPause> PauseIn(const Json& facts, const std::string& host) {
  if (!HasMember(facts, "politeness")) return std::nullopt;
  const Result<const Json*> dots = GetArray(facts["politeness"], "dots");
  if (!dots.ok()) return std::nullopt;
  for (const Json& dot : **dots) {
    if (GetString(dot, "host").ValueOr("") != host) continue;
    const TightestPause pause = {GetInt(dot, "gap_ms").ValueOr(-1), GetInt(dot, "delay_ms").ValueOr(0)};
    if (pause.gap_ms >= 0 && pause.delay_ms > 0) return pause;
  }
  return std::nullopt;
}

// By the files of rows that the record's own job wrote. Another job, which did not end, may have had another delay.
std::map<std::string, TightestPause> PausesByFile(const StepRecord& fetched, const std::string& host) {
  std::map<std::string, TightestPause> pauses;
  for (const StepTask& task : fetched.tasks) {
    const std::optional<TightestPause> pause = PauseIn(task.facts, host);
    if (!pause) continue;
    for (const FileReceipt& file : task.FilesOf(FetchRow::kTable)) {
      if (file.name.starts_with(fetched.job + "-")) pauses[file.name] = *pause;
    }
  }
  return pauses;
}

}  // namespace

Result<std::vector<std::optional<TightestPause>>> TightestPausesOf(Store* store, const std::string& host,
                                                                   const std::vector<PastFetch>& fetches) {
  std::map<std::string, std::map<std::string, TightestPause>> by_segment;
  std::vector<std::optional<TightestPause>> found;
  for (const PastFetch& fetch : fetches) {
    const auto [pauses, is_new] = by_segment.try_emplace(fetch.segment);
    if (is_new) {
      const auto fetched = ReadStep(store, fetch.segment, kFetchStep);
      // gc removes old segments.
      if (!fetched.ok() && !IsNotFound(fetched.status())) return fetched.status();
      if (fetched.ok() && *fetched) pauses->second = PausesByFile(**fetched, host);
    }
    const auto pause = pauses->second.find(fetch.file.name);
    found.push_back(pause == pauses->second.end() ? std::nullopt : std::optional(pause->second));
  }
  return found;
}

std::optional<int64_t> DelayBefore(std::optional<int64_t> gap_ms, const std::optional<TightestPause>& tightest,
                                   std::optional<int64_t> last_delay_ms) {
  std::optional<int64_t> delay_ms = last_delay_ms;
  if (!delay_ms && tightest) delay_ms = tightest->delay_ms;
  if (!delay_ms || !gap_ms || *gap_ms >= *delay_ms) return delay_ms;
  const bool was_early = tightest && tightest->gap_ms < tightest->delay_ms;
  return was_early && std::abs(*gap_ms - tightest->gap_ms) <= kInexactMs ? delay_ms : std::nullopt;
}

}  // namespace trawl
