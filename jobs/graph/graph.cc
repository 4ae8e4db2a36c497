// trawl graph: derives the graph of the links that are there now, and ranks the hosts by it.
//
// It runs two jobs. The first one (edges_job.h) inverts the links and makes the edges, the second one (ranks_job.h) ranks
// the hosts; the second publishes the output of both.
//
//   reads        outlinks, urls
//   writes       inlinks, host_edges, domain_edges, ranks: each in place of all rows before
//   counters     those of both jobs
#include "jobs/graph/graph.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "formats/rows/host_graph_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/outlinks_row.h"
#include "jobs/graph/edges_job.h"
#include "jobs/graph/harmonic.h"
#include "jobs/graph/lists.h"
#include "jobs/graph/ranks_job.h"
#include "jobs/verb/crawl.h"
#include "runtime/job/slot_parts.h"
#include "runtime/options/global.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/snapshot.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Puts the runs of both jobs in the place of all that was there.
Result<bool> ReplaceGraph(const Plan& plan, const JobOutput& edges, const JobOutput& ranks, Manifest* next) {
  const auto made = next->read_to.find(kGraphJob);
  if (made != next->read_to.end() && made->second > plan.snapshot) return false;
  const auto replace = [next](const JobOutput& output, const char* table) {
    const auto run = output.runs.find(table);
    if (run == output.runs.end()) {
      next->tables.erase(table);
    } else {
      next->tables[table] = {run->second};
    }
  };
  for (const char* const table : {InlinksRow::kTable, HostEdgeRow::kTable, DomainEdgeRow::kTable})
    replace(edges, table);
  replace(ranks, RankRow::kTable);
  next->read_to[kGraphJob] = plan.snapshot;
  return true;
}

Json DetailsOf(const GraphOptions& options, const Counters& edges, const Counters& ranks) {
  Json json = {{"of_snapshot", 0},
               {"hosts", edges.Get("hosts")},
               {"edges", edges.Get("edges")},
               {"domain_edges", edges.Get("domain_edges")},
               {"pages", edges.Get("pages")},
               {"links", edges.Get("links")},
               {"linked_pages", edges.Get("inlinks")},
               {"iterations", ranks.Get("iterations")}};
  const bool is_exact = ranks.Get("exact") > 0;
  json["harmonic"] = {{"method", is_exact ? "exact" : "hyperball"},
                      {"steps", ranks.Get("steps")},
                      {"error", is_exact ? 0.0 : ErrorOfHyperBall(options.registers)}};
  return json;
}

}  // namespace

OptionTexts GraphOptionTexts() {
  OptionTexts texts = GraphOptionGroup().Print({});
  texts.merge(GlobalOptionGroup().Print({}));
  texts.merge(JobOptionGroup().Print({}));
  return texts;
}

JobRequest GraphRequest(const JobOptions& job, int threads) {
  const auto edges = std::make_shared<JobOutput>();
  JobRequest request;
  request.spec = GraphRanksSpec();
  request.may_rebase = true;
  request.plan = [edges, job, threads](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    const JobRequest first = GraphEdgesRequest(base.manifest.number, job, threads);
    ARROW_ASSIGN_OR_RAISE(JobResult result, RunJob(environment, first));
    *edges = std::move(result.output);
    plan->facts["runs"] = GraphRunsFact(*edges);
    plan->parts = {{{"slots", SlotsToJson(SlotRange{})}}};
    return Status::OK();
  };
  request.apply = [edges](const Plan& plan, const JobOutput& ranks, Manifest* next) {
    return ReplaceGraph(plan, *edges, ranks, next);
  };
  request.details = [edges](const JobEnvironment& environment, const Plan& plan,
                            const JobResult& result) -> Result<Json> {
    ARROW_ASSIGN_OR_RAISE(const GraphOptions options, GraphOptionGroup().Read(environment.options));
    Json json = DetailsOf(options, edges->counters, result.output.counters);
    json["of_snapshot"] = plan.snapshot;
    return json;
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
    ARROW_ASSIGN_OR_RAISE(const Snapshot snapshot, ReadSnapshot(store, made->second));
    if (snapshot.manifest.totals) then = *snapshot.manifest.totals;
  }
  const Totals& now = *present.totals;
  const auto changed = static_cast<double>(now.pages - then.pages);
  return now.rounds - then.rounds >= options.every && changed > 0 &&
         changed >= options.share * static_cast<double>(now.bodies);
}

namespace {

std::string Readable(const Json& details, int64_t snapshot) {
  const auto count = [&details](const char* name, const char* noun) {
    return ReadableCount(details[name].get<int64_t>(), noun);
  };
  std::string text = count("links", "link") + " of " + count("pages", "page") + "; " + count("edges", "edge") +
                     " between " + count("hosts", "host") + "\n";
  text += "PageRank after " + count("iterations", "step") + "; harmonic centrality ";
  char error[64];
  std::snprintf(error, sizeof error, "by HyperBall, relative standard error %.1f %%",
                100 * details["harmonic"]["error"].get<double>());
  text += details["harmonic"]["method"] == "exact" ? "exact" : error;
  return text + "\nsnapshot " + std::to_string(snapshot) + "\n";
}

Result<int> RunGraph(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const GraphListOptions lists, context.Read(GraphListOptionGroup()));
  if (lists.dead_links || lists.orphans) return ListOfGraph(context, lists);
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobResult result, crawl->Run(context, GraphRequest(job, context.global.threads)));
  Json json = {
      {"job", result.job}, {"changed", result.changed}, {"snapshot", result.snapshot}, {"seconds", result.seconds}};
  json.update(result.details);
  ARROW_RETURN_NOT_OK(context.Summarize(
      json, result.changed ? Readable(result.details, result.snapshot) : "another job made a newer graph meanwhile\n"));
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
          "harmonic centrality. The ranks decide the authority of hosts from the next round on; trawl export graph "
          "writes them as files. Only links within the scope are known. Rounds do the same by themselves now and "
          "then (--graph.every). --dead_links and --orphans list what a webmaster asks for.",
      .examples = {{"Make the graph", "trawl graph"},
                   {"Links of a site that lead nowhere", "trawl graph --dead_links --host www.example.com"},
                   {"Pages to which no page links", "trawl graph --orphans --host www.example.com"}},
      .groups = {&GraphListOptionGroup(), &GraphOptionGroup(), &FormatOptionGroup()},
      .other_groups = {&JobOptionGroup()},
      .other_main_options = {"job.runner"},
      .run = RunGraph};
}

}  // namespace trawl
