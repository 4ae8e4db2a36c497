// The numbered rules of jobs/politeness/robots_gate.h, by RFC 9309.
#include "jobs/politeness/robots_gate.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"
#include "jobs/politeness/robots_standing.h"

namespace trawl {
namespace {

using Kind = RobotsDecision::Kind;

constexpr int64_t kNow = 1'772'366'400'000;
constexpr char kOrigin[] = "com,example)";

HttpAnswer Status(int status, const std::string& body = "") {
  HttpAnswer answer;
  answer.status = status;
  answer.body = body;
  answer.sent = true;
  return answer;
}

HttpAnswer Failure(HttpOutcome outcome) {
  HttpAnswer answer;
  answer.outcome = outcome;
  return answer;
}

RobotsGate Gate(OnUnreachableRobots on_unreachable = OnUnreachableRobots::kDefer) {
  RobotsOptions options;
  options.on_unreachable = on_unreachable;
  return RobotsGate("trawl", options);
}

Kind After(const HttpAnswer& answer) {
  RobotsGate gate = Gate();
  gate.Take(kOrigin, {answer}, kNow);
  return gate.Check(kOrigin, "/private", kNow).kind;
}

TEST(RobotsGate, WhatAnAnswerMeans) {
  const std::string rules = "User-agent: *\nDisallow: /private\n";
  EXPECT_EQ(After(Status(200, rules)), Kind::kDenied);
  EXPECT_EQ(After(Status(200, "")), Kind::kAllowed);
  EXPECT_EQ(After(Status(204)), Kind::kAllowed);
  // RFC 9309 section 2.3.1.3: "If a server status code indicates that the robots.txt file is unavailable to the
  // crawler, then the crawler MAY access any resources on the server."
  for (const int status : {400, 401, 403, 404, 410, 451}) EXPECT_EQ(After(Status(status)), Kind::kAllowed) << status;
  // Section 2.3.1.4: "… the robots.txt file is undefined, and the crawler MUST assume complete disallow": for as long
  // as nobody knows.
  for (const int status : {429, 500, 502, 503, 599}) EXPECT_EQ(After(Status(status)), Kind::kDeferred) << status;
  // Nobody asked for these; they are errors.
  for (const int status : {304, 305, 600}) EXPECT_EQ(After(Status(status)), Kind::kDeferred) << status;
  for (const HttpOutcome outcome :
       {HttpOutcome::kTimeout, HttpOutcome::kTooSlow, HttpOutcome::kDnsFailed, HttpOutcome::kTlsFailed,
        HttpOutcome::kConnectionReset, HttpOutcome::kProtocolError, HttpOutcome::kHeaderLimit}) {
    EXPECT_EQ(After(Failure(outcome)), Kind::kDeferred) << HttpOutcomeName(outcome);
  }
  EXPECT_EQ(After(Failure(HttpOutcome::kAddressRefused)), Kind::kAddressRefused);
  HttpAnswer cut = Status(200, rules);
  for (const BodyEnd end : {BodyEnd::kTime, BodyEnd::kIncomplete, BodyEnd::kRatio}) {
    cut.end = end;
    EXPECT_EQ(After(cut), Kind::kDeferred) << BodyEndName(end);
  }
  // Section 2.5: what is beyond the parsing limit is ignored.
  cut.end = BodyEnd::kSize;
  EXPECT_EQ(After(cut), Kind::kDenied);
}

TEST(RobotsGate, WhereNobodyIsThereThePagesFailWithIt) {
  struct {
    HttpOutcome http;
    const char* detail;
    Outcome page;
    const char* reason;
  } cases[] = {
      {HttpOutcome::kDnsFailed, "no such name", Outcome::kDnsFailed,
       "nobody is there to ask for robots.txt: no such name"},
      {HttpOutcome::kConnectFailed, "Connection refused", Outcome::kConnectFailed,
       "nobody is there to ask for robots.txt: Connection refused"},
  };
  for (const auto on_unreachable : {OnUnreachableRobots::kDefer, OnUnreachableRobots::kAllow}) {
    for (const auto& c : cases) {
      RobotsGate gate = Gate(on_unreachable);
      // A copy that is still good serves no pages, either: there is nobody to ask for them.
      gate.Take(kOrigin, {Status(200, "User-agent: *\nAllow: /\n")}, kNow - kDayMs);
      HttpAnswer nobody = Failure(c.http);
      nobody.detail = c.detail;
      nobody.nobody_there = true;
      gate.Take(kOrigin, {nobody}, kNow);
      const RobotsDecision decision = gate.Check(kOrigin, "/", kNow);
      EXPECT_EQ(decision.kind, Kind::kDead);
      EXPECT_EQ(decision.dead, c.page);
      EXPECT_EQ(decision.rule, c.reason);
      const RobotsRow row = gate.TakeChanged().at(0);
      EXPECT_TRUE(row.is_dead);
      EXPECT_EQ(row.dead_rounds, 1);
      gate.Take(kOrigin, {Status(404)}, kNow + kDayMs);
      EXPECT_EQ(gate.Check(kOrigin, "/", kNow + kDayMs).kind, Kind::kAllowed);
      EXPECT_FALSE(gate.TakeChanged().at(0).is_dead);
    }
  }
  // Another host to which robots.txt redirects is not this one, and a fault of our own machine says nothing.
  HttpAnswer nobody = Failure(HttpOutcome::kConnectFailed);
  nobody.nobody_there = true;
  RobotsGate redirected = Gate();
  redirected.Take(kOrigin, {nobody, 1, false, "https://other.example/robots.txt"}, kNow);
  EXPECT_EQ(redirected.Check(kOrigin, "/", kNow).kind, Kind::kDeferred);
  nobody.own_fault = true;
  EXPECT_EQ(After(nobody), Kind::kDeferred);
}

TEST(RobotsGate, AHostThatTakesNoConnectionIsDeadWhereRobotsTxtIsInsistedOn) {
  HttpAnswer silent = Failure(HttpOutcome::kConnectFailed);
  silent.detail = "no connection in time";
  EXPECT_EQ(After(silent), Kind::kDead);
  RobotsGate allowing = Gate(OnUnreachableRobots::kAllow);
  allowing.Take(kOrigin, {silent}, kNow);
  EXPECT_EQ(allowing.Check(kOrigin, "/", kNow).kind, Kind::kAllowed);
  silent.timings.connect_ms = 3;  // and no TLS handshake
  EXPECT_EQ(After(silent), Kind::kDeferred);
  silent.timings.connect_ms = -1;
  silent.own_fault = true;
  EXPECT_EQ(After(silent), Kind::kDeferred);
}

TEST(RobotsGate, RedirectsThatLeadNowhereAllow) {
  RobotsGate gate = Gate();
  gate.Take(kOrigin, {Status(301), 5, true, "https://example.com/x"}, kNow);
  EXPECT_EQ(gate.Check(kOrigin, "/private", kNow).kind, Kind::kAllowed);
}

TEST(RobotsGate, ADecisionNamesItsLine) {
  RobotsGate gate = Gate();
  gate.Take(kOrigin, {Status(200, "User-agent: *\nAllow: /a\nDisallow: /\n")}, kNow);
  const RobotsDecision denied = gate.Check(kOrigin, "/x", kNow), allowed = gate.Check(kOrigin, "/a", kNow);
  EXPECT_EQ(denied.line, 3);
  EXPECT_EQ(denied.rule, "Disallow: /");
  EXPECT_EQ(allowed.line, 2);
}

TEST(RobotsGate, ItIsAskedForAgainAfterItsTime) {
  RobotsGate gate = Gate();
  EXPECT_EQ(gate.Check(kOrigin, "/", kNow).kind, Kind::kMustAsk);
  gate.Take(kOrigin, {Status(404)}, kNow);
  EXPECT_EQ(gate.Check(kOrigin, "/", kNow + kDayMs - 1).kind, Kind::kAllowed);
  EXPECT_EQ(gate.Check(kOrigin, "/", kNow + kDayMs).kind, Kind::kMustAsk);
}

// Else a time shorter than the host's delay would let no page through.
TEST(RobotsGate, ItServesThePageForWhichItWasAsked) {
  RobotsOptions options;
  options.ttl_ms = 500;
  RobotsGate gate("trawl", options);
  gate.Take(kOrigin, {Status(200, "User-agent: *\nDisallow: /private\n")}, kNow);
  EXPECT_EQ(gate.Check(kOrigin, "/public", kNow + 2'000).kind, Kind::kAllowed);
  EXPECT_EQ(gate.Check(kOrigin, "/public", kNow + 4'000).kind, Kind::kMustAsk);
}

TEST(RobotsGate, UnreachableItIsAskedForAfterAnHourDoublingToADay) {
  RobotsGate gate = Gate();
  int64_t now_ms = kNow;
  for (const int64_t hours : {1, 2, 4, 8, 16, 24, 24}) {
    gate.Take(kOrigin, {Status(500)}, now_ms);
    EXPECT_EQ(gate.Check(kOrigin, "/", now_ms + hours * kHourMs - 1).kind, Kind::kDeferred) << hours;
    now_ms += hours * kHourMs;
    EXPECT_EQ(gate.Check(kOrigin, "/", now_ms).kind, Kind::kMustAsk) << hours;
  }
}

TEST(RobotsGate, AnOldCopyServesNeitherThisTaskNorTheNext) {
  RobotsRow row = {.key = kOrigin,
                   .outcome = Outcome::kServerError,
                   .fetched_ms = kNow + 31 * kDayMs,
                   .due_ms = kNow + 31 * kDayMs + kHourMs,
                   .failures = 1,
                   .text = "User-agent: *\nAllow: /\n",
                   .text_ms = kNow};
  RobotsGate gate = Gate();
  gate.Add(row);
  EXPECT_EQ(gate.Check(kOrigin, "/", row.fetched_ms + 1).kind, Kind::kDeferred);
  EXPECT_EQ(DeferredUntil(row, {}, row.fetched_ms + 1), row.due_ms);
  row.text_ms += 2 * kDayMs;
  EXPECT_EQ(DeferredUntil(row, {}, row.fetched_ms + 1), 0);
}

TEST(RobotsGate, ADecisionSaysWhyThereAreNoRules) {
  const auto rule_after = [](const HttpAnswer& answer) {
    RobotsGate gate = Gate();
    gate.Take(kOrigin, {answer}, kNow);
    return gate.Check(kOrigin, "/", kNow).rule;
  };
  EXPECT_EQ(rule_after(Status(403)), "robots.txt: status 403");
  EXPECT_EQ(rule_after(Status(200)), "no rules");
  EXPECT_EQ(rule_after(Status(200, "User-agent: *\nDisallow: /private\n")), "no rule is against it");
  HttpAnswer cut = Status(200, "User-agent: *\n");
  cut.end = BodyEnd::kIncomplete;
  EXPECT_TRUE(rule_after(cut).starts_with("robots.txt cannot be reached: its body is cut off")) << rule_after(cut);
  HttpAnswer tls = Failure(HttpOutcome::kTlsFailed);
  tls.tls_fault = TlsFault::kExpired;
  EXPECT_NE(rule_after(tls).find("expired"), std::string::npos) << rule_after(tls);
}

TEST(RobotsGate, TheLastGoodCopyServesForThirtyDays) {
  RobotsGate gate = Gate();
  gate.Take(kOrigin, {Status(200, "User-agent: *\nDisallow: /private\n")}, kNow);
  gate.Take(kOrigin, {Status(500)}, kNow + 29 * kDayMs);
  EXPECT_EQ(gate.Check(kOrigin, "/private", kNow + 29 * kDayMs).kind, Kind::kDenied);
  EXPECT_EQ(gate.Check(kOrigin, "/", kNow + 29 * kDayMs).kind, Kind::kAllowed);
  gate.Take(kOrigin, {Status(500)}, kNow + 30 * kDayMs);
  EXPECT_EQ(gate.Check(kOrigin, "/", kNow + 30 * kDayMs).kind, Kind::kDeferred);
}

TEST(RobotsGate, OnUnreachableAllowIsSaid) {
  RobotsGate gate = Gate(OnUnreachableRobots::kAllow);
  gate.Take(kOrigin, {Status(500)}, kNow);
  const RobotsDecision decision = gate.Check(kOrigin, "/", kNow);
  EXPECT_EQ(decision.kind, Kind::kAllowed);
  EXPECT_TRUE(decision.despite_unreachable);
  EXPECT_NE(decision.rule.find("status 500"), std::string::npos);
}

TEST(RobotsGate, RowsCarryTheHistory) {
  RobotsGate gate = Gate();
  for (int i = 0; i < 15; ++i) gate.Take(kOrigin, {Status(i == 14 ? 404 : 500)}, kNow + i * kDayMs);
  const std::vector<RobotsRow> rows = gate.TakeChanged();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(std::count(rows[0].history.begin(), rows[0].history.end(), '\n'), 10);
  EXPECT_NE(rows[0].history.find("client_error 404 allowed"), std::string::npos) << rows[0].history;
  EXPECT_TRUE(gate.TakeChanged().empty());
}

// A host is one, whatever the scheme and port that ask for more time.
TEST(RobotsGate, TheLongestCrawlDelayOfAHostsOriginsIsTheHosts) {
  RobotsGate gate = Gate();
  const auto rules = [](const std::string& delay) {
    return Status(200, "User-agent: *\nCrawl-delay: " + delay + "\n");
  };
  gate.Take("com,example)", {rules("2")}, kNow);
  EXPECT_EQ(gate.CrawlDelayMs("com,example)http/x"), 2'000);
  gate.Take("com,example)http", {rules("5")}, kNow);
  gate.Take("com,example)http:8080", {Status(404)}, kNow);
  gate.Take("com,example,www)", {rules("9")}, kNow);
  gate.Take("com,examples)", {rules("9")}, kNow);
  for (const char* key : {"com,example)", "com,example)http/x", "com,example)http:8080", "com,example)http:81/"}) {
    EXPECT_EQ(gate.CrawlDelayMs(key), 5'000) << key;
  }
  EXPECT_EQ(gate.CrawlDelayMs("com,other)"), std::nullopt);
  gate.Take("com,example)http", {rules("1")}, kNow);
  EXPECT_EQ(gate.CrawlDelayMs("com,example)http"), 2'000);
}

TEST(RobotsGate, TextsTakeBoundedMemory) {
  RobotsGate gate = Gate();
  const std::string long_rules = "User-agent: *\nDisallow: /private\n" + std::string(500 << 10, '#');
  constexpr int kOrigins = 600;  // 300 MiB of texts
  for (int i = 0; i < kOrigins; ++i) {
    gate.Take("com,h" + std::to_string(i) + ")", {Status(200, long_rules)}, kNow);
    if (gate.changed_bytes() > (8 << 20)) gate.TakeChanged();
  }
  int known = 0;
  for (int i = 0; i < kOrigins; ++i) {
    const Kind kind = gate.Check("com,h" + std::to_string(i) + ")", "/private", kNow).kind;
    EXPECT_TRUE(kind == Kind::kDenied || kind == Kind::kMustAsk);
    known += kind == Kind::kDenied ? 1 : 0;
  }
  EXPECT_GT(known, 100);
  EXPECT_LT(known, 450);
}

}  // namespace
}  // namespace trawl
