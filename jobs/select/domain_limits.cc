#include "jobs/select/domain_limits.h"

#include <algorithm>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/some_columns.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr Columns<HostRow> kDomainColumns = {"key",
                                             "removed",
                                             "domain_blocked",
                                             "domain_operator_delay_ms",
                                             "domain_operator_pages_a_day",
                                             "domain_operator_pages",
                                             "domain_day_start_ms",
                                             "domain_pages_today",
                                             "domain_pages"};

DomainRecord RecordAt(const ColumnBatch& batch, int64_t row) {
  const auto long_at = [&](size_t column) { return batch.columns[column].Get<int64_t>(row); };
  DomainRecord record;
  record.blocked = batch.columns[ColumnIndex<HostRow>("domain_blocked")].Get<int8_t>(row) != 0;
  record.operator_delay_ms = batch.columns[ColumnIndex<HostRow>("domain_operator_delay_ms")].Get<int32_t>(row);
  record.operator_pages_a_day = long_at(ColumnIndex<HostRow>("domain_operator_pages_a_day"));
  record.operator_pages = long_at(ColumnIndex<HostRow>("domain_operator_pages"));
  record.day_start_ms = long_at(ColumnIndex<HostRow>("domain_day_start_ms"));
  record.pages_today = long_at(ColumnIndex<HostRow>("domain_pages_today"));
  record.pages = long_at(ColumnIndex<HostRow>("domain_pages"));
  return record;
}

bool HasDecision(const DomainRecord& record) {
  return record.blocked || record.operator_delay_ms != 0 || record.operator_pages_a_day != 0 ||
         record.operator_pages != 0;
}

}  // namespace

Result<DomainLimitTable> DomainLimitTable::Read(Store* store, const Manifest& snapshot, const GenerateOptions& options,
                                                TimeMs now_ms) {
  DomainLimitTable table;
  table.of_all_ = DomainLimits(options);
  table.pages_of_others_ = DomainShareOf({}, options, now_ms).pages;
  table.limits_some_ = table.pages_of_others_ != kNoLimit;
  ARROW_ASSIGN_OR_RAISE(const auto hosts, Table::Open<HostRow>(store, snapshot));
  ScanOptions scan_options = {.wanted = kDomainColumns.Flags()};
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(hosts, scan_options));
  const bool limits_all = table.limits_some_;
  RowSpan span;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return table;
    for (int64_t row = span.begin; row < span.end; ++row) {
      DomainRecord record = RecordAt(*span.batch, row);
      if (!HasDecision(record) && (!limits_all || record.pages == 0)) continue;
      const std::string_view key = span.batch->columns[ColumnIndex<HostRow>("key")].GetBytes(row);
      const DomainShare share = DomainShareOf(record, options, now_ms);
      table.limits_some_ = table.limits_some_ || share.pages != kNoLimit;
      table.entries_.emplace(Hash64(key), Entry{std::move(record), share});
    }
  }
}

int64_t DomainLimitTable::PagesOf(uint64_t domain) const {
  const auto found = entries_.find(domain);
  return found == entries_.end() ? pages_of_others_ : found->second.share.pages;
}

DomainRecord DomainLimitTable::RecordOf(uint64_t domain) const {
  DomainRecord record;
  const auto found = entries_.find(domain);
  if (found != entries_.end()) record = found->second.record;
  const PageLimits limits = LimitsOf(record, of_all_);
  record.operator_pages_a_day = limits.a_day;
  record.operator_pages = limits.in_all;
  return record;
}

Result<std::vector<FileReceipt>> DomainLimitTable::WriteFor(Store* store, const std::string& segment,
                                                            const std::string& name) const {
  RunWriter<LimitedDomainRow> writer(store, DatasetFolder(segment, LimitedDomainRow::kTable), name, {.sorted = false});
  LimitedDomainRow row;
  for (const auto& [domain, entry] : entries_) {
    if (entry.share.left_out == LeftOut::kNone && entry.record.operator_delay_ms == 0) continue;
    row.domain = static_cast<int64_t>(domain);
    row.left_out = static_cast<int32_t>(entry.share.left_out);
    row.until_ms = entry.share.until_ms;
    row.delay_ms = entry.record.operator_delay_ms;
    ARROW_RETURN_NOT_OK(writer.Append(row));
  }
  return writer.Finish();
}

Result<LimitedDomains> LimitedDomains::Read(Store* store, const std::string& segment,
                                            const std::vector<FileReceipt>& files) {
  LimitedDomains domains;
  for (const FileReceipt& file : files) {
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<LimitedDomainRow>(store, segment, LimitedDomainRow::kTable, file,
                                                            [&domains](const LimitedDomainRow& row) {
                                                              domains.rows_[static_cast<uint64_t>(row.domain)] = row;
                                                              return Status::OK();
                                                            }));
  }
  return domains;
}

const LimitedDomainRow* LimitedDomains::Find(uint64_t domain) const {
  if (rows_.empty()) return nullptr;
  const auto found = rows_.find(domain);
  return found == rows_.end() ? nullptr : &found->second;
}

}  // namespace trawl
