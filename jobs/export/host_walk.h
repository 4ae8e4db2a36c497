// The door of jobs/export. Verbs that list hosts use this walk, too.
//
// Walks the hosts of a crawl in the order of its tables: every host that has URLs, even if the hosts table does not know
// it yet, and every host of that table, even if it has no URLs. Rows that only have the part of a registrable domain are
// no hosts. One thread.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "formats/rows/url_row.h"
#include "runtime/tables/row_walk.h"
#include "runtime/tables/table.h"

namespace trawl {

class HostWalk {
 public:
  // `with_bodies` reads the columns for VisitUrls, too. The slots and keys of `range` must not cut a host in two; KeyRangeOfHost gives such ranges.
  static arrow::Result<HostWalk> Open(std::shared_ptr<const Table> urls, std::shared_ptr<const Table> hosts,
                                      ScanOptions range, bool with_bodies = false);
  // Reads these columns of hosts alone. Every row of the hosts table is given then: whether it tells of a host (TellsOfHost) the
  // caller finds out by the whole row.
  static arrow::Result<HostWalk> OpenColumns(std::shared_ptr<const Table> urls, std::shared_ptr<const Table> hosts,
                                             ScanOptions range, const std::vector<bool>& columns_of_hosts);

  // Lets `visit` see each URL as the walk passes it. Call it before the first Next. The rows have the columns that say
  // where the body lies.
  void VisitUrls(std::function<arrow::Status(const UrlRow& url)> visit) { visit_ = std::move(visit); }

  // Gives the next host, or a row of defaults where the hosts table does not know it. False at the end.
  arrow::Result<bool> Next(HostRow* row, bool* has_urls);

 private:
  HostWalk(RowWalk urls, RowWalk hosts, bool has_whole_hosts)
      : urls_(std::move(urls)), hosts_(std::move(hosts)), has_whole_hosts_(has_whole_hosts) {}
  bool IsAtHostWithoutUrls() const;

  std::function<arrow::Status(const UrlRow& url)> visit_;
  RowWalk urls_;
  RowWalk hosts_;
  bool has_whole_hosts_;
};

}  // namespace trawl
