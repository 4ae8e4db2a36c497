#include "jobs/archive/choice.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/text/ascii.h"
#include "jobs/fetch/identity.h"
#include "jobs/segment/life.h"
#include "jobs/verb/version.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostNameBytes = 64;
constexpr char kSubsetsOption[] = "archive.subsets";

// The NAME of the folder that has one of these subsets of the segment; empty: none.
std::string ArchiveWith(const ArchiveFolder& folder, const std::string& segment,
                        const std::vector<std::string>& subsets) {
  for (const auto& [name, archive] : folder.archives()) {
    const auto is_it = [&segment](const ArchiveSegment& one) { return one.id == segment; };
    if (std::none_of(archive.begin.segments.begin(), archive.begin.segments.end(), is_it)) continue;
    const auto theirs = archive.begin.asked.find(kSubsetsOption);
    for (const std::string& subset : subsets) {
      if (theirs == archive.begin.asked.end() || theirs->second.find(subset) != std::string::npos) return name;
    }
  }
  return "";
}

// Nothing where the record of its fetch is gone.
Result<std::optional<ArchiveSegment>> FactsOf(Store* store, const Segment& segment) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, segment.id, kFetchStep));
  if (!fetched) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> parsed, ReadStep(store, segment.id, kParseStep));
  const Result<StepRecord> lists = ReadLists(store, segment.id, segment.job, segment.lists);
  return ArchiveSegment{.id = segment.id,
                        .begin_ms = lists.ok() ? lists->now_ms : fetched->now_ms,
                        .end_ms = parsed ? parsed->now_ms : fetched->now_ms};
}

Status CheckNamed(const Manifest& manifest, const ArchiveFolder& folder, const ArchiveOptions& options) {
  for (const std::string& id : options.segments) {
    const std::optional<Segment> segment = FindSegment(manifest, id);
    if (!segment) return UsageError("snapshot ", manifest.number, " has no segment ", id, "; see  trawl segments list");
    if (segment->is_store || segment->is_reading()) {
      return UsageError("segment ", id, " asked for nothing, so there is nothing to archive in it");
    }
    if (!segment->has_ended(SegmentEnd::kApplied)) {
      return UsageError("segment ", id, " is not applied; an archive has applied segments only");
    }
    const std::string other = ArchiveWith(folder, id, options.subsets);
    if (!other.empty()) return UsageError("segment ", id, " is in ", other, " of this folder already");
  }
  return Status::OK();
}

}  // namespace

std::map<std::string, std::string> TextsOf(const ArchiveAsked& asked) {
  // Those that say what to do, and not what to write, and the name.
  ArchiveOptions archive = asked.archive;
  archive.verify = archive.overwrite = false;
  archive.name = archive.wacz = archive.prefix = "";
  OptionTexts texts = ArchiveOptionGroup().Print(archive);
  for (const char* const left_out : {"verify", "overwrite", "name", "wacz", "prefix"}) {
    texts.erase(std::string("archive.") + left_out);
  }
  texts["signals.respect"] = Respect::Of(asked.respect).Text();
  return texts;
}

std::string DifferenceOf(const std::map<std::string, std::string>& begun,
                         const std::map<std::string, std::string>& now) {
  std::string text;
  for (const auto& [name, value] : now) {
    const auto before = begun.find(name);
    const std::string there = before == begun.end() ? "" : before->second;
    if (there == value) continue;
    text += text.empty() ? "--" : "; --";
    text += name.substr(name.rfind('.') + 1) + " was '" + there + "', not '" + value + "'";
  }
  return text;
}

Status CheckArchiveName(const std::string& name) {
  if (name.empty()) return UsageError("an archive needs a name, such as  --name TRAWL-2026-47");
  const bool is_sound = std::all_of(name.begin(), name.end(), [](char byte) {
    return IsAsciiLetter(byte) || IsAsciiDigit(byte) || byte == '-' || byte == '_' || byte == '.';
  });
  if (!is_sound || name.size() > kMostNameBytes || name[0] == '.' || name[0] == '_' || name[0] == '-') {
    return UsageError("--name '", name.substr(0, 80),
                      "': write up to 64 letters, digits, '-', '_' and '.', a letter or ", "digit first");
  }
  return Status::OK();
}

Result<ArchiveBegin> ChooseArchive(Store* store, const Snapshot& snapshot, const ArchiveFolder& folder,
                                   const ArchiveAsked& asked) {
  const ArchiveOptions& options = asked.archive;
  const Manifest& manifest = snapshot.manifest;
  ARROW_RETURN_NOT_OK(CheckNamed(manifest, folder, options));
  ArchiveBegin begin = {.name = options.name,
                        .snapshot = manifest.number,
                        .seal = snapshot.seal,
                        .as_of_ms = manifest.published_ms,
                        .version = kVersion,
                        .operator_contact = asked.fetch.contact,
                        .user_agent = UserAgentOf(asked.fetch),
                        .robots = "obey (RFC 9309)",
                        .asked = TextsOf(asked)};
  for (const Segment& segment : SegmentsOf(manifest)) {
    if (!segment.has_ended(SegmentEnd::kApplied) || segment.is_store || segment.is_reading()) continue;
    const bool is_named =
        std::find(options.segments.begin(), options.segments.end(), segment.id) != options.segments.end();
    if (!options.segments.empty() && !is_named) continue;
    if (!ArchiveWith(folder, segment.id, options.subsets).empty()) continue;
    ARROW_ASSIGN_OR_RAISE(const std::optional<ArchiveSegment> facts, FactsOf(store, segment));
    if (!facts && is_named) {
      return UsageError("segment ", segment.id, ": the record of its fetch is gone, so it cannot be archived");
    }
    if (!facts || (options.since != kNoTime && facts->begin_ms < options.since)) continue;
    begin.segments.push_back(*facts);
  }
  if (options.revisits == RevisitPolicy::kFull) return begin;  // nothing of it refers to anything
  for (const auto& [name, archive] : folder.archives()) {
    if (archive.end && name != options.name) begin.earlier.push_back(name);
  }
  return begin;
}

}  // namespace trawl
