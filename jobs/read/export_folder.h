// The folder that an export fills. It belongs to one export, which says at the beginning what it will be (_export.json)
// and at the end that it is whole (_SUCCESS): so an interrupted one can be told, continued or cleared. One thread.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/store/store.h"

namespace trawl {

enum class ExportFormat : int8_t { kOrc, kParquet };

// What decides the content of an export: an interrupted one may be continued by the same alone.
struct ExportBegin {
  int64_t snapshot = 0;
  std::string seal;
  ExportFormat format = ExportFormat::kOrc;
  int parts = 1;
};

// "urls/part-00000.orc".
std::string ExportPartName(const char* table, int number, ExportFormat format);

// UsageError for a folder within the crawl: gc would take the export for garbage, and whoever deletes the export might
// delete the crawl.
arrow::Status CheckOutside(const std::string& root, const std::string& directory);

// Makes the folder this export's: empty, or begun by it. What another left there unfinished is removed, and with
// `overwrite` also one that is whole. False where this very export is there and whole.
arrow::Result<bool> BeginExport(Store* to, const ExportBegin& begin, bool overwrite);
arrow::Status EndExport(Store* to);

}  // namespace trawl
