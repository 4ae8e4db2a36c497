// Pages with one text whose relative links lead to other pages are no duplicates: nothing that they link is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(SameText, FoldersWithTheSameIndexPageKeepTheirPages) {
  CrawledWeb web;
  std::map<std::string, TestPage> pages;
  pages["/"].body = "<a href=/jan/>1</a><a href=/mar/>2</a><a href=/jan/index.html>3</a><a href=/jan/?session=1>4</a>";
  std::string text = "<title>News</title><p>";
  for (int word = 0; word < 60; ++word) text += "word" + std::to_string(word) + ' ';
  for (const char* index : {"/jan/", "/mar/", "/jan/index.html", "/jan/?session=1"}) {
    pages[index].body = text + "<a href=p1.html>one</a><a href='?page=2'>more</a><a href=#top>top</a>";
  }
  for (const char* page : {"/jan/p1.html", "/mar/p1.html", "/jan/?page=2", "/mar/?page=2"}) {
    pages[page].body = std::string("<title>") + page + "</title><p>a page of its own: " + page;
  }
  web.web().AddHost("a.test", ServePages(pages));
  web.Start();
  web.Object(web.Arguments("inject", "c", {"--now", CrawledWeb::kNow, "http://a.test/"}));
  for (const char* hour : {"11", "12", "13"}) {
    web.Object(web.Arguments("round", "c",
                             {"--now", std::string("2026-01-01T") + hour + ":00:00Z", "--fetch.allow_private",
                              "--fetch.delay_ms", "0", "--fetch.hosts_file", web.hosts_file()}));
  }
  const auto row = [&](const std::string& path) {
    return web.Object(web.Arguments("readdb get", "c", {"http://a.test" + path}));
  };
  for (const char* page : {"/jan/", "/mar/", "/jan/p1.html", "/mar/p1.html", "/jan/?page=2", "/mar/?page=2"}) {
    EXPECT_EQ(row(page)["state"], "fetched") << page;
    EXPECT_EQ(row(page)["duplicate_of"], nullptr) << page;
  }
  EXPECT_EQ(row("/mar/")["near_duplicate_of"], "http://a.test/jan/");
  EXPECT_EQ(row("/mar/")["distance"], 0);
  for (const char* page : {"/jan/index.html", "/jan/?session=1"}) {
    EXPECT_EQ(row(page)["duplicate_of"], "http://a.test/jan/") << page;
  }
}

// The links of a duplicate are not in the graph, but what it has found is linked.
TEST(SameText, WhatOnlyADuplicateLinksIsNoOrphan) {
  CrawledWeb web;
  std::string home = "<title>Home</title><p>one text on both hosts <a href=/only.html>only</a>";
  web.web().AddHost("a.test", ServePages({{"/", {.body = home}}}));
  web.web().AddHost("www.a.test", ServePages({{"/", {.body = home}}, {"/only.html", {.body = "<p>only here"}}}));
  web.Start();
  web.Object(web.Arguments("inject", "c", {"--now", CrawledWeb::kNow, "http://a.test/", "http://www.a.test/"}));
  for (const char* hour : {"11", "12"}) {
    web.Object(web.Arguments("round", "c",
                             {"--now", std::string("2026-01-01T") + hour + ":00:00Z", "--fetch.allow_private",
                              "--fetch.delay_ms", "0", "--fetch.hosts_file", web.hosts_file()}));
  }
  const Json row = web.Object(web.Arguments("readdb get", "c", {"http://www.a.test/only.html"}));
  EXPECT_EQ(row["state"], "fetched");
  EXPECT_EQ(web.Object(web.Arguments("readdb get", "c", {"http://www.a.test/"}))["duplicate_of"], "http://a.test/");
  web.Object(web.Arguments("graph", "c", {}));
  EXPECT_EQ(web.Run({"graph", "--orphans", "--root", web.root("c")}).out.find("only.html"), std::string::npos);
}

}  // namespace
}  // namespace trawl
