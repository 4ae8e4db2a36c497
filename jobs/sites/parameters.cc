#include "jobs/sites/parameters.h"

#include "formats/url/pattern.h"
#include "jobs/yields/idle_parameters.h"
#include "jobs/yields/site_pages.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;

Result<Json> SuggestionsJson(Store* store, const Manifest& snapshot, const std::string& host, const StopToken& stop) {
  IdleParameters parameters;
  ARROW_ASSIGN_OR_RAISE(const bool is_cut, ForEachSitePage(store, snapshot, host, kMostSitePages, stop,
                                                           [&](const UrlRow& row) { parameters.Add(row); }));
  Json suggestions = Json::array();
  for (const IdleParameter& idle : parameters.Find()) {
    suggestions.push_back({{"pattern", ReadablePattern(idle.pattern)},
                           {"parameter", idle.name},
                           {"pairs", idle.pairs},
                           {"rule", idle.is_everywhere ? Json(host + " " + idle.name) : Json()}});
  }
  return Json{{"host", host}, {"suggestions", std::move(suggestions)}, {"is_cut", is_cut}};
}

std::string SuggestionsText(const Json& json) {
  const std::string host = json["host"].get<std::string>();
  std::string text, last;
  for (const Json& suggestion : json["suggestions"]) {
    text += "# " + suggestion["pattern"].get<std::string>() + ": " + suggestion["parameter"].get<std::string>() +
            " changed nothing in " + ReadableCount(suggestion["pairs"].get<int64_t>()) + " pairs of pages";
    text += suggestion["rule"].is_null() ? "; other pages of the host depend on it\n" : "\n";
    if (suggestion["rule"].is_null() || suggestion["rule"] == last) continue;
    last = suggestion["rule"].get<std::string>();
    text += last + "\n";
  }
  if (text.empty()) text = "# no parameter of " + host + " is known to change nothing\n";
  if (json["is_cut"].get<bool>())
    text += "# only the first " + ReadableCount(kMostSitePages) + " pages were looked at\n";
  return text;
}

}  // namespace trawl
