#include "jobs/select/host_patterns.h"

#include <memory>

#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "formats/url/pattern.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kLeastErrorPages = 5;
// More than trawl settle keeps of one host. The others would have no budget.
constexpr size_t kMostBudgets = 10'000;

}  // namespace

bool IsJudged(const PatternRow& row) { return row.is_ignored || row.budget >= 0 || row.fetched >= kJudgedPages * 1000; }

PatternBudget BudgetOf(const PatternRow& row, TimeMs now_ms, int64_t aging_ms) {
  if (row.budget < 0 || row.is_ignored || row.removed) return {.most = 0};
  return {.most = static_cast<size_t>(std::max(row.budget, 1)), .held_ms = std::min(now_ms, row.counted_ms + aging_ms)};
}

bool LooksLikeErrors(const PatternRow& row) {
  if (row.fetched_ever < kLeastErrorPages || row.fetched <= 0) return false;
  return (row.duplicates + row.near_duplicates + row.soft_errors) * 5 >= row.fetched * 4;
}

Result<HostPatterns> HostPatterns::Open(Store* store, const Manifest& snapshot, SlotRange slots, TimeMs now_ms,
                                        int64_t aging_ms) {
  const std::vector<bool> wanted =
      Columns<PatternRow>({"key", "fetched", "duplicates", "near_duplicates", "soft_errors", "counted_ms", "budget",
                           "fetched_ever", "is_ignored"})
          .Flags();
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<PatternRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(table), {.slots = slots, .wanted = wanted}));
  return HostPatterns(std::move(walk), now_ms, aging_ms);
}

bool HostPatterns::HasRows(const Manifest& snapshot) {
  const auto runs = snapshot.tables.find(PatternRow::kTable);
  return runs != snapshot.tables.end() && !runs->second.empty();
}

Status HostPatterns::Find(uint32_t slot, std::string_view host) {
  budgets_.clear();
  has_budgets_ = false;
  error_origin_.clear();
  if (walk_.at_end()) return Status::OK();
  host_.assign(host).push_back(')');
  ARROW_RETURN_NOT_OK(walk_.SeekTo({slot, host_}));
  while (!walk_.at_end() && walk_.key().starts_with(host_)) {
    walk_.Read(&row_);
    const PatternBudget budget = BudgetOf(row_, now_ms_, aging_ms_);
    if (IsJudged(row_) && budgets_.size() < kMostBudgets) budgets_.emplace(row_.key, budget);
    has_budgets_ = has_budgets_ || budget.most > 0;
    if (error_origin_.empty() && LooksLikeErrors(row_)) error_origin_ = OriginPartOfKey(row_.key);
    ARROW_RETURN_NOT_OK(walk_.Next());
  }
  return Status::OK();
}

const PatternBudget* HostPatterns::BudgetFor(std::string_view key) {
  if (!has_budgets_) return nullptr;
  WritePatternOfKey(key, &pattern_);
  auto found = budgets_.find(pattern_);
  if (found == budgets_.end()) found = budgets_.find(FamilyOfPattern(pattern_));
  return found == budgets_.end() || found->second.most == 0 ? nullptr : &found->second;
}

}  // namespace trawl
