// A crawl with an open segment and its fetch lists, made without generate: the start of most tests of fetch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/documents/step_record.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "jobs/segment/choice.h"
#include "runtime/store/store.h"

namespace trawl {

struct FetchListContent {
  std::vector<UrlRow> urls;  // the URLs of a host are together, in the order of their requests
  std::vector<HostRow> hosts;
  std::vector<RobotsRow> robots;
};

struct FetchListOptions {
  std::string segment = "seg-1";
  int64_t now_ms = 1'772'366'400'000;
  int64_t hold_ms = int64_t{24} * 3'600'000;
  int64_t time_limit_ms = 3'600'000;
  // The crawl's normal form.
  std::string normal_form = "standard";
};

// The list's row for a URL, taken as it stands.
UrlRow ListedUrl(const std::string& url);
std::vector<UrlRow> ListedUrls(const std::vector<std::string>& urls);

// Makes the crawl where it is missing, and opens a segment with one list for each of `lists`.
arrow::Result<OpenSegment> OpenFetchSegment(Store* store, const std::vector<FetchListContent>& lists,
                                            const FetchListOptions& options = {});

// The choice of an open segment, as the fetch step makes it.
SegmentChoice ChoiceOf(const OpenSegment& segment);

// The rows of a dataset of a finished step.
template <typename Row>
arrow::Result<std::vector<Row>> ReadDataset(Store* store, const std::string& segment, const StepRecord& record);
// The last row of each URL.
arrow::Result<std::map<std::string, FetchRow>> LastFetchRows(Store* store, const std::string& segment);

}  // namespace trawl
