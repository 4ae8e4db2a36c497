// trawl export links and trawl export graph.
//
//   reads        links: urls, outlinks; graph: ranks, host_edges, domain_edges; by ranges of slots
//   shuffles by  nothing
//   writes       DIR/links/part-00000.orc …; DIR/host_ranks/…, DIR/host_edges/…, DIR/domain_edges/…
//   counters     links; host_ranks, host_edges, domain_edges
#include "jobs/export/links.h"

#include "formats/rows/host_graph_row.h"
#include "formats/rows/link_list.h"
#include "formats/url/key.h"
#include "jobs/export/folder.h"
#include "jobs/export/part.h"
#include "jobs/graph/present_links.h"
#include "runtime/job/slot_parts.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A column here is never renamed; docs/storage.md lists them.
struct LinkExport {
  std::string source_url;
  std::string target_url;
  std::string source_host;
  std::string target_host;
  std::string how;
  bool nofollow = false;
  std::string text;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("source_url", row.source_url);
    visit("target_url", row.target_url);
    visit("source_host", row.source_host);
    visit("target_host", row.target_host);
    visit("how", row.how);
    visit("nofollow", row.nofollow, kFlag);
    visit("text", row.text);
  }
};

struct HostRankExport {
  std::string host;
  int64_t pagerank = 0;  // bits of a double, as is the next
  int64_t harmonic = 0;
  int64_t in_hosts = 0;
  int64_t out_hosts = 0;
  int64_t pages = 0;
  int32_t authority_millionths = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("host", row.host);
    visit("pagerank", row.pagerank, kDouble);
    visit("harmonic", row.harmonic, kDouble);
    visit("in_hosts", row.in_hosts);
    visit("out_hosts", row.out_hosts);
    visit("pages", row.pages);
    visit("authority_millionths", row.authority_millionths);
  }
};

struct EdgeExport {
  std::string from;
  std::string to;
  int64_t links = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("from", row.from);
    visit("to", row.to);
    visit("links", row.links);
  }
};

void ExportRow(const RankRow& row, HostRankExport* out) {
  *out = {HostOfKey(row.key), row.pagerank_bits, row.harmonic_bits, row.in_hosts,
          row.out_hosts,      row.pages,         row.authority};
}
template <typename EdgeRow>
void ExportRow(const EdgeRow& row, EdgeExport* out) {
  const EdgeEnds ends = EndsOfEdge(row.key);
  *out = {HostOfKey(ends.from), HostOfKey(ends.to), row.links};
}

Result<std::unique_ptr<Store>> OpenFolder(const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const std::string directory, GetString(context.plan().facts, "directory"));
  return OpenStore(directory);
}

Status MapLinks(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenFolder(context));
  ExportPart<LinkExport> part(&context, kLinksExport);
  ARROW_RETURN_NOT_OK(part.Open(to.get()));
  LinkExport row;
  const auto visit = [&](const std::string& key, const OutlinksRow& page) -> Status {
    if (!WriteUrlOfKey(key, &row.source_url)) return Status::OK();
    row.source_host = HostOfKey(key);
    return ForEachListedLink(page.list, [&](const ListedLink& link) {
      if (!WriteUrlOfKey(link.key, &row.target_url)) return Status::OK();
      row.target_host = HostOfKey(link.key);
      row.how.assign(link.how);
      row.nofollow = link.nofollow;
      row.text.assign(link.text);
      return part.Append(row);
    });
  };
  ARROW_RETURN_NOT_OK(
      ForEachPresentPage(context.store(), context.snapshot(), {.slots = context.slots()}, context.stop(), visit));
  return part.Finish();
}

template <typename Row, typename ExportedRow>
Status ExportGraphTable(TaskContext& context, Store* to, const char* folder) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<Row>(context.store(), context.snapshot()));
  ExportPart<ExportedRow> part(&context, folder);
  ARROW_RETURN_NOT_OK(part.Open(to));
  ExportedRow exported;
  ARROW_RETURN_NOT_OK(ForEachRow<Row>(table, {.slots = context.slots()}, [&](const Row& row) {
    ExportRow(row, &exported);
    return part.Append(exported);
  }));
  return part.Finish();
}

Status MapGraph(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenFolder(context));
  ARROW_RETURN_NOT_OK((ExportGraphTable<RankRow, HostRankExport>(context, to.get(), kGraphFolders[0])));
  ARROW_RETURN_NOT_OK((ExportGraphTable<HostEdgeRow, EdgeExport>(context, to.get(), kGraphFolders[1])));
  return ExportGraphTable<DomainEdgeRow, EdgeExport>(context, to.get(), kGraphFolders[2]);
}

JobRequest RequestOf(JobSpec spec, const std::string& directory, int64_t snapshot, int parts) {
  JobRequest request;
  request.spec = std::move(spec);
  request.base_snapshot = snapshot;
  request.plan = [directory, parts](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->facts["directory"] = directory;
    plan->parts = EvenSlotParts(parts);
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

}  // namespace

JobSpec ExportLinksSpec() { return {.name = "export_links", .map = MapLinks}; }
JobSpec ExportGraphSpec() { return {.name = "export_graph", .map = MapGraph}; }

JobRequest ExportLinksRequest(const std::string& directory, int64_t snapshot, int parts) {
  return RequestOf(ExportLinksSpec(), directory, snapshot, parts);
}
JobRequest ExportGraphRequest(const std::string& directory, int64_t snapshot, int parts) {
  return RequestOf(ExportGraphSpec(), directory, snapshot, parts);
}

}  // namespace trawl
