// Input: a request line and header fields, one "name: value" per line, as the server hands them to the gate. @COOKIE@ and
// @SECRET@ stand for what a session and the token really are. Whoever has neither comes in nowhere, whatever else is sent.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "formats/text/ascii.h"
#include "jobs/serve/gate.h"
#include "tests/support/process/manual_clock.h"

namespace trawl {
namespace {

constexpr char kSecret[] = "d2f1c0a4b7e6";
constexpr char kCookieWord[] = "@COOKIE@", kSecretWord[] = "@SECRET@";

void Check(bool holds) {
  if (!holds) std::abort();
}

GateRules Rules(bool is_behind_proxy) {
  return {.hosts = HostRule(
              {.ip = "127.0.0.1", .port = 8765, .is_behind_proxy = is_behind_proxy, .names = {"crawl.example"}}),
          .reads_need_token = is_behind_proxy,
          .is_behind_proxy = is_behind_proxy};
}

std::string FieldOf(const ServerAnswer& answer, std::string_view name) {
  for (const auto& [field, value] : answer.headers) {
    if (field == name) return value;
  }
  return "";
}

// Puts what the word stands for in its place. False where the word is not there.
bool Replace(std::string* text, std::string_view word, const std::string& with) {
  const size_t at = text->find(word);
  if (at == std::string::npos) return false;
  text->replace(at, word.size(), with);
  return true;
}

std::string_view TakeLine(std::string_view* rest) {
  const size_t end = std::min(rest->find('\n'), rest->size());
  const std::string_view line = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return line;
}

struct Sent {
  ServerRequest request;
  bool has_right = false;  // the token or the session is somewhere in it
};

Sent Read(std::string_view input, const std::string& cookie) {
  Sent sent;
  const std::string_view line = TakeLine(&input);
  const size_t blank = std::min(line.find(' '), line.size());
  sent.request.method = line.substr(0, blank);
  sent.request.target = line.substr(std::min(blank + 1, line.size()));
  if (!sent.request.target.starts_with('/')) sent.request.target.insert(0, "/");  // as the server checks
  sent.request.address = "192.0.2.1";
  while (!input.empty()) {
    const std::string_view field = TakeLine(&input);
    const size_t colon = field.find(':');
    if (colon == std::string_view::npos) continue;
    std::string value(TrimBytes(field.substr(colon + 1), " \t"));
    sent.has_right |= Replace(&value, kCookieWord, cookie);
    sent.has_right |= Replace(&value, kSecretWord, kSecret);
    sent.request.headers.emplace_back(AsciiLower(field.substr(0, colon)), std::move(value));
  }
  return sent;
}

void CheckLocation(const std::string& location) {
  Check(location.starts_with('/') && !location.starts_with("//") && location.find('\\') == std::string::npos);
  Check(std::none_of(location.begin(), location.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }));
}

void CheckRefusal(const ServerAnswer& answer) {
  static const std::set<int> statuses = {303, 401, 403, 413, 415, 421, 429};
  Check(statuses.contains(answer.status));
  if (answer.status == 303) CheckLocation(FieldOf(answer, "Location"));
}

void CheckOne(std::string_view input, bool is_behind_proxy) {
  const ManualClock clock;
  Gate gate(Rules(is_behind_proxy), Token(kSecret), clock);
  const auto session = gate.LogIn({.method = "POST", .target = "/login"}, kSecret, "/").ValueOrDie();
  const std::string set = FieldOf(*session, "Set-Cookie");
  const Sent sent = Read(input, set.substr(0, set.find(';')));
  const ServerRequest& request = sent.request;

  const Caller caller = gate.Identify(request);
  Check(sent.has_right || !caller.may_write());
  Check(!(caller.has_token && caller.has_wrong_token));
  const auto refusal = gate.Refusal(request);
  if (refusal) CheckRefusal(*refusal);
  const bool is_open = PathOf(request) == "/healthz" || PathOf(request) == "/readyz";
  const bool is_login = PathOf(request) == "/login";
  if (!refusal && !is_open) {
    const std::string host = AsciiLower(request.Header("host").value_or(""));
    static const std::set<std::string> ours = {"localhost", "127.0.0.1", "[::1]", "crawl.example"};
    Check(std::any_of(ours.begin(), ours.end(),
                      [&host](const std::string& name) { return host == name || host.starts_with(name + ":"); }));
    Check(!caller.has_wrong_token);
    Check(is_login || IsRead(request) || caller.may_write());
    Check(is_login || !is_behind_proxy || PathOf(request).starts_with("/assets/") || caller.may_write());
  }
  (void)WantsPage(request);
  const auto entered = gate.LogIn(request, kSecret, request.target);
  CheckLocation(FieldOf(*entered.ValueOrDie(), "Location"));
  gate.LogOut(request);
  Check(!gate.Identify(request).session);
}

}  // namespace
}  // namespace trawl

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  trawl::CheckOne(input, /*is_behind_proxy=*/false);
  trawl::CheckOne(input, /*is_behind_proxy=*/true);
  return 0;
}
