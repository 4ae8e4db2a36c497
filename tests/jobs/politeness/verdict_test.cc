#include "jobs/politeness/verdict.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"

namespace trawl {
namespace {

HttpAnswer Answered(int status, const std::string& headers = "") {
  HttpAnswer answer;
  answer.status = status;
  answer.sent = true;
  answer.raw_headers = "HTTP/1.1 " + std::to_string(status) + "\r\n" + headers + "\r\n";
  return answer;
}

TEST(FetchOutcome, StatusesHaveOutcomes) {
  const struct {
    int status;
    Outcome outcome;
    HostSign sign;
    bool may_pass;
  } cases[] = {
      {200, Outcome::kFetched, HostSign::kAnswered, false},
      {204, Outcome::kFetched, HostSign::kAnswered, false},
      {206, Outcome::kProtocolError, HostSign::kAnswered, false},
      {304, Outcome::kProtocolError, HostSign::kAnswered, false},
      {301, Outcome::kRedirectRefused, HostSign::kAnswered, false},  // without Location
      {404, Outcome::kClientError, HostSign::kAnswered, false},
      {408, Outcome::kThrottled, HostSign::kThrottled, false},
      {410, Outcome::kGone, HostSign::kAnswered, false},
      {425, Outcome::kThrottled, HostSign::kThrottled, false},
      {429, Outcome::kThrottled, HostSign::kThrottled, false},
      {500, Outcome::kServerError, HostSign::kFailed, true},
      {503, Outcome::kServerError, HostSign::kFailed, true},
      {999, Outcome::kProtocolError, HostSign::kAnswered, false},
  };
  for (const auto& one : cases) {
    const PageVerdict verdict = JudgePage(Answered(one.status), false, 0);
    EXPECT_EQ(verdict.outcome, one.outcome) << one.status;
    EXPECT_EQ(verdict.sign, one.sign) << one.status;
    EXPECT_EQ(MayPass(verdict.outcome), one.may_pass) << one.status;
  }
  EXPECT_EQ(JudgePage(Answered(304), true, 0).outcome, Outcome::kNotModified);
}

TEST(FetchOutcome, RetryAfterMakesA503AThrottle) {
  const PageVerdict verdict = JudgePage(Answered(503, "Retry-After: 120\r\n"), false, 0);
  EXPECT_EQ(verdict.outcome, Outcome::kThrottled);
  EXPECT_EQ(verdict.sign, HostSign::kThrottled);
  EXPECT_EQ(verdict.retry_after_ms, 120'000);
}

TEST(FetchOutcome, RetryAfterIsHeardWithinASecondAndADay) {
  const struct {
    const char* value;
    int64_t wait_ms;
  } cases[] = {{"0", 1'000},
               {"864000", kDayMs},
               {"9223372036854775", kDayMs},
               {"99999999999999999999999999", kDayMs},
               {"Fri, 31 Dec 2199 23:59:59 GMT", kDayMs},
               {"Fri, 31 Dec 1999 23:59:59 GMT", 1'000},
               {"soon", -1}};
  for (const auto& one : cases) {
    const HttpAnswer answer = Answered(429, "Retry-After: " + std::string(one.value) + "\r\n");
    EXPECT_EQ(JudgePage(answer, false, 1'772'366'400'000).retry_after_ms, one.wait_ms) << one.value;
  }
}

TEST(FetchOutcome, FailuresAreTheHostsUnlessTheyAreOurs) {
  for (const HttpOutcome outcome : {HttpOutcome::kTimeout, HttpOutcome::kTooSlow, HttpOutcome::kConnectFailed,
                                    HttpOutcome::kDnsFailed, HttpOutcome::kConnectionReset}) {
    HttpAnswer answer;
    answer.outcome = outcome;
    EXPECT_EQ(JudgePage(answer, false, 0).sign, HostSign::kFailed) << HttpOutcomeName(outcome);
    EXPECT_TRUE(MayPass(JudgePage(answer, false, 0).outcome)) << HttpOutcomeName(outcome);
    answer.own_fault = true;
    EXPECT_EQ(JudgePage(answer, false, 0).sign, HostSign::kBlameless) << HttpOutcomeName(outcome);
  }
  HttpAnswer tls;
  tls.outcome = HttpOutcome::kTlsFailed;
  tls.tls_fault = TlsFault::kExpired;
  EXPECT_FALSE(MayPass(JudgePage(tls, false, 0).outcome));  // one try
  EXPECT_EQ(JudgePage(tls, false, 0).reason, "expired");
  HttpAnswer refused;
  refused.outcome = HttpOutcome::kAddressRefused;
  EXPECT_EQ(JudgePage(refused, false, 0).sign, HostSign::kBlameless);
}

TEST(FetchOutcome, CutBodiesAreKeptAndMarked) {
  const struct {
    BodyEnd end;
    Truncation truncated;
  } cases[] = {{BodyEnd::kComplete, Truncation::kNone},         {BodyEnd::kSize, Truncation::kSize},
               {BodyEnd::kRatio, Truncation::kRatio},           {BodyEnd::kTime, Truncation::kTime},
               {BodyEnd::kIncomplete, Truncation::kIncomplete}, {BodyEnd::kCodingIncomplete, Truncation::kCoding}};
  for (const auto& one : cases) {
    HttpAnswer answer = Answered(200);
    answer.end = one.end;
    EXPECT_EQ(JudgePage(answer, false, 0).outcome, Outcome::kFetched);
    EXPECT_EQ(JudgePage(answer, false, 0).truncated, one.truncated);
  }
}

TEST(FetchOutcome, WantedTypes) {
  const struct {
    const char* type;
    bool page;
    bool sitemap;
  } cases[] = {{"text/html; charset=utf-8", true, true},
               {"application/xhtml+xml", true, true},
               {"application/xml", true, true},
               {"application/rss+xml", true, true},
               {"text/plain", true, true},
               {"", true, true},
               {"nonsense", true, true},
               {"application/gzip", false, true},
               {"application/octet-stream", false, true},
               {"application/json", false, true},
               {"application/feed+json", false, true},
               {"image/png", false, false}};
  for (const auto& one : cases) {
    EXPECT_EQ(IsWantedType(UrlKind::kPage, one.type), one.page) << one.type;
    EXPECT_EQ(IsWantedType(UrlKind::kSitemap, one.type), one.sitemap) << one.type;
  }
}

}  // namespace
}  // namespace trawl
