#include "jobs/completion/known_words.h"

#include <iterator>

#include "formats/rows/directives.h"
#include "formats/rows/url_row.h"
#include "jobs/check/check.h"

namespace trawl {

namespace {

// The texts of an enumeration from 1 up to the first number that has no name.
template <typename Enum>
std::vector<std::string> NamesOf() {
  std::vector<std::string> names;
  for (int8_t number = 1;; ++number) {
    std::string name = TextOf(static_cast<Enum>(number));
    if (name.empty() || name.starts_with("unknown-")) return names;
    names.push_back(std::move(name));
  }
}

std::vector<std::string> With(std::vector<std::string> words, const char* more) {
  words.emplace_back(more);
  return words;
}

}  // namespace

std::vector<std::string> WordsOf(std::string_view placeholder) {
  if (placeholder == "STATE") return NamesOf<UrlState>();
  if (placeholder == "OUTCOME") return NamesOf<Outcome>();
  if (placeholder == "TIER") return With(NamesOf<TierChoice>(), "rule");
  if (placeholder == "SIGNAL") return {std::begin(kSignalNames), std::end(kSignalNames)};
  if (placeholder == "SUBSET") return {"warc", "crawldiagnostics", "robotstxt"};
  if (placeholder == "FORMAT") return {"cdxj", "parquet", "orc", "none"};
  if (placeholder == "WHAT") return {"urls", "hosts", "robots", "pages", "links", "graph"};
  std::vector<std::string> words;
  if (placeholder == "KIND") {
    for (const CheckKind& kind : CheckKinds()) words.push_back(kind.name);
  }
  return words;
}

}  // namespace trawl
