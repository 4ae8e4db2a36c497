#include "jobs/parse/shared_pages.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace trawl {

using arrow::Status;

namespace {

// Rows of a turn are in memory whole, and each has headers.
constexpr int64_t kTurnBytes = int64_t{8} << 20;

int64_t BytesOf(const FetchRow& row) {
  return static_cast<int64_t>(sizeof(row) + row.key.size() + row.url.size() + row.listed.size() +
                              row.response_headers.size() + row.content_file.size());
}

// The page's own facts in the place of those of the URL that the body was stored for.
void TakeFacts(const FetchRow& fetched, bool first_parse, ContentRow* content) {
  content->key = fetched.key;
  content->url = fetched.url;
  content->kind = fetched.kind;
  content->fetched_ms = fetched.fetched_ms;
  content->began_ms = fetched.began_ms;
  content->content_type = fetched.content_type;
  content->headers = fetched.response_headers;
  content->kept_codings = fetched.kept_codings;
  content->truncated = fetched.truncated;
  content->depth = fetched.depth;
  content->score = fetched.score;
  content->first_parse = first_parse;
}

}  // namespace

SharedPages::SharedPages(Store* store, const StepRecord& fetched, BodyReader* reader)
    : store_(store),
      fetched_(fetched),
      reader_(*reader),
      bodies_(store, fetched.segment, ContentRow::kTable, fetched.FilesOf(ContentRow::kTable), ContentRow::kBatchRows) {
}

Status SharedPages::Read(const FileReceipt& file, const RowRange& rows) {
  constexpr Columns<FetchRow> kColumns = {"key",          "url",         "listed",       "kind",
                                          "fetched_ms",   "began_ms",    "content_type", "kept_codings",
                                          "truncated",    "depth",       "score",        "response_headers",
                                          "content_file", "content_row", "shares_body"};
  int64_t bytes = 0;
  const auto take = [&](const FetchRow& row) -> Status {
    if (!row.shares_body) return Status::OK();
    bytes += BytesOf(row);
    turn_.push_back(row);
    if (bytes < kTurnBytes) return Status::OK();
    bytes = 0;
    return ReadTurn();
  };
  ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(store_, fetched_.segment, FetchRow::kTable, file, take,
                                                  {.columns = kColumns, .rows = rows, .batch_rows = 256}));
  return ReadTurn();
}

Status SharedPages::ReadTurn() {
  std::stable_sort(turn_.begin(), turn_.end(), [](const FetchRow& a, const FetchRow& b) {
    return std::tie(a.content_file, a.content_row) < std::tie(b.content_file, b.content_row);
  });
  ContentRow content;
  UrlRow listed;
  const FetchRow* last = nullptr;
  for (const FetchRow& row : turn_) {
    const bool is_loaded =
        last != nullptr && last->content_file == row.content_file && last->content_row == row.content_row;
    if (!is_loaded) ARROW_RETURN_NOT_OK(bodies_.Read(row.content_file, row.content_row, &content));
    last = &row;
    listed = UrlRow();
    if (!row.listed.empty()) ARROW_RETURN_NOT_OK(DecodeRow(row.listed, &listed));
    TakeFacts(row, listed.parser == 0, &content);
    ARROW_RETURN_NOT_OK(reader_.Read(content));
  }
  turn_.clear();
  return Status::OK();
}

}  // namespace trawl
