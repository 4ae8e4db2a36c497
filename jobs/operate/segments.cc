// trawl segments: the segments of the crawl, and taking one back. Their data is shown by trawl readseg.
#include <optional>

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
    json["urls"] = lists->RowsOf(kGenerateStep);
    json["lists"] = lists->tasks.size();
    json["opened"] = TimeJson(lists->now_ms);
  }
  return json;
}

std::string SegmentLine(const Json& json) {
  std::string line = json["segment"].get<std::string>() + "  " + json["state"].get<std::string>();
  if (json["urls"].is_null()) return line + "  (its lists are gone)\n";
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
                                                  : "it was abandoned before\n"));
  return kExitDone;
}

}  // namespace

std::vector<Verb> SegmentsVerbs() {
  return {
      {.name = "segments list",
       .summary = "the segments of the crawl, oldest first",
       .description =
           "State: open, fetched, parsed, applied, abandoned or expired. An expired one holds no domain any more and "
           "can still be parsed and applied.",
       .examples = {{"The newest twenty", "trawl segments list"},
                    {"All, for a program", "trawl segments list --limit 0 --json"}},
       .groups = {&ListOptionGroup(), &ReadingOptionGroup()},
       .run = RunList},
      {.name = "segments abandon",
       .summary = "close a segment and give back its URLs",
       .arguments = "ID",
       .least_arguments = 1,
       .most_arguments = 1,
       .description =
           "Its URLs are due as they were, and its domains are free for the next generate. A fetch of it that is under "
           "way must have been stopped: nothing else keeps it from asking.",
       .examples = {{"A segment that nobody will fetch", "trawl segments abandon 20260101T120000Z-5f3a9c01"},
                    {"The same, for a program", "trawl segments abandon --json 20260101T120000Z-5f3a9c01"}},
       .run = RunAbandon}};
}

}  // namespace trawl
