// trawl segments: lists the segments of the crawl, and abandons one. trawl readseg shows their data.
#include <optional>

#include "formats/rows/catalog.h"
#include "jobs/list/listing.h"
#include "jobs/operate/crawl_lists.h"
#include "jobs/segment/known_segments.h"
#include "jobs/segment/life.h"
#include "jobs/stats/unapplied.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/list_options.h"
#include "jobs/verb/row_json.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Json SegmentJson(const KnownSegment& segment, const std::optional<StepRecord>& lists) {
  Json json = {{"segment", segment.id},
               {"state", segment.state},
               {"step", DoneWord(segment.step)},
               {"urls", nullptr},
               {"lists", nullptr},
               {"opened", nullptr},
               {"until", TimeJson(segment.until_ms)},
               {"job", segment.job},
               {"kind", segment.is_store       ? "bodies"
                        : segment.is_reading() ? "reparse"
                                               : "round"}};
  if (lists) {
    json["urls"] = lists->RowsOf(kFetchlist);
    json["lists"] = lists->tasks.size();
    json["opened"] = TimeJson(lists->now_ms);
  }
  return json;
}

namespace {

ListShape SegmentsShape() {
  return {.columns = {{.member = "segment", .is_whole = true},
                      {.member = "state"},
                      {.member = "urls", .kind = CellKind::kCount},
                      {.member = "lists", .kind = CellKind::kCount},
                      {.member = "until", .kind = CellKind::kTime},
                      {.member = "opened", .kind = CellKind::kTime}},
          .empty = SegmentJson({}, std::nullopt)};
}

Result<int> RunList(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const ListOptions options, context.Read(ListOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto segments,
                        ReadSegments(crawl->store(), crawl->manifest(), context.global.now_ms, options.limit));
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  Listing listing(context, format, SegmentsShape());
  for (const KnownSegment& segment : segments) {
    ARROW_ASSIGN_OR_RAISE(const auto lists, ReadListsIfThere(crawl->store(), segment));
    ARROW_RETURN_NOT_OK(listing.Add(SegmentJson(segment, lists)));
  }
  ARROW_RETURN_NOT_OK(listing.Finish());
  return kExitDone;
}

struct AbandonOptions {
  bool dry_run = false;
};

const OptionGroup<AbandonOptions>& AbandonOptionGroup() {
  static const auto group =
      OptionGroup<AbandonOptions>("abandon", "What is given up")
          .Bool("dry_run", &AbandonOptions::dry_run, "say what of the segment would be lost, and change nothing")
          .AllMain();
  return group;
}

std::string AbandonText(const std::string& id, const Unapplied& lost, bool is_dry_run) {
  const bool has_some = lost.requests > 0 || lost.pages > 0;
  const std::string requests = ReadableCount(lost.requests, "request");
  const std::string what =
      lost.pages > 0 ? ReadableCount(lost.pages, "stored page") + " (" + ReadableSize(lost.bytes) + ") of " + requests
      : has_some     ? requests + " without a stored page"
                     : "nothing that was fetched";
  if (is_dry_run) return "abandoning segment " + id + " would drop " + what + "; nothing was changed\n";
  return "segment " + id + " is abandoned" + (has_some ? ", which drops " + what : "") +
         "; its URLs are due as before\n";
}

Result<int> RunAbandon(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const AbandonOptions options, context.Read(AbandonOptionGroup()));
  const std::string& id = context.arguments.front();
  const auto abandon = [&id](Manifest* next) { return AbandonSegment(id, next); };
  JobResult result;
  result.snapshot = crawl->manifest().number;
  Manifest tried = crawl->manifest();
  ARROW_ASSIGN_OR_RAISE(const bool changes, abandon(&tried));
  Unapplied lost;
  if (changes) {
    ARROW_ASSIGN_OR_RAISE(lost, ReadUnapplied(crawl->store(), id));
  }
  if (changes && !options.dry_run) {
    ARROW_ASSIGN_OR_RAISE(result, crawl->Change(context, "abandon", abandon));
  }
  Json json = SummaryOf(result);
  json["segment"] = id;
  json["dry_run"] = options.dry_run;
  json["fetched"] = lost.requests;
  json["pages"] = lost.pages;
  json["bytes"] = lost.bytes;
  ARROW_RETURN_NOT_OK(context.Conclude(
      json, changes ? AbandonText(id, lost, options.dry_run) : "this segment is already abandoned\n", ""));
  return kExitDone;
}

}  // namespace

std::vector<Verb> SegmentsVerbs() {
  return {
      {.name = "segments list",
       .summary = "list the segments and their states, oldest first",
       .purpose = VerbPurpose::kLook,
       .description =
           "A segment is open, fetched, parsed, applied, abandoned or expired. An expired segment no longer "
           "keeps other rounds from its domains; it can still be parsed and applied. Numbers of URLs and lists are "
           "missing once gc has removed the lists.",
       .examples = {{"The newest twenty", "trawl segments list"},
                    {"All, for a program", "trawl segments list --limit 0 --json"}},
       .groups = {&ListOptionGroup(), &FormatOptionGroup(), &ReadingOptionGroup()},
       .run = RunList},
      {.name = "segments abandon",
       .summary = "give up a segment; its URLs are due again",
       .purpose = VerbPurpose::kSteer,
       .arguments = "SEGMENT",
       .least_arguments = 1,
       .most_arguments = 1,
       .description =
           "Its URLs are due as before, and the next generate may use its domains. What was fetched of it is "
           "dropped: --dry_run says how much. To keep it, run parse and updatedb for the segment instead. Stop "
           "a fetch of the segment first: abandoning does not stop it.",
       .examples = {{"Abandon a segment that nobody will fetch", "trawl segments abandon 20260101T120000Z-5f3a9c01"},
                    {"How much would be lost", "trawl segments abandon --dry_run 20260101T120000Z-5f3a9c01"},
                    {"The same, for a program", "trawl segments abandon --json 20260101T120000Z-5f3a9c01"}},
       .groups = {&AbandonOptionGroup()},
       .run = RunAbandon}};
}

}  // namespace trawl
