// Due URLs, as both jobs of generate judge them: by a few columns of the urls table. One thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/scope/crawl_scope.h"
#include "formats/tables/columns.h"
#include "jobs/select/url_rank.h"
#include "runtime/process/clock.h"

namespace trawl {

class DueUrls {
 public:
  // `scope` must outlive the object. `aging_ms` as for RankOf.
  DueUrls(const CrawlScope* scope, TimeMs now_ms, int64_t aging_ms)
      : scope_(scope), now_ms_(now_ms), aging_ms_(aging_ms) {}

  // The columns that it reads, for a scan that needs no others. IsSetDue needs `with_due_set`.
  static std::vector<bool> ColumnsToRead(bool with_due_set = false);

  int64_t due_ms(const ColumnBatch& batch, int64_t row) const {
    return batch.columns[ColumnIndex<UrlRow>("due_ms")].Get<int64_t>(row);
  }
  bool IsDue(const ColumnBatch& batch, int64_t row) const { return due_ms(batch, row) <= now_ms_; }
  std::string_view key(const ColumnBatch& batch, int64_t row) const {
    return batch.columns[ColumnIndex<UrlRow>("key")].GetBytes(row);
  }
  // Whether the operator set its due time.
  bool IsSetDue(const ColumnBatch& batch, int64_t row) const {
    return batch.columns[ColumnIndex<UrlRow>("due_set_ms")].Get<int64_t>(row) > 0;
  }
  bool IsPage(const ColumnBatch& batch, int64_t row) const {
    return batch.columns[ColumnIndex<UrlRow>("kind")].Get<int8_t>(row) == static_cast<int8_t>(UrlKind::kPage);
  }
  // `is_trap`: its host is a suspected trap, or its pattern yields little. `held_ms`: it ranks as if it had come due then, or later.
  UrlRank rank(const ColumnBatch& batch, int64_t row, bool is_trap, TimeMs held_ms = 0) const {
    return RankOf(key(batch, row),
                  {.is_seed = batch.columns[ColumnIndex<UrlRow>("is_seed")].Get<int8_t>(row) != 0,
                   .score = batch.columns[ColumnIndex<UrlRow>("score")].Get<int32_t>(row),
                   .tier = static_cast<TierChoice>(batch.columns[ColumnIndex<UrlRow>("tier")].Get<int8_t>(row)),
                   .due_ms = std::max(due_ms(batch, row), held_ms),
                   .interval_ms = batch.columns[ColumnIndex<UrlRow>("interval_ms")].Get<int64_t>(row),
                   .is_trap = is_trap},
                  aging_ms_);
  }
  // Whether the crawl's scope still accepts the URL.
  bool IsInScope(const ColumnBatch& batch, int64_t row);

 private:
  const CrawlScope* const scope_;
  const TimeMs now_ms_;
  const int64_t aging_ms_;
  std::string url_;
};

}  // namespace trawl
