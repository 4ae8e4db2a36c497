#include "jobs/read/row_printer.h"

#include "jobs/read/csv.h"
#include "runtime/process/output.h"

namespace trawl {

using arrow::Status;

const OptionGroup<DumpOptions>& DumpOptionGroup() {
  static const auto group =
      OptionGroup<DumpOptions>("dump", "What is printed, and how")
          .String("prefix", &DumpOptions::prefix, "only URLs that begin so, or their host: https://host/path", "URL")
          .Choice("format", &DumpOptions::format, "a JSON object a line, or comma-separated values with a head line",
                  {{"jsonl", DumpFormat::kJsonLines}, {"csv", DumpFormat::kCsv}})
          .Int("limit", &DumpOptions::limit, "stop after so many; 0 is all", AtLeast(0));
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
