// The parts of the table of endpoints, by subject, and what they share. Any thread.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/answers/cursor.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/api/endpoint.h"
#include "jobs/page/page.h"
#include "jobs/verb/row_json.h"
#include "jobs/views/scan_memory.h"
#include "runtime/tables/fetch_rows.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

std::vector<Endpoint> StatusEndpoints();
std::vector<Endpoint> UrlEndpoints();
std::vector<Endpoint> DomainEndpoints();
std::vector<Endpoint> PageEndpoints();
std::vector<Endpoint> PagePartEndpoints();
std::vector<Endpoint> StatsEndpoints();
std::vector<Endpoint> RoundEndpoints();
std::vector<Endpoint> CrawlEndpoints();  // jobs, snapshots, segments, settings, problems

// The parameter `id` of a path, and `url`, which names the same where the id is `_`.
Parameter IdParameter();
Parameter UrlParameter();
std::vector<Parameter> WithListParameters(std::vector<Parameter> parameters);
// A round as lists have it, for the document.
Json RoundExample();
// base64url of the key.
std::string IdOfKey(std::string_view key);

// The key that the call names by `id` or `url`. What is neither is 404.
arrow::Result<std::string> KeyOfCall(const ApiCall& call);
// The host part of a key, of a host or registrable domain as a client writes it. What is neither is 404.
arrow::Result<std::string> HostPartOfName(const std::string& name, NormalForm form);

// The page that the call names. 404 where the crawl does not have the URL.
arrow::Result<Page> PageOfCall(const ApiCall& call, const PageParts& parts);

// An endpoint below /api/v1/pages/{id}.
Endpoint OfPage(const char* part, const char* operation, const char* summary, Json schema,
                arrow::Result<ApiAnswer> (*call)(ApiCall&), Freshness freshness);

// [["Content-Type", "text/html"]]
Json HeadersSchema();

// The place at which a list goes on: that of the cursor, else the beginning of `range`.
arrow::Result<ScanOptions> RangeFromCursor(const ApiCall& call, ScanOptions range);
ScanOptions RangeOfKeys(const KeyRange& keys);

// How far one answer looks.
class ScanBudget {
 public:
  explicit ScanBudget(const ApiCall& call);
  // Counts rows. True once they are too many, or it took too long.
  bool IsUsedUp(int64_t rows = 1);

 private:
  const Clock& clock_;
  const int64_t until_ms_;
  int64_t rows_left_;
  int64_t unclocked_ = 0;
};

// What a list looks for.
template <typename Row>
struct RowsWanted {
  ScanOptions range;       // slots and keys
  Columns<Row> looked_at;  // `key`, and what `takes` reads
  Columns<Row> shown;      // what the list shows of a row
  std::function<bool(const Row&)> takes;
};

struct FoundKeys {
  std::vector<std::string> keys;
  std::string next;  // the key at which the next page begins; empty at the end
  int64_t looked_at = 0;
};

// The keys of the rows that are taken, from the cursor on, at most `limit` of them, or until the budget is used up.
template <typename Row>
arrow::Result<FoundKeys> FindKeys(const ApiCall& call, const std::shared_ptr<const Table>& table,
                                  const RowsWanted<Row>& wanted) {
  ARROW_ASSIGN_OR_RAISE(ScanOptions range, RangeFromCursor(call, wanted.range));
  range.wanted = wanted.looked_at.Flags();
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(table, range));
  const auto limit = static_cast<size_t>(call.Number("limit"));
  ScanBudget budget(call);
  FoundKeys found;
  RowSpan span;
  Row row;
  while (found.next.empty()) {
    ARROW_RETURN_NOT_OK(call.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) break;
    for (int64_t i = span.begin; i < span.end; ++i) {
      ReadFromBatch(*span.batch, i, &row);
      if (found.keys.size() == limit || budget.IsUsedUp()) {
        found.next = row.key;
        break;
      }
      ++found.looked_at;
      if (wanted.takes(row)) found.keys.push_back(row.key);
    }
  }
  return found;
}

// The memory of FindKeys, and after it of FetchRows: a scan that had all columns of all runs open would take many times as much.
template <typename Row>
int64_t BytesOfList(const Table& table, const RowsWanted<Row>& wanted) {
  return std::max(BytesOfScan(table, wanted.looked_at.Flags()), BytesOfLookup(table, wanted.shown.Flags()));
}

// A page of a list of URLs: `item` of each row that is taken. Ends after `limit` of them, or when the budget is used up; then
// `next` is set. `looked_at` counts the rows that it looked at, and `looked_to` is the URL at which the next page begins.
template <typename Row>
arrow::Result<ApiAnswer> ListRows(const ApiCall& call, const std::string& name,
                                  const std::shared_ptr<const Table>& table, const RowsWanted<Row>& wanted,
                                  const std::function<arrow::Result<Json>(const Row&)>& item) {
  ARROW_ASSIGN_OR_RAISE(const auto share, call.surroundings.memory->Take(BytesOfList(*table, wanted), call.stop));
  ARROW_ASSIGN_OR_RAISE(const FoundKeys found, FindKeys(call, table, wanted));
  ARROW_ASSIGN_OR_RAISE(const auto rows, FetchRows<Row>(table, found.keys, wanted.shown.Flags(), call.stop));
  ApiAnswer answer = {.is_of_snapshot = true};
  Json items = Json::array();
  for (const std::optional<Row>& row : rows) {
    if (!row) continue;
    ARROW_ASSIGN_OR_RAISE(Json json, item(*row));
    items.push_back(std::move(json));
  }
  answer.body[name] = std::move(items);
  if (!found.next.empty()) {
    answer.next = TextOf(Cursor{call.view->number(), SlotOfKey(found.next), found.next});
    answer.body["looked_to"] = UrlOrNull(found.next);
  }
  answer.body["looked_at"] = found.looked_at;
  return answer;
}

}  // namespace trawl
