#include "jobs/schemas/words.h"

#include <cstdint>
#include <utility>

#include "formats/rows/directives.h"
#include "formats/rows/outcome.h"
#include "formats/rows/url_row.h"

namespace trawl {

namespace {

// All from 1 on: a number without a word is "unknown-77".
template <typename Enum>
std::vector<std::string> WordsOf() {
  std::vector<std::string> words;
  for (int8_t number = 1; number < 127; ++number) {
    std::string word = TextOf(static_cast<Enum>(number));
    if (word.starts_with("unknown-")) break;
    words.push_back(std::move(word));
  }
  return words;
}

}  // namespace

std::vector<std::string> WordsNamed(const std::string& name) {
  if (name == "states") return WordsOf<UrlState>();
  if (name == "kinds") return WordsOf<UrlKind>();
  if (name == "outcomes") return WordsOf<Outcome>();
  if (name == "truncations") return WordsOf<Truncation>();
  if (name == "tiers") return WordsOf<TierChoice>();
  if (name == "signals") return {kSignalNames.begin(), kSignalNames.end()};
  return {};
}

}  // namespace trawl
