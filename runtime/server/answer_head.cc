#include "runtime/server/answer_head.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/status.hpp>
#include <cstdio>
#include <ctime>

#include "formats/documents/json.h"
#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// RFC 9110 section 5.1: a token.
bool IsFieldName(std::string_view name) {
  const auto is_good = [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_good);
}

bool IsFieldValue(std::string_view value) {
  return std::all_of(value.begin(), value.end(),
                     [](char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f); });
}

void AppendField(std::string_view name, std::string_view value, std::string* head) {
  head->append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

std::string_view ReasonPhrase(int status) {
  namespace http = boost::beast::http;
  const http::status known = http::int_to_status(static_cast<unsigned>(status));
  if (known == http::status::unknown) return "";
  const auto reason = http::obsolete_reason(known);
  return {reason.data(), reason.size()};
}

ServerAnswer ProblemAnswer(int status, std::string_view detail) {
  const Json problem = {{"type", "about:blank"},
                        {"title", std::string(ReasonPhrase(status))},
                        {"status", status},
                        {"detail", std::string(detail)}};
  return {.status = status,
          .headers = {{"Content-Type", "application/problem+json"}, {"Cache-Control", "no-store"}},
          .body = problem.dump() + "\n"};
}

bool IsSendable(const ServerAnswer& answer) {
  const bool is_final = answer.status >= 200 && answer.status <= 599;
  return is_final && std::all_of(answer.headers.begin(), answer.headers.end(), [](const auto& field) {
           return IsFieldName(field.first) && IsFieldValue(field.second);
         });
}

bool HasNoBody(int status) { return status == 204 || status == 304; }

std::string AnswerHead(const ServerAnswer& answer, bool keeps_alive, TimeMs now_ms) {
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " ";
  head.append(ReasonPhrase(answer.status)).append("\r\n");
  AppendField("Date", HttpDate(now_ms), &head);
  for (const auto& [name, value] : answer.headers) AppendField(name, value, &head);
  if (!HasNoBody(answer.status)) AppendField("Content-Length", std::to_string(answer.body.size()), &head);
  AppendField("Connection", keeps_alive ? "keep-alive" : "close", &head);
  return head + "\r\n";
}

std::string HttpDate(TimeMs time) {
  const std::time_t seconds = time / 1000;
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  char text[64];
  const int size = std::snprintf(text, sizeof(text), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                 kDays.at(static_cast<size_t>(utc.tm_wday)), utc.tm_mday,
                                 kMonths.at(static_cast<size_t>(utc.tm_mon)), utc.tm_year + 1900, utc.tm_hour,
                                 utc.tm_min, utc.tm_sec);
  return {text, static_cast<size_t>(size)};
}

}  // namespace trawl
