// The parts of the table of endpoints, by subject, and what they share. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/answers/cursor.h"
#include "formats/url/key.h"
#include "jobs/api/endpoint.h"
#include "jobs/page/page.h"
#include "jobs/verb/row_json.h"
#include "jobs/views/scan_memory.h"
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

// A page of a list of URLs: the rows of a scan for which `visit` returns something. Ends after `limit` of them, or when the budget is
// used up; then `next` is set. `looked_at` counts the rows that it looked at, and `looked_to` is the URL at which the next page begins.
template <typename Row>
arrow::Result<ApiAnswer> ListRows(const ApiCall& call, const std::string& name, std::shared_ptr<const Table> table,
                                  const ScanOptions& whole,
                                  const std::function<arrow::Result<std::optional<Json>>(const Row&)>& visit) {
  ARROW_ASSIGN_OR_RAISE(const ScanOptions range, RangeFromCursor(call, whole));
  ARROW_ASSIGN_OR_RAISE(const auto share, call.surroundings.memory->Take(BytesOfScan(*table, range.wanted), call.stop));
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(table), range));
  const auto limit = static_cast<size_t>(call.Number("limit"));
  ScanBudget budget(call);
  ApiAnswer answer = {.is_of_snapshot = true};
  Json rows = Json::array();
  int64_t looked_at = 0;
  RowSpan span;
  Row row;
  while (answer.next.empty()) {
    ARROW_RETURN_NOT_OK(call.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) break;
    for (int64_t i = span.begin; i < span.end; ++i) {
      ReadFromBatch(*span.batch, i, &row);
      if (rows.size() == limit || budget.IsUsedUp()) {
        answer.next = TextOf(Cursor{call.view->number(), SlotOfKey(row.key), row.key});
        answer.body["looked_to"] = UrlOrNull(row.key);
        break;
      }
      ++looked_at;
      ARROW_ASSIGN_OR_RAISE(std::optional<Json> json, visit(row));
      if (json) rows.push_back(*std::move(json));
    }
  }
  answer.body["looked_at"] = looked_at;
  Json body = {{name, std::move(rows)}};
  body.update(answer.body);
  answer.body = std::move(body);
  return answer;
}

}  // namespace trawl
