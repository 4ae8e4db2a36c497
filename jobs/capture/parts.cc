#include "jobs/capture/parts.h"

#include <algorithm>
#include <map>
#include <optional>

#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/robots_row.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Json ToJson(const ArchivePartPlan& part) {
  return {{"number", part.number},
          {"segment", part.segment},
          {"fetch", {part.fetch_begin, part.fetch_end}},
          {"robots", {part.robots_begin, part.robots_end}}};
}

namespace {

Status ReadRange(const Json& json, const char* name, size_t* begin, size_t* end) {
  ARROW_ASSIGN_OR_RAISE(const Json* range, GetArray(json, name));
  if (range->size() != 2 || !range->at(0).is_number_unsigned() || !range->at(1).is_number_unsigned()) {
    return Status::Invalid("'", name, "' is not a range");
  }
  *begin = range->at(0).get<size_t>();
  *end = range->at(1).get<size_t>();
  return Status::OK();
}

}  // namespace

Result<ArchivePartPlan> ArchivePartPlanFromJson(const Json& json) {
  ArchivePartPlan part;
  ARROW_ASSIGN_OR_RAISE(const int64_t number, GetInt(json, "number"));
  ARROW_ASSIGN_OR_RAISE(const int64_t segment, GetInt(json, "segment"));
  part.number = static_cast<int>(number);
  part.segment = static_cast<size_t>(segment);
  ARROW_RETURN_NOT_OK(ReadRange(json, "fetch", &part.fetch_begin, &part.fetch_end));
  ARROW_RETURN_NOT_OK(ReadRange(json, "robots", &part.robots_begin, &part.robots_end));
  return part;
}

void CutIntoParts(const StepRecord& fetched, size_t segment, int64_t part_bytes, std::vector<ArchivePartPlan>* parts) {
  // A part of fetch has one file of each dataset, all of one name.
  std::map<std::string, int64_t> content_bytes;
  for (const FileReceipt& file : fetched.FilesOf(ContentRow::kTable)) content_bytes[file.name] = file.seal.size_bytes;
  const std::vector<FileReceipt> answers = fetched.FilesOf(FetchRow::kTable);
  const size_t robots = fetched.FilesOf(RobotsRow::kTable).size();
  const size_t first = parts->size();
  int64_t bytes = 0;
  for (size_t file = 0; file < answers.size(); ++file) {
    const auto content = content_bytes.find(answers[file].name);
    const int64_t own = answers[file].seal.size_bytes + (content == content_bytes.end() ? 0 : content->second);
    if (parts->size() == first || bytes + own > part_bytes) {
      parts->push_back({.number = static_cast<int>(parts->size()), .segment = segment, .fetch_begin = file});
      bytes = 0;
    }
    bytes += own;
    parts->back().fetch_end = file + 1;
  }
  if (parts->size() == first && robots > 0) {
    parts->push_back({.number = static_cast<int>(parts->size()), .segment = segment});
  }
  const size_t made = parts->size() - first;
  for (size_t i = 0; i < made; ++i) {
    (*parts)[first + i].robots_begin = robots * i / made;
    (*parts)[first + i].robots_end = robots * (i + 1) / made;
  }
}

Result<std::vector<ArchivePartPlan>> ReadArchiveParts(Store* store, const ArchiveBegin& begin, int64_t part_bytes) {
  std::vector<ArchivePartPlan> parts;
  for (size_t i = 0; i < begin.segments.size(); ++i) {
    const std::string& id = begin.segments[i].id;
    ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, id, kFetchStep));
    if (!fetched) return Status::IOError("segment ", id, ": the record of its fetch is gone, so it cannot be archived");
    CutIntoParts(*fetched, i, part_bytes, &parts);
  }
  return parts;
}

}  // namespace trawl
