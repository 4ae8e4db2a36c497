// Input: rules, a NUL, a URL. The rules are read as rules and as lists of each kind. Whatever can be read must answer
// without a crash, and name a line of the text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/scope/lists.h"
#include "formats/scope/rules.h"

namespace trawl {
namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckRules(std::string_view text, size_t lines, std::string_view url, std::string_view host) {
  const auto rules = UrlRules::Parse(text, "rules");
  if (!rules.ok()) return;
  const UrlRules::Verdict verdict = rules->Check(url, host);
  Check(verdict.line <= lines && (verdict.line == 0) == verdict.rule.empty());
  Check(verdict.line != 0 || !verdict.accepted);
  Check(verdict.line == 0 || verdict.rule.starts_with(verdict.accepted ? '+' : '-'));
}

void CheckLists(std::string_view text, size_t lines, std::string_view url, const UrlPieces& pieces) {
  for (const UrlList::Kind kind :
       {UrlList::Kind::kHosts, UrlList::Kind::kDomains, UrlList::Kind::kPrefixes, UrlList::Kind::kSuffixes}) {
    const auto list = UrlList::Parse(kind, text, "list");
    if (list.ok()) Check(list->Find(url, pieces) <= lines);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = input.find('\0');
  const std::string_view text = input.substr(0, end);
  const std::string_view url = end == std::string_view::npos ? "https://www.e.example/a/b?c" : input.substr(end + 1);
  const auto lines =
      static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; })) + 1;
  UrlPieces pieces;
  const bool web = SplitWebUrl(url, &pieces);
  CheckRules(text, lines, url, web ? pieces.host : std::string_view());
  if (web) CheckLists(text, lines, url, pieces);
  return 0;
}

}  // namespace trawl
