#include "jobs/reparse/to_read.h"

#include <memory>

#include "formats/url/slot_range.h"
#include "jobs/policy/scope.h"
#include "jobs/segment/stored_bodies.h"
#include "runtime/tables/table.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

bool ReadChoice::Takes(const UrlRow& row) const {
  if (IsAfterEnd(row.key)) return false;
  return all ? !row.body_file.empty() && !IsDropped(row) : IsToRead(row, policy);
}

bool ReadChoice::IsAfterEnd(std::string_view key) const {
  return !until.empty() && RowPlace{SlotOfKey(until), until} < RowPlace{SlotOfKey(key), key};
}

ScanOptions ReadChoice::Scan(const std::vector<bool>& wanted) const {
  ScanOptions scan = {.slots = {}, .from_key = "", .to_key = "", .wanted = wanted};
  if (!keys) return scan;
  const uint32_t slot = SlotOfKey(keys->from);
  scan.slots = {slot, slot + 1};
  scan.from_key = keys->from;
  scan.to_key = keys->to;
  return scan;
}

Json ToJson(const ReadChoice& choice) {
  Json json = {{"policy", ToJson(choice.policy)}, {"all", choice.all}, {"until", choice.until}};
  if (choice.keys) json["keys"] = {{"from", choice.keys->from}, {"to", choice.keys->to}};
  return json;
}

Result<ReadChoice> ReadChoiceFromJson(const Json& json) {
  ReadChoice choice;
  ARROW_ASSIGN_OR_RAISE(const Json* policy, GetObject(json, "policy"));
  ARROW_ASSIGN_OR_RAISE(choice.policy, ReadPolicyFromJson(*policy));
  ARROW_ASSIGN_OR_RAISE(choice.all, GetBool(json, "all"));
  ARROW_ASSIGN_OR_RAISE(choice.until, GetString(json, "until"));
  if (!HasMember(json, "keys")) return choice;
  ARROW_ASSIGN_OR_RAISE(const Json* keys, GetObject(json, "keys"));
  choice.keys.emplace();
  ARROW_ASSIGN_OR_RAISE(choice.keys->from, GetString(*keys, "from"));
  ARROW_ASSIGN_OR_RAISE(choice.keys->to, GetString(*keys, "to"));
  return choice;
}

Result<ToRead> FindToRead(Store* store, const Manifest& snapshot, const ReadChoice& choice, int64_t most,
                          bool counts_left, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(urls), choice.Scan(kToReadColumns.Flags())));
  StoredBodies bodies(store);
  ToRead found;
  RowSpan span;
  UrlRow row;
  while (true) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return found;
    for (int64_t i = span.begin; i < span.end; ++i) {
      // Most rows have no body, or were read as they should be.
      if (span.batch->columns[ColumnIndex<UrlRow>("body_file")].GetBytes(i).empty()) continue;
      ReadFromBatch(*span.batch, i, &row);
      if (!choice.Takes(row)) continue;
      ARROW_ASSIGN_OR_RAISE(const bool is_there, bodies.Has(row.body_segment, row.body_file));
      if (!is_there) {
        ++found.gone;
      } else if (found.pages < most) {
        ++found.pages;
        found.last = row.key;
      } else if (counts_left) {
        ++found.left;
      } else {
        found.is_all = false;
        return found;
      }
    }
  }
}

OptionTexts RulesOfSettings(const Manifest& snapshot) {
  OptionTexts texts = ScopeOptionGroup().Print({});
  for (const auto& [name, text] : snapshot.settings) {
    if (texts.contains(name)) texts[name] = text;
  }
  return texts;
}

Result<int64_t> CountToRead(Store* store, const Manifest& snapshot, const StopToken& stop) {
  ReadChoice choice;
  ARROW_ASSIGN_OR_RAISE(choice.policy, ReadPolicyOfOptions(RulesOfSettings(snapshot)));
  ARROW_ASSIGN_OR_RAISE(const ToRead found, FindToRead(store, snapshot, choice, std::numeric_limits<int64_t>::max(),
                                                       /*counts_left=*/false, stop));
  return found.pages;
}

}  // namespace trawl
