// Who may come in, and what they may do: decided by a request's header alone, before its body is read.
//
//  1. The Host names this server; else 421.
//  2. A token that is sent is the right one; else 401, a second later. An address that sent ten wrong ones within a minute
//     waits: 429.
//  3. A write needs the token or a session. Where the server has no token, nobody may write: 403.
//  4. A read needs them, too, where other machines can reach the server; else 401, and browsers go to /login.
//  5. A write's body is JSON; or it is a form of our own pages, with a session. Else 415.
//  6. A write comes from no other site's page (Origin, Sec-Fetch-Site); else 403.
// Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "jobs/serve/host_rule.h"
#include "jobs/serve/login_limit.h"
#include "jobs/serve/sessions.h"
#include "jobs/serve/token.h"
#include "runtime/process/clock.h"
#include "runtime/server/message.h"

namespace trawl {

struct GateRules {
  HostRule hosts;
  bool reads_need_token = false;
  bool is_behind_proxy = false;
  // Of the session. Cookies of one machine are not told apart by port, so it has the port in its name.
  std::string cookie = "trawl_session";
};

// Who sends a request.
struct Caller {
  std::string address;  // of the client, also behind a proxy
  bool is_https = false;
  bool has_token = false;
  bool has_wrong_token = false;
  std::optional<Session> session;

  bool may_write() const { return has_token || session.has_value(); }
};

class Gate {
 public:
  // `clock` outlives the gate. Without a token nobody may write.
  Gate(GateRules rules, std::optional<Token> token, const Clock& clock);

  // Takes another token. All sessions end: they were begun with the old one.
  void UseToken(Token token);
  bool has_token() const;

  Caller Identify(const ServerRequest& request) const;
  // The answer to a request that does not come in; nothing for one that does.
  std::optional<ServerAnswer> Refusal(const ServerRequest& request);

  // Answers a try to log in with this token: a session's cookie and a redirect to `next` where it is a path of ours, else to
  // the first page. Nothing where the token is wrong; the caller then delays its answer by LoginLimit::kDelayMs.
  // REQUIRES: the request came in.
  arrow::Result<std::optional<ServerAnswer>> LogIn(const ServerRequest& request, std::string_view token,
                                                   std::string_view next);
  // Ends the session, and redirects to the first page.
  ServerAnswer LogOut(const ServerRequest& request);

 private:
  std::optional<ServerAnswer> RefusalOfLogin(const ServerRequest& request, const Caller& caller);
  std::optional<ServerAnswer> RefusalOfWrite(const ServerRequest& request, const Caller& caller) const;
  std::optional<ServerAnswer> RefusalOfOrigin(const ServerRequest& request, const Caller& caller) const;
  std::optional<ServerAnswer> RefusalOfRead(const ServerRequest& request, const Caller& caller) const;
  std::string Cookie(const std::string& secret, int64_t life_ms, bool is_https) const;
  std::string CookieOf(const ServerRequest& request) const;
  std::shared_ptr<const Token> token() const;

  const GateRules rules_;
  const Clock& clock_;
  mutable std::mutex mutex_;  // guards token_
  std::shared_ptr<const Token> token_;
  Sessions sessions_;
  LoginLimit limit_;
};

// The path of a request's target, without its query.
std::string_view PathOf(const ServerRequest& request);
bool IsRead(const ServerRequest& request);
// Whether its body is what an HTML form sends.
bool IsForm(const ServerRequest& request);
// Whether the client would rather have a page than JSON: a browser.
bool WantsPage(const ServerRequest& request);

// An answer of problem+json.
ServerAnswer AnswerOfProblem(int status, const std::string& detail);

}  // namespace trawl
