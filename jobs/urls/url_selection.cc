#include "jobs/urls/url_selection.h"

#include <algorithm>

#include "jobs/verb/url_arguments.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/nearest_name.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Reads the name of a value of an enumeration whose numbers are 1 to `last`.
template <typename Enum>
Result<Enum> ReadName(const std::string& option, const std::string& text, Enum last) {
  std::vector<std::string> names;
  for (int number = 1; number <= static_cast<int>(last); ++number) {
    names.push_back(TextOf(static_cast<Enum>(number)));
    if (names.back() == text) return static_cast<Enum>(number);
  }
  const std::string nearest = NearestName(text, names);
  if (!nearest.empty()) return UsageError("--", option, " '", text, "' is not known; did you mean ", nearest, "?");
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return UsageError("--", option, " '", text, "' is not known; write one of ", all);
}

template <typename Enum>
Result<std::vector<Enum>> ReadNames(const std::string& option, const std::vector<std::string>& texts, Enum last) {
  std::vector<Enum> values;
  for (const std::string& text : texts) {
    ARROW_ASSIGN_OR_RAISE(const Enum value, ReadName(option, text, last));
    values.push_back(value);
  }
  return values;
}

template <typename T>
bool IsIn(const std::vector<T>& values, T value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

template <typename Enum>
Json NumbersOf(const std::vector<Enum>& values) {
  Json json = Json::array();
  for (const Enum value : values) json.push_back(static_cast<int>(value));
  return json;
}

template <typename Enum>
Result<std::vector<Enum>> ValuesOf(const Json& json, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json* numbers, GetArray(json, name));
  std::vector<Enum> values;
  for (const Json& number : *numbers) {
    if (!number.is_number_integer()) return Status::Invalid("'", name, "' has something that is no number");
    values.push_back(static_cast<Enum>(number.get<int64_t>()));
  }
  return values;
}

}  // namespace

bool UrlSelection::Has(std::string_view key, UrlState state, Outcome outcome) const {
  const bool has_prefix = prefixes.empty() || std::any_of(prefixes.begin(), prefixes.end(), [key](const KeyRange& one) {
                            return one.from <= key && key < one.to;
                          });
  return has_prefix && IsIn(states, state) && IsIn(outcomes, outcome);
}

Result<UrlSelection> ReadSelection(const std::vector<std::string>& prefixes, const std::vector<std::string>& states,
                                   const std::vector<std::string>& outcomes, NormalForm form) {
  UrlSelection selection;
  for (const std::string& prefix : JoinPrefixes(prefixes)) {
    ARROW_ASSIGN_OR_RAISE(KeyRange range, KeysOfPrefix(prefix, form));
    selection.prefixes.push_back(std::move(range));
  }
  ARROW_ASSIGN_OR_RAISE(selection.states, ReadNames("state", states, UrlState::kDuplicate));
  ARROW_ASSIGN_OR_RAISE(selection.outcomes, ReadNames("outcome", outcomes, Outcome::kDropped));
  return selection;
}

Json ToJson(const UrlSelection& selection) {
  Json prefixes = Json::array();
  for (const KeyRange& range : selection.prefixes) prefixes.push_back({{"from", range.from}, {"to", range.to}});
  return {{"prefixes", prefixes}, {"states", NumbersOf(selection.states)}, {"outcomes", NumbersOf(selection.outcomes)}};
}

Result<UrlSelection> UrlSelectionFromJson(const Json& json) {
  UrlSelection selection;
  ARROW_ASSIGN_OR_RAISE(const Json* prefixes, GetArray(json, "prefixes"));
  for (const Json& element : *prefixes) {
    KeyRange range;
    ARROW_ASSIGN_OR_RAISE(range.from, GetString(element, "from"));
    ARROW_ASSIGN_OR_RAISE(range.to, GetString(element, "to"));
    selection.prefixes.push_back(std::move(range));
  }
  ARROW_ASSIGN_OR_RAISE(selection.states, ValuesOf<UrlState>(json, "states"));
  ARROW_ASSIGN_OR_RAISE(selection.outcomes, ValuesOf<Outcome>(json, "outcomes"));
  return selection;
}

}  // namespace trawl
