// Rows of the graph of hosts, as trawl graph made it last: the tables host_edges, domain_edges and ranks.
//
// The key of an edge is `com,a)com,b`: the pages of a.com link to pages of b.com. The key of a rank is the host part of a
// URL key: `com,example,www`.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

struct HostEdgeRow {
  static constexpr char kTable[] = "host_edges";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  int64_t links = 0;  // from pages of the one to pages of the other

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("links", row.links);
  }

  bool operator==(const HostEdgeRow&) const = default;
};

inline SidecarEntry SidecarOf(const HostEdgeRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

// The same between registrable domains.
struct DomainEdgeRow {
  static constexpr char kTable[] = "domain_edges";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  int64_t links = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("links", row.links);
  }

  bool operator==(const DomainEdgeRow&) const = default;
};

inline SidecarEntry SidecarOf(const DomainEdgeRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

// The two ends of an edge.
struct EdgeEnds {
  std::string_view from;
  std::string_view to;
};
inline EdgeEnds EndsOfEdge(std::string_view key) {
  const size_t at = key.find(')');
  return at == std::string_view::npos ? EdgeEnds{key, {}} : EdgeEnds{key.substr(0, at), key.substr(at + 1)};
}

// A host of the graph: it has a page that is fetched, or such a page links to it.
struct RankRow {
  static constexpr char kTable[] = "ranks";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  int64_t pagerank_bits = 0;  // of the double; all of them sum up to 1
  int64_t harmonic_bits = 0;  // incoming harmonic centrality: the sum of 1 / distance over all hosts that reach it
  int64_t in_hosts = 0;
  int64_t out_hosts = 0;
  int64_t pages = 0;      // its pages that are fetched
  int32_t authority = 0;  // in millionths (jobs/policy/score.h)
  // Places in the order of all hosts by these, from 1.
  int64_t pagerank_place = 0;
  int64_t harmonic_place = 0;

  double pagerank() const { return std::bit_cast<double>(pagerank_bits); }
  double harmonic() const { return std::bit_cast<double>(harmonic_bits); }

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("pagerank_bits", row.pagerank_bits);
    visit("harmonic_bits", row.harmonic_bits);
    visit("in_hosts", row.in_hosts);
    visit("out_hosts", row.out_hosts);
    visit("pages", row.pages);
    visit("authority", row.authority);
    visit("pagerank_place", row.pagerank_place);
    visit("harmonic_place", row.harmonic_place);
  }

  bool operator==(const RankRow&) const = default;
};

inline SidecarEntry SidecarOf(const RankRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
