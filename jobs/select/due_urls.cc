#include "jobs/select/due_urls.h"

#include <algorithm>

#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"

namespace trawl {

std::vector<bool> DueUrls::ColumnsToRead(bool with_due_set) {
  std::vector<bool> wanted =
      Columns<UrlRow>({"key", "kind", "due_ms", "interval_ms", "depth", "is_seed", "score", "tier"}).Flags();
  wanted[ColumnIndex<UrlRow>("due_set_ms")] = with_due_set;
  return wanted;
}

bool DueUrls::IsInScope(const ColumnBatch& batch, int64_t row) {
  const auto kind = static_cast<UrlKind>(batch.columns[ColumnIndex<UrlRow>("kind")].Get<int8_t>(row));
  if (kind != UrlKind::kPage && kind != UrlKind::kSitemap && kind != UrlKind::kFeed) return false;
  if (!WriteUrlOfKey(key(batch, row), &url_)) return false;
  const int32_t depth = std::max(batch.columns[ColumnIndex<UrlRow>("depth")].Get<int32_t>(row), 0);
  return scope_->Check(url_, static_cast<uint32_t>(depth)).accepted;
}

}  // namespace trawl
