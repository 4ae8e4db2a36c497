// `trawl check url`, `host` and `normalize`: the pieces of a URL, its normal forms and its key.
#include <ostream>
#include <string>

#include "formats/domain.h"
#include "formats/url.h"
#include "formats/url_key.h"
#include "formats/url_normal.h"
#include "jobs/check.h"

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

}  // namespace

CheckKind UrlCheck() { return {"url", "URL [BASE]", AnswerUrl, nullptr}; }
CheckKind HostCheck() { return {"host", "HOST", AnswerHost, nullptr}; }
CheckKind NormalizeCheck() { return {"normalize", "URL", AnswerNormalize, nullptr}; }

}  // namespace trawl
