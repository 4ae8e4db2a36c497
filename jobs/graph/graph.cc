// trawl graph: derives the graph of the links that are there now, and ranks the hosts by it.
//
// It runs three jobs. The first one (edges_job.h) inverts the links and makes the edges, the second one (ranks_job.h) ranks
// the hosts; the second publishes the output of both. The third one (rescore.h) gives pages the scores that follow.
//
//   reads        outlinks, urls
//   writes       inlinks, host_edges, domain_edges, ranks: each in place of all rows before
//                urls: the rows whose score changes
//   counters     those of all jobs
#include "jobs/graph/graph.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "formats/rows/host_graph_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/outlinks_row.h"
#include "jobs/graph/edges_job.h"
#include "jobs/graph/harmonic.h"
#include "jobs/graph/lists.h"
#include "jobs/graph/ranks_job.h"
#include "jobs/graph/rescore.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/verb/crawl.h"
#include "runtime/job/run_facts.h"
#include "runtime/job/slot_parts.h"
#include "runtime/options/global.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/snapshot.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// What the driver knows of the graph that it makes.
struct Making {
  JobOutput edges;
  GraphOptions options;
  // Pages that were stored when the graph was made that is there; nothing where that is not known.
  std::optional<int64_t> pages_before;
};

Result<std::optional<int64_t>> PagesBefore(Store* store, const Manifest& present) {
  const auto made = present.read_to.find(kGraphJob);
  if (made == present.read_to.end()) return std::nullopt;
  const Result<Snapshot> snapshot = ReadSnapshot(store, made->second);
  if (!snapshot.ok() || !snapshot->manifest.totals) return std::nullopt;  // gc has removed it
  return snapshot->manifest.totals->pages;
}

// Whether the table has these rows already.
bool Has(const Manifest& manifest, const char* table, const JobOutput& output) {
  const auto made = output.runs.find(table);
  const auto there = manifest.tables.find(table);
  if (there == manifest.tables.end() || there->second.empty()) return made == output.runs.end();
  if (made == output.runs.end() || there->second.size() != 1) return false;
  const RunReference& run = there->second.front();
  return run.rows == made->second.rows && run.digest == made->second.digest;
}

// Puts the runs of both jobs in the place of all that was there.
Result<bool> ReplaceGraph(const Plan& plan, const Making& making, const JobOutput& ranks, Manifest* next) {
  const auto made = next->read_to.find(kGraphJob);
  if (made != next->read_to.end() && made->second > plan.snapshot) return false;
  struct Output {
    const char* table;
    const JobOutput& output;
  };
  const Output outputs[] = {{InlinksRow::kTable, making.edges},
                            {HostEdgeRow::kTable, making.edges},
                            {DomainEdgeRow::kTable, making.edges},
                            {RankRow::kTable, ranks}};
  const bool is_same = std::all_of(std::begin(outputs), std::end(outputs),
                                   [&](const Output& one) { return Has(*next, one.table, one.output); });
  if (is_same && next->totals && next->totals->pages == making.pages_before) return false;
  for (const auto& [table, output] : outputs) {
    const auto run = output.runs.find(table);
    if (run == output.runs.end()) {
      next->tables.erase(table);
    } else {
      next->tables[table] = {run->second};
    }
  }
  next->read_to[kGraphJob] = plan.snapshot;
  return true;
}

Json DetailsOf(const Making& making, const Plan& plan, const Counters& ranks) {
  const Counters& edges = making.edges.counters;
  Json json = {{"of_snapshot", plan.snapshot},         {"hosts", edges.Get("hosts")},
               {"edges", edges.Get("edges")},          {"domain_edges", edges.Get("domain_edges")},
               {"pages", edges.Get("pages")},          {"links", edges.Get("links")},
               {"linked_pages", edges.Get("inlinks")}, {"iterations", ranks.Get("iterations")}};
  const bool is_exact = ranks.Get("exact") > 0;
  json["harmonic"] = {{"method", is_exact ? "exact" : "hyperball"},
                      {"steps", ranks.Get("steps")},
                      {"error", is_exact ? 0.0 : ErrorOfHyperBall(making.options.registers)}};
  return json;
}

}  // namespace

OptionTexts GraphOptionTexts() {
  OptionTexts texts = GraphOptionGroup().Print({});
  texts.merge(RefreshOptionGroup().Print({}));
  texts.merge(SitemapOptionGroup().Print({}));
  texts.merge(GlobalOptionGroup().Print({}));
  texts.merge(JobOptionGroup().Print({}));
  return texts;
}

JobRequest GraphRequest(const JobOptions& job, int threads, Json* numbers) {
  const auto making = std::make_shared<Making>();
  JobRequest request;
  request.spec = GraphRanksSpec();
  request.may_rebase = true;
  request.plan = [making, job, threads](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    ARROW_ASSIGN_OR_RAISE(making->options, GraphOptionGroup().Read(environment.options));
    ARROW_ASSIGN_OR_RAISE(making->pages_before, PagesBefore(environment.store, base.manifest));
    const JobRequest first = GraphEdgesRequest(base.manifest.number, job, threads);
    ARROW_ASSIGN_OR_RAISE(JobResult result, RunJob(environment, first));
    making->edges = std::move(result.output);
    for (const char* const table : {HostEdgeRow::kTable, RankRow::kTable})
      plan->facts[table] = RunsToFact(RunsOf(making->edges, table));
    plan->parts = {{{"slots", SlotsToJson(SlotRange{})}}};
    return Status::OK();
  };
  request.apply = [making, numbers](const Plan& plan, const JobOutput& ranks, Manifest* next) {
    if (numbers != nullptr) *numbers = DetailsOf(*making, plan, ranks.counters);
    return ReplaceGraph(plan, *making, ranks, next);
  };
  request.details = [making](const JobEnvironment&, const Plan& plan, const JobResult& result) -> Result<Json> {
    return DetailsOf(*making, plan, result.output.counters);
  };
  return request;
}

Result<bool> IsGraphDue(Store* store, const Manifest& present, const GraphOptions& options) {
  if (options.every == 0 || !present.totals) return false;
  const auto hosts = present.tables.find(HostRow::kTable);
  if (hosts == present.tables.end()) return false;
  // Runs overlap, so the largest one is what there is at least.
  int64_t least_hosts = 0;
  for (const RunReference& run : hosts->second) least_hosts = std::max(least_hosts, run.rows);
  if (least_hosts < options.least_hosts) return false;
  Totals then;
  const auto made = present.read_to.find(kGraphJob);
  if (made != present.read_to.end()) {
    const Result<Snapshot> snapshot = ReadSnapshot(store, made->second);
    if (snapshot.ok() && snapshot->manifest.totals) then = *snapshot->manifest.totals;
  }
  const Totals& now = *present.totals;
  const auto changed = static_cast<double>(now.pages - then.pages);
  return now.rounds - then.rounds >= options.every && changed > 0 &&
         changed >= options.share * static_cast<double>(now.bodies);
}

namespace {

std::string Readable(const Json& json) {
  const auto count = [&json](const char* name, const char* noun) {
    return ReadableCount(json[name].get<int64_t>(), noun);
  };
  std::string text = count("links", "link") + " of " + count("pages", "page") + "; " + count("edges", "edge") +
                     " between " + count("hosts", "host") + "\n";
  text += "PageRank after " + count("iterations", "step") + "; harmonic centrality ";
  char error[64];
  std::snprintf(error, sizeof error, "by HyperBall, relative standard error %.1f %%",
                100 * json["harmonic"]["error"].get<double>());
  text += json["harmonic"]["method"] == "exact" ? "exact" : error;
  if (json["rescored"] > 0) text += "\n" + count("rescored", "page") + " have another score";
  if (json["changed"] == false) return text + "\nthe graph is as it was: nothing is published\n";
  return text + "\nsnapshot " + std::to_string(json["snapshot"].get<int64_t>()) + "\n";
}

Result<int> RunGraph(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const GraphListOptions lists, context.Read(GraphListOptionGroup()));
  if (lists.dead_links || lists.orphans) return ListOfGraph(context, lists);
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  const int threads = context.global.threads;
  Json numbers = Json::object();
  ARROW_ASSIGN_OR_RAISE(const JobResult made, crawl->Run(context, GraphRequest(job, threads, &numbers)));
  ARROW_ASSIGN_OR_RAISE(const JobResult scores, crawl->Run(context, RescoreRequest(threads)));
  Json json = {{"job", made.job},
               {"changed", made.changed || scores.changed},
               {"snapshot", scores.changed ? scores.snapshot : made.snapshot},
               {"seconds", made.seconds + scores.seconds},
               {"rescored", scores.output.counters.Get("rescored")}};
  json.update(numbers);
  ARROW_RETURN_NOT_OK(context.Summarize(json, Readable(json)));
  return kExitDone;
}

}  // namespace

Verb GraphVerb() {
  return {
      .name = "graph",
      .summary = "rank hosts by their links; list dead links and orphans",
      .purpose = VerbPurpose::kLook,
      .description =
          "Takes the links of all pages as they are now, and makes of them: the pages that link to each page (trawl "
          "page URL --inlinks), the links between hosts and between domains, and for each host its PageRank and its "
          "harmonic centrality. The ranks and links become part of the scores of pages; trawl export graph "
          "writes them as files. Only links within the scope are known. Rounds do the same by themselves now and "
          "then (--graph.every). --dead_links and --orphans list what a webmaster asks for.",
      .examples = {{"Make the graph", "trawl graph"},
                   {"Links of a site that lead nowhere", "trawl graph --dead_links --host www.example.com"},
                   {"Pages to which no page links", "trawl graph --orphans --host www.example.com"}},
      .groups = {&GraphListOptionGroup(), &GraphOptionGroup(), &FormatOptionGroup()},
      .other_groups = {&RefreshOptionGroup(), &SitemapOptionGroup(), &JobOptionGroup()},
      .other_main_options = {"job.runner"},
      .run = RunGraph};
}

}  // namespace trawl
