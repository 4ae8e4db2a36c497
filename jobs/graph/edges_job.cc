// The first job of trawl graph.
//
//   reads        outlinks and urls, by ranges of slots
//   shuffles by  slot and key: of a host (its pages), of an edge ("from)to"), of a page that links lead to
//   writes       inlinks, host_edges, domain_edges; ranks: the hosts with their pages, not yet ranked
//   counters     pages, links, inlinks (pages that links lead to), edges, domain_edges, hosts
#include "jobs/graph/edges_job.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/rows/host_graph_row.h"
#include "formats/rows/link_list.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/graph/present_links.h"
#include "jobs/segment/held_domains.h"
#include "runtime/job/slot_parts.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The first byte of a value. A host and its domain may have the same edges, so their kinds of edge stand in the value.
enum class GraphTag : char { kPages = 'P', kHost = 'H', kEdge = 'E', kDomainEdge = 'D', kLink = 'L' };

// The most targets of one host that a mapper adds up before it sends them.
constexpr size_t kMostTargets = 200'000;

std::string NumberValue(GraphTag tag, int64_t number) {
  std::string value(1, static_cast<char>(tag));
  return value.append(reinterpret_cast<const char*>(&number), sizeof number);
}

Result<int64_t> NumberOf(std::string_view value) {
  int64_t number = 0;
  if (value.size() != 1 + sizeof number) return Status::Invalid("a value of the graph of ", value.size(), " bytes");
  std::memcpy(&number, value.data() + 1, sizeof number);
  return number;
}

// Whether a link says that one host thinks of another. What a page is made of, and the list of a site's own pages, do not.
bool IsEdge(const ListedLink& link) {
  constexpr std::string_view kOthers[] = {"sitemap", "img", "script", "style", "media", "resource"};
  return !link.nofollow && std::find(std::begin(kOthers), std::end(kOthers), link.how) == std::end(kOthers);
}

// Sends what the pages of a host say, host by host.
class HostLinks {
 public:
  explicit HostLinks(RowSink* sink) : sink_(sink) {}

  Status AddPage(std::string_view key, const OutlinksRow& page) {
    ARROW_RETURN_NOT_OK(GoTo(HostPartOfKey(key)));
    ++pages_;
    return ForEachListedLink(page.list, [&](const ListedLink& link) { return AddLink(key, link); });
  }
  Status Finish() {
    if (host_.empty()) return Status::OK();
    ARROW_RETURN_NOT_OK(SendEdges());
    return sink_->Emit(host_, NumberValue(GraphTag::kPages, std::exchange(pages_, 0)));
  }
  int64_t links() const { return links_; }

 private:
  Status GoTo(std::string_view host) {
    if (host == host_) return Status::OK();
    ARROW_RETURN_NOT_OK(Finish());
    host_.assign(host);
    return Status::OK();
  }

  Status AddLink(std::string_view source, const ListedLink& link) {
    ++links_;
    one_.Clear();
    one_.Add({.key = source, .how = link.how, .text = link.text, .nofollow = link.nofollow});
    value_.assign(1, static_cast<char>(GraphTag::kLink)).append(one_.bytes());
    ARROW_RETURN_NOT_OK(sink_->Emit(link.key, value_));
    const std::string_view to = HostPartOfKey(link.key);
    if (to == host_ || !IsEdge(link)) return Status::OK();
    ++targets_[std::string(to)];
    return targets_.size() < kMostTargets ? Status::OK() : SendEdges();
  }

  Status SendEdges() {
    const std::string domain = HoldingDomainOf(host_);
    for (const auto& [to, links] : targets_) {
      ARROW_RETURN_NOT_OK(sink_->Emit(to, std::string(1, static_cast<char>(GraphTag::kHost))));
      ARROW_RETURN_NOT_OK(sink_->Emit(host_ + ")" + to, NumberValue(GraphTag::kEdge, links)));
      const std::string to_domain = HoldingDomainOf(to);
      if (to_domain == domain) continue;
      ARROW_RETURN_NOT_OK(sink_->Emit(domain + ")" + to_domain, NumberValue(GraphTag::kDomainEdge, links)));
    }
    targets_.clear();
    return Status::OK();
  }

  RowSink* const sink_;
  std::string host_;
  int64_t pages_ = 0;
  int64_t links_ = 0;
  std::unordered_map<std::string, int64_t> targets_;  // links by host
  LinkListWriter one_;
  std::string value_;
};

// A page that is there gives its links (present_links.h). A link leads from host to host where the hosts differ, it is not
// nofollow, and it is neither what a page is made of (--parse.resources) nor an entry of a sitemap.
Status MapPages(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  HostLinks hosts(&sink);
  int64_t& pages = context.counters()["pages"];
  ARROW_RETURN_NOT_OK(ForEachPresentPage(context.store(), context.snapshot(), {.slots = slots}, context.stop(),
                                         [&](const std::string& key, const OutlinksRow& page) {
                                           ++pages;
                                           return hosts.AddPage(key, page);
                                         }));
  context.counters()["links"] += hosts.links();
  return hosts.Finish();
}

// The links to one page: all are counted, and those that come first in the order of the row are kept.
class Sources {
 public:
  void Begin(std::string_view target) {
    target_host_.assign(HostPartOfKey(target));
    sources_.clear();
    links_ = elsewhere_ = 0;
  }
  Status Add(std::string_view list) {
    return ForEachListedLink(list, [this](const ListedLink& link) {
      const bool is_same_host = HostPartOfKey(link.key) == target_host_;
      ++links_;
      elsewhere_ += is_same_host ? 0 : 1;
      sources_.push_back(
          {is_same_host, std::string(link.key), std::string(link.how), std::string(link.text), link.nofollow});
      if (sources_.size() == 2 * kMostSources) KeepFirst();
      return Status::OK();
    });
  }
  void Finish(std::string_view target, InlinksRow* row) {
    KeepFirst();
    std::sort(sources_.begin(), sources_.end());
    list_.Clear();
    for (const Source& source : sources_) {
      if (!list_.Add({.key = source.key, .how = source.how, .text = source.text, .nofollow = source.nofollow})) break;
    }
    *row = {.key = std::string(target), .links = links_, .elsewhere = elsewhere_, .listed = list_.links()};
    row->list.assign(list_.bytes());
  }

 private:
  struct Source {
    bool is_same_host = false;
    std::string key, how, text;
    bool nofollow = false;
    bool operator<(const Source& other) const {
      return is_same_host != other.is_same_host ? !is_same_host : key < other.key;
    }
  };
  void KeepFirst() {
    if (sources_.size() <= kMostSources) return;
    std::nth_element(sources_.begin(), sources_.begin() + kMostSources, sources_.end());
    sources_.resize(kMostSources);
  }

  std::string target_host_;
  std::vector<Source> sources_;
  int64_t links_ = 0, elsewhere_ = 0;
  LinkListWriter list_;
};

// Writes the rows of a partition. Its keys have three forms: a host, an edge, and a URL, which has a path.
class GraphWriter {
 public:
  GraphWriter(TaskContext& context, const JobOptions& job) : counters_(context.counters()) {
    RowFileOptions lists = FileOptions(job);
    lists.batch_rows = InlinksRow::kBatchRows;
    inlinks_ = context.OpenRun<InlinksRow>(lists);
    edges_ = context.OpenRun<HostEdgeRow>(FileOptions(job));
    domain_edges_ = context.OpenRun<DomainEdgeRow>(FileOptions(job));
    hosts_ = context.OpenRun<RankRow>(FileOptions(job));
  }

  Status Reduce(std::string_view key, GroupStream& groups) {
    const size_t host_end = key.find(')');
    if (host_end == std::string_view::npos) return ReduceHost(key, groups);
    return key.find('/', host_end) == std::string_view::npos ? ReduceEdge(key, groups) : ReducePage(key, groups);
  }

 private:
  Status ReduceHost(std::string_view key, GroupStream& groups) {
    RankRow row = {.key = std::string(key)};
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
      if (!more) break;
      if (value.empty() || value[0] != static_cast<char>(GraphTag::kPages)) continue;
      ARROW_ASSIGN_OR_RAISE(const int64_t pages, NumberOf(value));
      row.pages += pages;
    }
    ++counters_["hosts"];
    return hosts_->Append(row);
  }

  Status ReduceEdge(std::string_view key, GroupStream& groups) {
    int64_t links = 0, domain_links = 0;
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
      if (!more) break;
      ARROW_ASSIGN_OR_RAISE(const int64_t number, NumberOf(value));
      (value[0] == static_cast<char>(GraphTag::kEdge) ? links : domain_links) += number;
    }
    if (links > 0) {
      ++counters_["edges"];
      ARROW_RETURN_NOT_OK(edges_->Append({.key = std::string(key), .links = links}));
    }
    if (domain_links == 0) return Status::OK();
    ++counters_["domain_edges"];
    return domain_edges_->Append({.key = std::string(key), .links = domain_links});
  }

  Status ReducePage(std::string_view key, GroupStream& groups) {
    sources_.Begin(key);
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
      if (!more) break;
      ARROW_RETURN_NOT_OK(sources_.Add(value.substr(1)));
    }
    sources_.Finish(key, &row_);
    ++counters_["inlinks"];
    return inlinks_->Append(row_);
  }

  Counters& counters_;
  RunWriter<InlinksRow>* inlinks_;
  RunWriter<HostEdgeRow>* edges_;
  RunWriter<DomainEdgeRow>* domain_edges_;
  RunWriter<RankRow>* hosts_;
  Sources sources_;
  InlinksRow row_;
};

Status ReduceGraph(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  GraphWriter writer(context, job);
  for (int64_t keys = 1;; ++keys) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return Status::OK();
    if (keys % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_RETURN_NOT_OK(writer.Reduce(PlaceOfShuffleKey(groups.key()).key, groups));
  }
}

// Rows and bytes of a table.
template <typename Row>
RunReference SumOf(const Manifest& manifest) {
  RunReference sum;
  const auto table = manifest.tables.find(Row::kTable);
  if (table == manifest.tables.end()) return sum;
  for (const RunReference& run : table->second) {
    sum.rows += run.rows;
    sum.bytes += run.bytes;
  }
  return sum;
}

}  // namespace

JobSpec GraphEdgesSpec() { return {.name = "graph_edges", .map = MapPages, .reduce = ReduceGraph}; }

JobRequest GraphEdgesRequest(int64_t snapshot, const JobOptions& job, int threads) {
  JobRequest request;
  request.spec = GraphEdgesSpec();
  request.base_snapshot = snapshot;
  request.plan = [job, threads](const JobEnvironment&, const Snapshot& base, Plan* plan) {
    // Links lie compressed; each travels with the keys of both ends.
    constexpr int64_t kBytesOfAStoredOne = 12;
    plan->parts = SlotParts(SumOf<UrlRow>(base.manifest).rows, threads);
    plan->partitions = PartitionsFor(job, SumOf<OutlinksRow>(base.manifest).bytes * kBytesOfAStoredOne);
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

}  // namespace trawl
