#include "jobs/list/listing.h"

#include <utility>

#include "jobs/list/csv.h"
#include "runtime/process/output.h"
#include "runtime/terminal/cells.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kFormatName[] = "output.format";
// Later rows are cut to the widths that these have. More would keep people waiting for the first line.
constexpr size_t kRowsThatDecide = 200;

// "2026-01-01T12:00:00.250Z" without the fraction: columns of times are wide.
std::string WholeSeconds(const std::string& time) {
  const size_t dot = time.find('.');
  return dot == std::string::npos ? time : time.substr(0, dot) + "Z";
}

std::string CellOf(const Json& value, CellKind kind) {
  if (value.is_null() || value == Json("")) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string() && kind == CellKind::kTime) return WholeSeconds(value.get<std::string>());
  if (value.is_string()) {
    const std::string text = CellText(value.get_ref<const std::string&>());
    return text.empty() ? "-" : text;
  }
  if (value.is_number()) {
    const auto number = static_cast<int64_t>(value.get<double>());
    if (kind == CellKind::kCount) return ReadableCount(number);
    if (kind == CellKind::kBytes) return ReadableSize(number);
    if (kind == CellKind::kDuration) return ReadableDuration(number);
  }
  return CellText(DumpJson(value));
}

// Numbers and times say something else where they are cut.
bool IsNumber(CellKind kind) { return kind != CellKind::kText; }

}  // namespace

const std::vector<std::pair<std::string, ListFormat>>& ListFormats() {
  static const std::vector<std::pair<std::string, ListFormat>> formats = {{"table", ListFormat::kTable},
                                                                          {"json", ListFormat::kJson},
                                                                          {"jsonl", ListFormat::kJsonLines},
                                                                          {"csv", ListFormat::kCsv}};
  return formats;
}

const OptionGroup<FormatOptions>& FormatOptionGroup() {
  static const auto group = OptionGroup<FormatOptions>("output", "In which form it is printed")
                                .Choice("format", &FormatOptions::format, kListFormatHelp, ListFormats())
                                .Main();
  return group;
}

Result<ListFormat> FormatOf(const VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const FormatOptions options, context.Read(FormatOptionGroup()));
  const bool is_said = context.options.SourceOf(kFormatName) != OptionSource::kDefault;
  return !is_said && context.global.json ? ListFormat::kJsonLines : options.format;
}

Result<bool> AsksForFormat(const VerbContext& context) {
  return context.options.SourceOf(kFormatName) != OptionSource::kDefault;
}

Listing::Listing(VerbContext& context, ListFormat format, ListShape shape)
    : context_(context), format_(format), shape_(std::move(shape)) {
  for (const ListColumn& column : shape_.columns) {
    table_.push_back({.title = column.title.empty() ? column.member : column.title,
                      .is_right = IsNumber(column.kind),
                      .gives_way = column.gives_way,
                      .is_whole = column.is_whole});
  }
}

std::vector<std::string> Listing::CellsOf(const Json& row) const {
  std::vector<std::string> cells;
  for (const ListColumn& column : shape_.columns) {
    const auto member = row.find(column.member);
    const Json value = column.value ? column.value(row) : member == row.end() ? Json() : *member;
    cells.push_back(CellOf(value, column.kind));
  }
  return cells;
}

Status Listing::Add(const Json& row) {
  std::ostream& out = context_.process.out;
  const bool is_first = rows_++ == 0;
  switch (format_) {
    case ListFormat::kJsonLines:
      out << DumpJson(row) << "\n";
      break;
    case ListFormat::kJson:
      out << (is_first ? "[" : ",\n ") << DumpJson(row);
      break;
    case ListFormat::kCsv: {
      if (is_first) out << CsvHead(shape_.empty);
      Json members = Json::object();
      for (const auto& [name, nothing] : shape_.empty.items())
        members[name] = HasMember(row, name.c_str()) ? row[name] : Json();
      out << CsvLine(members);
      break;
    }
    case ListFormat::kTable:
      waiting_.push_back(CellsOf(row));
      if (!widths_.empty() || waiting_.size() >= kRowsThatDecide) return WriteTable();
      break;
  }
  return CheckOutput(out);
}

Status Listing::WriteTable() {
  std::ostream& out = context_.process.out;
  if (widths_.empty()) {
    widths_ = TableWidths(table_, waiting_, context_.process.out_columns);
    out << TableHead(table_, widths_) << "\n";
  }
  for (const auto& cells : waiting_) out << TableLine(table_, widths_, cells) << "\n";
  waiting_.clear();
  return CheckOutput(out);
}

Status Listing::Finish() {
  std::ostream& out = context_.process.out;
  switch (format_) {
    case ListFormat::kJsonLines:
      break;
    case ListFormat::kJson:
      out << (rows_ == 0 ? "[]\n" : "]\n");
      break;
    case ListFormat::kCsv:
      if (rows_ == 0) out << CsvHead(shape_.empty);
      break;
    case ListFormat::kTable:
      if (widths_.empty() || !waiting_.empty()) return WriteTable();
      break;
  }
  return CheckOutput(out);
}

}  // namespace trawl
