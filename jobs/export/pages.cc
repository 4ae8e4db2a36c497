// trawl export pages: writes every URL that has a stored body, with the text and facts that parse read in it.
// trawl export items: writes the items of the same pages.
//
//   reads        urls, robots and ranks, by ranges of slots; parse, page_facts and items of the segments that have the bodies
//   shuffles by  the place of the parse row: segment, file, row
//   writes       DIR/pages/part-00000.orc …; DIR/items/part-00000.orc …
//   counters     pages; items; bodies_gone: rows whose body gc has removed; not_parsed: pages without a parse row; left_out,
//                left_out.NAME: pages that ask for what --respect names, by the first such signal; exact_duplicates,
//                near_duplicates: pages that --unique leaves out
//
// Only places travel, not texts: all bodies of a file go to one reducer in the order in which they lie, and parse rows
// lie in the same order, so each file of parse is read once, from front to back. Memory is that of one batch of texts.
#include "jobs/export/pages.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/exports/export_rows.h"
#include "formats/rows/host_graph_row.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/export/part.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/segment/life.h"
#include "jobs/segment/pages.h"
#include "jobs/segment/stored_bodies.h"
#include "jobs/signals/respect.h"
#include "jobs/signals/robots_wishes.h"
#include "jobs/signals/signals.h"
#include "runtime/job/slot_parts.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/row_finder.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Bytes of parse rows, as stored, for one file of the export.
constexpr int64_t kBytesAFile = int64_t{64} << 20;
constexpr int64_t kMostFiles = 4096;
constexpr int64_t kRowsAMap = 1'000'000;

constexpr auto kColumns =
    Columns<UrlRow>({"key",       "state",     "status",        "fetched_ms",        "content_type",
                     "bytes",     "truncated", "body_digest",   "content_digest",    "body_segment",
                     "body_file", "body_row",  "parse_segment", "parse_file",        "parse_row",
                     "signals",   "inlinks",   "duplicate_of",  "near_duplicate_of", "distance"});

// An event is the PageRank of the page's host as 8 bytes, what robots.txt says of the page (RobotsWishes), this, and the row.
constexpr char kEndOfWishes = '\n';

Status MapUrls(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const ExportOptions options, context.Read(ExportOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(RobotsWishes robots, RobotsWishes::Open(context, slots, fetch.agent));
  ARROW_ASSIGN_OR_RAISE(auto rank_table, Table::Open<RankRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(
      auto ranks,
      RowFinder<RankRow>::Open(std::move(rank_table),
                               {.slots = slots, .wanted = Columns<RankRow>({"key", "pagerank_bits"}).Flags()}));
  std::string bytes;
  std::string value;
  int64_t rows = 0;
  return ForEachRow<UrlRow>(urls, {.slots = slots, .wanted = kColumns.Flags()}, [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (row.body_file.empty()) return Status::OK();
    if (options.unique && !(row.duplicate_of.empty() && row.near_duplicate_of.empty())) {
      ++context.counters()[row.duplicate_of.empty() ? "near_duplicates" : "exact_duplicates"];
      return Status::OK();
    }
    const std::string file =
        row.parse_segment.empty() ? row.body_segment + '/' + row.body_file : row.parse_segment + '/' + row.parse_file;
    const auto partition = Hash64(file) % static_cast<uint64_t>(sink.partitions());
    EncodeRow(row, &bytes);
    ARROW_ASSIGN_OR_RAISE(const std::string_view wishes, robots.For(row.key));
    ARROW_ASSIGN_OR_RAISE(const RankRow* const ranked, ranks.For(HostPartOfKey(row.key)));
    const int64_t rank = ranked == nullptr ? 0 : ranked->pagerank_bits;  // 0: trawl graph has not ranked its host
    value.assign(reinterpret_cast<const char*>(&rank), sizeof rank);
    value.append(wishes).append(1, kEndOfWishes).append(bytes);
    return sink.EmitTo(static_cast<int>(partition), ParsePlaceKey(row) + row.key, value);
  });
}

// A page that is written.
struct JoinedPage {
  const UrlRow& row;
  const ParseRow* parsed;  // null: the body was never parsed
  int64_t rank;
  const ContentSignal& of_robots;
};

class PageOutput {
 public:
  explicit PageOutput(TaskContext* context) : part_(context, kPagesExport) {}
  Status Open(Store* to) { return part_.Open(to); }
  // `pages` has found the page's parse row last.
  Status Add(const JoinedPage& page, NewestPages* pages) {
    bool has_facts = false;
    if (page.parsed != nullptr) {
      ARROW_ASSIGN_OR_RAISE(has_facts, pages->Facts(*page.parsed, &facts_));
    }
    ExportPage(page.row, page.parsed, has_facts ? &facts_ : nullptr, &exported_);
    exported_.rank = page.rank;
    ContentSignal all = ParseContentSignal(exported_.content_signal);
    all.Merge(page.of_robots);
    exported_.content_signal = TextOf(all);
    return part_.Append(exported_);
  }
  Status Finish() { return part_.Finish(); }

 private:
  ExportPart<PageExport> part_;
  PageFactsRow facts_;
  PageExport exported_;
};

class ItemOutput {
 public:
  explicit ItemOutput(TaskContext* context) : part_(context, kItemsExport) {}
  Status Open(Store* to) { return part_.Open(to); }
  Status Add(const JoinedPage& page, NewestPages* pages) {
    if (page.parsed == nullptr) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const std::vector<ItemRow> items, pages->Items(*page.parsed));
    for (const ItemRow& item : items) {
      ExportItem(item, &exported_);
      ARROW_RETURN_NOT_OK(part_.Append(exported_));
    }
    return Status::OK();
  }
  Status Finish() { return part_.Finish(); }

 private:
  ExportPart<ItemExport> part_;
  ItemExport exported_;
};

// Joins the rows of one partition, which come by the places of their parse rows.
template <typename Output>
class PageJoin {
 public:
  PageJoin(TaskContext* context, Respect respect)
      : context_(*context), respect_(respect), bodies_(context->store()), pages_(context->store()), output_(context) {}

  Status Open(Store* to) {
    context_.counters()["bodies_gone"] += 0;
    context_.counters()["not_parsed"] += 0;
    context_.counters()["left_out"] += 0;
    return output_.Open(to);
  }
  Status Add(const UrlRow& row, int64_t rank, const ContentSignal& of_robots) {
    ARROW_ASSIGN_OR_RAISE(const bool is_stored, bodies_.Has(row.body_segment, row.body_file));
    if (!is_stored) {
      ++context_.counters()["bodies_gone"];
      return Status::OK();
    }
    ARROW_ASSIGN_OR_RAISE(const bool was_parsed, pages_.Find(row, &parsed_));
    const ParseRow* const parsed = was_parsed ? &parsed_ : nullptr;
    const int32_t signals = PageSignals(row, parsed, SignalsOf(of_robots), context_.plan().now_ms);
    if (const char* const signal = respect_.LeftOutBy(signals)) {
      ++context_.counters()["left_out"];
      ++context_.counters()[std::string("left_out.") + signal];
      return Status::OK();
    }
    if (!was_parsed) ++context_.counters()["not_parsed"];
    return output_.Add({.row = row, .parsed = parsed, .rank = rank, .of_robots = of_robots}, &pages_);
  }
  Status Finish() { return output_.Finish(); }

 private:
  TaskContext& context_;
  const Respect respect_;
  StoredBodies bodies_;
  NewestPages pages_;
  Output output_;
  ParseRow parsed_;
};

template <typename Output>
Status ReducePages(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const std::string directory, GetString(context.plan().facts, "directory"));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(directory));
  ARROW_ASSIGN_OR_RAISE(const RespectOptions respect, context.Read(RespectOptionGroup()));
  PageJoin<Output> join(&context, Respect::Of(respect));
  ARROW_RETURN_NOT_OK(join.Open(to.get()));
  UrlRow row;
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return join.Finish();
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      int64_t rank = 0;
      const size_t end = value.find(kEndOfWishes, sizeof rank);
      if (end == std::string_view::npos) return Status::Invalid("an event without the wishes of robots.txt");
      std::memcpy(&rank, value.data(), sizeof rank);
      ARROW_RETURN_NOT_OK(DecodeRow(value.substr(end + 1), &row));
      ARROW_RETURN_NOT_OK(join.Add(row, rank, ParseContentSignal(value.substr(sizeof rank, end - sizeof rank))));
    }
  }
}

}  // namespace

JobSpec ExportPagesSpec() { return {.name = "export_pages", .map = MapUrls, .reduce = ReducePages<PageOutput>}; }
JobSpec ExportItemsSpec() { return {.name = "export_items", .map = MapUrls, .reduce = ReducePages<ItemOutput>}; }

namespace {

JobRequest RequestOf(JobSpec spec, const Snapshot& snapshot, const std::string& directory, int parts) {
  JobRequest request;
  request.spec = std::move(spec);
  request.base_snapshot = snapshot.manifest.number;
  request.plan = [directory, parts](const JobEnvironment&, const Snapshot& base, Plan* plan) {
    int64_t rows = 0;
    const auto urls = base.manifest.tables.find(UrlRow::kTable);
    if (urls != base.manifest.tables.end()) {
      for (const RunReference& run : urls->second) rows += run.rows;
    }
    plan->facts["directory"] = directory;
    plan->parts = EvenSlotParts(static_cast<int>(std::max<int64_t>(1, (rows + kRowsAMap - 1) / kRowsAMap)));
    plan->partitions = parts;
    const int64_t bodies = base.manifest.totals ? base.manifest.totals->bodies : rows;
    plan->work.bytes = 2 * bodies * kUsualStoredBytes;  // read and written
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

}  // namespace

JobRequest ExportPagesRequest(const Snapshot& snapshot, const std::string& directory, int parts) {
  return RequestOf(ExportPagesSpec(), snapshot, directory, parts);
}
JobRequest ExportItemsRequest(const Snapshot& snapshot, const std::string& directory, int parts) {
  return RequestOf(ExportItemsSpec(), snapshot, directory, parts);
}

Result<int> FilesOfPages(Store* store, const Manifest& manifest) {
  int64_t bytes = 0;
  for (const Segment& segment : SegmentsOf(manifest)) {
    if (!segment.has_ended(SegmentEnd::kApplied)) continue;
    ARROW_ASSIGN_OR_RAISE(const auto parsed, ReadStep(store, segment.id, kParseStep));
    if (!parsed) continue;
    for (const FileReceipt& file : parsed->FilesOf(ParseRow::kTable)) bytes += file.seal.size_bytes;
  }
  return static_cast<int>(std::clamp<int64_t>(bytes / kBytesAFile, 1, kMostFiles));
}

}  // namespace trawl
