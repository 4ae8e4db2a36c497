#include "jobs/generate/due_urls.h"

#include <algorithm>

#include "formats/rows/url_row.h"
#include "formats/url/key.h"

namespace trawl {

namespace {

size_t Column(const Table& urls, std::string_view name) { return static_cast<size_t>(urls.ColumnNumber(name)); }

}  // namespace

DueUrls::DueUrls(const Table& urls, const CrawlScope* scope, TimeMs now_ms)
    : scope_(scope),
      now_ms_(now_ms),
      key_(Column(urls, "key")),
      kind_(Column(urls, "kind")),
      due_(Column(urls, "due_ms")),
      depth_(Column(urls, "depth")),
      seed_(Column(urls, "is_seed")),
      score_(Column(urls, "score")) {}

std::vector<bool> DueUrls::ColumnsToRead(const Table& urls) {
  return urls.Wanting({"key", "kind", "due_ms", "depth", "is_seed", "score"});
}

bool DueUrls::IsInScope(const ColumnBatch& batch, int64_t row) {
  const auto kind = static_cast<UrlKind>(batch.columns[kind_].Get<int8_t>(row));
  if (kind != UrlKind::kPage && kind != UrlKind::kSitemap && kind != UrlKind::kFeed) return false;
  if (!WriteUrlOfKey(key(batch, row), &url_)) return false;
  const int32_t depth = std::max(batch.columns[depth_].Get<int32_t>(row), 0);
  return scope_->Check(url_, static_cast<uint32_t>(depth)).accepted;
}

}  // namespace trawl
