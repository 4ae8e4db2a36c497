// trawl page: one page over rounds, after a 304, a compaction and gc, and every reason for a part that is missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/support/crawl/crawled_web.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kMonthLater[] = "2026-02-02T00:00:00Z";
constexpr char kHostileTitle[] =
    "safe\x1b[2J\xC2\x9B"
    "31m\xE2\x80\xAEtitle";

class PageVerb : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string links =
        "<a href=/b rel=nofollow>to b</a><a href=http://other.example/>elsewhere</a><a href=/old>old</a>"
        "<a href=/trick>trick</a><a href=/err>err</a><a href=/private>private</a><a href=/img>img</a><a "
        "href=/js>js</a>";
    std::map<std::string, TestPage> pages = {
        {"/robots.txt", {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /private\n"}},
        {"/",
         {.body = "<title>" + std::string(kHostileTitle) + "</title><p>A text of the home page.</p>" + links,
          .headers = {{"X-Twice", "one"}, {"X-Twice", "two\x1b[31m"}},
          .etag = "\"v1\""}},
        {"/old", RedirectTo("/new", 301)},
        {"/trick", RedirectTo("/x';touch$IFS./pwned;'", 302)},
        {"/new", {.body = "<title>New</title>the new page"}},
        {"/err", {.status = 500, .body = "no"}},
        {"/img", {.content_type = "text/plain", .body = std::string("a\0b\x1b", 4)}},
        {"/js", {.body = "<div id=root></div><script src=x.js></script>"}}};
    web_.web().AddHost("a.example", ServePages(pages));
    web_.Start();
    web_.Crawl("a", {"http://a.example/", "--fetch.retries", "0", "--urls.scope", "domain"});
  }
  BinaryResult Run(std::vector<std::string> words) const {
    words.insert(words.begin(), "page");
    words.insert(words.end(), {"--root", web_.root("a")});
    return web_.Run(words);
  }
  Json Object(const std::string& url, int exit_code = 0) const {
    const BinaryResult result = Run({url, "--json"});
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return ParseJson(result.out).ValueOr(Json::object());
  }
  void Verb(std::vector<std::string> words) const {
    words.insert(words.end(), {"--root", web_.root("a"), "--quiet"});
    ASSERT_EQ(web_.Run(words).exit_code, 0) << words[0];
  }
  CrawledWeb web_;
};

TEST_F(PageVerb, SaysThatThereAreNoLinks) {
  EXPECT_THAT(Run({"http://a.example/new", "--links"}).err, HasSubstr("http://a.example/new: the page has no links\n"));
  EXPECT_EQ(Run({"http://a.example/", "--links"}).err, "");
  Verb({"graph"});
  const BinaryResult none = Run({"http://a.example/", "--inlinks"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.err, HasSubstr("http://a.example/: no page links to it, as of snapshot "));
  EXPECT_EQ(Run({"http://a.example/", "--inlinks", "--quiet"}).err, "");
  EXPECT_EQ(Run({"http://a.example/old", "--inlinks"}).err, "");
}

TEST_F(PageVerb, HasTextHeadersAndLinks) {
  const Json page = Object("http://a.example/");
  EXPECT_EQ(page["url"], "http://a.example/");
  EXPECT_EQ(page["status"], 200);
  EXPECT_FALSE(page["fetched_at"].is_null());
  EXPECT_EQ(page["state"], "fetched");
  EXPECT_THAT(page["text"].get<std::string>(), HasSubstr("A text of the home page."));
  EXPECT_TRUE(page["reason"].is_null());
  std::vector<std::string> twice;
  for (const Json& header : page["headers"]) {
    if (header[0] == "X-Twice") twice.push_back(header[1].get<std::string>());
  }
  EXPECT_EQ(twice, (std::vector<std::string>{"one", "two\x1b[31m"})) << "JSON has the bytes, escaped";
  std::map<std::string, Json> links;
  for (const Json& link : page["links"]) links[link["url"].get<std::string>()] = link;
  EXPECT_EQ(links["http://a.example/b"]["text"], "to b");
  EXPECT_EQ(links["http://a.example/b"]["how"], "a");
  EXPECT_EQ(links["http://a.example/b"]["rel"], "nofollow");
  EXPECT_EQ(links["http://a.example/b"]["enters"], false);
  EXPECT_EQ(links["http://a.example/old"]["enters"], true);
  EXPECT_EQ(links["http://a.example/b"]["reason"], "nofollow");
  EXPECT_EQ(links["http://a.example/old"]["reason"], nullptr);
  EXPECT_EQ(links["http://other.example/"]["enters"], false);
  EXPECT_THAT(links["http://other.example/"]["reason"].get<std::string>(), HasSubstr("(--urls.scope)"));
  EXPECT_EQ(links.size(), 8u) << "each once, in scope or not";
  // However the URL is spelled.
  EXPECT_EQ(Object("HTTP://A.example:80/#x")["title"], page["title"]);
}

TEST_F(PageVerb, NothingHostileReachesATerminal) {
  for (const std::vector<std::string>& part :
       std::vector<std::vector<std::string>>{{}, {"--text"}, {"--headers"}, {"--links"}, {"--history"}}) {
    std::vector<std::string> words = {"http://a.example/"};
    words.insert(words.end(), part.begin(), part.end());
    const BinaryResult result = Run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const char* bytes : {"\x1b", "\xC2\x9B", "\r"}) EXPECT_THAT(result.out, Not(HasSubstr(bytes)));
  }
  EXPECT_THAT(Run({"http://a.example/"}).out, HasSubstr("title           safe\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                                                        "31mtitle\n"));
  EXPECT_THAT(Run({"http://a.example/", "--headers"}).out, HasSubstr("X-Twice: two [31m\n"));
}

TEST_F(PageVerb, TheBodyIsWrittenByteByByte) {
  const std::string body = Run({"http://a.example/", "--body"}).out;
  EXPECT_THAT(body, StartsWith("<title>" + std::string(kHostileTitle)));
  const std::string file = web_.root("body");
  const BinaryResult written = Run({"http://a.example/", "--body", "-o", file});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  std::ifstream stream(file, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), body);
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(Run({"http://a.example/", "--body", "--json"}).exit_code, 2);
  // Lists go into files, too.
  const BinaryResult links = Run({"http://a.example/", "--links", "--format", "csv", "-o", file});
  EXPECT_EQ(links.exit_code, 0) << links.err;
  EXPECT_EQ(links.out, "");
  std::ostringstream csv;
  csv << std::ifstream(file).rdbuf();
  EXPECT_EQ(csv.str(), Run({"http://a.example/", "--links", "--format", "csv"}).out);
  EXPECT_THAT(Run({"http://a.example/", "--text", "-o", web_.root("no/folder")}).err,
              HasSubstr("cannot be written: No such file or directory"));
  EXPECT_EQ(Run({"http://a.example/", "--body", "--text"}).exit_code, 2);
}

TEST_F(PageVerb, WhatIsMissingHasAReasonAndAnAdvice) {
  const auto missing = [&](const char* url) {
    const Json page = Object(url, 1);
    EXPECT_TRUE(page["text"].is_null()) << url;
    const BinaryResult text = Run({url, "--text"});
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_EQ(text.out, "");
    EXPECT_THAT(text.err, HasSubstr(page["reason"].get<std::string>()));
    return page["reason"].get<std::string>() + " | " + page["advice"].get<std::string>();
  };
  const std::string root = " --root " + web_.root("a");
  EXPECT_EQ(missing("http://a.example/none"),
            "not in the crawl | trawl inject" + root + " 'http://a.example/none' adds it");
  EXPECT_EQ(missing("http://a.example/old"),
            "it redirects to http://a.example/new | trawl page" + root + " 'http://a.example/new'");
  // A shell takes what the site chose as one word.
  EXPECT_THAT(missing("http://a.example/trick"), HasSubstr(R"('http://a.example/x'\'';touch$IFS./pwned;'\'')"));
  EXPECT_THAT(missing("http://a.example/err"), StartsWith("it could not be fetched so far (server_error"));
  EXPECT_THAT(missing("http://a.example/private"), HasSubstr("robots.txt denies it"));
  EXPECT_THAT(missing("http://a.example/img"), StartsWith("its body could not be read: binary"));
  EXPECT_EQ(Object("http://a.example/js", 1)["reason"], "it has no text without JavaScript");
  Verb({"inject", "http://a.example/later", "--now", "2026-03-01T00:00:00Z"});
  EXPECT_THAT(missing("http://a.example/later"), StartsWith("not fetched yet; it is due"));
  Verb({"remove", "http://a.example/new"});
  EXPECT_THAT(missing("http://a.example/new"), StartsWith("not in the crawl: it was removed | trawl inject"));
  EXPECT_EQ(Run({"no url"}).exit_code, 2);
}

TEST_F(PageVerb, AfterA304TheTextIsOldAndTheHeadersAreNew) {
  const Json before = Object("http://a.example/");
  web_.Crawl("a", {"--now", kMonthLater, "--fetch.retries", "0", "--urls.scope", "domain"});
  const auto check = [&](const char* when) {
    SCOPED_TRACE(when);
    const Json page = Object("http://a.example/");
    EXPECT_EQ(page["status"], 304);
    EXPECT_EQ(page["text"], before["text"]);
    EXPECT_EQ(page["links"], before["links"]);
    EXPECT_EQ(page["body_headers"], before["headers"]);
    EXPECT_NE(page["headers"], before["headers"]);
    EXPECT_EQ(page["body_fetched_at"], before["fetched_at"]);
    EXPECT_THAT(page["fetched_at"].get<std::string>(), StartsWith("2026-02-02"));
    EXPECT_THAT(Run({"http://a.example/"}).out, HasSubstr("last answer     304, not_modified, 2026-02-02"));
    EXPECT_THAT(Run({"http://a.example/"}).out, HasSubstr("text is of      2026-01-01"));
    EXPECT_THAT(Run({"http://a.example/", "--headers"}).out, HasSubstr("the answer with the stored body, 2026-01-01"));
  };
  check("after the round");
  Verb({"compact"});
  check("after a compaction");
  Verb({"gc", "--keep_snapshots", "1", "--keep_time", "0s", "--now", "2026-04-01T00:00:00Z"});
  check("after gc");
  const BinaryResult history = Run({"http://a.example/", "--history", "--json"});
  std::vector<Json> fetches;
  for (size_t begin = 0; begin < history.out.size();) {
    const size_t end = history.out.find('\n', begin);
    fetches.push_back(*ParseJson(history.out.substr(begin, end - begin)));
    begin = end + 1;
  }
  ASSERT_EQ(fetches.size(), 2u);
  EXPECT_EQ(fetches[0]["status"], 304);
  EXPECT_EQ(fetches[1]["status"], 200);
  EXPECT_EQ(fetches[0]["conditional"], true);
}

TEST_F(PageVerb, ABodyThatGcTookHasItsTextStill) {
  Verb({"gc", "--bodies_older_than", "1d", "--keep_time", "0s", "--now", "2030-01-01T00:00:00Z"});
  EXPECT_THAT(Object("http://a.example/")["text"].get<std::string>(), HasSubstr("A text of the home page."));
  const BinaryResult body = Run({"http://a.example/", "--body"});
  EXPECT_EQ(body.exit_code, 1);
  EXPECT_THAT(body.err, HasSubstr("was removed by trawl gc --bodies_older_than"));
}

// parse has replaced control characters of HTML already; what turns the writing around is text.
TEST_F(PageVerb, PipesGetEveryByteAndJsonEscapes) {
  CrawledWeb web;
  web.web().AddHost(
      "a.example",
      ServePages(
          {{"/robots.txt", NotFound()},
           {"*", {.body = "<p>its\u202e text<a href=/b>to\u2066 b</a>", .headers = {{"X-Sign", "a\x7f\u009b"}}}}}));
  web.Start();
  web.Crawl("a", {"http://a.example/"});
  const auto out = [&web](std::vector<std::string> words) {
    words.insert(words.begin(), {"page", "http://a.example/", "--root", web.root("a")});
    return web.Run(words).out;
  };
  EXPECT_EQ(out({"--text"}), "its\u202e textto\u2066 b\n");
  EXPECT_THAT(out({"--links", "--format", "csv"}), HasSubstr(",to\u2066 b,"));
  EXPECT_THAT(out({"--links", "--json"}), HasSubstr(R"("text":"to\u2066 b")"));
  EXPECT_THAT(out({"--links"}), HasSubstr("  to b  "));
  EXPECT_THAT(out({"--text", "--json"}), HasSubstr(R"("text":"its\u202e textto\u2066 b")"));
  EXPECT_THAT(out({"--headers", "--json"}), HasSubstr(R"(["X-Sign","a\u007f\u009b"])"));
  const Json page = web.Object(web.Arguments("page", "a", {"http://a.example/"}));
  EXPECT_EQ(page["text"], "its\u202e textto\u2066 b") << "nothing is lost";
}

TEST_F(PageVerb, AFailedFetchAfterGcLeavesTextAndLinks) {
  CrawledWeb web;
  const TestHandler pages = ServePages(
      {{"/robots.txt", NotFound()}, {"*", {.body = "<title>One</title>its text<a href=http://b.example/>b</a>"}}});
  web.web().AddHost("a.example", [pages](const TestRequest& request) {
    return request.path == "/" && request.number > 1 ? AnswerWith({.status = 500, .body = "no"}, request)
                                                     : pages(request);
  });
  web.Start();
  const std::vector<std::string> crawl = {"http://a.example/", "--fetch.retries", "0", "--urls.scope", "domain"};
  web.Crawl("a", crawl);
  EXPECT_EQ(
      web.Run({"gc", "--bodies_older_than", "1d", "--now", "2026-01-20T00:00:00Z", "--root", web.root("a")}).exit_code,
      0);
  web.Run(web.CrawlArguments("a", {"--now", kMonthLater, "--fetch.retries", "0"}));
  const Json page = web.Object(web.Arguments("page", "a", {"http://a.example/"}));
  EXPECT_EQ(page["state"], "failing");
  EXPECT_EQ(page["text"], "its textb");
  EXPECT_EQ(page["title"], "One");
  EXPECT_THAT(page["reason"].get<std::string>(), StartsWith("its body of 2026-01-01T00:00:"));
  EXPECT_THAT(page["reason"].get<std::string>(), HasSubstr("was removed by trawl gc --bodies_older_than"));
  EXPECT_THAT(page["links_note"].get<std::string>(), StartsWith("only those that were in scope"));
  EXPECT_EQ(page["links"].size(), 0u) << "b.example was not";
  const std::string shown = web.Run({"page", "http://a.example/", "--root", web.root("a")}).out;
  EXPECT_THAT(shown, HasSubstr("no body         its body of 2026-01-01"));
  EXPECT_THAT(shown, HasSubstr("\nits textb\n"));
}

TEST_F(PageVerb, ABodyThatGcTookIsStoredAgainWithoutValidators) {
  Verb({"gc", "--bodies_older_than", "1d", "--keep_time", "0s", "--now", "2026-01-20T00:00:00Z"});
  web_.Crawl("a", {"--now", kMonthLater, "--fetch.retries", "0"});
  const Json page = Object("http://a.example/");
  EXPECT_EQ(page["status"], 200) << "a 304 would bring no body";
  EXPECT_EQ(page["reason"], nullptr);
  EXPECT_EQ(Run({"http://a.example/", "--body"}).exit_code, 0);
  EXPECT_EQ(page["links"].size(), 8u);
}

TEST_F(PageVerb, LinksAreJudgedByThePresentScope) {
  const auto entering = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"http://a.example/", "--links", "--json"});
    std::vector<std::string> urls;
    std::istringstream lines(Run(options).out);
    for (std::string line; std::getline(lines, line);) {
      const Json link = *ParseJson(line);
      EXPECT_EQ(link["enters"] == true, link["reason"].is_null()) << line;
      if (link["enters"] == true) urls.push_back(link["url"].get<std::string>());
    }
    return urls;
  };
  const std::vector<std::string> as_crawled = entering({});
  EXPECT_EQ(as_crawled.size(), 6u);
  EXPECT_EQ(entering({"--urls.depth", "0"}).size(), 0u) << "what an option would do";
  Verb({"config", "set", "urls.scope=any"});
  const std::vector<std::string> wider = entering({});
  EXPECT_EQ(wider.size(), 7u);
  EXPECT_THAT(wider, ::testing::Contains("http://other.example/"));
  EXPECT_THAT(Run({"http://a.example/"}).out, HasSubstr("links           8, 1 of them does not enter the crawl\n"));
}

TEST_F(PageVerb, AdviceNamesTheRootThatWasTyped) {
  const std::string root = " --root " + web_.root("a");
  EXPECT_EQ(Object("http://a.example/none", 1)["advice"], "trawl inject" + root + " 'http://a.example/none' adds it");
  const BinaryResult explained = web_.Run({"readdb", "get", "--explain", "http://a.example/private", "--root",
                                           web_.root("a"), "--now", "2026-01-01T01:00:00Z"});
  EXPECT_THAT(explained.out, HasSubstr("trawl urls set" + root + " 'http://a.example/private' --retry"));
  EXPECT_THAT(web_.Run({"segments", "abandon", "20990101T000000Z-0a0a0a0a", "--root", web_.root("a")}).err,
              HasSubstr("trawl segments list" + root + " shows"));
}

TEST_F(PageVerb, EveryPageHasItsOwnTextAndLinks) {
  CrawledWeb web(LinkGraph{.hosts = 5, .pages = 30});
  web.Crawl("a", {web.seed()});
  const BinaryResult dump = web.Run(web.Arguments("readdb dump", "a", {}));
  std::istringstream lines(dump.out);
  int pages = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string url = (*ParseJson(line))["url"].get<std::string>();
    const Json page = web.Object(web.Arguments("page", "a", {url}));
    // A page of the graph shows its own path.
    const std::string body = web.Run({"page", url, "--body", "--root", web.root("a")}).out;
    for (const Json& link : page["links"]) {
      const std::string target = link["url"].get<std::string>();
      EXPECT_THAT(body, HasSubstr(target.substr(target.find('/', 8)))) << url;
    }
    EXPECT_GT(page["links"].size(), 0u) << url;
    ++pages;
  }
  EXPECT_EQ(pages, 150);
}

TEST_F(PageVerb, ReadsegNamesItAndDumpTakesTheNewest) {
  const BinaryResult get = web_.Run({"readseg", "get", "http://a.example/", "--root", web_.root("a")});
  EXPECT_THAT(get.out, HasSubstr("trawl page 'http://a.example/' --body, --text, --links\n"));
  EXPECT_THAT(get.out, Not(HasSubstr(" \n")));
  const BinaryResult newest = web_.Run({"readseg", "dump", "newest", "--root", web_.root("a"), "--json"});
  EXPECT_EQ(newest.exit_code, 0) << newest.err;
  EXPECT_NE(newest.out, "");
}

TEST_F(PageVerb, DumpAndHostsTakeFilters) {
  const auto urls = [&](std::vector<std::string> filters) {
    filters.insert(filters.begin(), {"readdb", "dump", "--root", web_.root("a"), "--now", "2026-01-01T01:00:00Z"});
    const BinaryResult result = web_.Run(filters);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::string> paths;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      paths.push_back((*ParseJson(line))["url"].get<std::string>().substr(16));
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(urls({"--state", "redirected,denied"}), (Paths{"/old", "/private", "/trick"}));
  EXPECT_EQ(urls({"--status", "5xx"}), (Paths{"/err"}));
  EXPECT_EQ(urls({"--status", "301,500"}), (Paths{"/err", "/old"}));
  EXPECT_EQ(urls({"--outcome", "server_error"}), (Paths{"/err"}));
  EXPECT_EQ(urls({"--needs_js"}), (Paths{"/js"}));
  EXPECT_EQ(urls({"--type", "TEXT/plain", "--state", "fetched"}), (Paths{"/img"}));
  EXPECT_EQ(urls({"--type", "image/"}), Paths{});
  EXPECT_EQ(urls({"--sort", "bytes", "--limit", "1"}), (Paths{"/"}));
  EXPECT_EQ(urls({"--sort", "response", "--limit", "100"}).size(), urls({}).size());
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{
           {"--sort", "bytes"}, {"--state", "fetchd"}, {"--status", "4x"}, {"--outcome", "none"}}) {
    std::vector<std::string> words = {"readdb", "dump", "--root", web_.root("a")};
    words.insert(words.end(), bad.begin(), bad.end());
    EXPECT_EQ(web_.Run(words).exit_code, 2) << bad.back();
  }
  const auto hosts = [&](const char* filter) {
    const BinaryResult result = web_.Run({"readdb", "hosts", filter, "--root", web_.root("a")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return std::count(result.out.begin(), result.out.end(), '\n');
  };
  EXPECT_EQ(hosts("--needs_js"), 1);
  EXPECT_EQ(hosts("--blocked"), 0);
  EXPECT_EQ(hosts("--trap"), 0);
  Verb({"host", "a.example", "--block"});
  EXPECT_EQ(hosts("--blocked"), 1);
  EXPECT_EQ(hosts("--slow"), 0);
  EXPECT_EQ(hosts("--breaker"), 0);
}

}  // namespace
}  // namespace trawl
