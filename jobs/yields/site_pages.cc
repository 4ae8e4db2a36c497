#include "jobs/yields/site_pages.h"

#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/yields/bare_urls.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;

Result<bool> ForEachSitePage(Store* store, const Manifest& snapshot, const std::string& host, int64_t most,
                             const StopToken& stop, const std::function<void(const UrlRow&)>& visit,
                             bool with_missing) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(host));
  const uint32_t slot = SlotOfHost(host);
  const ScanOptions options = {.slots = {slot, slot + 1},
                               .from_key = range.from,
                               .to_key = range.to,
                               .wanted = Columns<UrlRow>({"key", "kind", "state", "content_digest", "simhash",
                                                          "redirect_to", "duplicate_of", "near_duplicate_of", "status"})
                                             .Flags()};
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(table), options));
  RowSpan span;
  UrlRow row;
  int64_t seen = 0;
  while (true) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return false;
    for (int64_t i = span.begin; i < span.end; ++i) {
      ReadFromBatch(*span.batch, i, &row);
      const bool is_page =
          row.kind == UrlKind::kPage &&
          (row.state == UrlState::kFetched || row.state == UrlState::kDuplicate || row.state == UrlState::kRedirected);
      const bool is_missing = with_missing && row.kind == UrlKind::kPage && IsMissing(row);
      if (!is_page && !is_missing) continue;
      if (++seen > most) return true;
      visit(row);
    }
  }
}

}  // namespace trawl
