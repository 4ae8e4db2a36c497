// Finds what parse wrote about a stored body, without a search. One thread. Start at NewestPages, which knows where the
// latest reading of a page lies.
//
// parse writes one row per body, in the order of the bodies, its facts in the same order, and so the links of the page. So
// the place of a body (file and row) tells the place of its parse row, and the counts of links in the rows before tell
// where its links begin. Receipts have the number of rows of each file: only the blocks that hold the row are read. Rows of
// urls have the place of the newest parse row; those that an older version wrote have it where the page was read again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/step_record.h"
#include "formats/rows/item_row.h"
#include "formats/rows/link_row.h"
#include "formats/rows/page_facts_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/url_row.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/store/store.h"

namespace trawl {

// A row of a dataset of a step, by the task that wrote it.
struct RowOfTask {
  size_t task = 0;
  size_t file = 0;  // among the dataset's files of the task
  int64_t row = 0;  // in the file
};

// A bit for each parse row of a segment, in order.
struct SegmentScripts {
  std::map<std::string, int64_t> bodies_before;  // by content file
  std::map<std::string, int64_t> pages_before;   // by parse file
  std::vector<bool> needs_script;
};

class SegmentPages {
 public:
  // Nothing where the segment is not fetched and parsed, or gc has removed its records. `store` must outlive it.
  static arrow::Result<std::unique_ptr<SegmentPages>> Open(Store* store, const std::string& segment);

  // The same where the segment has no fetch, only what was read again; fetched() is empty.
  static arrow::Result<std::unique_ptr<SegmentPages>> OpenReading(Store* store, const std::string& segment);

  const StepRecord& fetched() const { return fetched_; }

  // The parse row of the body in that row of a file of content; false where there is none. A row of another key is not
  // given out. Cheap where places ascend.
  arrow::Result<bool> Find(const std::string& key, const std::string& content_file, int64_t content_row, ParseRow* row);
  // The parse row that lies there; false where there is none, or it is of another key.
  arrow::Result<bool> FindAt(const std::string& key, const std::string& parse_file, int64_t parse_row, ParseRow* row);
  // The links of the page that was found last.
  arrow::Result<std::vector<LinkRow>> Links(const ParseRow& page);
  // The facts of the page that was found last; false where a version without them has read it. Cheap where places ascend.
  arrow::Result<bool> Facts(const ParseRow& page, PageFactsRow* facts);
  // The items of the page that was found last; none where a version without them has read it.
  arrow::Result<std::vector<ItemRow>> Items(const ParseRow& page);
  // The facts of the page whose parse row lies there.
  arrow::Result<bool> FactsAt(const ParseRow& page, const std::string& parse_file, int64_t parse_row,
                              PageFactsRow* facts);

  // Where the parse row of the body lies: its file and row. Nothing where the segment has no such body, or did not parse it.
  std::optional<std::pair<std::string, int64_t>> ParsePlaceOf(const std::string& content_file,
                                                              int64_t content_row) const;

  // Which pages of the segment need JavaScript to show their text. Reads that one column.
  arrow::Result<SegmentScripts> Scripts() const;

 private:
  SegmentPages(Store* store, StepRecord fetched, StepRecord parsed);
  // The number of a body among all bodies of the segment; nothing where there is no such file.
  std::optional<int64_t> NumberOf(const std::string& content_file, int64_t content_row) const;
  std::optional<RowOfTask> PlaceOf(int64_t number) const;
  std::optional<RowOfTask> PlaceIn(const std::string& parse_file, int64_t parse_row) const;
  // The number of the row that was found last among all of its task.
  int64_t NumberInTask() const;
  arrow::Status CountLinksOf(size_t task);
  arrow::Status CountItemsOf(size_t task);
  // Searches all rows, for segments of other writers.
  arrow::Result<std::optional<RowOfTask>> Search(const std::string& key) const;

  Store* const store_;
  const StepRecord fetched_;
  const StepRecord parsed_;
  std::map<std::string, int64_t> bodies_before_;  // by content file
  std::map<std::string, int64_t> bodies_in_;
  DatasetRows<ParseRow> rows_;
  DatasetRows<LinkRow> links_;
  DatasetRows<PageFactsRow> facts_;
  DatasetRows<ItemRow> items_;
  RowOfTask found_;
  // The links before each row of parse of one task, in the order of its rows.
  std::optional<size_t> counted_task_;
  std::vector<int64_t> links_before_;
  // The same for items; one number more.
  std::optional<size_t> items_task_;
  std::vector<int64_t> items_before_;
};

// What the latest reading of pages found. One thread; keeps a few segments open.
class NewestPages {
 public:
  // `store` must outlive it.
  explicit NewestPages(Store* store) : store_(store) {}

  // Cheap where the bodies' places ascend. False where the body was never parsed, or what parse wrote is gone.
  // REQUIRES: the row has its key and the places of its body and its parse row.
  arrow::Result<bool> Find(const UrlRow& row, ParseRow* parsed);
  // The links of the page that Find has found last.
  arrow::Result<std::vector<LinkRow>> Links(const ParseRow& page);
  // Its items; none where a version without them has read it.
  arrow::Result<std::vector<ItemRow>> Items(const ParseRow& page);
  // Its facts; false where a version without them has read it.
  arrow::Result<bool> Facts(const ParseRow& page, PageFactsRow* facts);

 private:
  arrow::Result<SegmentPages*> Open(const std::string& segment);

  Store* const store_;
  std::map<std::string, std::unique_ptr<SegmentPages>> segments_;  // null where the records are gone
  SegmentPages* found_ = nullptr;
};

// The pages of a crawl that need JavaScript. One thread.
class ScriptPages {
 public:
  explicit ScriptPages(Store* store) : store_(store) {}
  // False where the page was never parsed, or what parse wrote is gone. REQUIRES: the row has the places of its body and
  // its parse row.
  arrow::Result<bool> NeedsScript(const UrlRow& row);

 private:
  Store* const store_;
  std::map<std::string, SegmentScripts> segments_;  // without a bit where it is not readable
};

}  // namespace trawl
