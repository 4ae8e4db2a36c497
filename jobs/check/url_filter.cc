// `trawl check urlfilter`: whether a file of URL rules accepts a URL, and the line that decides.
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

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

Status PrintUrlFilter(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.size() != 2) return Status::Invalid("usage: trawl check urlfilter RULES_FILE URL");
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadCheckedFile(arguments[0]));
  ARROW_ASSIGN_OR_RAISE(const UrlRules rules, UrlRules::Parse(text, arguments[0]));
  const UrlRules::Verdict verdict = CheckRules(rules, arguments[1]);
  out << (verdict.accepted ? "accepted" : "refused");
  if (verdict.line == 0) {
    out << ": no rule of " << rules.file() << " matches\n";
  } else {
    out << " by " << rules.file() << ':' << verdict.line << ": " << verdict.rule << '\n';
  }
  return Status::OK();
}

}  // namespace

CheckKind UrlFilterCheck() { return {"urlfilter", "RULES_FILE URL", AnswerUrlFilter, PrintUrlFilter}; }

}  // namespace trawl
