// The endpoints that change the crawl, as requests and answers.
#include "jobs/api/write_endpoints.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/answers/base64url.h"
#include "formats/documents/sealed_json.h"
#include "formats/url/key.h"
#include "jobs/api/api.h"
#include "jobs/verb/verb.h"
#include "jobs/writes/writes.h"
#include "runtime/job/plan.h"
#include "runtime/root/layout.h"
#include "runtime/server/message.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

EffectiveOptions DefaultOptions() {
  OptionGroups groups = ApiOptionGroups();
  for (const AnyOptionGroup* group : WriteOptionGroups()) {
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  groups.push_back(&GlobalOptionGroup());
  return EffectiveOptions(groups, AllGroups(Verbs()));
}

class WriteEndpointsTest : public ::testing::Test {
 protected:
  WriteEndpointsTest() : options_(DefaultOptions()) {
    EXPECT_OK(crawl_.Put<UrlRow>({UnfetchedRow("example,a)/known")}));
    GlobalOptions global;
    global.threads = 1;
    global.temp_dir = "/tmp";
    writes_ = Writes::Start({.store = crawl_.store(), .options = &options_, .global = global, .clock = &SystemClock()},
                            {.collect_ms = 5})
                  .ValueOrDie();
    api_ = Make(writes_.get());
  }

  std::unique_ptr<Api> Make(Writes* writes) const {
    return Api::Make({.store = crawl_.store(), .options = &options_, .clock = &SystemClock(), .writes = writes})
        .ValueOrDie();
  }

  ServerAnswer Send(const std::string& method, const std::string& target, const Json& body = nullptr,
                    Headers headers = {}) {
    ServerRequest request = {.method = method, .target = target, .headers = std::move(headers)};
    if (!body.is_null()) {
      request.headers.emplace_back("content-type", "application/json");
      request.body = DumpJson(body);
    }
    return api_->Answer(request, StopToken());
  }
  // The JSON of an answer of this status.
  Json Told(int status, const ServerAnswer& answer) {
    EXPECT_EQ(answer.status, status) << answer.body;
    return ParseJson(answer.body).ValueOr(Json());
  }
  static std::string Field(const ServerAnswer& answer, const std::string& name) {
    for (const auto& [field, value] : answer.headers) {
      if (field == name) return value;
    }
    return "";
  }

  SegmentFixture crawl_;
  const EffectiveOptions options_;
  std::unique_ptr<Writes> writes_;
  std::unique_ptr<Api> api_;
};

TEST_F(WriteEndpointsTest, SeedsAreQueuedUnderBothPaths) {
  const ServerAnswer first = Send("POST", "/seeds",
                                  {{"urls", {"https://a.example/new", "https://a.example/known", "no url"}},
                                   {"priority", 2},
                                   {"interval", "6h"},
                                   {"metadata", {{"team", "news"}}}});
  const Json told = Told(200, first);
  EXPECT_EQ(told["queued"], 1);
  EXPECT_EQ(told["known"], 1);
  EXPECT_EQ(told["bad"][0]["url"], "no url");
  EXPECT_EQ(told["robots"].size(), 2u);
  EXPECT_EQ(told["snapshot"], crawl_.Present().number);
  EXPECT_EQ(Field(first, "Trawl-Snapshot"), std::to_string(crawl_.Present().number));
  EXPECT_EQ(Field(first, "Cache-Control"), "no-store");
  const auto row = crawl_.Find<UrlRow>("example,a)/new");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->tier, TierChoice::kLow);
  EXPECT_EQ(row->interval_ms, 6 * kHourMs);
  const Json again = Told(200, Send("POST", "/api/v1/urls/seed", {{"urls", {"https://a.example/new"}}}));
  EXPECT_EQ(again["queued"], 0);
  EXPECT_EQ(again["known"], 1);
}

TEST_F(WriteEndpointsTest, WhatMakesNoSenseIsNamedByItsPlace) {
  struct Case {
    const char* body;
    int status;
    const char* pointer;
  };
  for (const Case& one :
       {Case{R"({"urls": []})", 422, "#/urls"}, Case{R"({"urls": [1]})", 422, "#/urls/0"},
        Case{R"({"urls": ["https://a.example/"], "priority": 3})", 422, "#/priority"},
        Case{R"({"urls": ["https://a.example/"], "priority": 1.5})", 422, "#/priority"},
        Case{R"({"urls": ["https://a.example/"], "interval": "10s"})", 422, "#/interval"},
        Case{R"({"urls": ["https://a.example/"], "interval": "1.5h"})", 422, "#/interval"},
        Case{R"({"urls": ["https://a.example/"], "metadata": {"tier": "x"}})", 422, "#/metadata/tier"},
        Case{R"({"urls": ["https://a.example/"], "metadata": {"a": 1}})", 422, "#/metadata/a"},
        Case{R"({"urls": ["https://a.example/"], "depth": 1})", 400, "#/depth"}, Case{R"({})", 422, "#"}}) {
    const Json told = Told(one.status, Send("POST", "/seeds", *ParseJson(one.body)));
    ASSERT_FALSE(told["errors"].empty()) << one.body;
    EXPECT_EQ(told["errors"][0]["pointer"], one.pointer) << one.body;
  }
  EXPECT_EQ(crawl_.Present().verb == "inject", false) << "nothing was published";
}

TEST_F(WriteEndpointsTest, APolicyIsAppliedAndTakenBack) {
  const Json told =
      Told(200, Send("POST", "/hosts/www.a.example/policy", {{"crawl_delay_ms", 0}, {"max_concurrent", 1}}));
  EXPECT_EQ(told["applied"], true);
  EXPECT_EQ(told["host"], "www.a.example");
  EXPECT_EQ(told["crawl_delay_ms"], 0);
  EXPECT_EQ(crawl_.Find<HostRow>("example,a,www")->operator_delay_ms, -1) << "no wait at all";
  const Json usual =
      Told(200, Send("POST", "/hosts/www.a.example/policy", {{"crawl_delay_ms", nullptr}, {"pages_a_day", 7}}));
  EXPECT_EQ(usual["crawl_delay_ms"], nullptr);
  EXPECT_EQ(usual["pages_a_day"], 7);
  const Json back = Told(200, Send("DELETE", "/hosts/www.a.example/policy"));
  EXPECT_EQ(back["pages_a_day"], nullptr);
  EXPECT_EQ(crawl_.Find<HostRow>("example,a,www")->operator_pages_a_day, 0);
}

TEST_F(WriteEndpointsTest, AHostIsAskedOneThingAtATime) {
  const Json told = Told(422, Send("POST", "/hosts/a.example/policy", {{"max_concurrent", 2}}));
  EXPECT_EQ(told["errors"][0]["pointer"], "#/max_concurrent");
  EXPECT_NE(told["errors"][0]["detail"].get<std::string>().find("a host is asked one thing at a time"),
            std::string::npos);
  Told(422, Send("POST", "/hosts/a.example/policy", Json::object()));
  Told(404, Send("POST", "/hosts/no%20host/policy", {{"crawl_delay_ms", 1}}));
}

TEST_F(WriteEndpointsTest, ARegistrableDomainIsBlockedWithItsHostsAndAHostAlone) {
  const Json domain = Told(200, Send("PUT", "/api/v1/domains/a.example/block", {{"reason", "asked us to stay away"}}));
  EXPECT_EQ(domain["domain"], "a.example");
  EXPECT_EQ(domain["is_blocked"], true);
  EXPECT_EQ(domain["reason"], "asked us to stay away");
  EXPECT_TRUE(crawl_.Find<HostRow>("example,a")->domain.blocked);
  EXPECT_FALSE(crawl_.Find<HostRow>("example,a")->blocked);
  Told(200, Send("PUT", "/api/v1/domains/www.b.example/block", Json::object()));
  EXPECT_TRUE(crawl_.Find<HostRow>("example,b,www")->blocked);
  const Json back = Told(200, Send("DELETE", "/api/v1/domains/a.example/block"));
  EXPECT_EQ(back["is_blocked"], false);
  EXPECT_EQ(back["reason"], nullptr);
  EXPECT_FALSE(crawl_.Find<HostRow>("example,a")->domain.blocked);
}

TEST_F(WriteEndpointsTest, AUrlIsDroppedByItsIdOrItsName) {
  const Json told = Told(200, Send("DELETE", "/api/v1/urls/" + Base64UrlOf("example,a)/known")));
  EXPECT_EQ(told["removed"], 1);
  EXPECT_EQ(crawl_.Find<UrlRow>("example,a)/known")->outcome, Outcome::kDropped);
  EXPECT_EQ(Told(200, Send("DELETE", "/api/v1/urls/_?url=https%3A%2F%2Fa.example%2Fknown"))["removed"], 1);
  Told(404, Send("DELETE", "/api/v1/urls/_?url=https%3A%2F%2Fa.example%2Fnone"));
  Told(404, Send("DELETE", "/api/v1/urls/" + Base64UrlOf("no key")));
}

TEST_F(WriteEndpointsTest, AnUnknownJobIsNotEnded) {
  Told(404, Send("DELETE", "/api/v1/jobs/20260101T000000Z-fetch-00000000"));
  Told(404, Send("DELETE", "/api/v1/jobs/nothing"));
}

TEST_F(WriteEndpointsTest, AClusterThatDoesNotAnswerIsAskedForAgainLater) {
  std::vector<std::string> ids;
  for (const char* const number : {"1", "2"}) {
    Plan plan = {.job = std::string("20260101T000000Z-fetch-0000000") + number, .verb = "fetch"};
    // Nobody listens there.
    plan.options = {{"job.runner", "streaming"}, {"streaming.resource_manager", "http://127.0.0.1:1"}};
    ASSERT_OK(crawl_.store()->CreateExclusive(PlanPath(plan.job), SealJson(ToJson(plan))).status());
    ids.push_back(plan.job);
  }
  const ServerAnswer answer = Send("DELETE", "/api/v1/jobs/" + ids[0]);
  EXPECT_NE(Told(503, answer)["detail"].get<std::string>().find("the cluster does not answer: YARN: "),
            std::string::npos);
  EXPECT_NE(Field(answer, "Retry-After"), "");
  const Json job = Told(200, Send("GET", "/api/v1/jobs/" + ids[0]));
  EXPECT_EQ(job["state"], "unfinished") << "what the crawl knows of it";
  EXPECT_NE(job["reason"].get<std::string>().find("YARN: "), std::string::npos);
  const Json listed = Told(200, Send("GET", "/api/v1/jobs"))["jobs"];
  EXPECT_EQ(std::count_if(listed.begin(), listed.end(), [](const Json& one) { return one["state"] == "unfinished"; }),
            2);
}

TEST_F(WriteEndpointsTest, AClientThatDoesNotWaitIsToldWhereToLook) {
  const ServerAnswer answer =
      Send("POST", "/seeds", {{"urls", {"https://a.example/later"}}}, {{"prefer", "wait=5, respond-async"}});
  const Json told = Told(202, answer);
  const std::string id = told["job"].get<std::string>();
  EXPECT_EQ(Field(answer, "Location"), "/api/v1/jobs/" + id);
  EXPECT_NE(Field(answer, "Retry-After"), "");
  EXPECT_EQ(Field(answer, "Preference-Applied"), "respond-async");
  EXPECT_TRUE(writes_->Find(id));
  const int64_t before = Told(200, Send("GET", "/api/v1/jobs/" + id))["snapshot"].get<int64_t>();
  writes_->Stop();
  EXPECT_EQ((*writes_->Find(id))["state"], "done");
  EXPECT_TRUE(crawl_.Find<UrlRow>("example,a)/later"));
  const Json done = Told(200, Send("GET", "/api/v1/jobs/" + id));
  EXPECT_EQ(done["snapshot"], done["answer"]["snapshot"]);
  EXPECT_GE(done["snapshot"], before);
  EXPECT_EQ(Told(200, Send("GET", "/api/v1/snapshots"))["snapshot"], done["answer"]["snapshot"])
      << "whoever has the answer finds the change at once";
}

TEST_F(WriteEndpointsTest, AKeyGetsTheSameAnswerAndNoOtherBody) {
  const Json body = {{"urls", {"https://a.example/once"}}};
  const Json first = Told(200, Send("POST", "/seeds", body, {{"idempotency-key", "k"}}));
  EXPECT_EQ(first["queued"], 1);
  EXPECT_EQ(Told(200, Send("POST", "/seeds", body, {{"idempotency-key", "k"}})), first);
  Told(422, Send("POST", "/seeds", {{"urls", {"https://a.example/other"}}}, {{"idempotency-key", "k"}}));
  Told(422, Send("POST", "/api/v1/urls/seed", body, {{"idempotency-key", "k"}}));
  Told(400, Send("POST", "/seeds", body, {{"idempotency-key", std::string(256, 'k')}}));
}

TEST_F(WriteEndpointsTest, AServerThatEndsTakesNoMore) {
  writes_->Stop();
  const ServerAnswer answer = Send("POST", "/seeds", {{"urls", {"https://a.example/"}}});
  Told(503, answer);
  EXPECT_NE(Field(answer, "Retry-After"), "");
}

TEST_F(WriteEndpointsTest, AServerThatOnlyReadsSaysSo) {
  api_ = Make(nullptr);
  Told(403, Send("POST", "/seeds", {{"urls", {"https://a.example/"}}}));
}

}  // namespace
}  // namespace trawl
