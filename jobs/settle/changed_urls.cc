#include "jobs/settle/changed_urls.h"

#include <algorithm>

#include "formats/url/key.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Status;

SettledRuns SettledRunsOf(const Manifest& snapshot) {
  SettledRuns split;
  const auto table = snapshot.tables.find(UrlRow::kTable);
  if (table == snapshot.tables.end()) return split;
  const auto first_news =
      std::find_if(table->second.begin(), table->second.end(), [](const RunReference& run) { return !run.is_settled; });
  split.settled.assign(table->second.begin(), first_news);
  split.news.assign(first_news, table->second.end());
  return split;
}

Status ForEachChangedUrl(const TaskContext& context, const SettledRuns& runs, const SlotRange& slots,
                         const std::function<Status(const ChangedUrl& url)>& visit) {
  ARROW_ASSIGN_OR_RAISE(const auto settled, Table::OpenRuns<UrlRow>(context.store(), runs.settled));
  ARROW_ASSIGN_OR_RAISE(const auto news, Table::OpenRuns<UrlRow>(context.store(), runs.news));
  KnownRows<UrlRow> known(settled, kSettledColumns.Flags());
  SlotOfKeys slot_of;
  UrlRow before;
  int64_t rows = 0;
  const ScanOptions scan = {.slots = slots, .wanted = kSettledColumns.Flags(), .include_removed = true};
  return ForEachRow<UrlRow>(news, scan, [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> there, known.Locate({slot_of(row.key), row.key}));
    ChangedUrl url = {.now = row, .was_known = there && there->entry.state != 0};
    const auto state = there ? static_cast<UrlState>(there->entry.state) : UrlState::kNone;
    if (state == UrlState::kFetched || state == UrlState::kDuplicate || state == UrlState::kFailing) {
      ARROW_ASSIGN_OR_RAISE(const bool found, known.Read(*there, row.key, &before));
      if (found) url.before = &before;
    }
    return visit(url);
  });
}

}  // namespace trawl
