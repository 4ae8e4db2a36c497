// Which room answers, and what every answer is made of.
#include "jobs/serve/front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/process/manual_clock.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

using Fields = std::vector<std::pair<std::string, std::string>>;

std::string FieldOf(const ServerAnswer& answer, const std::string& name) {
  for (const auto& [field, value] : answer.headers) {
    if (field == name) return value;
  }
  return "";
}

class FrontTest : public ::testing::Test {
 protected:
  FrontRooms Rooms() {
    FrontRooms rooms;
    rooms.api_has = [](std::string_view path) { return path == "/status" || path == "/seeds"; };
    rooms.api_route = [](std::string_view method, std::string_view path) {
      const bool has = (method == "GET" && path == "/status") || (method == "POST" && path == "/seeds");
      return has ? std::string(path) : "";
    };
    rooms.api = [](const ServerRequest& request, const StopToken&) {
      return ServerAnswer{.headers = {{"Content-Type", "application/json"}}, .body = "api " + request.target};
    };
    rooms.web = [this](const ServerRequest& request, const Visitor& visitor, const StopToken&) {
      visitor_ = visitor;
      return ServerAnswer{.headers = {{"Content-Type", "text/html"}}, .body = "web " + request.target};
    };
    rooms.login = [](const Visitor&, std::string_view next, std::string_view fault) {
      return ServerAnswer{.body = "login " + std::string(next) + " " + std::string(fault)};
    };
    rooms.error = [](const Visitor&, int status, std::string_view title, std::string_view detail) {
      return ServerAnswer{.status = status, .body = "page: " + std::string(title) + ": " + std::string(detail)};
    };
    rooms.metrics = [](const ServerRequest&, const StopToken&) { return ServerAnswer{.body = "metrics"}; };
    rooms.own_metrics = [](const ServerRequest&) { return ServerAnswer{.body = "own metrics"}; };
    rooms.store = [this] { return store_; };
    rooms.ready = [this] { return ready_; };
    rooms.served = [this](std::string_view route, std::string_view method, int status, double seconds) {
      served_ = std::string(route) + " " + std::string(method) + " " + std::to_string(status) + " " +
                std::to_string(static_cast<int>(seconds));
    };
    return rooms;
  }
  static ServerRequest Request(const std::string& method, const std::string& target, Fields fields = {},
                               const std::string& body = "") {
    fields.insert(fields.begin(), {"host", "localhost:1"});
    return {.method = method, .target = target, .headers = std::move(fields), .body = body, .address = "127.0.0.1"};
  }
  std::string BodyOf(const ServerRequest& request) { return front_.Handle(request, StopToken()).body; }
  int AdmittedStatus(const std::string& path, const std::string& method = "GET") {
    const auto answer = front_.Admit(Request(method, path));
    return answer ? answer->status : 0;
  }
  std::string RouteOf(const ServerRequest& request) {
    front_.Observe(request, 200, 3000);
    return served_;
  }
  std::pair<std::string, std::string> LoggedIn() {
    const ServerAnswer answer = front_.Handle(
        Request("POST", "/login", {{"content-type", "application/x-www-form-urlencoded"}}, "token=secret&next=/a"), {});
    EXPECT_EQ(answer.status, 303);
    const std::string cookie = FieldOf(answer, "Set-Cookie");
    return {"cookie", cookie.substr(0, cookie.find(';'))};
  }

  ManualClock clock_;
  arrow::Status store_, ready_;
  Visitor visitor_;
  std::string served_;
  Gate gate_{{.hosts = HostRule({.ip = "127.0.0.1", .port = 1})}, Token("secret"), clock_};
  Front front_{&gate_, Rooms()};
};

TEST_F(FrontTest, EachPathHasItsRoom) {
  EXPECT_EQ(BodyOf(Request("GET", "/status?now=1")), "api /status?now=1");
  EXPECT_EQ(BodyOf(Request("DELETE", "/status")), "api /status") << "which knows that it is 405";
  EXPECT_EQ(BodyOf(Request("GET", "/metrics")), "metrics");
  EXPECT_EQ(BodyOf(Request("GET", "/hosts")), "web /hosts");
  EXPECT_EQ(BodyOf(Request("GET", "/login")), "web /login");
}

TEST_F(FrontTest, APathOfTheApiMayAlsoBeAPage) {
  EXPECT_EQ(BodyOf(Request("POST", "/seeds", {{"content-type", "application/json"}})), "api /seeds");
  EXPECT_EQ(BodyOf(Request("GET", "/seeds")), "api /seeds") << "405 for a program";
  EXPECT_EQ(BodyOf(Request("GET", "/seeds", {{"accept", "text/html"}})), "web /seeds");
  EXPECT_EQ(BodyOf(Request("GET", "/status", {{"accept", "text/html"}})), "api /status") << "there is no such page";
}

TEST_F(FrontTest, AFormComesBackWithItsToken) {
  const auto session = LoggedIn();
  const std::pair<std::string, std::string> form = {"content-type", "application/x-www-form-urlencoded"};
  const std::string token = gate_.Identify(Request("GET", "/", {session})).session->form_token;
  EXPECT_EQ(BodyOf(Request("POST", "/seeds", {session, form}, "urls=x&form_token=" + token)), "web /seeds");
  EXPECT_TRUE(visitor_.may_write && visitor_.is_logged_in);
  EXPECT_EQ(visitor_.form_token, token);
  const std::vector<std::string> bad = {"urls=x", "urls=x&form_token=", "form_token=" + token + "0", "form_token=%zz"};
  for (const std::string& body : bad) {
    EXPECT_EQ(front_.Handle(Request("POST", "/seeds", {session, form}, body), {}).status, 403) << body;
  }
  EXPECT_EQ(front_.Handle(Request("POST", "/seeds", {form}, "form_token="), {}).status, 403) << "no session";
  EXPECT_EQ(front_.Handle(Request("POST", "/logout", {session, form}, "form_token=" + token), {}).status, 303);
  EXPECT_FALSE(gate_.Identify(Request("GET", "/", {session})).may_write());
}

TEST_F(FrontTest, AWrongTokenShowsTheFormAgainASecondLater) {
  const ServerAnswer answer = front_.Handle(
      Request("POST", "/login", {{"content-type", "application/x-www-form-urlencoded"}}, "token=wrong&next=/a"), {});
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(answer.delay_ms, 1000);
  EXPECT_EQ(answer.body, "login /a This is not the token.");
}

TEST_F(FrontTest, AVisitorOfAServerWithoutTokenOnlyReads) {
  Gate reading({.hosts = HostRule({.ip = "127.0.0.1", .port = 1})}, std::nullopt, clock_);
  Front front(&reading, Rooms());
  front.Handle(Request("GET", "/hosts"), {});
  EXPECT_FALSE(visitor_.may_write || visitor_.is_logged_in || visitor_.can_log_in);
}

TEST_F(FrontTest, WhileTheStoreIsAwayTheServerSaysSoAtOnce) {
  EXPECT_EQ(AdmittedStatus("/healthz"), 200);
  EXPECT_EQ(AdmittedStatus("/readyz"), 200);
  EXPECT_EQ(AdmittedStatus("/status"), 0);
  store_ = arrow::Status::IOError("no route to it");
  EXPECT_EQ(AdmittedStatus("/healthz"), 200);
  EXPECT_EQ(AdmittedStatus("/readyz"), 503);
  EXPECT_EQ(AdmittedStatus("/status"), 503);
  EXPECT_EQ(AdmittedStatus("/hosts"), 503);
  EXPECT_EQ(front_.Admit(Request("GET", "/metrics"))->body, "own metrics") << "no thread waits for the store";
  EXPECT_EQ(front_.Admit(Request("GET", "/assets/style.css"))->body, "web /assets/style.css");
  const ServerAnswer answer = *front_.Admit(Request("GET", "/status"));
  EXPECT_THAT(answer.body, HasSubstr("no route to it"));
  EXPECT_EQ(FieldOf(answer, "Retry-After"), "5");
  store_ = arrow::Status::OK();
  EXPECT_EQ(AdmittedStatus("/status"), 0);
}

TEST_F(FrontTest, ReadsThatWaitForAStoreThatHasGoneAreToldSo) {
  EXPECT_FALSE(front_.Overtake(Request("GET", "/status")));
  store_ = arrow::Status::IOError("no route to it");
  EXPECT_EQ(front_.Overtake(Request("GET", "/status"))->status, 503);
  EXPECT_EQ(front_.Overtake(Request("HEAD", "/hosts"))->status, 503);
  EXPECT_EQ(front_.Overtake(Request("GET", "/metrics"))->body, "own metrics");
  EXPECT_THAT(front_.Overtake(Request("GET", "/hosts", {{"accept", "text/html"}}))->body,
              testing::StartsWith("page: "));
  EXPECT_FALSE(front_.Overtake(Request("POST", "/seeds", {{"content-type", "application/json"}})))
      << "what it ordered may still be carried out";
}

TEST_F(FrontTest, ADamagedPresentIsNotReadyAndNoReasonToCallTheStoreAway) {
  ready_ = arrow::Status::Invalid("snapshots/00000007.json: its seal does not match");
  EXPECT_EQ(AdmittedStatus("/readyz"), 503);
  EXPECT_THAT(front_.Admit(Request("GET", "/readyz"))->body, HasSubstr("00000007.json"));
  EXPECT_EQ(AdmittedStatus("/status"), 0);
}

TEST_F(FrontTest, RefusedOnesGetNoFurther) {
  EXPECT_EQ(AdmittedStatus("/status", "POST"), 401);
  EXPECT_EQ(AdmittedStatus("/healthz", "POST"), 405);
  EXPECT_EQ(AdmittedStatus("/metrics", "OPTIONS"), 405);
}

TEST_F(FrontTest, ABrowserThatIsRefusedSeesAPage) {
  const Fields browser = {{"accept", "text/html,*/*"}, {"content-type", "application/x-www-form-urlencoded"}};
  const auto sent = [this](const std::string& method, const std::string& path, Fields fields) {
    return *front_.Admit(Request(method, path, std::move(fields), "x"));
  };
  for (const char* path : {"/seeds", "/logout", "/hosts/a/block"}) {
    const ServerAnswer answer = sent("POST", path, browser);
    EXPECT_EQ(answer.status, 401) << path;
    EXPECT_THAT(answer.body, testing::StartsWith("page: Token needed: Log in, go back")) << path;
    EXPECT_NE(FieldOf(answer, "WWW-Authenticate"), "") << path;
  }
  const auto json = sent("POST", "/seeds", {{"accept", "text/html"}, {"content-type", "application/json"}});
  EXPECT_THAT(json.body, testing::StartsWith("{")) << "not what a form sends";
  EXPECT_THAT(sent("POST", "/hosts/a/block", {browser[1]}).body, testing::StartsWith("{")) << "a program's form";
  EXPECT_THAT(sent("POST", "/healthz", {browser[0]}).body, testing::StartsWith("{"));

  ServerRequest foreign = Request("POST", "/logout", browser);
  foreign.headers[0].second = "evil.example";
  EXPECT_THAT(front_.Admit(foreign)->body, testing::StartsWith("{")) << "a page has the name of the crawl";

  store_ = arrow::Status::IOError("no route to it");
  const ServerAnswer away = sent("GET", "/hosts", {browser[0]});
  EXPECT_EQ(away.status, 503);
  EXPECT_THAT(away.body, testing::StartsWith("page: "));
  EXPECT_THAT(away.body, HasSubstr("no route to it"));
  EXPECT_EQ(FieldOf(away, "Retry-After"), "5");
  EXPECT_THAT(sent("GET", "/status", {browser[0]}).body, testing::StartsWith("{")) << "an address of the API";
}

TEST_F(FrontTest, AnswersAreCountedByTemplate) {
  EXPECT_EQ(RouteOf(Request("GET", "/status?x=1")), "/status GET 200 3");
  EXPECT_EQ(RouteOf(Request("HEAD", "/status")), "/status HEAD 200 3");
  EXPECT_EQ(RouteOf(Request("PUT", "/status")), "api PUT 200 3");
  EXPECT_EQ(RouteOf(Request("GET", "/anything/a/client/made/up")), "pages GET 200 3");
  EXPECT_EQ(RouteOf(Request("GET", "/assets/x")), "assets GET 200 3");
  EXPECT_EQ(RouteOf(Request("GET", "/healthz?x")), "/healthz GET 200 3");
}

TEST(Safety, EveryAnswerHasThePolicies) {
  ServerAnswer answer = {.headers = {{"content-security-policy", "sandbox"}}};
  AddSafety(&answer);
  EXPECT_EQ(FieldOf(answer, "X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(FieldOf(answer, "Referrer-Policy"), "no-referrer");
  EXPECT_EQ(FieldOf(answer, "Cross-Origin-Resource-Policy"), "same-origin");
  EXPECT_EQ(FieldOf(answer, "Cache-Control"), "no-store");
  EXPECT_EQ(FieldOf(answer, "content-security-policy"), "sandbox");
  EXPECT_EQ(FieldOf(answer, "Content-Security-Policy"), "") << "its own stands";
  ServerAnswer other;
  AddSafety(&other);
  EXPECT_THAT(FieldOf(other, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
}

// Crawled bytes never run: whatever type the API says, a browser must not show them as a document of this origin.
TEST(Safety, TheApiGivesNothingThatABrowserRuns) {
  const auto disarmed = [](const std::string& type) {
    ServerAnswer answer = {.body = "<script>"};
    if (!type.empty()) answer.headers = {{"content-type", type}};
    DisarmApiAnswer(&answer);
    return FieldOf(answer, "Content-Disposition") == "attachment" &&
           FieldOf(answer, "Content-Security-Policy") == "sandbox; default-src 'none'";
  };
  for (const char* type : {"text/html", "TEXT/HTML; charset=utf-8", "image/svg+xml", "application/xhtml+xml",
                           "text/xml", "application/pdf", "text/javascript", "", "text/html, application/json"}) {
    EXPECT_TRUE(disarmed(type)) << type;
  }
  for (const char* type :
       {"application/json", "application/problem+json", "application/octet-stream", "text/plain; charset=utf-8"}) {
    EXPECT_FALSE(disarmed(type)) << type;
  }
}

}  // namespace
}  // namespace trawl
