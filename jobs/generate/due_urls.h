// Due URLs, as both jobs of generate judge them: by a few columns of the urls table. One thread.
#pragma once

#include <string>
#include <string_view>

#include "formats/scope/crawl_scope.h"
#include "formats/tables/columns.h"
#include "jobs/generate/url_rank.h"
#include "runtime/process/clock.h"
#include "runtime/tables/table.h"

namespace trawl {

class DueUrls {
 public:
  DueUrls(const Table& urls, const CrawlScope* scope, TimeMs now_ms);

  // The columns that it reads, for a scan that needs no others.
  static std::vector<bool> ColumnsToRead(const Table& urls);

  int64_t due_ms(const ColumnBatch& batch, int64_t row) const { return batch.columns[due_].Get<int64_t>(row); }
  bool IsDue(const ColumnBatch& batch, int64_t row) const { return due_ms(batch, row) <= now_ms_; }
  std::string_view key(const ColumnBatch& batch, int64_t row) const { return batch.columns[key_].GetBytes(row); }
  UrlRank rank(const ColumnBatch& batch, int64_t row) const {
    return RankOf(key(batch, row), batch.columns[seed_].Get<int8_t>(row) != 0, batch.columns[score_].Get<int32_t>(row));
  }
  // Whether the crawl's scope still accepts the URL.
  bool IsInScope(const ColumnBatch& batch, int64_t row);

 private:
  const CrawlScope* const scope_;
  const TimeMs now_ms_;
  const size_t key_, kind_, due_, depth_, seed_, score_;
  std::string url_;
};

}  // namespace trawl
