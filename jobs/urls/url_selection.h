// Which URLs trawl urls set is about, beside those that are named one by one. Pure; any thread.
//
// A URL is selected where it has one of the prefixes, one of the states and one of the outcomes, as far as these are
// given.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"

namespace trawl {

struct UrlSelection {
  std::vector<KeyRange> prefixes;
  std::vector<UrlState> states;
  std::vector<Outcome> outcomes;

  bool IsAny() const { return !prefixes.empty() || !states.empty() || !outcomes.empty(); }
  bool Has(std::string_view key, UrlState state, Outcome outcome) const;
};

// Reads the texts of options: beginnings of URLs, names of states and outcomes. UsageError for one that is none.
arrow::Result<UrlSelection> ReadSelection(const std::vector<std::string>& prefixes,
                                          const std::vector<std::string>& states,
                                          const std::vector<std::string>& outcomes, NormalForm form);

// For plans.
Json ToJson(const UrlSelection& selection);
arrow::Result<UrlSelection> UrlSelectionFromJson(const Json& json);

}  // namespace trawl
