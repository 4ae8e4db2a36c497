// trawl snapshot: lists the snapshots that were published. Read only.
#include <algorithm>

#include "jobs/list/listing.h"
#include "jobs/operate/crawl_lists.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/list_options.h"
#include "jobs/verb/row_json.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Json SnapshotJson(const Manifest& manifest) {
  Json tables = Json::object();
  for (const auto& [table, runs] : manifest.tables) {
    int64_t rows = 0;
    for (const RunReference& run : runs) rows += run.rows;
    tables[table] = {{"runs", runs.size()}, {"stored_rows", rows}};
  }
  return {{"snapshot", manifest.number},
          {"verb", manifest.verb},
          {"job", manifest.job},
          {"published", TimeJson(manifest.published_ms)},
          {"tables", tables},
          {"open_segments", manifest.open_segments.size()}};
}

namespace {

// "urls 9, hosts 2": the runs of each table.
Json RunsText(const Json& snapshot) {
  std::string text;
  for (const auto& [table, brief] : snapshot["tables"].items()) {
    text += (text.empty() ? "" : ", ") + table + " " + DumpJson(brief["runs"]);
  }
  return text;
}

ListShape SnapshotsShape() {
  return {.columns = {{.member = "snapshot", .kind = CellKind::kCount},
                      {.member = "published", .kind = CellKind::kTime},
                      {.member = "verb",
                       .value = [](const Json& json) { return json["verb"] == "" ? Json("(created)") : json["verb"]; }},
                      {.member = "open_segments", .title = "open", .kind = CellKind::kCount},
                      {.member = "tables", .title = "runs", .gives_way = true, .value = RunsText}},
          .empty = SnapshotJson({})};
}

Result<int> RunSnapshotList(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const ListOptions options, context.Read(ListOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto history, ReadHistory(crawl->store(), options.limit));
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  Listing listing(context, format, SnapshotsShape());
  for (const Snapshot& snapshot : history) ARROW_RETURN_NOT_OK(listing.Add(SnapshotJson(snapshot.manifest)));
  ARROW_RETURN_NOT_OK(listing.Finish());
  return kExitDone;
}

Result<int> RunSnapshotShow(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  const std::string& argument = context.arguments.front();
  const bool is_number = !argument.empty() && argument.size() < 18 &&
                         std::all_of(argument.begin(), argument.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number)
    return UsageError("'", argument, "' is not the number of a snapshot; trawl snapshot list shows the snapshots");
  ARROW_ASSIGN_OR_RAISE(const Snapshot snapshot, ReadSnapshot(crawl->store(), std::stoll(argument)));
  const Json json = ToJson(snapshot.manifest);
  ARROW_RETURN_NOT_OK(context.Answer(json, DumpJsonPretty(json) + "\n"));
  return kExitDone;
}

}  // namespace

std::vector<Verb> SnapshotVerbs() {
  return {{.name = "snapshot list",
           .summary = "list the snapshots, oldest first",
           .purpose = VerbPurpose::kDiagnose,
           .description = "Also checks that each snapshot follows the one before it.",
           .examples = {{"The newest twenty", "trawl snapshot list"}, {"All", "trawl snapshot list --limit 0"}},
           .groups = {&ListOptionGroup(), &FormatOptionGroup()},
           .run = RunSnapshotList},
          {.name = "snapshot show",
           .summary = "show the manifest of a snapshot",
           .purpose = VerbPurpose::kDiagnose,
           .arguments = "SNAPSHOT",
           .least_arguments = 1,
           .most_arguments = 1,
           .description = "Prints its runs, open segments and settings, and the job that published it.",
           .examples = {{"Snapshot 42", "trawl snapshot show 42"}, {"How the crawl was made", "trawl snapshot show 0"}},
           .run = RunSnapshotShow}};
}

}  // namespace trawl
