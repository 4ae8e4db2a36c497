#include "jobs/archive/report.h"

#include "jobs/cdxindex/archive_options.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

std::string ListText(const Json& counts) {
  std::string text;
  for (const auto& [name, count] : counts.items()) {
    text += (text.empty() ? "" : ", ") + name + " " + ReadableCount(count.get<int64_t>());
  }
  return text;
}

int64_t SumOf(const Json& counts) {
  int64_t sum = 0;
  for (const Json& count : counts) sum += count.get<int64_t>();
  return sum;
}

int64_t BytesOf(const ArchiveEnd& end) {
  int64_t bytes = 0;
  for (const ArchiveFile& file : end.files) bytes += file.size_bytes;
  return bytes;
}

}  // namespace

Json ReportOf(const KnownArchive& archive, bool changed) {
  const ArchiveEnd& end = *archive.end;
  Json captures = Json::object();
  for (const char* const subset : kArchiveSubsets) captures[subset] = 0;
  captures.update(CountsOf(end, "captures"));
  Json segments = Json::array();
  for (const ArchiveSegment& segment : archive.begin.segments) segments.push_back(segment.id);
  return {{"name", archive.begin.name},
          {"changed", changed},
          {"snapshot", archive.begin.snapshot},
          {"segments", segments},
          {"records", CountsOf(end, "records")},
          {"captures", captures},
          {"skipped", CountsOf(end, "skipped")},
          {"bytes", BytesOf(end)},
          {"files", end.files.size()}};
}

std::string ReportTextOf(const KnownArchive& archive, bool changed, const std::string& directory) {
  const ArchiveEnd& end = *archive.end;
  if (!changed) return "already done: " + directory + " has " + archive.begin.name + " already\n";
  const Json captures = CountsOf(end, "captures"), skipped = CountsOf(end, "skipped");
  std::string text = ReadableCount(SumOf(captures), "capture") + " of " +
                     ReadableCount(static_cast<int64_t>(archive.begin.segments.size()), "segment") + " in " +
                     archive.begin.name;
  if (!captures.empty()) text += ": " + ListText(captures);
  text += "\n" + ReadableCount(SumOf(CountsOf(end, "records")), "record") + ": " + ListText(CountsOf(end, "records"));
  text += "\n" + ReadableSize(BytesOf(end)) + " in " + ReadableCount(static_cast<int64_t>(end.files.size()), "file") +
          " of " + directory + "\n";
  if (!skipped.empty()) text += "skipped: " + ListText(skipped) + "\n";
  return text;
}

}  // namespace trawl
