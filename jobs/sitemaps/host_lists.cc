#include "jobs/sitemaps/host_lists.h"

#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<bool> HostLists::Take(RowPlace url, UrlKind kind, int64_t discovered) {
  const bool is_feed = kind == UrlKind::kFeed;
  if (HostPartOfKey(url.key) != host_) {
    host_.assign(HostPartOfKey(url.key));
    is_counted_ = false;
    sitemaps_ = feeds_ = 0;
  }
  const int64_t most = is_feed ? options_.most_feeds : options_.most;
  // All lists of a host are among its URLs.
  if (!is_counted_ && discovered >= most) ARROW_RETURN_NOT_OK(Count(url));
  int64_t& lists = is_feed ? feeds_ : sitemaps_;
  if (lists >= most) return false;
  ++lists;
  return true;
}

Status HostLists::Count(RowPlace url) {
  is_counted_ = true;
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(HostOfKey(url.key)));
  const ScanOptions scan = {.slots = {url.slot, url.slot + 1},
                            .from_key = range.from,
                            .to_key = range.to,
                            .wanted = Columns<UrlRow>({"key", "kind"}).Flags()};
  return ForEachRow<UrlRow>(urls_, scan, [this](const UrlRow& row) {
    sitemaps_ += row.kind == UrlKind::kSitemap ? 1 : 0;
    feeds_ += row.kind == UrlKind::kFeed ? 1 : 0;
    return Status::OK();
  });
}

}  // namespace trawl
