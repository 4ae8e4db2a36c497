// `trawl check headers`: what the header fields of an answer say about the page.
#include <algorithm>
#include <ostream>
#include <utility>

#include "formats/http/fields.h"
#include "formats/http/header_list.h"
#include "formats/http/link_header.h"
#include "formats/http/media_type.h"
#include "formats/http/raw_headers.h"
#include "formats/robots/directives.h"
#include "formats/url/url.h"
#include "jobs/check/check.h"
#include "jobs/check/page.h"
#include "runtime/process/clock.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The fields are views into `input`.
Result<HeaderList> ReadHeaders(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const Json* fields, GetArray(input, "headers"));
  HeaderList headers;
  for (const Json& field : *fields) {
    if (!field.is_array() || field.size() != 2 || !field[0].is_string() || !field[1].is_string()) {
      return Status::Invalid("headers: give [name, value] pairs");
    }
    headers.Add(field[0].get_ref<const std::string&>(), field[1].get_ref<const std::string&>());
  }
  return headers;
}

Result<std::string> GetOptional(const Json& input, const char* name) {
  if (!HasMember(input, name) || input.at(name).is_null()) return std::string();
  return GetString(input, name);
}

template <typename Value>
Json OrNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

int64_t FloorToSeconds(int64_t time_ms) { return time_ms / 1000 - (time_ms % 1000 < 0 ? 1 : 0); }

void AddContentType(const HeaderList& headers, Json* answer) {
  const std::optional<MediaType> type = ContentTypeOf(headers);
  const std::string_view encoding = type ? type->Encoding() : std::string_view();
  (*answer)["mime"] = type ? Json(type->essence) : Json(nullptr);
  (*answer)["charset"] = encoding.empty() ? Json(nullptr) : Json(encoding);
}

// A reference resolved against the page's URL. Stays as written where the page's URL is not given; null where it is no
// URL.
Json AbsoluteUrl(const std::string& text, const std::string& page_url) {
  if (page_url.empty()) return text;
  const Result<Url> url = ParseUrlIn(text, page_url, "UTF-8");
  return url.ok() ? Json(url->href()) : Json(nullptr);
}

Json RefreshJson(const HeaderList& headers, const std::string& page_url) {
  const std::optional<Refresh> refresh = RefreshOf(headers);
  if (!refresh) return nullptr;
  Json url = RefreshTarget(AbsoluteUrl(refresh->url, page_url));
  if (url.is_null()) return nullptr;
  return {{"delay", refresh->delay_s}, {"url", std::move(url)}};
}

Json CanonicalJson(const HeaderList& headers, const std::string& page_url) {
  const std::optional<std::string> canonical = CanonicalLinkOf(headers);
  return canonical ? AbsoluteUrl(*canonical, page_url) : Json(nullptr);
}

void AddRobots(const HeaderList& headers, std::string_view agent, int64_t now_ms, Json* answer) {
  const RobotsDirectives directives = XRobotsTagOf(headers, agent, now_ms);
  (*answer)["robots"] = {{"noindex", directives.NoIndexAt(now_ms)},
                         {"nofollow", directives.nofollow},
                         {"noarchive", directives.noarchive},
                         {"nosnippet", directives.nosnippet},
                         {"noai", directives.noai}};
}

void AddSmallFields(const HeaderList& headers, int64_t now_ms, Json* answer) {
  const std::optional<int64_t> modified_ms = LastModifiedMsOf(headers, now_ms);
  const std::optional<int64_t> retry_ms = RetryAfterMsOf(headers, now_ms);
  (*answer)["last_modified"] = modified_ms ? Json(FloorToSeconds(*modified_ms)) : Json(nullptr);
  (*answer)["retry_after"] = retry_ms ? Json(*retry_ms / 1000) : Json(nullptr);
  (*answer)["content_encoding"] = ContentEncodingsOf(headers);
  const Result<std::optional<int64_t>> length = ContentLengthOf(headers);
  (*answer)["content_length"] = length.ok() ? OrNull(*length) : Json(nullptr);
  (*answer)["etag"] = OrNull(headers.First("etag"));
}

Json AnswerFor(const HeaderList& headers, const std::string& url, const std::string& agent) {
  const int64_t now_ms = SystemClock().NowMs();
  Json answer;
  AddContentType(headers, &answer);
  answer["refresh"] = RefreshJson(headers, url);
  answer["canonical"] = CanonicalJson(headers, url);
  AddRobots(headers, agent, now_ms, &answer);
  AddSmallFields(headers, now_ms, &answer);
  return answer;
}

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string agent, GetOptional(input, "agent"));
  ARROW_ASSIGN_OR_RAISE(const std::string url, GetOptional(input, "url"));
  if (HasMember(input, "raw")) {
    ARROW_ASSIGN_OR_RAISE(const std::string raw, GetString(input, "raw"));  // it outlives the fields
    return AnswerFor(ParseRawHeaders(raw), url, agent);
  }
  ARROW_ASSIGN_OR_RAISE(const HeaderList headers, ReadHeaders(input));
  return AnswerFor(headers, url, agent);
}

// A value in words instead of JSON: lists with commas, the flags that are set, nothing for null.
std::string ReadableText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.is_null() ? std::string() : DumpJson(value);
  std::string text;
  for (const auto& [name, member] : value.items()) {
    if (member.is_boolean() && !member.get<bool>()) continue;
    text += text.empty() ? "" : ", ";
    if (value.is_array()) {
      text += ReadableText(member);
    } else {
      text += member.is_boolean() ? name : name + " " + ReadableText(member);
    }
  }
  return text;
}

Status Print(std::vector<std::string> arguments, std::ostream& out) {
  std::string agent;
  if (arguments.size() > 1 && arguments[0] == "--agent") {
    agent = arguments[1];
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  if (arguments.empty() || arguments.size() > 2) {
    return Status::Invalid(
        "usage: trawl check headers [--agent TOKEN] FILE [URL], with the fields as curl -D writes them");
  }
  ARROW_ASSIGN_OR_RAISE(const std::string raw, ReadCheckedFile(arguments[0]));
  const Json answer = AnswerFor(ParseRawHeaders(raw), arguments.size() > 1 ? arguments[1] : std::string(), agent);
  for (const auto& [name, value] : answer.items()) {
    const std::string text = name == "last_modified" && !value.is_null() ? FormatTimestamp(value.get<int64_t>() * 1000)
                                                                         : ReadableText(value);
    out << name << ": " << std::string(18 - std::min<size_t>(18, name.size()), ' ') << (text.empty() ? "-" : text)
        << '\n';
  }
  return Status::OK();
}

}  // namespace

CheckKind HeadersCheck() { return {"headers", "[--agent TOKEN] FILE [URL]", Answer, Print}; }

}  // namespace trawl
