// trawl export graph --format text.
//
//   reads        ranks, host_edges
//   shuffles by  place in the order of harmonic centrality
//   writes       DIR/vertices.txt.gz, DIR/edges.txt.gz, DIR/ranks.txt.gz
//   counters     host_ranks, host_edges
#include "jobs/export/graph_text.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "arrow/io/interfaces.h"
#include "formats/rows/host_graph_row.h"
#include "formats/rows/some_columns.h"
#include "formats/text/gzip.h"
#include "jobs/export/folder.h"
#include "jobs/graph/host_numbers.h"
#include "runtime/job/slot_parts.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// What a map task does, by the fact "file" of its part.
constexpr char kVertices[] = "vertices", kEdges[] = "edges", kRanks[] = "ranks";

// A text of lines, written as gzip.
class TextFile {
 public:
  static Result<TextFile> Open(Store* to, const char* name) {
    TextFile file;
    ARROW_RETURN_NOT_OK(to->Remove(name));
    ARROW_ASSIGN_OR_RAISE(file.file_, to->OpenWriter(name));
    ARROW_ASSIGN_OR_RAISE(file.gzip_, GzipText::Make());
    return file;
  }
  Status Add(const std::string& line) {
    constexpr size_t kWriteBytes = size_t{1} << 20;
    waiting_ += line;
    return waiting_.size() < kWriteBytes ? Status::OK() : Write();
  }
  Status Commit() {
    ARROW_RETURN_NOT_OK(Write());
    ARROW_RETURN_NOT_OK(gzip_->Finish(&bytes_));
    ARROW_RETURN_NOT_OK(file_->stream()->Write(bytes_.data(), static_cast<int64_t>(bytes_.size())));
    return file_->Commit().status();
  }

 private:
  Status Write() {
    bytes_.clear();
    ARROW_RETURN_NOT_OK(gzip_->Add(waiting_, &bytes_));
    waiting_.clear();
    ARROW_RETURN_NOT_OK(file_->stream()->Write(bytes_.data(), static_cast<int64_t>(bytes_.size())));
    bytes_.clear();
    return Status::OK();
  }
  std::unique_ptr<StoreWriter> file_;
  std::unique_ptr<GzipText> gzip_;
  std::string waiting_, bytes_;
};

// "com.example.www".
std::string ReversedHost(std::string_view host_part) {
  std::string host(host_part);
  for (char& c : host) c = c == ',' ? '.' : c;
  return host;
}

Result<std::unique_ptr<Store>> OpenFolder(const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const std::string directory, GetString(context.plan().facts, "directory"));
  return OpenStore(directory);
}

template <typename Visit>
Status ForEachHost(TaskContext& context, const Columns<RankRow>& columns, Visit&& visit) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<RankRow>(context.store(), context.snapshot()));
  int64_t number = 0;
  return ForEachRow<RankRow>(table, {.wanted = columns.Flags()}, [&](const RankRow& row) -> Status {
    if (number % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    return visit(number++, row);
  });
}

Status WriteVertices(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenFolder(context));
  ARROW_ASSIGN_OR_RAISE(TextFile file, TextFile::Open(to.get(), kGraphTexts[0]));
  ARROW_RETURN_NOT_OK(ForEachHost(context, {"key"}, [&](int64_t number, const RankRow& row) {
    ++context.counters()["host_ranks"];
    return file.Add(std::to_string(number) + "\t" + ReversedHost(row.key) + "\n");
  }));
  return file.Commit();
}

Status WriteEdges(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenFolder(context));
  ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<RankRow>(context.store(), context.snapshot()));
  HostNumbers numbers(hosts->stored_rows());
  ARROW_RETURN_NOT_OK(ForEachHost(context, {"key"}, [&](int64_t, const RankRow& row) {
    numbers.Add(row.key);
    return Status::OK();
  }));
  ARROW_ASSIGN_OR_RAISE(TextFile file, TextFile::Open(to.get(), kGraphTexts[1]));
  ARROW_ASSIGN_OR_RAISE(const auto edges, Table::Open<HostEdgeRow>(context.store(), context.snapshot()));
  int64_t rows = 0;
  const auto visit = [&](const HostEdgeRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    const EdgeEnds ends = EndsOfEdge(row.key);
    const std::optional<uint32_t> from = numbers.Find(ends.from), target = numbers.Find(ends.to);
    if (!from || !target) return Status::IOError("the edge ", row.key, " leads from or to a host that is not there");
    ++context.counters()["host_edges"];
    return file.Add(std::to_string(*from) + "\t" + std::to_string(*target) + "\n");
  };
  ARROW_RETURN_NOT_OK(ForEachRow<HostEdgeRow>(edges, {.wanted = Columns<HostEdgeRow>({"key"}).Flags()}, visit));
  return file.Commit();
}

Status SendRanks(TaskContext& context, RowSink& sink) {
  std::string key, line;
  return ForEachHost(context, {}, [&](int64_t, const RankRow& row) {
    char numbers[128];
    std::snprintf(numbers, sizeof numbers, "%lld\t%.9g\t%lld\t%.9g\t", static_cast<long long>(row.harmonic_place),
                  row.harmonic(), static_cast<long long>(row.pagerank_place), row.pagerank());
    key.clear();
    for (int shift = 56; shift >= 0; shift -= 8)
      key += static_cast<char>(static_cast<uint64_t>(row.harmonic_place) >> shift & 0xFF);
    line.assign(numbers).append(ReversedHost(row.key)).append("\n");
    return sink.EmitTo(0, key, line);
  });
}

Status MapGraph(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const std::string file, GetString(part, "file"));
  if (file == kVertices) return WriteVertices(context);
  return file == kEdges ? WriteEdges(context) : SendRanks(context, sink);
}

Status ReduceRanks(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenFolder(context));
  ARROW_ASSIGN_OR_RAISE(TextFile file, TextFile::Open(to.get(), kGraphTexts[2]));
  ARROW_RETURN_NOT_OK(file.Add("#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n"));
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return file.Commit();
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      ARROW_RETURN_NOT_OK(file.Add(std::string(value)));
    }
  }
}

}  // namespace

JobSpec ExportGraphTextSpec() { return {.name = "export_graph_text", .map = MapGraph, .reduce = ReduceRanks}; }

JobRequest ExportGraphTextRequest(const std::string& directory, int64_t snapshot) {
  JobRequest request;
  request.spec = ExportGraphTextSpec();
  request.base_snapshot = snapshot;
  request.plan = [directory](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->facts["directory"] = directory;
    for (const char* const file : {kVertices, kEdges, kRanks}) {
      plan->parts.push_back({{"slots", SlotsToJson(SlotRange{})}, {"file", file}});
    }
    plan->partitions = 1;
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

}  // namespace trawl
