#include "jobs/graph/present_links.h"

#include <utility>

#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

using arrow::Status;

Status ForEachPresentPage(Store* store, const Manifest& manifest, const ScanOptions& range, const StopToken& stop,
                          const std::function<Status(const std::string& key, const OutlinksRow& page)>& visit) {
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store, manifest));
  ARROW_ASSIGN_OR_RAISE(auto outlinks, Table::Open<OutlinksRow>(store, manifest));
  ScanOptions of_urls = range, of_lists = range;
  of_urls.wanted = Columns<UrlRow>({"key", "state", "duplicate_of"}).Flags();
  of_lists.wanted.clear();
  of_lists.batch_rows = OutlinksRow::kBatchRows;
  ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(outlinks), of_lists));
  SlotOfKeys slot_of;
  const OutlinksRow none;
  OutlinksRow page;
  int64_t rows = 0;
  return ForEachRow<UrlRow>(urls, of_urls, [&](const UrlRow& url) -> Status {
    if (++rows % 1024 == 0) ARROW_RETURN_NOT_OK(stop.Check());
    const bool is_fetched = url.state == UrlState::kFetched;
    const bool is_failing = url.state == UrlState::kFailing && url.duplicate_of.empty();
    if (!is_fetched && !is_failing) return Status::OK();  // rule 1
    ARROW_RETURN_NOT_OK(walk.SeekTo({slot_of(url.key), url.key}));
    const bool was_read = !walk.at_end() && walk.key() == url.key;
    if (!is_fetched && !was_read) return Status::OK();
    if (was_read) walk.Read(&page);
    return visit(url.key, was_read ? page : none);  // rule 2
  });
}

}  // namespace trawl
