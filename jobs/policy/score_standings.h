// Looks up what the score of a URL takes from the tables: what trawl graph found last of the links to it, and what is known
// of its host. One thread.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/rows/host_graph_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/outlinks_row.h"
#include "jobs/policy/score.h"
#include "runtime/tables/known_rows.h"

namespace trawl {

class LinkStandings {
 public:
  static arrow::Result<std::unique_ptr<LinkStandings>> Open(Store* store, const Manifest& snapshot);

  // The standing of a page; nothing where there is no graph. More hosts cannot link to a page than pages of other hosts do,
  // nor than link to its host: so links from all over one other site count once.
  // REQUIRES: places come in the order of the table.
  arrow::Result<LinkStanding> Of(RowPlace place);

 private:
  LinkStandings(const std::shared_ptr<const Table>& ranks, const std::shared_ptr<const Table>& inlinks);

  const bool has_graph_;
  KnownRows<RankRow> ranks_;
  KnownRows<InlinksRow> inlinks_;
  std::string host_;  // the last one
  bool is_ranked_ = false;
  RankRow rank_;
  std::string key_;  // the last page
  LinkStanding standing_;
};

// The whole standing, for whoever rescores rows outside of a round.
class ScoreStandings {
 public:
  // `priorities`: whether those of sitemaps count at all (SitemapOptions).
  static arrow::Result<std::unique_ptr<ScoreStandings>> Open(Store* store, const Manifest& snapshot, bool priorities);

  // REQUIRES: as LinkStandings.
  arrow::Result<ScoreStanding> Of(RowPlace place);

 private:
  ScoreStandings(std::unique_ptr<LinkStandings> links, const std::shared_ptr<const Table>& hosts, bool priorities);

  const std::unique_ptr<LinkStandings> links_;
  KnownRows<HostRow> hosts_;
  const bool priorities_;
  std::string host_;  // the last one
  ScoreStanding standing_;
};

}  // namespace trawl
