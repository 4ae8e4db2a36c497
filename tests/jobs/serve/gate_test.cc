// Who comes in: the rules of jobs/serve/gate.h, by their numbers.
#include "jobs/serve/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/process/manual_clock.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Fields = std::vector<std::pair<std::string, std::string>>;

constexpr char kHost[] = "127.0.0.1:8765";
const std::pair<std::string, std::string> kBearer = {"authorization", "Bearer secret"};
const std::pair<std::string, std::string> kJson = {"content-type", "application/json"};
const std::pair<std::string, std::string> kForm = {"content-type", "application/x-www-form-urlencoded"};
const std::pair<std::string, std::string> kBody = {"content-length", "5"};
const std::pair<std::string, std::string> kOwnSite = {"sec-fetch-site", "same-origin"};

ServerRequest Request(const std::string& method, const std::string& target, Fields fields = {},
                      const std::string& host = kHost) {
  fields.insert(fields.begin(), {"host", host});
  return {.method = method, .target = target, .headers = std::move(fields), .address = "127.0.0.1"};
}

std::string FieldOf(const ServerAnswer& answer, const std::string& name) {
  for (const auto& [field, value] : answer.headers) {
    if (field == name) return value;
  }
  return "";
}

class GateTest : public ::testing::Test {
 protected:
  static GateRules Rules(bool reads_need_token = false, bool is_behind_proxy = false) {
    return {.hosts = HostRule(
                {.ip = "127.0.0.1", .port = 8765, .is_behind_proxy = is_behind_proxy, .names = {"crawl.example"}}),
            .reads_need_token = reads_need_token,
            .is_behind_proxy = is_behind_proxy};
  }
  static int StatusOf(Gate& gate, const ServerRequest& request) {
    const auto answer = gate.Refusal(request);
    return answer ? answer->status : 0;
  }
  int StatusOf(const ServerRequest& request) { return StatusOf(gate_, request); }
  // The cookie of a new session, as the client sends it.
  std::pair<std::string, std::string> LoggedIn() {
    const auto answer = gate_.LogIn(Request("POST", "/login"), "secret", "/").ValueOrDie();
    const std::string cookie = FieldOf(*answer, "Set-Cookie");
    return {"cookie", "theme=dark; " + cookie.substr(0, cookie.find(';'))};
  }

  ManualClock clock_;
  Gate gate_{Rules(), Token("secret"), clock_};
  Gate reading_{Rules(), std::nullopt, clock_};
  Gate closed_{Rules(/*reads_need_token=*/true), Token("secret"), clock_};
};

// 1.
TEST_F(GateTest, TheHostNamesThisServer) {
  EXPECT_EQ(StatusOf(Request("GET", "/status")), 0);
  EXPECT_EQ(StatusOf(Request("GET", "/status", {}, "evil.example:8765")), 421);
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {kBearer, kJson, kBody}, "evil.example")), 421);
  EXPECT_EQ(StatusOf({.method = "GET", .target = "/status"}), 421) << "HTTP/1.0 without a Host";
  EXPECT_EQ(StatusOf(Request("GET", "/healthz", {}, "10.0.0.1:8765")), 0);
  EXPECT_EQ(StatusOf(Request("GET", "/readyz?x", {}, "10.0.0.1:8765")), 0);
}

// 2.
TEST_F(GateTest, AWrongTokenIsAnsweredASecondLater) {
  const auto answer = gate_.Refusal(Request("GET", "/status", {{"authorization", "Bearer wrong"}}));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 401);
  EXPECT_EQ(answer->delay_ms, 1000);
  EXPECT_THAT(FieldOf(*answer, "WWW-Authenticate"), HasSubstr("Bearer"));
  for (const char* wrong : {"Bearer", "Bearer ", "BEARER x", "Bearer secret secret"}) {
    EXPECT_EQ(StatusOf(Request("GET", "/status", {{"authorization", wrong}})), 401) << wrong;
  }
  EXPECT_EQ(StatusOf(Request("GET", "/status", {{"authorization", "bearer  secret"}})), 0);
}

TEST_F(GateTest, WhatAProxyAsksForIsNoToken) {
  for (const char* other : {"Basic c2VjcmV0", "Basic secret", "Negotiate x", "secret", "Bearersecret"}) {
    const std::pair<std::string, std::string> field = {"authorization", other};
    for (int i = 0; i < 11; ++i) EXPECT_EQ(StatusOf(Request("GET", "/status", {field})), 0) << other;
    EXPECT_EQ(StatusOf(closed_, Request("GET", "/status", {field})), 401) << other;
    EXPECT_EQ(StatusOf(Request("POST", "/seeds", {field, kJson, kBody})), 401) << other;
    EXPECT_EQ(StatusOf(Request("POST", "/seeds", {field, LoggedIn(), kJson, kBody})), 0) << other;
  }
}

TEST_F(GateTest, AfterTenWrongTokensAnAddressWaits) {
  const ServerRequest wrong = Request("GET", "/status", {{"authorization", "Bearer wrong"}});
  const ServerRequest right = Request("GET", "/status", {kBearer});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(StatusOf(wrong), 401);
  EXPECT_EQ(StatusOf(wrong), 429);
  EXPECT_EQ(StatusOf(right), 429) << "or guessing would go on";
  EXPECT_EQ(StatusOf(Request("POST", "/login", {kForm, kOwnSite})), 429);
  EXPECT_EQ(StatusOf(Request("GET", "/status")), 0) << "without a token nothing is guessed";
  ServerRequest elsewhere = right;
  elsewhere.address = "127.0.0.2";
  EXPECT_EQ(StatusOf(elsewhere), 0);
  clock_.Advance(60'000);
  EXPECT_EQ(StatusOf(right), 0);
}

// 3.
TEST_F(GateTest, AWriteNeedsTheToken) {
  const auto refusal = reading_.Refusal(Request("POST", "/seeds", {kJson, kBody}));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 403);
  EXPECT_THAT(refusal->body, HasSubstr("--serve.token_file"));
  EXPECT_EQ(StatusOf(reading_, Request("POST", "/seeds", {kBearer, kJson, kBody})), 403);
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "TRACE", "INVENTED"}) {
    EXPECT_EQ(StatusOf(Request(method, "/seeds", {kJson, kBody})), 401) << method;
  }
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {kBearer, kJson, kBody})), 0);
  EXPECT_EQ(StatusOf(Request("DELETE", "/api/v1/urls/x", {kBearer})), 0);
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {LoggedIn(), kJson, kBody})), 0);
}

// 4.
TEST_F(GateTest, AReadNeedsItWhereOthersComeIn) {
  EXPECT_EQ(StatusOf(Request("GET", "/status")), 0);
  EXPECT_EQ(StatusOf(closed_, Request("GET", "/status")), 401);
  EXPECT_EQ(StatusOf(closed_, Request("GET", "/metrics")), 401);
  EXPECT_EQ(StatusOf(closed_, Request("GET", "/status", {kBearer})), 0);
  for (const char* open : {"/healthz", "/readyz", "/login?next=/", "/assets/a.css"}) {
    EXPECT_EQ(StatusOf(closed_, Request("GET", open)), 0) << open;
  }
  const auto browser = closed_.Refusal(Request("GET", "/hosts?top=slowest", {{"accept", "text/html,*/*"}}));
  ASSERT_TRUE(browser);
  EXPECT_EQ(browser->status, 303);
  EXPECT_EQ(FieldOf(*browser, "Location"), "/login?next=%2Fhosts%3Ftop%3Dslowest");
}

// 6.
TEST_F(GateTest, AWriteComesFromNoOtherSite) {
  const auto status = [this](const std::string& name, const std::string& value) {
    return StatusOf(Request("POST", "/seeds", {kBearer, kJson, kBody, {name, value}}));
  };
  EXPECT_EQ(status("origin", "http://127.0.0.1:8765"), 0);
  EXPECT_EQ(status("sec-fetch-site", "same-origin"), 0);
  EXPECT_EQ(status("origin", "http://evil.example"), 403);
  EXPECT_EQ(status("origin", "http://127.0.0.1:9999"), 403);
  EXPECT_EQ(status("origin", "null"), 403);
  // A page without a referrer names no origin; that it is ours, the browser says in another field.
  EXPECT_EQ(StatusOf(Request("POST", "/x", {LoggedIn(), kForm, kBody, {"origin", "null"}, kOwnSite})), 0);
  EXPECT_EQ(
      StatusOf(Request("POST", "/x", {LoggedIn(), kForm, kBody, {"origin", "null"}, {"sec-fetch-site", "cross-site"}})),
      403);
  for (const char* site : {"cross-site", "same-site", "none", ""})
    EXPECT_EQ(status("sec-fetch-site", site), 403) << site;
  EXPECT_EQ(StatusOf(Request("DELETE", "/x", {LoggedIn(), {"origin", "http://evil.example"}})), 403);
}

// 5.
TEST_F(GateTest, AWriteIsJsonOrOurOwnForm) {
  for (const char* type : {"text/plain", "multipart/form-data", "application/jsonx", "", "text/json"}) {
    EXPECT_EQ(StatusOf(Request("POST", "/seeds", {kBearer, {"content-type", type}, kBody})), 415) << type;
  }
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {kBearer, kBody})), 415);
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {kBearer, {"content-type", "Application/JSON; charset=utf-8"}, kBody})),
            0);
  const auto session = LoggedIn();
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {session, kForm, kBody, kOwnSite})), 0);
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {session, kForm, kBody, {"origin", "http://127.0.0.1:8765"}})), 0);
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {session, kForm, kBody})), 403) << "no browser sends a form like this";
  EXPECT_EQ(StatusOf(Request("POST", "/seeds", {kBearer, kForm, kBody, kOwnSite})), 415) << "no session, no form token";
}

TEST_F(GateTest, LoggingInGivesACookieThatScriptsAndOtherSitesDoNotGet) {
  EXPECT_EQ(StatusOf(reading_, Request("POST", "/login", {kForm, kBody, kOwnSite})), 403);
  EXPECT_EQ(StatusOf(Request("POST", "/login", {kForm, kBody, kOwnSite})), 0);
  EXPECT_EQ(StatusOf(Request("POST", "/login", {kForm, kBody, {"origin", "http://evil.example"}})), 403);
  EXPECT_EQ(StatusOf(Request("POST", "/login", {kForm, kBody})), 403);
  EXPECT_EQ(StatusOf(Request("POST", "/login", {kJson, kBody, kOwnSite})), 415);
  EXPECT_EQ(StatusOf(Request("POST", "/login", {kForm, {"content-length", "5000"}, kOwnSite})), 413);

  EXPECT_FALSE(gate_.LogIn(Request("POST", "/login"), "wrong", "/").ValueOrDie());
  ServerRequest request = Request("POST", "/login");
  const auto next = [&](const char* path) {
    return FieldOf(*gate_.LogIn(request, "secret", path).ValueOrDie(), "Location");
  };
  EXPECT_EQ(next("/hosts?x=1"), "/hosts?x=1");
  for (const char* bad : {"", "http://evil.example/", "//evil.example", "/\\evil.example", "hosts", "/a\r\nX: y",
                          "/\t/evil", "/\x01", "/\x7f"}) {
    EXPECT_EQ(next(bad), "/") << bad;
  }
  const std::string cookie = FieldOf(*gate_.LogIn(request, "secret", "/").ValueOrDie(), "Set-Cookie");
  EXPECT_THAT(cookie, HasSubstr("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"));
  EXPECT_THAT(cookie, Not(HasSubstr("Secure")));
  request.is_tls = true;
  EXPECT_THAT(FieldOf(*gate_.LogIn(request, "secret", "/").ValueOrDie(), "Set-Cookie"), HasSubstr("; Secure"));
}

TEST_F(GateTest, SessionsEndByThemselvesByLogoutAndWithTheirToken) {
  const auto session = LoggedIn();
  EXPECT_TRUE(gate_.Identify(Request("GET", "/", {session})).may_write());
  clock_.Advance(Sessions::kLifeMs);
  EXPECT_FALSE(gate_.Identify(Request("GET", "/", {session})).may_write());
  const auto second = LoggedIn(), third = LoggedIn();
  const ServerAnswer answer = gate_.LogOut(Request("POST", "/logout", {second}));
  EXPECT_THAT(FieldOf(answer, "Set-Cookie"), HasSubstr("Max-Age=0"));
  EXPECT_FALSE(gate_.Identify(Request("GET", "/", {second})).may_write());
  EXPECT_TRUE(gate_.Identify(Request("GET", "/", {third})).may_write());
  gate_.UseToken(Token("another"));
  EXPECT_FALSE(gate_.Identify(Request("GET", "/", {third})).may_write());
  EXPECT_TRUE(gate_.Identify(Request("GET", "/", {kBearer})).has_wrong_token);
  EXPECT_TRUE(gate_.Identify(Request("GET", "/", {{"authorization", "Bearer another"}})).has_token);
}

TEST_F(GateTest, BehindAProxyTheLastAddressCounts) {
  Gate gate(Rules(/*reads_need_token=*/true, /*is_behind_proxy=*/true), Token("secret"), clock_);
  const Fields fields = {{"x-forwarded-for", "6.6.6.6, 192.0.2.7"}, {"x-forwarded-proto", "https"}};
  EXPECT_EQ(gate.Identify(Request("GET", "/", fields)).address, "192.0.2.7") << "what a client writes comes first";
  EXPECT_TRUE(gate.Identify(Request("GET", "/", fields)).is_https);
  const Caller caller = gate.Identify(Request("GET", "/",
                                              {{"x-forwarded-for", "6.6.6.6"},
                                               {"x-forwarded-proto", "https"},
                                               {"x-forwarded-for", "192.0.2.7"},
                                               {"x-forwarded-proto", "http"}}));
  EXPECT_EQ(caller.address, "192.0.2.7") << "some proxies add a field of their own after the client's";
  EXPECT_FALSE(caller.is_https);
  EXPECT_EQ(gate_.Identify(Request("GET", "/", fields)).address, "127.0.0.1") << "no proxy, no belief";
  EXPECT_EQ(
      StatusOf(gate, Request("POST", "/seeds", {kBearer, kJson, kBody, {"origin", "https://crawl.example"}, fields[1]},
                             "127.0.0.1:8765")),
      0);
  EXPECT_EQ(StatusOf(gate, Request("POST", "/seeds", {kBearer, kJson, kBody, {"origin", "https://evil.example"}})),
            403);
}

}  // namespace
}  // namespace trawl
