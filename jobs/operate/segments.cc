// trawl segments: lists the segments of the crawl, and abandons one. trawl readseg shows their data.
#include <optional>

#include "formats/rows/catalog.h"
#include "jobs/segment/known_segments.h"
#include "jobs/segment/life.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/list_options.h"
#include "jobs/verb/row_json.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Json SegmentJson(const KnownSegment& segment, const std::optional<StepRecord>& lists) {
  Json json = {
      {"segment", segment.id}, {"state", segment.state}, {"step", DoneWord(segment.step)},      {"urls", nullptr},
      {"lists", nullptr},      {"opened", nullptr},      {"until", TimeJson(segment.until_ms)}, {"job", segment.job}};
  if (lists) {
    json["urls"] = lists->RowsOf(kFetchlist);
    json["lists"] = lists->tasks.size();
    json["opened"] = TimeJson(lists->now_ms);
  }
  return json;
}

std::string SegmentLine(const Json& json) {
  std::string line = json["segment"].get<std::string>() + "  " + json["state"].get<std::string>();
  if (json["urls"].is_null()) return line + "  (its lists are deleted)\n";
  line += "  " + ReadableCount(json["urls"].get<int64_t>(), "URL") + " on " +
          ReadableCount(json["lists"].get<int64_t>(), "list") + "  opened " + json["opened"].get<std::string>();
  if (!json["until"].is_null()) line += "  until " + json["until"].get<std::string>();
  return line + "\n";
}

Result<int> RunList(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const ListOptions options, context.Read(ListOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto segments,
                        ReadSegments(crawl->store(), crawl->manifest(), context.global.now_ms, options.limit));
  for (const KnownSegment& segment : segments) {
    ARROW_ASSIGN_OR_RAISE(const auto lists, ReadListsIfThere(crawl->store(), segment));
    const Json json = SegmentJson(segment, lists);
    ARROW_RETURN_NOT_OK(context.Answer(json, SegmentLine(json)));
  }
  return kExitDone;
}

Result<int> RunAbandon(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  const std::string& id = context.arguments.front();
  ARROW_ASSIGN_OR_RAISE(const JobResult result,
                        crawl->Change(context, "abandon", [&id](Manifest* next) { return AbandonSegment(id, next); }));
  Json json = SummaryOf(result);
  json["segment"] = id;
  ARROW_RETURN_NOT_OK(context.Summarize(json, result.changed
                                                  ? "segment " + id + " is abandoned; its URLs are due as before\n"
                                                  : "this segment is already abandoned\n"));
  return kExitDone;
}

}  // namespace

std::vector<Verb> SegmentsVerbs() {
  return {
      {.name = "segments list",
       .summary = "list the segments and their states, oldest first",
       .purpose = VerbPurpose::kLook,
       .description = "A segment is open, fetched, parsed, applied, abandoned or expired. An expired segment no longer "
                      "keeps other rounds from its domains; it can still be parsed and applied.",
       .examples = {{"The newest twenty", "trawl segments list"},
                    {"All, for a program", "trawl segments list --limit 0 --json"}},
       .groups = {&ListOptionGroup(), &ReadingOptionGroup()},
       .run = RunList},
      {.name = "segments abandon",
       .summary = "give up a segment; its URLs are due again",
       .purpose = VerbPurpose::kSteer,
       .arguments = "ID",
       .least_arguments = 1,
       .most_arguments = 1,
       .description = "Its URLs are due as before, and the next generate may use its domains. Stop a fetch of the "
                      "segment first: abandoning does not stop it.",
       .examples = {{"Abandon a segment that nobody will fetch", "trawl segments abandon 20260101T120000Z-5f3a9c01"},
                    {"The same, for a program", "trawl segments abandon --json 20260101T120000Z-5f3a9c01"}},
       .run = RunAbandon}};
}

}  // namespace trawl
