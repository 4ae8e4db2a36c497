// The pages over made-up values: what they show, that crawled text stays text, and what forms send.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "formats/answers/target.h"
#include "jobs/web/web.h"
#include "runtime/server/message.h"
#include "runtime/terminal/timestamp.h"
#include "tests/support/pages/page_values.h"

namespace trawl {
namespace {

const TimeMs kNow = ParseTimestamp("2026-11-19T22:00:00Z").ValueOrDie();

class Pages : public ::testing::Test {
 protected:
  ServerAnswer Ask(const std::string& method, const std::string& target, const std::string& body = "") {
    ServerRequest request;
    request.method = method;
    request.target = target;
    request.body = body;
    WebContext context = {
        .source = values_, .crawl = "news", .root = "/data/news", .now_ms = kNow, .visitor = visitor_};
    return WebAnswer(context, request, StopToken());
  }
  ServerAnswer Get(const std::string& target) { return Ask("GET", target); }
  std::string Body(const std::string& target) {
    const ServerAnswer answer = Get(target);
    EXPECT_EQ(answer.status, 200) << target;
    return answer.body;
  }
  static std::string Header(const ServerAnswer& answer, const std::string& name) {
    for (const auto& [field, value] : answer.headers) {
      if (field == name) return value;
    }
    return "";
  }
  static bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  PageValues values_ = PageValues::Busy(kNow);
  Visitor visitor_ = {.may_write = true, .is_logged_in = true, .can_log_in = true, .form_token = "secret\"token"};
};

const char* const kDenied = "/url?url=https%3A%2F%2Fhost1.example%2Fprivate%2Fdiary.html";
const std::vector<std::string> kAll = {"/",
                                       "/rounds",
                                       "/rounds/20261118T000000Z-10000000",
                                       "/rounds/20261118T009900Z-10000099",
                                       "/hosts",
                                       "/hosts?prefix=host",
                                       "/hosts/host1.example",
                                       kDenied,
                                       "/url?url=https%3A%2F%2Felsewhere.example%2Fnew",
                                       "/search",
                                       "/search?prefix=https%3A%2F%2Fhost1.example%2F&state=denied",
                                       "/page/cGFnZQ",
                                       "/workers",
                                       "/jobs",
                                       "/jobs/a-job",
                                       "/seeds",
                                       "/login"};

// All that a browser would take for an element or an attribute, as "name" or "name attribute".
std::set<std::string> ElementsOf(const std::string& html) {
  std::set<std::string> elements;
  for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at)) {
    size_t end = at + 1;
    char quote = 0;
    while (end < html.size() && (quote != 0 || html[end] != '>')) {
      if (quote == 0 && html[end] == '"') {
        quote = '"';
      } else if (html[end] == quote) {
        quote = 0;
      }
      ++end;
    }
    const std::string tag = html.substr(at + 1, end - at - 1);
    elements.insert(tag.substr(0, tag.find_first_of(" \n")));
    at = end;
  }
  return elements;
}

TEST_F(Pages, CrawledTextNeverBecomesMarkup) {
  const std::set<std::string> ours = {
      "!DOCTYPE", "a",       "b",      "bdi",        "body",     "button", "caption",  "code",   "dd",       "details",
      "div",      "dl",      "dt",     "figcaption", "figure",   "footer", "form",     "h1",     "h2",       "h3",
      "head",     "header",  "html",   "input",      "label",    "li",     "link",     "main",   "meta",     "nav",
      "ol",       "option",  "p",      "pre",        "progress", "script", "section",  "select", "small",    "span",
      "strong",   "summary", "svg",    "table",      "tbody",    "td",     "textarea", "th",     "thead",    "time",
      "title",    "tr",      "ul",     "path",       "g",        "rect",   "line",     "text",   "polyline", "desc",
      "defs",     "pattern", "circle", "polygon",    "tspan",    "use"};
  for (const std::string& target : kAll) {
    const std::string html = Body(target);
    for (const std::string& element : ElementsOf(html)) {
      const std::string name = element.starts_with('/') ? element.substr(1) : element;
      EXPECT_TRUE(ours.contains(name)) << target << ": <" << element << ">";
    }
    EXPECT_EQ(html.find("<script>"), std::string::npos) << target;
    EXPECT_EQ(html.find(" style="), std::string::npos) << target;
    EXPECT_EQ(html.find(" onmouseover='"), std::string::npos) << target;
    EXPECT_EQ(html.find("href=\"javascript:"), std::string::npos) << target;
    EXPECT_EQ(html.find("\xE2\x80\xAE"), std::string::npos) << target << ": a right-to-left override";
  }
}

TEST_F(Pages, TheHostileTextIsThere) {
  // Without this the test above could pass because nothing hostile is shown.
  for (const char* const target : {"/rounds/20261118T000000Z-10000000", "/hosts", "/hosts/host1.example", kDenied,
                                   "/page/cGFnZQ", "/workers", "/jobs"}) {
    EXPECT_TRUE(Has(Body(target), "&lt;script&gt;alert(1)&lt;/script&gt;")) << target;
  }
}

TEST_F(Pages, EveryPageHasTheStrictPolicy) {
  for (const std::string& target : kAll) {
    const ServerAnswer answer = Get(target);
    EXPECT_EQ(Header(answer, "Content-Security-Policy"), kPagePolicy) << target;
    EXPECT_EQ(Header(answer, "X-Content-Type-Options"), "nosniff") << target;
    EXPECT_EQ(Header(answer, "Referrer-Policy"), "no-referrer") << target;
    EXPECT_EQ(Header(answer, "Cross-Origin-Resource-Policy"), "same-origin") << target;
    EXPECT_EQ(Header(answer, "Cache-Control"), "no-store") << target;
  }
  EXPECT_EQ(std::string(kPagePolicy),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action "
            "'self'; "
            "base-uri 'none'; frame-ancestors 'none'");
}

TEST_F(Pages, EveryIdIsOnAPageOnce) {
  for (const std::string& target : kAll) {
    const std::string html = Body(target);
    std::set<std::string> ids;
    for (size_t at = html.find(" id=\""); at != std::string::npos; at = html.find(" id=\"", at + 1)) {
      const std::string id = html.substr(at + 5, html.find('"', at + 5) - at - 5);
      EXPECT_TRUE(ids.insert(id).second) << target << ": " << id;
    }
  }
}

TEST_F(Pages, ACrawlWithoutAnythingIsShown) {
  values_ = PageValues::Empty(kNow);
  EXPECT_TRUE(Has(Body("/"), "Nothing runs, and nothing is due."));
  EXPECT_TRUE(Has(Body("/rounds"), "No round has been applied yet."));
  EXPECT_TRUE(Has(Body("/hosts"), "The crawl knows no host yet."));
  EXPECT_TRUE(Has(Body("/workers"), "No fetch has a worker now."));
  EXPECT_TRUE(Has(Body("/jobs"), "No job has run yet."));
}

TEST_F(Pages, TheFirstPageSaysWhatItDoesAndWaitsFor) {
  const std::string html = Body("/");
  EXPECT_TRUE(Has(html, "<strong>Fetching.</strong>"));
  EXPECT_TRUE(Has(html, "8,040 of 10,000 URLs done, 1,960 left."));
  EXPECT_TRUE(Has(html, "212 hosts wait for the delay between requests"));
  EXPECT_TRUE(Has(html, "(as of 30 s ago)"));
}

TEST_F(Pages, WhatIsDueWithoutARoundWaitsForTheScheduler) {
  values_.answers["/status"].value = {{"state", "idle"}, {"due", 12}, {"snapshot", 3}};
  EXPECT_TRUE(Has(
      Body("/"),
      "12 URLs are due and wait for a round. A scheduler starts one, or <code>trawl round --root /data/news</code>"));
}

TEST_F(Pages, EveryCommandHasTheRoot) {
  visitor_ = {.may_write = false};
  Json& host = values_.answers["/api/v1/domains/host1.example"].value;
  host["hold"]["text"] = "host1.example is blocked by the operator (trawl host --domain host1.example --unblock)";
  values_.answers["/api/v1/domains?top=waiting"].value["domains"][0]["hold"]["text"] =
      "a.example is blocked by the operator (trawl host a.example --unblock)";
  for (auto& [target, answer] : values_.answers) {
    if (target.ends_with("/links")) answer.value["note"] = "the crawl has no graph yet; trawl graph makes it";
  }
  Json& page = values_.answers["/api/v1/pages/cGFnZQ"].value;
  page["text"] = nullptr;
  page["advice"] = "trawl urls set 'http://host1.example/' --retry asks for it now";
  values_.answers["/api/v1/jobs/a-job"] = {
      .status = 503, .value = {{"title", "No memory"}, {"detail", "trawl compact makes one run of them"}}};
  const std::string url = Body(kDenied);
  EXPECT_TRUE(Has(url, "in 6 d; trawl urls set --root /data/news --retry asks for its robots.txt again now"));
  EXPECT_TRUE(Has(url, "the crawl has no graph yet; trawl graph --root /data/news makes it"));
  EXPECT_TRUE(Has(Body("/hosts/host1.example"), "trawl host --root /data/news --domain host1.example --unblock"));
  EXPECT_TRUE(Has(Body("/hosts"), "(trawl host --root /data/news a.example --unblock)"));
  EXPECT_TRUE(Has(Body("/page/cGFnZQ"), "trawl urls set --root /data/news &#39;http://host1.example/&#39; --retry"));
  EXPECT_TRUE(Has(Body("/"), "<code>trawl segments abandon --root /data/news 20261118T009800Z-10000098</code>"));
  EXPECT_TRUE(Has(Body("/seeds"), "<code>trawl inject --root /data/news URL</code>"));
  EXPECT_TRUE(Has(Get("/jobs/a-job").body, "trawl compact --root /data/news makes one run of them"));
}

TEST_F(Pages, AlertsAreInWordsWithALinkEach) {
  const std::string html = Body("/");
  EXPECT_TRUE(Has(html, "<a href=\"/workers\">A worker is silent</a>"));
  EXPECT_TRUE(Has(html, "#errors\">Many errors</a>: 23.4 %"));
  EXPECT_TRUE(Has(html, "<a href=\"/rounds/20261118T009800Z-10000098\">A round was left open</a>"));
  EXPECT_TRUE(Has(html, "<a href=\"/hosts#traps\">Hosts may be traps</a>"));
  EXPECT_TRUE(Has(html, "Pages are fetched again too late</a>: only 90.8 %"));
  values_ = PageValues::Empty(kNow);
  EXPECT_FALSE(Has(Body("/"), "Worth a look"));
}

TEST_F(Pages, ARoundNamesItsStraggler) {
  EXPECT_TRUE(
      Has(Body("/rounds/20261118T000000Z-10000000"), "<strong>List 0 is the straggler:</strong> it took 24 min 10 s"));
  // Of a round that runs, it is the list that needs the longest at its present rate.
  EXPECT_TRUE(
      Has(Body("/rounds/20261118T009900Z-10000099"), "<strong>List 3 is the straggler:</strong> it still needs about"));
}

TEST_F(Pages, TheLastListOfARunningRoundIsNamed) {
  Json& workers = values_.answers["/api/v1/workers"].value["workers"];
  for (Json& worker : workers) worker["state"] = worker["task"] == 3 ? "active" : "ended";
  Json& open = values_.answers["/status"].value["segments"][0];
  open["lists_done"] = 7;
  const std::string round = "/rounds/20261118T009900Z-10000099";
  EXPECT_TRUE(Has(Body(round), "<p>List 3 will be done last: 900 left, about 1 h 15 min.</p>"));
  open["lists"] = 9;
  EXPECT_TRUE(Has(Body(round), "<p>List 3 is the only one under way: 900 left, about 1 h 15 min.</p>"));
  open["lists_begun"] = 9;
  EXPECT_FALSE(Has(Body(round), "<p>List 3 ")) << "of another list nobody knows the rate";
  open["lists"] = open["lists_begun"] = 1;
  open["lists_done"] = 0;
  EXPECT_TRUE(Has(Body(round), "This round has one list, so no list can be a straggler."));
}

TEST_F(Pages, AUrlThatIsNotFetchedSaysWhyFirst) {
  const std::string html = Body(kDenied);
  const size_t answer = html.find("denied, robots_denied: line 3: Disallow: /private/"),
               story = html.find("id=\"story\"");
  ASSERT_NE(answer, std::string::npos);
  EXPECT_LT(answer, story);
  EXPECT_TRUE(Has(html, "href=\"/hosts/host1.example?line=3#robots\"")) << "the line that decides is a click away";
}

TEST_F(Pages, EveryLineOfTheStoryHasATitle) {
  for (auto& [target, answer] : values_.answers) {
    if (!answer.value.contains("explain")) continue;
    for (const char* const about : {"depth", "set"}) {
      answer.value["explain"].push_back({{"about", about}, {"time", nullptr}, {"text", "not known"}});
    }
  }
  const std::string html = Body(kDenied);
  for (const char* const title : {"Depth", "Set"}) EXPECT_TRUE(Has(html, ">" + std::string(title) + "<")) << title;
  for (const char* const name : {"depth", "set"}) EXPECT_FALSE(Has(html, ">" + std::string(name) + "<")) << name;
}

TEST_F(Pages, AnUnknownUrlSaysWhatWouldBringIt) {
  const std::string html = Body("/url?url=https%3A%2F%2Felsewhere.example%2Fnew");
  EXPECT_TRUE(Has(html, "It is not in the crawl."));
  EXPECT_TRUE(Has(html, "is not a host of a seed"));
  EXPECT_TRUE(Has(html, ">https://elsewhere.example/new</textarea>"));
}

TEST_F(Pages, AHostsPageMarksTheDecidingLineAndTheShortPause) {
  const std::string html = Body("/hosts/host1.example");
  EXPECT_TRUE(
      Has(html, "<li class=\"deciding\"><bdi>Disallow: /private/</bdi> <small>(this line decides)</small></li>"));
  EXPECT_TRUE(Has(html, "1.9 s <span class=\"badge bad\">too early</span>"));
  EXPECT_TRUE(Has(
      html,
      "The smallest pause between two of the last 50 requests was 1.9 s; the delay in force was 2 s. 1 came earlier"));
  const std::string asked = Body("/hosts/host1.example?line=4");
  EXPECT_TRUE(Has(asked, "<li class=\"deciding\"><bdi>Crawl-delay: 2</bdi>"));
  EXPECT_FALSE(Has(asked, "<li class=\"deciding\"><bdi>Disallow: /private/</bdi>"));
}

TEST_F(Pages, ADomainNamesItsHosts) {
  const std::string html = Body("/hosts/host1.example");
  EXPECT_TRUE(Has(html, "<a href=\"/hosts/www.host1.example\"><bdi>www.host1.example</bdi></a>"));
  EXPECT_TRUE(Has(html, "<a href=\"/hosts/%3Cb%3E.host1.example\"><bdi>&lt;b&gt;.host1.example</bdi></a>"));
}

TEST_F(Pages, TheSheetIsPlainTextWhoseBlocksCannotBeLeft) {
  const ServerAnswer sheet = Get("/hosts/host1.example/sheet.md");
  EXPECT_EQ(Header(sheet, "Content-Type"), "text/markdown; charset=utf-8");
  EXPECT_EQ(Header(sheet, "Content-Disposition"), "attachment; filename=\"visits.md\"");
  EXPECT_EQ(Header(sheet, "Content-Security-Policy"), "sandbox; default-src 'none'");
  EXPECT_TRUE(Has(sheet.body, "# How we visit host1.example\n"));
  // The file has a line "```"; so its fence has four.
  EXPECT_TRUE(Has(sheet.body, "\n````\n# robots.txt\n"));
  EXPECT_TRUE(Has(sheet.body, "- Our User-Agent: newsbot/0.1.0 (+https://crawler.example/)\n"));
  EXPECT_TRUE(Has(sheet.body, "that begins with `User-agent: newsbot` holds for us alone.\n"));
  EXPECT_TRUE(Has(sheet.body, "- Write to us (https://crawler.example/), and we block the whole host.\n"));
  EXPECT_TRUE(Has(sheet.body, "We could not read it: the name of the host does not resolve. Tried last "));
  EXPECT_FALSE(Has(sheet.body, "dns_failed"));
  EXPECT_FALSE(Has(Body("/hosts/host1.example"), "dns_failed"));
  EXPECT_TRUE(Has(Body("/hosts/host1.example"), ": the name of the host does not resolve (dead, no such name)"));
  EXPECT_TRUE(Has(sheet.body, "- Delay between two requests: 2 s: the Crawl-delay of its robots.txt\n"));
}

TEST_F(Pages, ASearchSaysHowFarItLooked) {
  const std::string html = Body("/search?prefix=https%3A%2F%2Fhost1.example%2F");
  EXPECT_TRUE(Has(html, "40 URLs found; looked at 1,000,000 rows"));
  EXPECT_TRUE(Has(html, "cursor=Y3Vyc29y"));
}

TEST_F(Pages, TheCsvHasNoFormulas) {
  Json rows = Json::array({Json{{"url", "=HYPERLINK(\"x\")"}, {"state", "fetched"}, {"reason", "@cmd"}}});
  values_.answers["/api/v1/urls"].value = {{"urls", rows}};
  const ServerAnswer csv = Get("/search.csv?state=fetched");
  EXPECT_EQ(Header(csv, "Content-Type"), "text/csv; charset=utf-8");
  EXPECT_EQ(csv.body,
            "url,state,status,reason,fetched_at,due,content_type,bytes,depth\r\n\"'=HYPERLINK(\"\"x\"\")\",fetched,,'@"
            "cmd,,,,,\r\n");
}

TEST_F(Pages, TheBoxAtTheTopFindsUrlsAndHosts) {
  EXPECT_EQ(Header(Get("/find?q=host1.example"), "Location"), "/hosts/host1.example");
  EXPECT_EQ(Header(Get("/find?q=+https%3A%2F%2Fa.example%2Fb%3Fc+"), "Location"),
            "/url?url=https%3A%2F%2Fa.example%2Fb%3Fc");
  EXPECT_EQ(Header(Get("/find?q=a.example%2Fb"), "Location"), "/url?url=https%3A%2F%2Fa.example%2Fb");
  EXPECT_EQ(Header(Get("/find"), "Location"), "/search");
  for (const char* const path : {"/find?q=%2Fp%2F1.html", "/find?q=%2F%2Fa.example%2F"}) {
    EXPECT_EQ(Get(path).status, 400) << "a path has no host";
    EXPECT_TRUE(Has(Get(path).body, "Write the host before it"));
  }
}

TEST_F(Pages, WhoMayNotWriteSeesNoFormAndCannotSendOne) {
  visitor_ = {.may_write = false, .can_log_in = true};
  EXPECT_FALSE(Has(Body("/hosts/host1.example"), "/block\""));
  EXPECT_FALSE(Has(Body(kDenied), "/url/drop"));
  EXPECT_EQ(Ask("POST", "/hosts/host1.example/block", "reason=x").status, 403);
  EXPECT_EQ(Ask("POST", "/url/drop", "url=https%3A%2F%2Fa.example%2F").status, 403);
  EXPECT_EQ(Ask("POST", "/seeds", "urls=https%3A%2F%2Fa.example%2F").status, 403);
  EXPECT_TRUE(values_.sent.empty());
}

TEST_F(Pages, EveryFormHasTheToken) {
  for (const std::string& target : {std::string("/hosts/host1.example"), std::string(kDenied), std::string("/seeds")}) {
    const std::string html = Body(target);
    size_t posts = 0, tokens = 0;
    for (size_t at = html.find("method=\"post\""); at != std::string::npos; at = html.find("method=\"post\"", at + 1))
      ++posts;
    for (size_t at = html.find("value=\"secret&quot;token\""); at != std::string::npos;
         at = html.find("value=\"secret&quot;token\"", at + 1))
      ++tokens;
    EXPECT_GE(posts, 2u) << target;
    EXPECT_EQ(posts, tokens) << target;
  }
}

TEST_F(Pages, AHostIsBlockedUnblockedAndSlowedDown) {
  EXPECT_EQ(Header(Ask("POST", "/hosts/host1.example/block", "form_token=t&reason=asked+to"), "Location"),
            "/hosts/host1.example?done=block");
  EXPECT_EQ(Header(Ask("POST", "/hosts/host1.example/unblock", "form_token=t"), "Location"),
            "/hosts/host1.example?done=unblock");
  EXPECT_EQ(Header(Ask("POST", "/hosts/host1.example/policy", "crawl_delay_ms=+1500+"), "Location"),
            "/hosts/host1.example?done=policy");
  ASSERT_EQ(values_.sent.size(), 3u);
  EXPECT_EQ(values_.sent[0].method + " " + values_.sent[0].target, "PUT /api/v1/domains/host1.example/block");
  EXPECT_EQ(values_.sent[0].body, Json({{"reason", "asked to"}}));
  EXPECT_EQ(values_.sent[1].method + " " + values_.sent[1].target, "DELETE /api/v1/domains/host1.example/block");
  EXPECT_EQ(values_.sent[2].method + " " + values_.sent[2].target, "POST /hosts/host1.example/policy");
  EXPECT_EQ(values_.sent[2].body, Json({{"crawl_delay_ms", 1500}}));
  EXPECT_EQ(Ask("POST", "/hosts/host1.example/policy", "crawl_delay_ms=soon").status, 400);
}

TEST_F(Pages, SeedsAreSentLineByLineAndTheRefusedOnesAreNamed) {
  values_.reply.value = {
      {"queued", 1}, {"known", 0}, {"job", "j1"}, {"bad", {{{"url", "<b>"}, {"reason", "is no URL"}}}}};
  const ServerAnswer answer = Ask("POST", "/seeds", "urls=https%3A%2F%2Fa.example%2F%0D%0A%0D%0A+%3Cb%3E+&priority=1");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(values_.sent[0].body, Json({{"urls", {"https://a.example/", "<b>"}}, {"priority", 1}}));
  EXPECT_TRUE(Has(answer.body, "<bdi>&lt;b&gt;</bdi>"));
  EXPECT_TRUE(Has(answer.body, "is no URL"));
  EXPECT_EQ(Ask("POST", "/seeds", "urls=+%0A").status, 400);
}

TEST_F(Pages, AUrlIsDropped) {
  values_.answers["/api/v1/urls?url=https%3A%2F%2Fa.example%2F"] = {.status = 200, .value = {{"id", "aWQ"}}};
  const ServerAnswer answer = Ask("POST", "/url/drop", "url=https%3A%2F%2Fa.example%2F");
  EXPECT_EQ(answer.status, 303);
  EXPECT_EQ(Header(answer, "Location"), "/url?url=https%3A%2F%2Fa.example%2F&done=drop");
  EXPECT_EQ(values_.sent[0].target, "/api/v1/urls/aWQ");
}

TEST_F(Pages, AFailureOfTheApiIsAPageWithItsStatus) {
  values_.answers["/status"] = {.status = 503, .value = {{"title", "The store is away"}, {"detail", "hdfs <away>"}}};
  const ServerAnswer answer = Get("/");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(Header(answer, "Retry-After"), "5");
  EXPECT_TRUE(Has(answer.body, "<h1>The store is away</h1>"));
  EXPECT_TRUE(Has(answer.body, "hdfs &lt;away&gt;"));
}

TEST_F(Pages, APartThatCannotBeHadDoesNotTakeThePageAway) {
  values_.answers["/api/v1/workers"] = {.status = 500, .value = {{"detail", "the chain is damaged"}}};
  EXPECT_TRUE(Has(Body("/"), "The workers cannot be shown: <bdi>the chain is damaged</bdi>"));
}

TEST_F(Pages, UnknownAddressesAndMethodsAreRefused) {
  EXPECT_EQ(Get("/nothing").status, 404);
  EXPECT_EQ(Get("/hosts/").status, 404);
  EXPECT_EQ(Get("/rounds/../x/y/z").status, 404);
  EXPECT_EQ(Get("/%zz").status, 400);
  const ServerAnswer put = Ask("PUT", "/rounds");
  EXPECT_EQ(put.status, 405);
  EXPECT_EQ(Header(put, "Allow"), "GET, HEAD");
  EXPECT_EQ(Header(Get("/hosts/host1.example/block"), "Allow"), "POST");
}

TEST_F(Pages, AssetsAreKeptForEverUnderANameWithTheirDigest) {
  const std::string html = Body("/");
  size_t found = 0;
  for (size_t at = html.find("\"/assets/"); at != std::string::npos; at = html.find("\"/assets/", at + 1)) {
    const std::string path = html.substr(at + 1, html.find('"', at + 1) - at - 1);
    const ServerAnswer asset = Get(path);
    EXPECT_EQ(asset.status, 200) << path;
    EXPECT_TRUE(Has(Header(asset, "Cache-Control"), "immutable")) << path;
    EXPECT_FALSE(asset.body.empty()) << path;
    EXPECT_TRUE(!path.ends_with(".js") || asset.body.size() <= 5 * 1024) << asset.body.size();
    ++found;
  }
  EXPECT_EQ(found, 4u);
  EXPECT_EQ(Get("/assets/trawl.0000000000000000.css").status, 404);
}

TEST_F(Pages, DownloadsOfBodiesAreTheApis) {
  const ServerAnswer body = Get("/page/cGFnZQ/body");
  EXPECT_EQ(body.status, 303);
  EXPECT_EQ(Header(body, "Location"), "/api/v1/pages/cGFnZQ/content");
}

}  // namespace
}  // namespace trawl
