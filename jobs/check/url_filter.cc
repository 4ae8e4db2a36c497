// `trawl check urlfilter`: whether a file of URL rules accepts a URL, and the line that decides. url_verdict.h has the
// form for people.
#include <string>
#include <string_view>

#include "formats/scope/rules.h"
#include "formats/url/url.h"
#include "jobs/check/check.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Matches the URL as it is given; the jobs give the normalised one.
UrlRules::Verdict CheckRules(const UrlRules& rules, std::string_view url) {
  Url parsed;
  const bool has_host = parsed.Parse(url);
  return rules.Check(url, has_host ? parsed.hostname() : std::string_view());
}

Result<Json> AnswerUrlFilter(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, CheckBytes(input, "rules"));
  ARROW_ASSIGN_OR_RAISE(const std::string url, CheckBytes(input, "url"));
  ARROW_ASSIGN_OR_RAISE(const UrlRules rules, UrlRules::Parse(text, "rules"));
  const UrlRules::Verdict verdict = CheckRules(rules, url);
  return Json{{"accept", verdict.accepted}, {"line", verdict.line}, {"rule", verdict.rule}};
}

}  // namespace

CheckKind UrlFilterCheck() { return {"urlfilter", "RULES_FILE URL…", AnswerUrlFilter, nullptr}; }

}  // namespace trawl
