#include "jobs/wacz/selection.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "jobs/cdxindex/capture_files.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Some 500 MB of rows: far more than a share of some GB has.
constexpr size_t kMostCaptures = 1'000'000;

constexpr char kRobots[] = "robotstxt";

template <typename Visit>
Status ForEachCaptureOf(Store* from, const CapturesOfName& name, Visit&& visit) {
  for (const FileReceipt& file : name.files) {
    ARROW_RETURN_NOT_OK(ForEachCapture(from, ArchivePaths(name.name).Captures(), file, visit));
  }
  return Status::OK();
}

// The ids of the records that revisits refer to, but for those that are selected.
Result<std::unordered_set<std::string>> MissingOriginals(const std::vector<CaptureRow>& captures,
                                                         RecordFiles* records) {
  std::unordered_set<std::string> missing;
  for (const CaptureRow& capture : captures) {
    if (capture.record_type != "revisit") continue;
    ARROW_ASSIGN_OR_RAISE(const WarcRecord record, records->Read({capture.filename, capture.offset, capture.length}));
    missing.emplace(record.Get("WARC-Refers-To"));
  }
  for (const CaptureRow& capture : captures) missing.erase(capture.record_id);
  missing.erase("");
  return missing;
}

void SortByPlace(std::vector<CaptureRow>* captures) {
  std::sort(captures->begin(), captures->end(), [](const CaptureRow& a, const CaptureRow& b) {
    return std::tie(a.filename, a.offset) < std::tie(b.filename, b.offset);
  });
}

}  // namespace

bool HasPrefix(std::string_view url, std::string_view prefix) {
  if (url.starts_with(prefix)) return true;
  const size_t scheme = url.find("://");
  return scheme != std::string_view::npos && url.substr(scheme + 3).starts_with(prefix);
}

Result<SharedCaptures> SelectCaptures(Store* from, const CapturesOfName& name,
                                      const std::vector<CapturesOfName>& earlier, const std::string& prefix,
                                      RecordFiles* records) {
  SharedCaptures selection;
  ARROW_RETURN_NOT_OK(ForEachCaptureOf(from, name, [&](const CaptureRow& capture) -> Status {
    if (capture.subset == kRobots || !HasPrefix(capture.url, prefix)) return Status::OK();
    if (selection.captures.size() == kMostCaptures) {
      return UsageError("more than ", kMostCaptures, " captures of ", name.name, " begin with '", prefix,
                        "': too many for one file; write a longer --prefix");
    }
    selection.captures.push_back(capture);
    return Status::OK();
  }));
  SortByPlace(&selection.captures);  // so that files are read from front to back
  ARROW_ASSIGN_OR_RAISE(auto missing, MissingOriginals(selection.captures, records));
  const auto take_missing = [&](const CaptureRow& capture) {
    if (missing.erase(capture.record_id) == 0) return Status::OK();
    selection.captures.push_back(capture);
    ++selection.originals;
    return Status::OK();
  };
  if (!missing.empty()) ARROW_RETURN_NOT_OK(ForEachCaptureOf(from, name, take_missing));
  for (size_t i = 0; i < earlier.size() && !missing.empty(); ++i) {
    ARROW_RETURN_NOT_OK(ForEachCaptureOf(from, earlier[i], take_missing));
  }
  selection.unresolved = static_cast<int64_t>(missing.size());
  SortByPlace(&selection.captures);
  return selection;
}

}  // namespace trawl
