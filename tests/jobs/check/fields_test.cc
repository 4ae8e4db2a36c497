// The kinds robots, headers, sitemap, simhash and lang of `trawl check`: that the modules' answers arrive. What the
// answers must be is tested where the modules are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "jobs/check/check.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

Json Answer(const CheckKind& kind, const char* input) {
  const auto json = ParseJson(input);
  EXPECT_TRUE(json.ok()) << json.status();
  const auto answer = kind.answer(*json);
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? *answer : Json();
}

TEST(CheckRobots, AnswerHasVerdictSitemapsAndDelay) {
  const Json answer =
      Answer(RobotsCheck(), R"({"robots": "User-agent: *\nDisallow: /a\nCrawl-delay: 1.5\nSitemap: http://x/s",
      "agent": "foobot", "url": "http://x/a?b#c"})");
  EXPECT_EQ(answer["allowed"], false);
  EXPECT_EQ(answer["line"], 2);
  EXPECT_EQ(answer["crawl_delay"], 1.5);
  EXPECT_EQ(answer["sitemaps"], Json({"http://x/s"}));
  const Json empty = Answer(RobotsCheck(), R"({"robots_b64": "", "agent": "foobot", "url": ""})");
  EXPECT_EQ(empty["allowed"], true);
  EXPECT_EQ(empty["crawl_delay"], nullptr);
}

TEST(CheckRobots, PeopleAreToldTheArguments) {
  std::ostringstream out;
  EXPECT_FALSE(RobotsCheck().print({"robots.txt", "http://x/"}, out).ok());
  EXPECT_FALSE(RobotsCheck().print({"--agent", "foobot", "/no/such/file", "http://x/"}, out).ok());
}

TEST(CheckHeaders, AnswerHasEveryField) {
  const Json answer = Answer(HeadersCheck(), R"({"headers": [["Content-Type", "text/html; charset=latin1"],
      ["Refresh", "5; url=b"], ["X-Robots-Tag", "foobot: noindex"], ["Last-Modified", "Wed, 31 Dec 1969 23:59:59 GMT"],
      ["Link", "<c>; rel=canonical"], ["Retry-After", "7"]], "url": "http://x/a", "agent": "foobot"})");
  EXPECT_EQ(answer["mime"], "text/html");
  EXPECT_EQ(answer["charset"], "windows-1252");
  EXPECT_EQ(answer["refresh"], Json({{"delay", 5}, {"url", "http://x/b"}}));
  EXPECT_EQ(answer["canonical"], "http://x/c");
  EXPECT_EQ(answer["robots"]["noindex"], true);
  EXPECT_EQ(answer["robots"]["nofollow"], false);
  EXPECT_EQ(answer["last_modified"], -1);
  EXPECT_EQ(answer["retry_after"], 7);
}

TEST(CheckHeaders, ScriptIsNoRefresh) {
  const Json answer =
      Answer(HeadersCheck(), R"({"headers": [["Refresh", "0; url=JavaScript:x"]], "url": "http://x/"})");
  EXPECT_EQ(answer["refresh"], nullptr);
}

TEST(CheckHeaders, PeopleReadThemFromAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/head";
  std::ofstream(path) << "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf8\r\nX-Robots-Tag: foobot: noindex\r\n"
                         "Refresh: 3; url=/y\r\n\r\n";
  std::ostringstream out;
  ASSERT_TRUE(HeadersCheck().print({"--agent", "foobot", path, "http://x/"}, out).ok());
  EXPECT_THAT(out.str(), HasSubstr("charset:            UTF-8\n"));
  EXPECT_THAT(out.str(), HasSubstr("robots:             noindex\n"));
  EXPECT_THAT(out.str(), HasSubstr("delay 3, url http://x/y\n"));
  EXPECT_FALSE(HeadersCheck().print({}, out).ok());
}

TEST(CheckFields, ArgumentsAreAnsweredInJsonWhereItIsAskedFor) {
  const TemporaryFolder folder;
  const auto file = [&folder](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() + "/" + name) << text;
    return folder.path() + "/" + name;
  };
  const auto asked = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"check", "--json"});
    return AnswerOf(Trawl(words));
  };
  const std::string head =
      file("head", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf8\r\nRefresh: 3; url=/y\r\n\r\n");
  EXPECT_EQ(asked({"headers", head, "http://x/"})["refresh"]["url"], "http://x/y");
  const std::string robots = file("robots", "User-agent: foobot\nDisallow: /a\n");
  EXPECT_EQ(asked({"robots", "--agent", "foobot", robots, "http://x/a"})["allowed"], false);
  EXPECT_EQ(asked({"robots", "--agent", "other", robots, "http://x/a"})["allowed"], true);
  const std::string page = file("page", "<title>T</title><a href=b>b</a>");
  EXPECT_EQ(asked({"html", page})["links"][0]["url"], "http://localhost/b");
  EXPECT_EQ(asked({"html", page, "http://x/"})["links"][0]["url"], "http://x/b");
  EXPECT_THAT(asked({"tree", page})["tree"].get<std::string>(), HasSubstr("<title>"));
  EXPECT_EQ(asked({"charset", page})["source"], "default");
  EXPECT_EQ(asked({"sitemap", file("map", "<urlset><url><loc>/a</loc></url></urlset>"), "http://x/"})["urls"][0]["loc"],
            "http://x/a");
  EXPECT_EQ(asked({"normalize", "http://x/#a", "strict"})["url"], "http://x/");
  EXPECT_EQ(asked({"host", "A.example"})["ascii"], "a.example");
  EXPECT_EQ(asked({"simhash", "a b c", "a b"})["b"], nullptr);
  EXPECT_EQ(Trawl({"check", "--json", "html", "/no/such/file"}).exit_code, 3);
  EXPECT_EQ(Trawl({"check", "--json", "host", "a", "b"}).exit_code, 2);
}

TEST(CheckSitemap, PeopleReadItFromAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/sitemap.xml";
  std::ofstream(path) << "<urlset><url><loc>/a</loc><priority>0.5</priority></url><url/><broken";
  std::ostringstream out;
  ASSERT_TRUE(SitemapCheck().print({path, "http://x/s.xml"}, out).ok());
  EXPECT_THAT(out.str(), HasSubstr(": urlset, 1 entries, 1 without a usable URL\n  broken: XML line 1"));
  EXPECT_THAT(out.str(), HasSubstr("  http://x/a  priority 0.5\n"));
}

TEST(CheckHeaders, WhatIsNotThereIsNull) {
  const Json answer = Answer(HeadersCheck(), R"({"headers": []})");
  for (const char* name :
       {"mime", "charset", "refresh", "last_modified", "canonical", "retry_after", "content_length"}) {
    ASSERT_TRUE(answer.contains(name)) << name;
    EXPECT_EQ(answer[name], nullptr) << name;
  }
  EXPECT_FALSE(HeadersCheck().answer(Json{{"headers", {{"only a name"}}}}).ok());
}

TEST(CheckHeaders, RefreshToNoUrlIsNone) {
  EXPECT_EQ(Answer(HeadersCheck(), R"({"headers": [["Refresh", "0;http://"]], "url": "http://x/a"})")["refresh"],
            nullptr);
}

TEST(CheckSitemap, LocsAreAbsolute) {
  const Json answer = Answer(SitemapCheck(), R"({"url": "http://x/s/sitemap.xml",
      "body": "<urlset><url><loc>/a</loc><priority>0.5</priority></url><url><loc>HTTP://y</loc></url></urlset>"})");
  EXPECT_EQ(answer["type"], "urlset");
  EXPECT_EQ(answer["urls"], Json({{{"loc", "http://x/a"}, {"priority", 0.5}}, {{"loc", "HTTP://y"}}}));
  EXPECT_EQ(answer["sitemaps"], Json::array());
}

TEST(CheckText, FingerprintsAndLanguage) {
  const Json hashes = Answer(SimhashCheck(), R"({"a": "a b c", "b": "a b"})");
  EXPECT_EQ(hashes["a"], "4f801377e3437ecb");
  EXPECT_EQ(hashes["b"], nullptr);
  EXPECT_EQ(Answer(LangCheck(),
                   R"({"text": "Heute Morgen war das Wetter schön, und alle gingen am Fluss spazieren."})")["lang"],
            "de");
  EXPECT_EQ(Answer(LangCheck(), R"({"text": ""})")["lang"], nullptr);
}

}  // namespace
}  // namespace trawl
