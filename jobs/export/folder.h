// The folder that an export fills. It belongs to one export, which writes down at the beginning what it will be
// (_export.json) and at the end that it is complete (_SUCCESS). So an interrupted export can be recognised, continued
// or removed. One thread.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/store/store.h"

namespace trawl {

// kText is for the graph alone (jobs/export/graph_text.h).
enum class ExportFormat : int8_t { kOrc, kParquet, kText };

// Decides the content of an export. Only an export with equal values may continue an interrupted one.
struct ExportBegin {
  int64_t snapshot = 0;
  std::string seal;
  ExportFormat format = ExportFormat::kOrc;
  int parts = 1;
  std::string what;          // empty: the usual tables
  std::string respect = {};  // of pages: the signals that leave a page out
  bool unique = false;       // of pages: without duplicates
};

// "urls/part-00000.orc".
std::string ExportPartName(const char* table, int number, ExportFormat format);

// The folders of trawl export graph, and its files with --format text.
inline constexpr char kGraphExport[] = "graph";
inline constexpr const char* kGraphFolders[] = {"host_ranks", "host_edges", "domain_edges"};
inline constexpr const char* kGraphTexts[] = {"vertices.txt.gz", "edges.txt.gz", "ranks.txt.gz"};

// A UsageError for a folder inside the crawl: gc would take the export for garbage, and whoever deletes the export
// might delete the crawl.
arrow::Status CheckOutside(const std::string& root, const std::string& directory);

// Makes the folder this export's: empty, or begun by it. Removes an unfinished export of another, and with `overwrite`
// also a complete one. False where this very export is there and complete.
arrow::Result<bool> BeginExport(Store* to, const ExportBegin& begin, bool overwrite);
arrow::Status EndExport(Store* to);

}  // namespace trawl
