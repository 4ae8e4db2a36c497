// The door of runtime/tables: a table of one snapshot, open for reading.
//
// It has the table's runs with their files' receipts. A Table never changes, so threads share it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/documents/receipt.h"
#include "formats/rows/row_codec.h"
#include "formats/tables/columns.h"
#include "formats/tables/orc.h"
#include "formats/tables/sidecar.h"
#include "runtime/store/store.h"

namespace trawl {

class Table {
 public:
  struct Run {
    RunReference reference;
    RunRecord record;
  };

  // Reads the records of the snapshot's runs of Row's table. A run of a newer schema is an error, and so is a run with
  // a file that is missing or of another size.
  template <typename Row>
  static arrow::Result<std::shared_ptr<const Table>> Open(Store* store, const Manifest& manifest) {
    return Open(store, manifest, Row::kTable, Row::kVersion, ColumnsOf<Row>());
  }
  // The same over the given runs, oldest first, whatever a snapshot says.
  template <typename Row>
  static arrow::Result<std::shared_ptr<const Table>> OpenRuns(Store* store, const std::vector<RunReference>& runs) {
    return OpenRuns(store, runs, Row::kTable, Row::kVersion, ColumnsOf<Row>());
  }

  const std::string& name() const { return name_; }
  const std::vector<ColumnSpec>& columns() const { return columns_; }
  // Oldest first.
  const std::vector<Run>& runs() const { return runs_; }
  // Number of rows in all runs, older versions and tombstones included.
  int64_t stored_rows() const;

  // Returns the column's number; -1 where it does not exist.
  int ColumnNumber(std::string_view column) const;

  arrow::Result<std::unique_ptr<OrcReader>> OpenData(const Run& run, const FileReceipt& file) const;
  arrow::Result<std::unique_ptr<SidecarReader>> OpenSidecar(const Run& run, const FileReceipt& file) const;

 private:
  static arrow::Result<std::shared_ptr<const Table>> Open(Store* store, const Manifest& manifest, const char* name,
                                                          int version, std::vector<ColumnSpec> columns);
  static arrow::Result<std::shared_ptr<const Table>> OpenRuns(Store* store, const std::vector<RunReference>& runs,
                                                              const char* name, int version,
                                                              std::vector<ColumnSpec> columns);

  Store* store_ = nullptr;
  std::string name_;
  std::vector<ColumnSpec> columns_;
  std::vector<Run> runs_;
};

}  // namespace trawl
