// trawl remove: takes URLs out of the crawldb.
//
//   reads        the urls table: sidecars for single URLs, a few columns for prefixes
//   shuffles by  nothing
//   writes       urls: one tombstone per URL that goes; outlinks: the same for a page that was read
//   counters     removed, not_known, dropped: those that the operator dropped stay
#include <algorithm>

#include "formats/rows/outlinks_row.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/inject/open_seeds.h"
#include "jobs/inject/seed_lines.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct RemoveOptions {
  std::vector<std::string> prefix;
  bool dry_run = false;
};

const OptionGroup<RemoveOptions>& RemoveOptionGroup() {
  static const auto group =
      OptionGroup<RemoveOptions>("remove", "What is removed")
          .List("prefix", &RemoveOptions::prefix, "remove every URL that begins with this: https://host/path", "URL")
          .Bool("dry_run", &RemoveOptions::dry_run, "count the URLs, and remove nothing")
          .AllMain();
  return group;
}

// The keys from <= key < to of one slot. A single key is the range that holds only this key.
struct Target {
  uint32_t slot = 0;
  std::string from;
  std::string to;
  bool is_single() const { return to.size() == from.size() + 1 && to.back() == '\0' && to.starts_with(from); }
  bool operator<(const Target& other) const {
    return slot != other.slot ? slot < other.slot : from != other.from ? from < other.from : to > other.to;
  }
};

// Sorted, and none within or across another.
std::vector<Target> Disjoint(std::vector<Target> targets) {
  std::sort(targets.begin(), targets.end());
  std::vector<Target> out;
  for (Target& target : targets) {
    if (!out.empty() && out.back().slot == target.slot && target.from < out.back().to) {
      out.back().to = std::max(out.back().to, target.to);
    } else {
      out.push_back(std::move(target));
    }
  }
  return out;
}

Result<std::vector<Target>> TargetsOf(const std::vector<std::string>& urls, const std::vector<std::string>& prefixes,
                                      NormalForm form) {
  std::vector<Target> targets;
  for (const std::string& url : urls) {
    ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfArgument(url, form));
    targets.push_back({SlotOfKey(key), key, key + '\0'});
  }
  for (const std::string& prefix : prefixes) {
    ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeysOfPrefix(prefix, form));
    targets.push_back({SlotOfKey(range.from), range.from, range.to});
  }
  return Disjoint(std::move(targets));
}

// Calls `visit` with the urls rows that go, in order; only some of their columns are read. A row that the operator dropped stays, and is counted: it
// keeps links from bringing its URL back.
template <typename Visit>
Status ForEachRowOf(const std::shared_ptr<const Table>& table, const std::vector<Target>& targets, Counters* counters,
                    Visit&& visit) {
  std::vector<bool> wanted = kTalliedColumns.Flags();
  wanted[ColumnIndex<UrlRow>("outcome")] = true;
  int64_t& not_known = (*counters)["not_known"];
  int64_t& dropped = (*counters)["dropped"];
  KnownRows<UrlRow> known_rows(table, wanted);
  UrlRow known_row;
  for (const Target& target : targets) {
    if (target.is_single()) {
      ARROW_ASSIGN_OR_RAISE(const bool found, known_rows.Find({target.slot, target.from}, &known_row));
      const bool is_dropped = found && IsDropped(known_row);
      not_known += found ? 0 : 1;
      dropped += is_dropped ? 1 : 0;
      if (found && !is_dropped) ARROW_RETURN_NOT_OK(visit(known_row));
      continue;
    }
    const ScanOptions range = {
        .slots = {target.slot, target.slot + 1}, .from_key = target.from, .to_key = target.to, .wanted = wanted};
    ARROW_RETURN_NOT_OK(ForEachRow<UrlRow>(table, range, [&](const UrlRow& row) -> Status {
      dropped += IsDropped(row) ? 1 : 0;
      return IsDropped(row) ? Status::OK() : visit(row);
    }));
  }
  return Status::OK();
}

// The plan's facts: "targets": [[slot, from, to], …].
Result<std::vector<Target>> TargetsOfPlan(const Plan& plan) {
  ARROW_ASSIGN_OR_RAISE(const Json* array, GetArray(plan.facts, "targets"));
  std::vector<Target> targets;
  for (const Json& element : *array) {
    Target target;
    ARROW_ASSIGN_OR_RAISE(const int64_t slot, GetInt(element, "slot"));
    target.slot = static_cast<uint32_t>(slot);
    ARROW_ASSIGN_OR_RAISE(target.from, GetString(element, "from"));
    ARROW_ASSIGN_OR_RAISE(target.to, GetString(element, "to"));
    targets.push_back(std::move(target));
  }
  return targets;
}

Status MapTargets(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto targets, TargetsOfPlan(context.plan()));
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(context.store(), context.snapshot()));
  RunWriter<UrlRow>* const run = context.OpenRun<UrlRow>(FileOptions(job));
  RunWriter<OutlinksRow>* const outlinks = context.OpenRun<OutlinksRow>(FileOptions(job));
  int64_t& removed = context.counters()["removed"];
  OutlinksRow no_links;
  no_links.removed = true;
  UrlRow tombstone;
  tombstone.removed = true;
  tombstone.state = UrlState::kNone;
  UrlTally tally;
  ARROW_RETURN_NOT_OK(ForEachRowOf(table, targets, &context.counters(), [&](const UrlRow& row) -> Status {
    if (++removed % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    tally.Leave(row);
    tombstone.key = no_links.key = row.key;
    if (HasBody(row)) ARROW_RETURN_NOT_OK(outlinks->Append(no_links));
    return run->Append(tombstone);
  }));
  tally.Report(&context.facts());
  return Status::OK();
}

}  // namespace

JobSpec RemoveSpec() { return {.name = "remove", .map = MapTargets}; }

namespace {

Result<JobResult> RemoveTargets(VerbContext& context, Crawl& crawl, const std::vector<Target>& targets) {
  JobRequest request;
  request.spec = RemoveSpec();
  request.plan = [&targets](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    ARROW_RETURN_NOT_OK(PlanTotals(environment, base, plan));
    plan->facts["targets"] = Json::array();
    for (const Target& target : targets) {
      plan->facts["targets"].push_back({{"slot", target.slot}, {"from", target.from}, {"to", target.to}});
    }
    plan->parts = {{{"slots", SlotsToJson(SlotRange{})}}};
    return Status::OK();
  };
  request.apply = AppendRunsAndTotals;
  return crawl.Run(context, request);
}

// Counts the URLs that would go. This is no job, so whoever may only read the crawl may ask for it.
Result<JobResult> CountTargets(VerbContext& context, const Crawl& crawl, const std::vector<Target>& targets) {
  JobResult result;
  result.snapshot = crawl.manifest().number;
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(crawl.store(), crawl.manifest()));
  int64_t& removed = result.output.counters["removed"];
  const auto count = [&](const UrlRow&) -> Status {
    return ++removed % 1024 == 0 ? context.process.stop.Check() : Status::OK();
  };
  ARROW_RETURN_NOT_OK(ForEachRowOf(table, targets, &result.output.counters, count));
  return result;
}

// The URLs of the arguments: themselves, and the lines of files.
Result<std::vector<std::string>> NamedUrls(VerbContext& context, Store* store) {
  std::vector<std::string> urls;
  if (context.arguments.empty()) return urls;
  ARROW_ASSIGN_OR_RAISE(const OpenSeeds lists, OpenSeeds::Open(context));
  for (const Json& part : lists.parts().parts) {
    ARROW_RETURN_NOT_OK(
        ForEachSeedLine(store, Plan(), part, [&urls](const std::string&, int64_t, std::string_view line) {
          const std::string_view url = UrlOfSeedLine(line);
          if (!url.empty()) urls.emplace_back(url);
          return Status::OK();
        }));
  }
  return urls;
}

Result<int> RunRemove(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const RemoveOptions options, context.Read(RemoveOptionGroup()));
  if (context.arguments.empty() && options.prefix.empty())
    return UsageError(
        "there is nothing to remove; name URLs, a file of URLs or -, or write --prefix https://host/path");
  ARROW_ASSIGN_OR_RAISE(const auto urls, NamedUrls(context, crawl->store()));
  ARROW_ASSIGN_OR_RAISE(const auto targets, TargetsOf(urls, JoinPrefixes(options.prefix), crawl->normal_form()));
  ARROW_ASSIGN_OR_RAISE(const JobResult result, options.dry_run ? CountTargets(context, *crawl, targets)
                                                                : RemoveTargets(context, *crawl, targets));
  const int64_t removed = result.output.counters.Get("removed");
  const int64_t not_known = result.output.counters.Get("not_known");
  std::string text = ReadableCount(removed, "URL") + (options.dry_run ? " would be removed" : " removed");
  if (not_known > 0) text += ", " + ReadableCount(not_known) + " not in the crawl";
  const int64_t dropped = result.output.counters.Get("dropped");
  std::string notes;
  if (dropped > 0) {
    notes = "  " + ReadableCount(dropped, "dropped URL") + (dropped == 1 ? " stays" : " stay") +
            ", so that no link brings back what was dropped; trawl urls set --undrop comes first\n";
  }
  ARROW_RETURN_NOT_OK(context.Conclude(SummaryOf(result), text + "\n", notes));
  return kExitDone;
}

}  // namespace

Verb RemoveVerb() {
  return {
      .name = "remove",
      .summary = "remove URLs from the crawl",
      .purpose = VerbPurpose::kSteer,
      .arguments = "[URL…]",
      .most_arguments = kAnyNumber,
      .description =
          "URL is a URL, a file with one URL per line, or - for standard input. The crawl forgets these URLs; older "
          "snapshots still show them. A link that is found later brings a URL back; trawl urls set URL --drop keeps "
          "it out. To keep a site out, block its host: trawl host HOST --block.",
      .examples = {{"Count what would be removed", "trawl remove --prefix https://www.example.com/old/ --dry_run"},
                   {"One page", "trawl remove https://www.example.com/a.html"}},
      .groups = {&RemoveOptionGroup()},
      .other_groups = {&JobOptionGroup()},
      .run = RunRemove};
}

}  // namespace trawl
