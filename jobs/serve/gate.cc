#include "jobs/serve/gate.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "formats/answers/problem.h"
#include "formats/answers/target.h"
#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr int64_t kMostLoginBytes = 4096;

bool HasBody(const ServerRequest& request) { return request.Header("content-length").value_or("0") != "0"; }

// "application/json" of "application/json; charset=utf-8".
std::string TypeOf(const ServerRequest& request) {
  const std::string_view type = request.Header("content-type").value_or("");
  return AsciiLower(TrimBytes(type.substr(0, type.find(';')), " \t"));
}

// The field that the nearest proxy wrote: some add one of their own after what a client sent.
std::string_view LastField(const ServerRequest& request, std::string_view name) {
  const auto last = std::find_if(request.headers.rbegin(), request.headers.rend(),
                                 [name](const auto& field) { return field.first == name; });
  return last == request.headers.rend() ? std::string_view() : std::string_view(last->second);
}

// A path of ours: no other site's address, also not in one of the forms that browsers repair.
bool IsOwnPath(std::string_view text) {
  if (!text.starts_with('/') || text.starts_with("//") || text.find('\\') != std::string_view::npos) return false;
  // A header field cannot have control characters, and browsers leave some of them out.
  return std::none_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; });
}

ServerAnswer Redirect(std::string_view path) {
  return {.status = 303, .headers = {{"Location", std::string(path)}, {"Cache-Control", "no-store"}}};
}

}  // namespace

std::string_view PathOf(const ServerRequest& request) {
  const std::string_view target = request.target;
  return target.substr(0, target.find('?'));
}

bool IsRead(const ServerRequest& request) {
  return request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
}

bool IsForm(const ServerRequest& request) { return TypeOf(request) == "application/x-www-form-urlencoded"; }

bool WantsPage(const ServerRequest& request) {
  return request.Header("accept").value_or("").find("text/html") != std::string_view::npos;
}

ServerAnswer AnswerOfProblem(int status, const std::string& detail) {
  return {.status = status,
          .headers = {{"Content-Type", kProblemType}, {"Cache-Control", "no-store"}},
          .body = ToJson(Problem{.status = status, .detail = detail}).dump() + "\n"};
}

Gate::Gate(GateRules rules, std::optional<Token> token, const Clock& clock) : rules_(std::move(rules)), clock_(clock) {
  if (token) token_ = std::make_shared<const Token>(*std::move(token));
}

void Gate::UseToken(Token token) {
  {
    const std::lock_guard lock(mutex_);
    token_ = std::make_shared<const Token>(std::move(token));
  }
  sessions_.EndAll();
}

std::shared_ptr<const Token> Gate::token() const {
  const std::lock_guard lock(mutex_);
  return token_;
}

bool Gate::has_token() const { return token() != nullptr; }

Caller Gate::Identify(const ServerRequest& request) const {
  Caller caller = {.address = request.address, .is_https = request.is_tls};
  if (rules_.is_behind_proxy) {
    // The nearest proxy adds the last address; what stands before it anybody may have written.
    const std::string_view chain = LastField(request, "x-forwarded-for");
    const std::string_view last = TrimBytes(chain.substr(chain.rfind(',') + 1), " \t");
    if (!last.empty()) caller.address = last;
    caller.is_https = EqualsIgnoringAsciiCase(LastField(request, "x-forwarded-proto"), "https");
  }
  if (const auto authorization = request.Header("authorization")) {
    constexpr std::string_view kScheme = "bearer";
    const auto expected = token();
    const std::string_view scheme = authorization->substr(0, authorization->find(' '));
    // Another scheme is meant for a proxy, which passes it on: no token was sent.
    const bool is_sent = expected != nullptr && EqualsIgnoringAsciiCase(scheme, kScheme);
    caller.has_token = is_sent && expected->Is(TrimBytes(authorization->substr(scheme.size()), " \t"));
    caller.has_wrong_token = is_sent && !caller.has_token;
  }
  const std::string secret = CookieOf(request);
  if (!secret.empty()) caller.session = sessions_.Find(secret, clock_.NowMs());
  return caller;
}

std::optional<ServerAnswer> Gate::Refusal(const ServerRequest& request) {
  const std::string_view path = PathOf(request);
  if (path == "/healthz" || path == "/readyz") return std::nullopt;  // they tell nothing, and are asked by address
  if (!rules_.hosts.Accepts(request.Header("host").value_or(""))) {
    return AnswerOfProblem(421, "this server is not known by that name; start it with --serve.names NAME");
  }
  const Caller caller = Identify(request);
  if (caller.has_token || caller.has_wrong_token) {
    if (!limit_.MayTry(caller.address, clock_.MonotonicMs())) {
      ServerAnswer answer = AnswerOfProblem(429, "too many wrong tokens came from this address; wait for a minute");
      answer.headers.emplace_back("Retry-After", std::to_string(LoginLimit::kWindowMs / 1000));
      return answer;
    }
  }
  if (caller.has_wrong_token) {
    limit_.Failed(caller.address, clock_.MonotonicMs());
    ServerAnswer answer = AnswerOfProblem(401, "the token is wrong");
    answer.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"trawl\", error=\"invalid_token\"");
    answer.delay_ms = LoginLimit::kDelayMs;
    return answer;
  }
  if (path == "/login" && !IsRead(request)) return RefusalOfLogin(request, caller);
  return IsRead(request) ? RefusalOfRead(request, caller) : RefusalOfWrite(request, caller);
}

std::optional<ServerAnswer> Gate::RefusalOfLogin(const ServerRequest& request, const Caller& caller) {
  if (!has_token()) return AnswerOfProblem(403, "nobody can log in: start the server with --serve.token_file FILE");
  if (!IsForm(request)) return AnswerOfProblem(415, "logging in takes a form: application/x-www-form-urlencoded");
  const std::string_view length = request.Header("content-length").value_or("0");
  int64_t bytes = 0;
  std::from_chars(length.data(), length.data() + length.size(), bytes);
  if (bytes > kMostLoginBytes) return AnswerOfProblem(413, "the form is larger than a token can be");
  if (!limit_.MayTry(caller.address, clock_.MonotonicMs())) {
    ServerAnswer answer = AnswerOfProblem(429, "too many wrong tokens came from this address; wait for a minute");
    answer.headers.emplace_back("Retry-After", std::to_string(LoginLimit::kWindowMs / 1000));
    return answer;
  }
  return RefusalOfOrigin(request, caller);
}

std::optional<ServerAnswer> Gate::RefusalOfRead(const ServerRequest& request, const Caller& caller) const {
  const std::string_view path = PathOf(request);
  const bool is_open = path == "/login" || path.starts_with("/assets/");
  if (!rules_.reads_need_token || is_open || caller.may_write()) return std::nullopt;
  if (WantsPage(request)) return Redirect("/login?next=" + PercentEncoded(request.target));
  ServerAnswer answer = AnswerOfProblem(401, "this server asks for its token: send Authorization: Bearer TOKEN");
  answer.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"trawl\"");
  return answer;
}

std::optional<ServerAnswer> Gate::RefusalOfWrite(const ServerRequest& request, const Caller& caller) const {
  if (!has_token()) {
    return AnswerOfProblem(403, "this server only reads; to allow changes, start it with --serve.token_file FILE");
  }
  if (!caller.may_write()) {
    ServerAnswer answer = AnswerOfProblem(401, "changes ask for the token: send Authorization: Bearer TOKEN");
    answer.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"trawl\"");
    return answer;
  }
  const bool is_bare = !HasBody(request) && !request.Header("content-type");
  const bool is_known = is_bare || TypeOf(request) == "application/json" || (IsForm(request) && caller.session);
  if (!is_known) return AnswerOfProblem(415, "send the body as Content-Type: application/json");
  return RefusalOfOrigin(request, caller);
}

std::optional<ServerAnswer> Gate::RefusalOfOrigin(const ServerRequest& request, const Caller& caller) const {
  const auto site = request.Header("sec-fetch-site"), origin = request.Header("origin");
  const ServerAnswer foreign = AnswerOfProblem(403, "changes are not taken from pages of other sites");
  if (site && *site != "same-origin") return foreign;
  // Our pages have Referrer-Policy: no-referrer, so their own forms come with `Origin: null` (Fetch, "serializing a request
  // origin"). Only the browser itself can write Sec-Fetch-Site.
  const bool is_unnamed = site && origin && *origin == "null";
  if (origin && !is_unnamed) {
    const bool is_own = HostRule::IsSameOrigin(*origin, request.Header("host").value_or(""), caller.is_https);
    // A proxy may ask under another name than its client did.
    const size_t host = origin->find("://");
    const bool is_proxys =
        rules_.is_behind_proxy && host != std::string_view::npos && rules_.hosts.Accepts(origin->substr(host + 3));
    if (!is_own && !is_proxys) return foreign;
  }
  // A browser sends one of both with every form, so a form without them is none of ours.
  if (IsForm(request) && !site && !origin) return foreign;
  return std::nullopt;
}

arrow::Result<std::optional<ServerAnswer>> Gate::LogIn(const ServerRequest& request, std::string_view token_text,
                                                       std::string_view next) {
  const Caller caller = Identify(request);
  const auto expected = token();
  if (expected == nullptr || !expected->Is(TrimBytes(token_text, " \t\r\n"))) {
    limit_.Failed(caller.address, clock_.MonotonicMs());
    return std::nullopt;
  }
  ARROW_ASSIGN_OR_RAISE(const std::string secret, sessions_.Begin(clock_.NowMs()));
  ServerAnswer answer = Redirect(IsOwnPath(next) ? next : "/");
  answer.headers.emplace_back("Set-Cookie", Cookie(secret, Sessions::kLifeMs, caller.is_https));
  return answer;
}

ServerAnswer Gate::LogOut(const ServerRequest& request) {
  sessions_.End(CookieOf(request));
  ServerAnswer answer = Redirect("/");
  answer.headers.emplace_back("Set-Cookie", Cookie("", 0, Identify(request).is_https));
  return answer;
}

std::string Gate::Cookie(const std::string& secret, int64_t life_ms, bool is_https) const {
  return rules_.cookie + "=" + secret + "; Path=/; Max-Age=" + std::to_string(life_ms / 1000) +
         "; HttpOnly; SameSite=Strict" + (is_https ? "; Secure" : "");
}

std::string Gate::CookieOf(const ServerRequest& request) const {
  for (const auto& [name, value] : request.headers) {
    if (name != "cookie") continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::string_view pair = TrimBytes(rest.substr(0, rest.find(';')), " \t");
      rest.remove_prefix(
          std::min(rest.find(';') == std::string_view::npos ? rest.size() : rest.find(';') + 1, rest.size()));
      if (pair.starts_with(rules_.cookie + "=")) return std::string(pair.substr(rules_.cookie.size() + 1));
    }
  }
  return "";
}

}  // namespace trawl
