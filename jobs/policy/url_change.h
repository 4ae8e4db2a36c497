// What an operator says about a URL, by trawl urls set or in a line of trawl inject, and the row that follows. Pure; any
// thread. The rules are numbered at ApplyChange.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/rows/times.h"
#include "formats/rows/url_row.h"
#include "jobs/policy/score.h"

namespace trawl {

// Each member that is set changes something; the others leave the row as it is.
struct UrlChange {
  bool retry = false;   // what was refused, gone, failing, denied or deferred comes back
  bool drop = false;    // for good
  bool undrop = false;  // a dropped URL comes back
  std::optional<TimeMs> due_ms;
  std::optional<int32_t> score;        // kByRule: as links and the host say
  std::optional<int64_t> interval_ms;  // 0: adaptive
  std::optional<TierChoice> tier;
  std::optional<UrlKind> kind;
  std::map<std::string, std::string> metadata;  // by key

  static constexpr int32_t kByRule = -1;
  bool IsAny() const;
  bool operator==(const UrlChange&) const = default;
};

enum class ChangeEffect {
  kNone,      // the row says so already
  kChanged,   // by this change
  kPutBack,   // changed, and the URL is asked for as if its last outcome had not been
  kIsDropped  // the row stays, since the operator dropped the URL
};

// Changes the row as `change` says, at the time `now_ms`. `has_budgets`: patterns of the crawl may have budgets, which hold
// due URLs. `standing` decides what its score is by rule.
ChangeEffect ApplyChange(const UrlChange& change, TimeMs now_ms, UrlRow* row, bool has_budgets = false,
                         const ScoreStanding& standing = {});

// The texts of a change's values, as people write them; Invalid says what is allowed.
//
// ".5", "+0.5" and "5e-1" are all scores.
arrow::Result<int32_t> ParseScore(std::string_view text);
// In a list of seeds, which may come from elsewhere, a score over 1 counts as 1.
arrow::Result<int32_t> ParseSeedScore(std::string_view text);
// "high", "medium", "low", or 0, 1, 2.
arrow::Result<TierChoice> ParseTier(std::string_view text);
arrow::Result<int64_t> ParseInterval(std::string_view text);
// "now", a time like 2026-03-01T12:00:00Z, or a duration from now on like 3d or +3d.
arrow::Result<TimeMs> ParseDue(std::string_view text, TimeMs now_ms);

// For plans. Only the members that are set are there.
Json ToJson(const UrlChange& change);
arrow::Result<UrlChange> UrlChangeFromJson(const Json& json);

}  // namespace trawl
