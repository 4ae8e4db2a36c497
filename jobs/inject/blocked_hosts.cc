#include "jobs/inject/blocked_hosts.h"

#include "formats/rows/host_row.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/segment/held_domains.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;

Result<BlockedHosts> BlockedHosts::Read(Store* store, const Manifest& snapshot) {
  BlockedHosts blocked;
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<HostRow>(store, snapshot));
  const ScanOptions options = {.wanted = Columns<HostRow>({"key", "blocked", "domain_blocked"}).Flags()};
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(table, options));
  RowSpan span;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return blocked;
    const auto& columns = span.batch->columns;
    for (int64_t row = span.begin; row < span.end; ++row) {
      const std::string_view key = columns[ColumnIndex<HostRow>("key")].GetBytes(row);
      if (columns[ColumnIndex<HostRow>("blocked")].Get<int8_t>(row) != 0) blocked.hosts_.emplace(key);
      if (columns[ColumnIndex<HostRow>("domain_blocked")].Get<int8_t>(row) != 0) blocked.domains_.emplace(key);
    }
  }
}

std::string BlockedHosts::HoldOf(std::string_view host_part) const {
  const auto text = [](const std::string& name, const std::string& option) {
    return name + " is blocked by the operator, so its URLs wait until trawl host " + option + name + " --unblock";
  };
  if (hosts_.contains(std::string(host_part))) return text(HostOfKey(host_part), "");
  if (domains_.empty()) return "";
  const std::string domain = HoldingDomainOf(host_part);
  return domains_.contains(domain) ? text(HostOfKey(domain), "--domain ") : "";
}

}  // namespace trawl
