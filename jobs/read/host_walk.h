// The hosts of a crawl, in the order of its tables: each host that has URLs, also where the table of hosts does not know
// it yet, and each that the table knows without any. One thread.
#pragma once

#include <memory>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "runtime/tables/row_walk.h"
#include "runtime/tables/table.h"

namespace trawl {

class HostWalk {
 public:
  // `range` has slots and keys that cut no host in two, as KeyRangeOfHost gives them.
  static arrow::Result<HostWalk> Open(std::shared_ptr<const Table> urls, std::shared_ptr<const Table> hosts,
                                      ScanOptions range);

  // The next host, a row of defaults where nothing is known of it; false at the end.
  arrow::Result<bool> Next(HostRow* row, bool* has_urls);

 private:
  HostWalk(RowWalk urls, RowWalk hosts) : urls_(std::move(urls)), hosts_(std::move(hosts)) {}
  bool IsAtHostWithoutUrls() const;

  RowWalk urls_;
  RowWalk hosts_;
};

}  // namespace trawl
