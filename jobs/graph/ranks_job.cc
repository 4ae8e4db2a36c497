// The second job of trawl graph.
//
//   reads        host_edges and ranks as the first job left them
//   shuffles by  nothing
//   writes       ranks
//   counters     ranked; iterations of PageRank; steps, the longest distance; exact: whether distances are exact
#include "jobs/graph/ranks_job.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <numeric>
#include <string>
#include <system_error>
#include <utility>

#include "formats/rows/host_graph_row.h"
#include "formats/rows/some_columns.h"
#include "jobs/graph/harmonic.h"
#include "jobs/graph/host_numbers.h"
#include "jobs/graph/numbered_edges.h"
#include "jobs/graph/options.h"
#include "jobs/graph/pagerank.h"
#include "jobs/policy/score.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/run_facts.h"
#include "runtime/options/global.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Where the edges lie: the driver's folder, which another machine may lack.
std::string TempFolder(const GlobalOptions& global) {
  std::error_code ignored;
  if (std::filesystem::is_directory(global.temp_dir, ignored)) return global.temp_dir;
  const auto usual = std::filesystem::temp_directory_path(ignored);
  return usual.empty() ? "/tmp" : usual.string();
}

// Counts calls, and asks now and then whether the job should stop.
class StopCheck {
 public:
  explicit StopCheck(const TaskContext& context) : context_(context) {}
  Status Check() { return ++calls_ % 65'536 == 0 ? context_.CheckStop() : Status::OK(); }

 private:
  const TaskContext& context_;
  int64_t calls_ = 0;
};

Status NumberHosts(const TaskContext& context, const std::shared_ptr<const Table>& hosts, HostNumbers* numbers) {
  StopCheck stop(context);
  return ForEachRow<RankRow>(hosts, {.wanted = Columns<RankRow>({"key"}).Flags()}, [&](const RankRow& row) {
    numbers->Add(row.key);
    return stop.Check();
  });
}

Result<std::unique_ptr<NumberedEdges>> NumberEdges(const TaskContext& context, const HostNumbers& numbers,
                                                   const std::string& folder) {
  ARROW_ASSIGN_OR_RAISE(const auto table, OpenRunsOfFact<HostEdgeRow>(context, HostEdgeRow::kTable));
  ARROW_ASSIGN_OR_RAISE(auto edges, NumberedEdges::Make(folder, numbers.size()));
  StopCheck stop(context);
  std::string from_host;
  std::optional<uint32_t> from;
  const auto add = [&](const HostEdgeRow& row) -> Status {
    const EdgeEnds ends = EndsOfEdge(row.key);
    if (!from || ends.from != from_host) {
      from_host.assign(ends.from);
      from = numbers.Find(from_host);
    }
    const std::optional<uint32_t> to = numbers.Find(ends.to);
    if (!from || !to) return Status::IOError("the edge ", row.key, " leads from or to a host that is not there");
    ARROW_RETURN_NOT_OK(stop.Check());
    return edges->Add(*from, *to);
  };
  ARROW_RETURN_NOT_OK(ForEachRow<HostEdgeRow>(table, {.wanted = Columns<HostEdgeRow>({"key"}).Flags()}, add));
  ARROW_RETURN_NOT_OK(edges->Finish());
  return edges;
}

// The place of each host in the order of the values, the largest first; of equal ones the first host.
std::vector<uint32_t> PlacesBy(const std::vector<double>& values) {
  std::vector<uint32_t> order(values.size()), places(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&values](uint32_t a, uint32_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  for (size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<uint32_t>(i + 1);
  return places;
}

Result<Harmonics> HarmonicsOf(const NumberedEdges& edges, const HostNumbers& numbers, int registers, int threads,
                              const StopToken& stop) {
  const bool is_exact = edges.hosts() <= kMostExactHosts && edges.edges() <= kMostExactEdges;
  return is_exact ? ExactHarmonics(edges, threads, stop) : HyperBall(edges, numbers.hashes(), registers, threads, stop);
}

Status RankHosts(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const GraphOptions graph, context.Read(GraphOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const GlobalOptions global, context.Read(GlobalOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto hosts, OpenRunsOfFact<RankRow>(context, RankRow::kTable));
  HostNumbers numbers(hosts->stored_rows());
  ARROW_RETURN_NOT_OK(NumberHosts(context, hosts, &numbers));
  ARROW_ASSIGN_OR_RAISE(const auto edges, NumberEdges(context, numbers, TempFolder(global)));
  const int threads = std::max(global.threads, 1);
  ARROW_ASSIGN_OR_RAISE(const Harmonics harmonics,
                        HarmonicsOf(*edges, numbers, graph.registers, threads, context.stop()));
  ARROW_ASSIGN_OR_RAISE(const PageRanks ranks,
                        PageRankOf(*edges, {.damping = graph.damping, .threads = threads}, context.stop()));
  Counters& counters = context.counters();
  counters["iterations"] += ranks.iterations;
  counters["steps"] += harmonics.steps;
  counters["exact"] += edges->hosts() <= kMostExactHosts && edges->edges() <= kMostExactEdges ? 1 : 0;
  const std::vector<uint32_t> rank_places = PlacesBy(ranks.rank), harmonic_places = PlacesBy(harmonics.value);
  RunWriter<RankRow>* const run = context.OpenRun<RankRow>(FileOptions(job));
  size_t number = 0;
  StopCheck stop(context);
  return ForEachRow<RankRow>(hosts, {}, [&](const RankRow& host) -> Status {
    RankRow row = host;
    row.pagerank_bits = std::bit_cast<int64_t>(ranks.rank[number]);
    row.harmonic_bits = std::bit_cast<int64_t>(harmonics.value[number]);
    row.in_hosts = edges->in()[number];
    row.out_hosts = edges->out()[number];
    row.authority = AuthorityOfRank(ranks.rank[number], numbers.size());
    row.pagerank_place = rank_places[number];
    row.harmonic_place = harmonic_places[number];
    ++number;
    ++counters["ranked"];
    ARROW_RETURN_NOT_OK(stop.Check());
    return run->Append(row);
  });
}

}  // namespace

JobSpec GraphRanksSpec() { return {.name = "graph", .map = RankHosts}; }

}  // namespace trawl
