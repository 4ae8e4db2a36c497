// The budgets of a host's patterns (formats/rows/settle_rows.h), as generate obeys them. One thread.
//
//  1. Of the due pages of a pattern that has a budget, over all of its host, the best by rank are candidates of a round, as
//     many as the budget. The others are held: they are left to later rounds.
//  2. URLs of a pattern with a budget come after all others: they are in the tier low, and rank as if they came due a third
//     of --generate.aging from now. So their number never brings them before others. From two thirds of the aging after the
//     pattern was counted last they age all the same, so that a crawl that is never done with its other URLs tries them, too.
//  3. A family of patterns (FamilyOfPattern) may have a budget, too. It is that of all members together that are not judged
//     by themselves: fewer than kJudgedPages of them count. Patterns whose families are not judged either have that of the
//     origin (FamilyOfOrigin).
//  4. A pattern or family that is doubtful (IsDoubtful) and has no budget takes half as many pages as were fetched of it so
//     far, and kJudgedPages at least.
//  5. One that is young (fewer than kGrownPages were fetched of it, but some were) takes as many as were fetched of it so
//     far, and kJudgedPages at least. It ranks as usual. So what looked good at first does not fill a round before it is
//     known what that yielded. It is young no longer where nothing of it has been counted for --generate.aging: its URLs may
//     all fail, or trawl settle is not run any more.
//  6. A URL whose due time the operator set needs no budget, and takes none. Neither do sitemaps and feeds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/times.h"
#include "formats/url/slot_range.h"
#include "jobs/select/pattern_worth.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

struct PatternBudget {
  size_t most = 0;           // pages of a round; 0: as many as the host takes, for it has no budget
  TimeMs held_ms = 0;        // its URLs rank as if they had come due then, or later
  bool is_judged = false;    // the pattern is, by itself
  bool is_doubtful = false;  // the budget grows by itself
  bool is_young = false;     // it grows faster, and its URLs rank as usual

  bool ranks_low() const { return most > 0 && !is_young; }
};

// The budget of that row; `most` is 0 where it has none.
PatternBudget BudgetOf(const PatternRow& row, TimeMs now_ms, int64_t aging_ms);
// Which of two holds for a URL, that of its pattern or of its family; each may be null, for there is no row. Null: neither.
const PatternBudget* ChooseBudget(const PatternBudget* own, const PatternBudget* family);
// What stands for the family of a URL there: its own budget, or that of its origin.
inline const PatternBudget* ChooseFamily(const PatternBudget* family, const PatternBudget* origin) {
  return family != nullptr && family->is_judged ? family : ChooseBudget(family, origin);
}

class HostPatterns {
 public:
  // `aging_ms` as --generate.aging.
  static arrow::Result<HostPatterns> Open(Store* store, const Manifest& snapshot, SlotRange slots, TimeMs now_ms,
                                          int64_t aging_ms);

  // Whether the table has rows at all.
  static bool HasRows(const Manifest& snapshot);

  // Goes on to a host. REQUIRES: hosts come in the order of the tables.
  arrow::Status Find(uint32_t slot, std::string_view host);

  bool has_budgets() const { return has_budgets_; }
  // The budget from which that page of the host is taken; null where it needs none, and is in its usual tier. Valid, and the same for all pages of the
  // pattern or family, until the next Find.
  const PatternBudget* BudgetFor(std::string_view key);
  // The origin ("com,example)") of the first pattern whose pages look like error pages of status 200; empty: none does.
  const std::string& error_origin() const { return error_origin_; }

 private:
  HostPatterns(RowWalk walk, TimeMs now_ms, int64_t aging_ms)
      : walk_(std::move(walk)), now_ms_(now_ms), aging_ms_(aging_ms) {}

  RowWalk walk_;
  const TimeMs now_ms_;
  const int64_t aging_ms_;
  // By pattern, and by family, of those that are judged or doubtful.
  std::map<std::string, PatternBudget, std::less<>> budgets_;
  bool has_budgets_ = false;
  std::string error_origin_;
  std::string host_, pattern_;
  PatternRow row_;
};

// Whether the pages of the pattern look like error pages of status 200: at least five were fetched, and four of five were
// like others; or all texts are about the same.
bool LooksLikeErrors(const PatternRow& row);

}  // namespace trawl
