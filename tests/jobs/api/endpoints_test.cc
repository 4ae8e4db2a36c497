// The API over a crawl of a small web: every endpoint answers what its schema says, under the names that clients rely on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "formats/answers/base64url.h"
#include "formats/answers/schema.h"
#include "formats/url/key.h"
#include "jobs/api/routes.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/served_crawl.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr char kLater[] = "2026-01-02T00:00:00Z";
constexpr char kHostile[] = "<script>alert(1)</script>";

std::map<std::string, TestPage> Site() {
  return {{"/robots.txt", {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /private\n"}},
          {"/", {.body = "<title>Front</title><p>front <a href=/one>one</a> <a href=/private/x>no</a>"}},
          {"/one", {.body = std::string("<title>") + "&lt;script&gt;</title><p>one" + kHostile + "<a href=/>back</a>"}},
          {"/two", {.body = "<p>two"}}};
}

// One crawl for all tests of this file.
class ApiOverCrawl : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    web_ = new CrawledWeb();
    web_->web().AddHost("site.test", ServePages(Site()));
    web_->Start();
    web_->Crawl("a", {"http://site.test/", "http://site.test/two", "http://site.test/private/y"});
    store_ = OpenStore(web_->root("a")).ValueOrDie().release();
    served_ = new ServedCrawl(store_, kLater);
  }
  static void TearDownTestSuite() {
    delete served_;
    delete store_;
    delete web_;
  }

  static std::string IdOf(const std::string& url) { return Base64UrlOf(KeyOfUrl(url).ValueOrDie()); }
  // The path of an endpoint with values that this crawl has.
  static std::string TargetOf(const Endpoint& endpoint) {
    static const std::map<std::string, std::string> kValues = {
        {"{domain}", "site.test"}, {"{host}", "site.test"}, {"{name}", "not-found"}};
    std::string path = endpoint.path;
    const auto put = [&path](const std::string& name, const std::string& value) {
      const size_t at = path.find(name);
      if (at != std::string::npos) path.replace(at, name.size(), value);
    };
    for (const auto& [name, value] : kValues) put(name, value);
    if (path.starts_with("/api/v1/jobs/"))
      put("{id}", served_->Get("/api/v1/jobs")["jobs"][0]["job"].get<std::string>());
    put("{id}", IdOf("http://site.test/"));
    if (path.find("{segment}") != std::string::npos) {
      put("{segment}", served_->Get("/api/v1/rounds")["rounds"][0]["segment"].get<std::string>());
    }
    return path;
  }

  static CrawledWeb* web_;
  static Store* store_;
  static ServedCrawl* served_;
};
CrawledWeb* ApiOverCrawl::web_ = nullptr;
Store* ApiOverCrawl::store_ = nullptr;
ServedCrawl* ApiOverCrawl::served_ = nullptr;

TEST_F(ApiOverCrawl, EveryAnswerFitsItsSchema) {
  int checked = 0;
  const int64_t present = served_->api().views().Present().ValueOrDie()->number();
  for (const Endpoint& endpoint : served_->api().endpoints()) {
    // Workers are gone once a round is applied; branches of a server without a token do not write.
    if (endpoint.method != "GET" || endpoint.path == "/api/v1/workers/{id}/stats") continue;
    const std::string target = TargetOf(endpoint);
    SCOPED_TRACE(target);
    const ServerAnswer answer = served_->Ask(target);
    ASSERT_EQ(answer.status, 200) << answer.body;
    ++checked;
    if (endpoint.freshness != Freshness::kFixed) {
      EXPECT_EQ(HeaderOf(answer, "Trawl-Snapshot"), std::to_string(present));
    }
    const bool is_list = endpoint.path == "/api/v1/urls" || endpoint.path == "/api/v1/pages";
    const bool is_kept = endpoint.freshness == Freshness::kSnapshot || is_list;
    EXPECT_EQ(HeaderOf(answer, "ETag").empty(), !is_kept);
    if (!endpoint.content_type.empty()) {
      EXPECT_EQ(HeaderOf(answer, "Content-Type"), endpoint.content_type);
      continue;
    }
    const Json body = ParseJson(answer.body).ValueOrDie();
    for (const ProblemField& fault : FaultsBySchema(endpoint.answer.json, body)) {
      ADD_FAILURE() << fault.pointer << ": " << fault.detail << "\n" << answer.body.substr(0, 1000);
    }
    if (endpoint.freshness != Freshness::kFixed) {
      EXPECT_EQ(body.begin().key(), "snapshot");
    }
  }
  EXPECT_GE(checked, 28);
}

struct Promised {
  std::string target;
  std::string at;  // a JSON pointer to the object with the names
  std::vector<std::string> names;
};

TEST_F(ApiOverCrawl, NamesThatClientsRelyOnAreThereInTheirOrder) {
  const std::string id = IdOf("http://site.test/");
  const std::vector<Promised> promised = {
      {"/status",
       "",
       {"pages_per_sec", "queue_depth", "error_rate_percent", "state", "due", "next_due", "open_segments",
        "last_round"}},
      {"/api/v1/urls/pending", "", {"pending", "due", "hosts", "by_priority", "next_due"}},
      {"/api/v1/urls/pending", "/by_priority", {"high", "medium", "low"}},
      {"/api/v1/domains",
       "/domains/0",
       {"domain", "crawl_delay", "last_crawl_at", "total_pages", "avg_page_size", "is_blocked", "avg_response_ms",
        "pages_crawled"}},
      {"/api/v1/domains/site.test",
       "",
       {"domain", "crawl_delay", "last_crawl_at", "total_pages", "avg_page_size", "is_blocked", "created_at",
        "robots_txt", "robots_fetched_at"}},
      {"/api/v1/domains/site.test",
       "",
       {"hold", "delay_ms", "breaker", "failures_in_a_row", "pages_today", "discovered", "suspected_trap", "addresses",
        "robots_history"}},
      {"/api/v1/pages",
       "/pages/0",
       {"id", "url", "domain", "status_code", "content_type", "content_hash", "content_length", "title", "crawled_at",
        "response_time_ms", "storage_path"}},
      {"/api/v1/pages/" + id + "?include=text", "", {"id",
                                                     "url",
                                                     "domain",
                                                     "status_code",
                                                     "content_type",
                                                     "content_hash",
                                                     "content_length",
                                                     "title",
                                                     "crawled_at",
                                                     "response_time_ms",
                                                     "storage_path",
                                                     "headers",
                                                     "language",
                                                     "charset",
                                                     "description",
                                                     "canonical_url",
                                                     "directives",
                                                     "simhash",
                                                     "truncated",
                                                     "needs_js",
                                                     "text"}},
      {"/api/v1/pages/" + id + "/links", "/links/0", {"id", "url", "how", "rel", "text", "nofollow", "enters"}},
      {"/api/v1/pages/" + id + "/history", "/history/0", {"fetched_at", "request_headers"}},
      {"/api/v1/workers", "", {"workers"}},
      {"/api/v1/stats",
       "",
       {"pagesPerSecond", "bytesPerSecond", "frontierSize", "uniqueDomainsInFrontier", "successRate",
        "averageResponseTime", "errorsByType", "activeWorkers", "workerUtilization", "totalPagesStored",
        "storageUsedGB", "duplicateRate", "bloomFilterSize"}},
      {"/api/v1/stats/throughput?since=2026-01-01T00:00:00Z",
       "/points/0",
       {"at", "pages", "bytes", "fetched", "errors", "pages_per_sec"}},
      {"/hosts/site.test/policy", "", {"crawl_delay_ms", "max_concurrent", "pages_a_day"}},
  };
  for (const Promised& each : promised) {
    SCOPED_TRACE(each.target + each.at);
    const Json body = served_->Get(each.target);
    const Json::json_pointer pointer(each.at);
    ASSERT_TRUE(body.contains(pointer)) << DumpJson(body);
    for (const std::string& name : each.names)
      EXPECT_TRUE(body[pointer].contains(name)) << name << "\n" << DumpJson(body[pointer]);
  }
}

TEST_F(ApiOverCrawl, AgreesWithTheVerbs) {
  const Json stats = AnswerOf(Trawl({"readdb", "stats", "--root", web_->root("a"), "--json", "--now", kLater}));
  const Json status = served_->Get("/status");
  EXPECT_EQ(status["due"], stats["due"]);
  EXPECT_EQ(status["queue_depth"], stats["due"]);
  EXPECT_EQ(status["states"], stats["by_state"]);
  EXPECT_EQ(status["urls"], stats["urls"]);
  EXPECT_EQ(status["snapshot"], stats["snapshot"]);
  EXPECT_EQ(served_->Get("/api/v1/stats")["totalPagesStored"], stats["bodies"]);
  EXPECT_EQ(served_->Get("/api/v1/urls/pending")["pending"], stats["frontier"]["urls"]);
  Json row = AnswerOf(Trawl({"readdb", "get", "http://site.test/", "--root", web_->root("a"), "--json"}));
  const Json url = served_->Get("/api/v1/urls?url=http://site.test/&explain=false");
  for (const auto& [name, value] : row.items()) EXPECT_EQ(url[name], value) << name;
}

TEST_F(ApiOverCrawl, AnExplanationIsThatOfTheVerb) {
  const Json verb = AnswerOf(
      Trawl({"readdb", "get", "--explain", "http://site.test/", "--root", web_->root("a"), "--json", "--now", kLater}));
  EXPECT_EQ(served_->Get("/api/v1/urls/" + IdOf("http://site.test/"))["explain"].size(), verb["explain"].size());
  const Json unknown = served_->Get("/api/v1/urls?url=http://site.test/nowhere");
  EXPECT_EQ(unknown["known"], false);
  EXPECT_FALSE(unknown["explain"].empty());
  served_->Get("/api/v1/urls/" + IdOf("http://site.test/nowhere"), 404);
}

TEST_F(ApiOverCrawl, BytesOfThePageAreNeverAPageOfOurs) {
  const ServerAnswer answer = served_->Ask("/api/v1/pages/_/content?url=http://site.test/one");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr(kHostile));
  EXPECT_EQ(HeaderOf(answer, "Content-Type"), "application/octet-stream");
  EXPECT_THAT(HeaderOf(answer, "Content-Disposition"), HasSubstr("attachment"));
  EXPECT_EQ(HeaderOf(answer, "X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(HeaderOf(answer, "Content-Security-Policy"), "sandbox; default-src 'none'");
  const ServerAnswer text = served_->Ask("/api/v1/pages/_/text?url=http://site.test/one");
  EXPECT_EQ(HeaderOf(text, "Content-Type"), "text/plain; charset=utf-8");
  EXPECT_THAT(HeaderOf(text, "Content-Disposition"), HasSubstr("attachment"));
}

TEST_F(ApiOverCrawl, ValidatorsSpareTheAnswer) {
  const ServerAnswer first = served_->Ask("/api/v1/rounds");
  const std::string etag = HeaderOf(first, "ETag");
  EXPECT_EQ(HeaderOf(first, "Cache-Control"), "no-cache");
  const ServerAnswer again = served_->Ask("/api/v1/rounds", {{"if-none-match", "\"x\", " + etag}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(HeaderOf(again, "ETag"), etag);
  // Another question, another validator.
  EXPECT_NE(HeaderOf(served_->Ask("/api/v1/rounds?limit=1"), "ETag"), etag);
  const std::string number = HeaderOf(first, "Trawl-Snapshot");
  EXPECT_EQ(HeaderOf(served_->Ask("/api/v1/rounds?snapshot=" + number), "Cache-Control"),
            "private, max-age=31536000, immutable");
  const ServerAnswer status = served_->Ask("/status");
  EXPECT_EQ(HeaderOf(status, "Cache-Control"), "no-store");
  EXPECT_EQ(HeaderOf(status, "ETag"), "");
}

TEST_F(ApiOverCrawl, WhatMakesNoSenseIsAProblem) {
  const std::vector<std::pair<std::string, int>> cases = {{"/api/v1/pages?limit=0", 400},
                                                          {"/api/v1/pages?limit=1001", 400},
                                                          {"/api/v1/pages?limit=1.0", 400},
                                                          {"/api/v1/pages?limit=%2B1", 400},
                                                          {"/api/v1/pages?limit=1&limit=2", 400},
                                                          {"/api/v1/pages?unknown=1", 400},
                                                          {"/api/v1/pages?include=all", 400},
                                                          {"/api/v1/pages?crawled_after=yesterday", 400},
                                                          {"/api/v1/urls?explain=yes", 400},
                                                          {"/api/v1/urls?due_before=1", 400},
                                                          {"/api/v1/urls?prefix=%ff", 400},
                                                          {"/api/v1/urls?prefix=nonsense", 404},
                                                          {"/api/v1/pages?cursor=x", 404},
                                                          {"/api/v1/pages?snapshot=-1", 400},
                                                          {"/api/v1/pages?snapshot=1000000", 404},
                                                          {"/api/v1/urls/_", 400},
                                                          {"/api/v1/urls/AAAA", 404},
                                                          {"/api/v1/nothing", 404},
                                                          {"/api/v1/domains/no.such.host", 404},
                                                          {"/api/v1/domains/a%20b", 404},
                                                          {"/api/v1/jobs/none", 404},
                                                          {"/api/v1/rounds/none", 404},
                                                          {"/api/v1/workers/none/stats", 404},
                                                          {"/problems/none", 404},
                                                          {"/api/v1/workers?snapshot=1", 400},
                                                          {"/openapi.json?now=2026-01-01T00:00:00Z", 400}};
  for (const auto& [target, status] : cases) {
    const ServerAnswer answer = served_->Ask(target);
    EXPECT_EQ(answer.status, status) << target << " " << answer.body;
    EXPECT_EQ(HeaderOf(answer, "Content-Type"), "application/problem+json") << target;
    const Json problem = ParseJson(answer.body).ValueOrDie();
    EXPECT_EQ(problem["status"], status) << target;
    EXPECT_EQ(served_->Get(problem["type"].get<std::string>())["title"], problem["title"]);
  }
}

TEST_F(ApiOverCrawl, AnotherMethodIsToldWhichOnesThereAre) {
  for (const char* method : {"POST", "TRACE", "PATCH", "OPTIONS"}) {
    const ServerAnswer answer = served_->Ask("/api/v1/pages", {}, method);
    EXPECT_EQ(answer.status, 405);
    EXPECT_EQ(HeaderOf(answer, "Allow"), "GET, HEAD");
  }
  EXPECT_EQ(served_->Ask("/api/v1/pages", {}, "HEAD").status, 200);
}

TEST_F(ApiOverCrawl, PagesAreFilteredByWhatTheListNames) {
  const auto urls = [&](const std::string& query) {
    std::vector<std::string> all;
    const Json listed = served_->Get("/api/v1/pages?" + query);
    for (const Json& page : listed["pages"]) all.push_back(page["url"]);
    return all;
  };
  EXPECT_EQ(urls("url_prefix=http://site.test/o"), std::vector<std::string>{"http://site.test/one"});
  EXPECT_EQ(urls("domain=site.test").size(), 3u);
  EXPECT_EQ(urls("domain=other.test").size(), 0u);
  EXPECT_EQ(urls("status_code=404").size(), 0u);
  EXPECT_EQ(urls("content_type=text/html&limit=2").size(), 2u);
  EXPECT_EQ(urls("crawled_after=2026-01-01T12:00:00Z").size(), 0u);
  EXPECT_EQ(urls("crawled_before=2026-01-01T12:00:00Z").size(), 3u);
  const Json page = served_->Get("/api/v1/pages?url=http://site.test/two");
  EXPECT_EQ(urls("content_hash=" + page["content_hash"].get<std::string>()),
            std::vector<std::string>{"http://site.test/two"});
  const Json titled = served_->Get("/api/v1/pages?url_prefix=http://site.test/o&include=title");
  EXPECT_EQ(titled["pages"][0]["title"], "<script>");
}

TEST_F(ApiOverCrawl, RequestsToAHostHaveThePauseBeforeEach) {
  const Json requests = served_->Get("/api/v1/domains/site.test/requests")["requests"];
  ASSERT_EQ(requests.size(), 3u);  // and none for what robots.txt denies
  for (size_t i = 0; i + 1 < requests.size(); ++i) {
    EXPECT_GE(requests[i]["at"], requests[i + 1]["at"]);
    EXPECT_TRUE(requests[i]["gap_ms"].is_number_integer());
  }
  EXPECT_TRUE(requests.back()["gap_ms"].is_null());
  EXPECT_EQ(served_->Get("/api/v1/domains/site.test/requests?limit=2")["requests"].size(), 2u);
}

TEST(Requests, HaveTheDelayThatWasInForceThen) {
  CrawledWeb web;
  web.web().AddHost("slow.test", ServePages({{"/1", {.body = "<p>one"}},
                                             {"/2", {.body = "<p>two"}},
                                             {"/3", {.body = "<p>three"}},
                                             {"/4", {.body = "<p>four"}},
                                             {"/5", {.body = "<p>five"}}}));
  web.Start();
  const auto crawl = [&web](const char* now, const char* delay_ms, std::vector<std::string> more) {
    more.insert(more.end(), {"--fetch.allow_private", "--fetch.hosts_file", web.hosts_file(), "--scope", "any", "--now",
                             now, "--fetch.delay_ms", delay_ms});
    web.Object(web.Arguments("crawl", "a", more));
  };
  crawl(CrawledWeb::kNow, "60", {"http://slow.test/1", "http://slow.test/2", "http://slow.test/3"});
  crawl("2026-01-01T12:00:00Z", "700", {"http://slow.test/4", "http://slow.test/5"});
  const auto store = OpenStore(web.root("a")).ValueOrDie();
  ServedCrawl served(store.get(), kLater);
  const Json requests = served.Get("/api/v1/domains/slow.test/requests")["requests"];
  ASSERT_GE(requests.size(), 5u);
  EXPECT_EQ(requests[0]["delay_ms"], 700) << "of the last answer";
  int of_then = 0;
  for (const Json& request : requests) {
    const Json& delay = request["delay_ms"];
    if (request["at"] >= "2026-01-01T06:00:00Z") {
      EXPECT_TRUE(delay == 700 || delay.is_null()) << request;
      continue;
    }
    EXPECT_TRUE(delay == 60 || delay.is_null()) << request << ": what holds today held not then";
    of_then += delay == 60 ? 1 : 0;
  }
  EXPECT_GE(of_then, 2);
  for (const Json& request : requests) {
    if (request["delay_ms"].is_null() || request["gap_ms"].is_null()) continue;
    EXPECT_GE(request["gap_ms"], request["delay_ms"]) << "nobody was too early";
  }
}

TEST_F(ApiOverCrawl, PagesOfOursGetTheSameValues) {
  const Json own = served_->api().Get("/api/v1/rounds?limit=1", StopToken()).ValueOrDie();
  EXPECT_EQ(own, served_->Get("/api/v1/rounds?limit=1"));
  EXPECT_FALSE(served_->api().Get("/api/v1/rounds?limit=0", StopToken()).ok());
  EXPECT_FALSE(served_->api().Get("/api/v1/pages/_/content?url=http://site.test/one", StopToken()).ok());
}

// -- the document -----------------------------------------------------------------------------------------------------

TEST_F(ApiOverCrawl, TheDocumentHasEveryRouteOfTheTableAndNoOther) {
  const Json document = served_->Get("/openapi.json");
  EXPECT_EQ(document["openapi"], "3.1.0");
  size_t routes = 0;
  for (const auto& [path, methods] : document["paths"].items()) routes += methods.size();
  EXPECT_EQ(routes, served_->api().endpoints().size());
  std::set<std::string> operations, with_example;
  for (const Endpoint& endpoint : served_->api().endpoints()) {
    SCOPED_TRACE(endpoint.method + " " + endpoint.path);
    std::string method = endpoint.method;
    for (char& c : method) c = static_cast<char>(std::tolower(c));
    ASSERT_TRUE(document["paths"].contains(endpoint.path));
    ASSERT_TRUE(document["paths"][endpoint.path].contains(method));
    const Json& operation = document["paths"][endpoint.path][method];
    EXPECT_TRUE(operations.insert(operation["operationId"].get<std::string>()).second);
    EXPECT_TRUE(operation["responses"].contains("200"));
    std::set<std::string> in_path, told;
    for (const Json& parameter : operation.value("parameters", Json::array())) {
      if (parameter["in"] == "path") told.insert("{" + parameter["name"].get<std::string>() + "}");
      EXPECT_FALSE(parameter["description"].get<std::string>().empty()) << parameter["name"];
    }
    for (size_t at = endpoint.path.find('{'); at != std::string::npos; at = endpoint.path.find('{', at + 1)) {
      in_path.insert(endpoint.path.substr(at, endpoint.path.find('}', at) - at + 1));
    }
    EXPECT_EQ(in_path, told);
    if (!endpoint.answer_example.is_null()) {
      const Json& content = operation["responses"]["200"]["content"]["application/json"];
      EXPECT_EQ(content["example"], endpoint.answer_example);
      for (const ProblemField& fault : FaultsBySchema(content["schema"], endpoint.answer_example)) {
        ADD_FAILURE() << fault.pointer << ": " << fault.detail;
      }
      with_example.insert(endpoint.operation);
    }
    EXPECT_EQ(operation.contains("requestBody"), !endpoint.body.is_null());
  }
  for (const char* main : {"getStatus", "listRounds", "getRound", "listDomains", "getDomain", "listUrls", "getUrl",
                           "listJobs", "getJob", "listWorkers"}) {
    EXPECT_TRUE(with_example.contains(main)) << main;
  }
}

// Whoever reads an example finds the members of a real answer.
TEST_F(ApiOverCrawl, ExamplesHaveTheNamesOfRealAnswers) {
  const std::map<std::string, std::string> targets = {
      {"getStatus", "/status"},
      {"getDomain", "/api/v1/domains/site.test"},
      {"getUrl", "/api/v1/urls/_?url=http://site.test/one"},
      {"listJobs", "/api/v1/jobs"},
      {"listUrls", "/api/v1/urls?limit=1"},
      {"listRounds", "/api/v1/rounds?limit=1"},
  };
  size_t looked_at = 0;
  for (const Endpoint& endpoint : served_->api().endpoints()) {
    const auto target = targets.find(endpoint.operation);
    if (target == targets.end()) continue;
    const Json answer = served_->Get(target->second);
    for (const auto& [name, value] : endpoint.answer_example.items()) {
      if (name == "next") continue;  // the last page has none
      EXPECT_TRUE(answer.contains(name)) << endpoint.operation << " " << name;
    }
    ++looked_at;
  }
  EXPECT_EQ(looked_at, targets.size());
}

TEST_F(ApiOverCrawl, AHostTellsTheStatesOfItsUrlsAndTheLinesThatDenySome) {
  const Json host = served_->Get("/api/v1/domains/site.test");
  EXPECT_EQ(host["states"], Json({{"denied", 2}, {"fetched", 3}}));
  EXPECT_EQ(host["denied_by"], Json::array({Json{{"text", "line 2: Disallow: /private"}, {"line", 2}, {"count", 2}}}));
  EXPECT_EQ(host["states_are_cut"], false);
}

TEST_F(ApiOverCrawl, UrlsAreListedByTheirType) {
  EXPECT_EQ(served_->Get("/api/v1/urls?content_type=text/html")["urls"].size(), 3u);
  EXPECT_EQ(served_->Get("/api/v1/urls?content_type=image/")["urls"].size(), 0u);
}

TEST_F(ApiOverCrawl, HostsThatWereAskedAreListedByTheirTableAlone) {
  EXPECT_EQ(served_->Get("/api/v1/domains?asked=true&prefix=site")["domains"],
            served_->Get("/api/v1/domains?prefix=site")["domains"]);
  EXPECT_EQ(served_->Get("/api/v1/domains?asked=true&prefix=sitf")["domains"].size(), 0u);
}

}  // namespace
}  // namespace trawl
