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

PatternBudget BudgetOf(const PatternRow& row, TimeMs now_ms, int64_t aging_ms) {
  if (row.removed) return {};
  PatternBudget budget = {.is_judged = IsJudged(row), .is_doubtful = row.budget < 0 && IsDoubtful(row)};
  budget.is_young = row.budget < 0 && !budget.is_doubtful && IsYoung(row) && row.counted_ms + aging_ms > now_ms;
  if (row.budget < 0 && !budget.is_doubtful && !budget.is_young) return budget;
  if (row.budget >= 0) {
    budget.most = static_cast<size_t>(std::max(row.budget, 1));
  } else {
    const int64_t grown_by = budget.is_young ? row.fetched_ever : row.fetched_ever / 2;
    budget.most = static_cast<size_t>(std::max(grown_by, kJudgedPages));
  }
  if (budget.is_young) return budget;
  budget.held_ms = std::min(now_ms + aging_ms / 3, row.counted_ms + aging_ms);
  return budget;
}

const PatternBudget* ChooseBudget(const PatternBudget* own, const PatternBudget* family) {
  const bool needs_family = own == nullptr || !own->is_judged;
  const bool is_worse = own != nullptr && own->is_doubtful && family != nullptr && family->is_young;
  if (needs_family && family != nullptr && family->most > 0 && !is_worse) return family;
  return own != nullptr && own->most > 0 ? own : nullptr;
}

bool LooksLikeErrors(const PatternRow& row) {
  if (row.fetched_ever < kLeastErrorPages || row.fetched <= 0) return false;
  return SaysAboutTheSame(row) || (WorthlessOf(row) + row.likes) * 5 >= row.fetched * 4;
}

Result<HostPatterns> HostPatterns::Open(Store* store, const Manifest& snapshot, SlotRange slots, TimeMs now_ms,
                                        int64_t aging_ms) {
  const std::vector<bool> wanted =
      Columns<PatternRow>({"key", "fetched", "duplicates", "near_duplicates", "soft_errors", "counted_ms", "budget",
                           "fetched_ever", "likes", "spread"})
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
    if ((budget.is_judged || budget.most > 0) && budgets_.size() < kMostBudgets) budgets_.emplace(row_.key, budget);
    has_budgets_ = has_budgets_ || budget.most > 0;
    if (error_origin_.empty() && LooksLikeErrors(row_)) error_origin_ = OriginPartOfKey(row_.key);
    ARROW_RETURN_NOT_OK(walk_.Next());
  }
  return Status::OK();
}

const PatternBudget* HostPatterns::BudgetFor(std::string_view key) {
  if (!has_budgets_) return nullptr;
  WritePatternOfKey(key, &pattern_);
  const auto find = [this](const std::string& pattern) {
    const auto found = budgets_.find(pattern);
    return found == budgets_.end() ? nullptr : &found->second;
  };
  const PatternBudget* const own = find(pattern_);
  if (own != nullptr && own->is_judged) return ChooseBudget(own, nullptr);
  return ChooseBudget(own, ChooseFamily(find(FamilyOfPattern(pattern_)), find(FamilyOfOrigin(pattern_))));
}

}  // namespace trawl
