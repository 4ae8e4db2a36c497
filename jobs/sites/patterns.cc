#include "jobs/sites/patterns.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "formats/rows/settle_rows.h"
#include "formats/scope/ignored_parameters.h"
#include "formats/url/key.h"
#include "formats/url/pattern.h"
#include "jobs/list/table.h"
#include "jobs/verb/row_json.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

int64_t PagesOf(int64_t thousandths) { return (thousandths + 500) / 1000; }

Json PatternJson(const PatternRow& row) {
  return {{"pattern", ReadablePattern(row.key)},
          {"fetched", PagesOf(row.fetched)},
          {"new", PagesOf(row.fresh)},
          {"duplicates", PagesOf(row.duplicates)},
          {"near_duplicates", PagesOf(row.near_duplicates)},
          {"likes", PagesOf(row.likes)},
          {"soft_errors", PagesOf(row.soft_errors)},
          {"links", PagesOf(row.links)},
          {"fetched_ever", row.fetched_ever},
          {"counted", TimeJson(row.counted_ms)},
          {"budget", row.budget < 0 ? Json() : Json(row.budget)}};
}

// A rule that was learned has no counts: `pairs` of pages showed it.
Json RuleJson(const PatternRow& row) {
  const LearnedParameter learned = PartsOfLearnedRule(row.key);
  return {{"pattern", ReadablePattern(learned.pattern)},
          {"parameter", std::string(learned.name)},
          {"pairs", row.fetched_ever},
          {"taken_back", !row.is_ignored}};
}

Json RowJson(const PatternRow& row) { return IsLearnedRule(row.key) ? RuleJson(row) : PatternJson(row); }

std::string RulesText(const Json& rules) {
  std::string text;
  for (const Json& rule : rules) {
    text += rule["pattern"].get<std::string>() + ": " + rule["parameter"].get<std::string>();
    text += rule["taken_back"].get<bool>()
                ? " is not learned again, for it was taken back\n"
                : " changes nothing (" + ReadableCount(rule["pairs"].get<int64_t>()) +
                      " pairs of pages); links lead to the URL without it where --urls.learn_parameters is set\n";
  }
  return text;
}

}  // namespace

Result<Json> HostPatternsJson(Store* store, const Manifest& snapshot, const std::string& host_key) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<PatternRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(HostOfKey(host_key)));
  const uint32_t slot = SlotOfKey(host_key);
  std::vector<PatternRow> rows;
  ARROW_RETURN_NOT_OK(ForEachRow<PatternRow>(
      table, {.slots = {slot, slot + 1}, .from_key = range.from, .to_key = range.to}, [&](const PatternRow& row) {
        rows.push_back(row);
        return Status::OK();
      }));
  std::sort(rows.begin(), rows.end(), [](const PatternRow& a, const PatternRow& b) {
    return std::tie(b.fetched, b.fetched_ever, a.key) < std::tie(a.fetched, a.fetched_ever, b.key);
  });
  Json patterns = Json::array(), rules = Json::array();
  for (const PatternRow& row : rows) (IsLearnedRule(row.key) ? rules : patterns).push_back(RowJson(row));
  return Json{{"host", HostOfKey(host_key)}, {"patterns", std::move(patterns)}, {"learned", std::move(rules)}};
}

std::string HostPatternsText(const Json& json) {
  const Json& patterns = json["patterns"];
  if (patterns.empty())
    return "no page of " + json["host"].get<std::string>() + " has been settled yet (trawl settle)\n";
  const std::vector<TableColumn> columns = {{"fetched", true}, {"new", true},    {"alike", true},
                                            {"same", true},    {"near", true},   {"error", true},
                                            {"links", true},   {"budget", true}, {"pattern"}};
  std::vector<std::vector<std::string>> rows;
  for (const Json& pattern : patterns) {
    std::vector<std::string>& cells = rows.emplace_back();
    for (const char* member : {"fetched", "new", "likes", "duplicates", "near_duplicates", "soft_errors", "links"})
      cells.push_back(ReadableCount(pattern[member].get<int64_t>()));
    cells.push_back(pattern["budget"].is_null() ? "-" : ReadableCount(pattern["budget"].get<int64_t>()));
    cells.push_back(pattern["pattern"].get<std::string>());
  }
  constexpr size_t kUncut = 4096;
  const std::vector<size_t> widths = TableWidths(columns, rows, kUncut);
  std::string text = TableHead(columns, widths) + "\n";
  for (const auto& cells : rows) text += TableLine(columns, widths, cells) + "\n";
  return text + RulesText(json["learned"]);
}

}  // namespace trawl
