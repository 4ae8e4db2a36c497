// A test web, a crawl with lists of its URLs, and the fetch job on them, all within the test's process.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/rows/fetch_row.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "runtime/job/job.h"
#include "tests/support/crawl/fetch_lists.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/web/test_web.h"

namespace trawl {

class FetchScene {
 public:
  // `web` must be started and outlive it.
  explicit FetchScene(TestWeb& web);

  Store* store() const { return store_.get(); }
  const std::string& root() const { return root_; }
  // Opens a segment. Later segments get other names.
  arrow::Result<OpenSegment> Open(const std::vector<FetchListContent>& lists);
  // Runs the job on the segment.
  arrow::Result<JobResult> Fetch(const OpenSegment& segment);
  // Opens a segment with one list, and runs the job.
  arrow::Result<JobResult> FetchUrls(const std::vector<std::string>& urls);
  // The last row of each URL of the last segment, by URL key.
  std::map<std::string, FetchRow> Rows();
  // The row of a URL, or an empty row.
  FetchRow RowOf(const std::string& url);
  template <typename Row>
  std::vector<Row> Dataset();
  // The arguments of the command line for the same job.
  std::vector<std::string> Arguments();

  FetchOptions options;
  RobotsOptions robots;
  FetchListOptions lists;
  // The time of the plan; by default the time of the lists.
  int64_t now_ms = 0;
  std::string last_segment;

 private:
  TemporaryFolder folder_;
  std::string root_;
  std::unique_ptr<Store> store_;
  int segments_ = 0;
};

}  // namespace trawl
