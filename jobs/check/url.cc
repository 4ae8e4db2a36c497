// `trawl check url`, `host` and `normalize`: the pieces of a URL, its normal forms and its key. url_verdict.h has the
// form of `check url` for people.
#include "formats/url/url.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"
#include "jobs/check/check.h"
#include "runtime/terminal/text.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A member that may be missing or null.
Result<std::string> GetOptionalString(const Json& input, const char* name, const char* otherwise) {
  if (!HasMember(input, name) || input.at(name).is_null()) return std::string(otherwise);
  return GetString(input, name);
}

Json StringOrNull(const Result<std::string>& text) { return text.ok() ? Json(*text) : Json(nullptr); }

Result<std::string> HrefOf(const std::string& url, const std::string& base, const std::string& encoding) {
  ARROW_ASSIGN_OR_RAISE(const Url parsed, ParseUrlIn(url, base, encoding));
  return std::string(parsed.href());
}

Result<Json> AnswerUrl(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string url, CheckBytes(input, "url"));
  ARROW_ASSIGN_OR_RAISE(const std::string base, GetOptionalString(input, "base", ""));
  ARROW_ASSIGN_OR_RAISE(const std::string encoding, GetOptionalString(input, "encoding", "UTF-8"));
  return Json{{"href", StringOrNull(HrefOf(url, base, encoding))}};
}

Result<Json> AnswerHost(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string host, CheckBytes(input, "host"));
  const Result<std::string> ascii = HostToAscii(host);
  Json answer = {{"ascii", StringOrNull(ascii)}, {"domain", nullptr}};
  if (!ascii.ok()) return answer;
  const std::string_view domain = PublicSuffixes::BuiltIn().RegistrableDomain(*ascii);
  if (!domain.empty()) answer["domain"] = domain;
  return answer;
}

Result<Json> AnswerNormalize(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string url, CheckBytes(input, "url"));
  ARROW_ASSIGN_OR_RAISE(const std::string name, GetOptionalString(input, "form", "standard"));
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(name));
  return Json{{"url", StringOrNull(NormalizeUrl(url, form))}};
}

void PrintLine(std::ostream& out, const std::string& name, std::string_view value) {
  out << PadRight(name, 12) << value << '\n';
}

void PrintDomain(std::ostream& out, std::string_view host) {
  const std::string_view domain = PublicSuffixes::BuiltIn().RegistrableDomain(host);
  PrintLine(out, "domain", domain.empty() ? "(none: held as the host itself)" : domain);
}

Status PrintHost(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.size() != 1) return Status::Invalid("usage: trawl check host HOST");
  ARROW_ASSIGN_OR_RAISE(const std::string ascii, HostToAscii(arguments[0]));
  PrintLine(out, "ascii", ascii);
  PrintDomain(out, ascii);
  const Result<std::string> part = HostPartOfHost(ascii);
  PrintLine(out, "key", part.ok() ? *part : "(" + part.status().message() + ")");
  if (part.ok()) PrintLine(out, "slot", std::to_string(SlotOfHost(ascii)));
  return Status::OK();
}

Status PrintNormalize(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.empty() || arguments.size() > 2)
    return Status::Invalid("usage: trawl check normalize URL [strict|standard|fold]");
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(arguments.size() > 1 ? arguments[1] : "standard"));
  ARROW_ASSIGN_OR_RAISE(const std::string normal, NormalizeUrl(arguments[0], form));
  out << normal << '\n';
  return Status::OK();
}

}  // namespace

CheckKind UrlReadingCheck() { return {"url", "URL…", AnswerUrl, nullptr}; }
CheckKind HostCheck() { return {"host", "HOST", AnswerHost, PrintHost}; }
CheckKind NormalizeCheck() { return {"normalize", "URL [strict|standard|fold]", AnswerNormalize, PrintNormalize}; }

}  // namespace trawl
