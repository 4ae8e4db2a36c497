// The door of jobs/list: the one writer of every listing, as a table, as JSON or as comma-separated values.
//
//   Listing listing(context, format, {.columns = {{.member = "host"}, {.member = "pages", .kind = CellKind::kCount}},
//                                     .empty = HostJson({}, 0)});
//   for (…) ARROW_RETURN_NOT_OK(listing.Add(json));
//   ARROW_RETURN_NOT_OK(listing.Finish());
//
// A row is a JSON object. JSON and comma-separated values have all its members; a table has the columns that people look
// for. Rows are written as they come, so a listing may have any number of them. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arrow/status.h"
#include "formats/documents/json.h"
#include "jobs/list/table.h"
#include "jobs/verb/verb.h"
#include "runtime/options/options.h"

namespace trawl {

enum class ListFormat : int8_t { kTable, kJson, kJsonLines, kCsv };

// The values of an option --format.
const std::vector<std::pair<std::string, ListFormat>>& ListFormats();
inline constexpr char kListFormatHelp[] =
    "a table that fits the terminal, one JSON array, one JSON object per line, or comma-separated values below a "
    "header "
    "line";

// The option --format of listings that are tables unless told otherwise.
struct FormatOptions {
  ListFormat format = ListFormat::kTable;
};
const OptionGroup<FormatOptions>& FormatOptionGroup();
// What the verb was asked for: --format wherever somebody has set it, else JSON lines with --json, else a table.
arrow::Result<ListFormat> FormatOf(const VerbContext& context);
// Whether somebody asked for a form by --format or --json, for verbs whose usual answer is not a listing.
arrow::Result<bool> AsksForFormat(const VerbContext& context);

// How a cell shows its value. Null is "-" in every kind.
// kCount has separators of thousands, kNumber has not, kDuration is milliseconds.
enum class CellKind : int8_t { kText, kNumber, kCount, kBytes, kDuration, kTime };

struct ListColumn {
  std::string member;      // the object's member
  std::string title = {};  // the member's name where it is empty
  CellKind kind = CellKind::kText;
  bool gives_way = false;  // it is cut first where the terminal is too narrow
  bool is_whole = false;   // it is never cut: people copy it
  // Makes the cell's value of the whole row, where no member has it.
  std::function<Json(const Json& row)> value = {};
};

struct ListShape {
  std::vector<ListColumn> columns;
  // A row of defaults: the members of comma-separated values, in order.
  Json empty;
};

class Listing {
 public:
  // `context` must outlive it.
  Listing(VerbContext& context, ListFormat format, ListShape shape);

  arrow::Status Add(const Json& row);
  // Writes what is left: call it after the last row.
  arrow::Status Finish();
  int64_t rows() const { return rows_; }

 private:
  std::vector<std::string> CellsOf(const Json& row) const;
  arrow::Status WriteTable();

  VerbContext& context_;
  const ListFormat format_;
  const ListShape shape_;
  std::vector<TableColumn> table_;
  int64_t rows_ = 0;
  // The first rows of a table decide its widths.
  std::vector<std::vector<std::string>> waiting_;
  std::vector<size_t> widths_;
};

}  // namespace trawl
