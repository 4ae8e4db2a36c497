// A crawl in a folder of its own, with segments whose datasets the test writes itself. So updatedb has its input
// without any fetching or parsing.
//
//   SegmentFixture crawl;
//   ASSERT_OK(crawl.Put<UrlRow>({page}));
//   ASSERT_OK(crawl.Open("s1"));
//   ASSERT_OK(crawl.Finish("s1", {.fetch = {…}, .links = {…}}));
//   ASSERT_OK(crawl.Apply("s1"));
//   …crawl.Find<UrlRow>(key)…
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/documents/step_record.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/link_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "runtime/job/job.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/run_writer.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {

// The rows that fetch and parse wrote.
struct SegmentRows {
  std::vector<FetchRow> fetch;
  std::vector<ParseRow> parse;
  std::vector<LinkRow> links;
  std::vector<HostRow> hosts;
  std::vector<RobotsRow> robots;
  std::vector<ContentRow> content;  // in the file m0-0-0.orc
};

class SegmentFixture {
 public:
  // Makes the crawl in a folder of its own, or in `root`, which the caller removes.
  explicit SegmentFixture(const std::string& root = "");

  Store* store() const { return store_.get(); }
  const std::string& root() const { return root_; }
  Manifest Present() const;

  // Publishes a run of the rows' table.
  template <typename Row>
  arrow::Status Put(std::vector<Row> rows) {
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return RowPlace{SlotOfKey(a.key), a.key} < RowPlace{SlotOfKey(b.key), b.key};
    });
    const std::string run = NextId("run");
    RunWriter<Row> writer(store(), RunFolder(Row::kTable, run), "r0-0", {});
    for (const Row& row : rows) ARROW_RETURN_NOT_OK(writer.Append(row));
    RunRecord record = {.table = Row::kTable, .schema = Row::kVersion, .job = run};
    ARROW_ASSIGN_OR_RAISE(record.files, writer.Finish());
    return PublishRun(run, record);
  }

  // Opens a segment whose lists are based on the present tables, but empty.
  arrow::Status Open(const std::string& segment);
  // Opens a segment with the lists that generate makes from the tables at that time.
  arrow::Result<JobResult> Generate(const std::string& segment, int64_t at_ms);
  // Ends an open segment.
  arrow::Status Close(const std::string& segment, SegmentEnd end);
  // Ends its fetch and parse with these rows.
  arrow::Status Finish(const std::string& segment, const SegmentRows& rows);
  // Runs updatedb with `options` in addition to the defaults.
  arrow::Result<JobResult> Apply(const std::string& segment, OptionTexts options = {}, int partitions = 1);

  // Publishes a change of the manifest.
  arrow::Status Publish(const std::string& what, const std::function<void(Manifest*)>& change);
  // Ends a segment's step whose files are already written.
  arrow::Status CreateRecord(const StepRecord& record);

  // The newest row; nothing where it is missing or a tombstone.
  template <typename Row>
  std::optional<Row> Find(const std::string& key) const {
    const auto table = Table::Open<Row>(store(), Present()).ValueOrDie();
    std::optional<Row> row = FindRow<Row>(*table, key).ValueOrDie();
    return row && !row->removed ? row : std::nullopt;
  }

  // The time in Apply's plan.
  int64_t now_ms = 1'767'225'600'000;  // 2026-01-01
  int threads = 1;

 private:
  std::string NextId(const char* what) { return std::string(what) + "-" + std::to_string(++ids_); }
  arrow::Status PublishRun(const std::string& run, const RunRecord& record);

  std::unique_ptr<TemporaryFolder> folder_;
  std::string root_;
  std::unique_ptr<Store> store_;
  int ids_ = 0;
};

// The fetch row of a list's row with this outcome.
FetchRow FetchOf(const UrlRow& listed, Outcome outcome, int32_t status, int64_t fetched_ms);
// A link that enters the crawl.
LinkRow LinkOf(const std::string& from, const std::string& to, int32_t depth, bool counts = true);
UrlRow UnfetchedRow(const std::string& key, int32_t depth = 0);

}  // namespace trawl
