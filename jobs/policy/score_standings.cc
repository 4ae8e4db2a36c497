#include "jobs/policy/score_standings.h"

#include <algorithm>
#include <utility>

#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/policy/sitemap_options.h"

namespace trawl {

using arrow::Result;

LinkStandings::LinkStandings(const std::shared_ptr<const Table>& ranks, const std::shared_ptr<const Table>& inlinks)
    : has_graph_(!ranks->runs().empty()),
      ranks_(ranks, Columns<RankRow>({"key", "authority", "in_hosts"}).Flags()),
      inlinks_(inlinks, Columns<InlinksRow>({"key", "elsewhere"}).Flags()) {}

Result<std::unique_ptr<LinkStandings>> LinkStandings::Open(Store* store, const Manifest& snapshot) {
  ARROW_ASSIGN_OR_RAISE(const auto ranks, Table::Open<RankRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const auto inlinks, Table::Open<InlinksRow>(store, snapshot));
  return std::unique_ptr<LinkStandings>(new LinkStandings(ranks, inlinks));
}

Result<LinkStanding> LinkStandings::Of(RowPlace place) {
  if (!has_graph_ || place.key == key_) return standing_;
  key_.assign(place.key);
  const std::string_view host = HostPartOfKey(key_);
  if (host != host_) {
    host_.assign(host);
    ARROW_ASSIGN_OR_RAISE(is_ranked_, ranks_.Find({place.slot, host_}, &rank_));
  }
  standing_ = LinkStanding();
  if (!is_ranked_) return standing_;
  standing_.authority = rank_.authority;
  if (rank_.in_hosts == 0) return standing_;
  InlinksRow page;
  ARROW_ASSIGN_OR_RAISE(const bool is_linked, inlinks_.Find(place, &page));
  if (is_linked) standing_.linking_hosts = std::min(page.elsewhere, rank_.in_hosts);
  return standing_;
}

ScoreStandings::ScoreStandings(std::unique_ptr<LinkStandings> links, const std::shared_ptr<const Table>& hosts,
                               bool priorities)
    : links_(std::move(links)), hosts_(hosts), priorities_(priorities) {}

Result<std::unique_ptr<ScoreStandings>> ScoreStandings::Open(Store* store, const Manifest& snapshot, bool priorities) {
  ARROW_ASSIGN_OR_RAISE(auto links, LinkStandings::Open(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<HostRow>(store, snapshot));
  return std::unique_ptr<ScoreStandings>(new ScoreStandings(std::move(links), hosts, priorities));
}

Result<ScoreStanding> ScoreStandings::Of(RowPlace place) {
  const std::string_view host = HostPartOfKey(place.key);
  if (host != host_) {
    host_.assign(host);
    HostRow row;
    ARROW_RETURN_NOT_OK(hosts_.Find({place.slot, host_}, &row).status());
    standing_.suspected_trap = row.suspected_trap;
    standing_.believes_priorities = priorities_ && BelievesPriorities(row);
  }
  ARROW_ASSIGN_OR_RAISE(standing_.links, links_->Of(place));
  return standing_;
}

}  // namespace trawl
