// Prints the rows of a table, as JSON lines or as comma-separated values: the dumps of trawl readdb. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "arrow/status.h"
#include "formats/documents/json.h"
#include "runtime/options/options.h"
#include "runtime/process/stop.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

enum class DumpFormat : int8_t { kJsonLines, kCsv };

struct DumpOptions {
  std::string prefix;
  DumpFormat format = DumpFormat::kJsonLines;
  int64_t limit = 0;
};
const OptionGroup<DumpOptions>& DumpOptionGroup();

// Prints objects that all have the same members.
class RowPrinter {
 public:
  // Both must outlive it.
  RowPrinter(std::ostream& out, const DumpOptions& options) : out_(out), options_(options) {}

  arrow::Status Print(const Json& row);
  // Ends the output. A table without rows has a head line, too; `empty` is a row of defaults.
  arrow::Status Finish(const Json& empty);
  // Whether --limit rows are printed.
  bool full() const { return options_.limit > 0 && printed_ >= options_.limit; }

 private:
  std::ostream& out_;
  const DumpOptions& options_;
  int64_t printed_ = 0;
};

// Prints the rows of a scan, each as `json` shows it, until the printer is full.
template <typename Row>
arrow::Status PrintRows(std::shared_ptr<const Table> table, const ScanOptions& options, const StopToken& stop,
                        RowPrinter* printer, Json (*json)(const Row&)) {
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(table), options));
  RowSpan span;
  Row row;
  while (true) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return arrow::Status::OK();
    for (int64_t i = span.begin; i < span.end; ++i) {
      if (printer->full()) return arrow::Status::OK();
      ReadFromBatch(*span.batch, i, &row);
      ARROW_RETURN_NOT_OK(printer->Print(json(row)));
    }
  }
}

}  // namespace trawl
