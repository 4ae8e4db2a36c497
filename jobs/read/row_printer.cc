#include "jobs/read/row_printer.h"

#include "jobs/read/csv.h"
#include "runtime/process/output.h"

namespace trawl {

using arrow::Status;

const OptionGroup<DumpOptions>& DumpOptionGroup() {
  static const auto group =
      OptionGroup<DumpOptions>("dump", "What is printed, and how")
          .String("prefix", &DumpOptions::prefix,
                  "only URLs that begin with this (or the hosts of such URLs): https://host/path", "URL")
          .Choice("format", &DumpOptions::format,
                  "one JSON object per line, or comma-separated values below a header line",
                  {{"jsonl", DumpFormat::kJsonLines}, {"csv", DumpFormat::kCsv}})
          .Int("limit", &DumpOptions::limit, "stop after N rows; 0 prints all", AtLeast(0))
          .AllMain();
  return group;
}

Status RowPrinter::Print(const Json& row) {
  if (options_.format == DumpFormat::kCsv) {
    if (printed_ == 0) out_ << CsvHead(row);
    out_ << CsvLine(row);
  } else {
    out_ << DumpJson(row) << "\n";
  }
  ++printed_;
  return CheckOutput(out_);
}

Status RowPrinter::Finish(const Json& empty) {
  if (options_.format == DumpFormat::kCsv && printed_ == 0) out_ << CsvHead(empty);
  return CheckOutput(out_);
}

}  // namespace trawl
