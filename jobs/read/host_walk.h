// Walks the hosts of a crawl in the order of its tables: every host that has URLs, even if the hosts table does not
// know it yet, and every host of that table, even if it has no URLs. One thread.
#pragma once

#include <memory>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "runtime/tables/row_walk.h"
#include "runtime/tables/table.h"

namespace trawl {

class HostWalk {
 public:
  // The slots and keys of `range` must not cut a host in two; KeyRangeOfHost gives such ranges.
  static arrow::Result<HostWalk> Open(std::shared_ptr<const Table> urls, std::shared_ptr<const Table> hosts,
                                      ScanOptions range);

  // Gives the next host, or a row of defaults where the hosts table does not know it. False at the end.
  arrow::Result<bool> Next(HostRow* row, bool* has_urls);

 private:
  HostWalk(RowWalk urls, RowWalk hosts) : urls_(std::move(urls)), hosts_(std::move(hosts)) {}
  bool IsAtHostWithoutUrls() const;

  RowWalk urls_;
  RowWalk hosts_;
};

}  // namespace trawl
