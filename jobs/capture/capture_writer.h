// The door of jobs/capture: writes the captures of one part of an archive: their records, into the files of their subsets, and the rows that indexes and later
// archives read. One thread.
//
//   warc              what was fetched: request, response or revisit, metadata
//   crawldiagnostics  every other answer with a head: the same; its body was not kept
//   robotstxt         request and response of robots.txt; of older segments, a resource
//   wet               with --text: the text of each response of warc
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/cdx/capture_row.h"
#include "formats/documents/archive_begin.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/robots_row.h"
#include "formats/text/deflate.h"
#include "formats/warc/record.h"
#include "jobs/capture/decision_row.h"
#include "jobs/capture/parts.h"
#include "jobs/capture/warc_files.h"
#include "jobs/cdxindex/archive_options.h"
#include "runtime/store/store.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

// An answer with what belongs to it.
struct WholeCapture {
  std::string place;                // "SEGMENT/FILE#ROW"
  const FetchRow* fetch = nullptr;  // with a whole head
  const DecisionRow* decision = nullptr;
  // Of a response in warc. A large one is given up as soon as its record is made.
  std::string* body = nullptr;
  const ParseRow* parsed = nullptr;  // null: nobody read the body
};

class CaptureWriter {
 public:
  // Makes the files of the part below `to`. `begin` and `to` outlive the object.
  static arrow::Result<std::unique_ptr<CaptureWriter>> Make(Store* to, const ArchiveBegin* begin,
                                                            const ArchiveOptions& options, const ArchivePartPlan& part);

  arrow::Status WriteAnswer(const WholeCapture& capture);
  // `has_capture`: the segment's rows tell of the request and its answer; those of older versions do not.
  arrow::Status WriteRobots(const std::string& place, const RobotsRow& row, bool has_capture);
  // Counts a capture that is not written.
  void Skip(const std::string& reason) { ++part_.counts["skipped." + reason]; }

  // Ends all files. What is written is known by the part that is returned.
  arrow::Result<ArchivePart> Finish();

 private:
  CaptureWriter(Store* to, const ArchiveBegin* begin, const ArchiveOptions& options, const ArchivePartPlan& part,
                GzipMembers members);
  WarcFiles* FilesOf(const char* folder);
  arrow::Result<RecordPlace> Put(const char* folder, std::string_view type);
  arrow::Status PutRequest(const char* subset, const WarcCapture& capture, std::string_view head);
  arrow::Status PutCaptureRow(const char* subset, const WarcCapture& capture, const RecordPlace& place, CaptureRow row);
  arrow::Status PutMetadata(const char* subset, const WarcCapture& capture, const WholeCapture& whole);
  arrow::Status PutText(const WarcCapture& capture, const ParseRow& parsed);
  // `text` is the robots.txt; null where the answer was none. `index` has what is known of the capture beyond the answer.
  arrow::Status WriteRobotsAnswer(const std::string& place, const RobotsCapture& asked, int32_t status,
                                  CaptureRow index, const std::string* text, bool is_broken_off);
  arrow::Status PutOriginal(const WarcCapture& capture, const FetchRow& fetch, const std::string& digest);

  Store* const to_;
  const ArchiveBegin& begin_;
  const ArchiveOptions options_;
  const ArchivePartPlan plan_;
  const WarcRecords records_;
  GzipMembers members_;
  std::map<std::string, std::unique_ptr<WarcFiles>> folders_;
  const std::unique_ptr<Store> kept_;
  RunWriter<CaptureRow> captures_;
  RunWriter<OriginalRow> originals_;
  ArchivePart part_;
  std::string record_;
};

}  // namespace trawl
