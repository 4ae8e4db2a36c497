// trawl export: whose folder it is, and what may be in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class Export : public ::testing::Test {
 protected:
  void Inject(const std::string& url) { ASSERT_EQ(Trawl({"inject", "--root", root_, "--quiet", url}).exit_code, 0); }
  BinaryResult Run(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"export", out_, "--root", root_, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Trawl(arguments);
  }
  bool Has(const std::string& name) const { return std::filesystem::exists(out_ + "/" + name); }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
  const std::string out_ = folder_.path() + "/out";
};

TEST_F(Export, AnInterruptedOneStartsAnewAfterTheCrawlHasGoneOn) {
  Inject("https://a.example/");
  ASSERT_EQ(AnswerOf(Run({"--format", "parquet"}))["urls"], 1);
  std::filesystem::remove(out_ + "/_SUCCESS");
  Inject("https://b.example/");
  EXPECT_EQ(AnswerOf(Run())["urls"], 2);
  EXPECT_TRUE(Has("_SUCCESS") && Has("urls/part-00000.orc"));
  EXPECT_FALSE(Has("urls/part-00000.parquet")) << "parts of the interrupted one are gone";
}

TEST_F(Export, AFinishedOneIsReplacedOnlyWhenAsked) {
  Inject("https://a.example/");
  ASSERT_EQ(Run().exit_code, 0);
  Inject("https://b.example/");
  const BinaryResult refused = Run();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("holds another export (see _export.json there); choose another folder, or replace "
                                     "it with --overwrite"));
  EXPECT_EQ(AnswerOf(Run({"--overwrite", "--format", "parquet"}))["urls"], 2);
  EXPECT_FALSE(Has("urls/part-00000.orc"));
  EXPECT_EQ(AnswerOf(Run({"--overwrite", "--format", "parquet"}))["changed"], false);
}

TEST_F(Export, AFolderOfSomebodyElseIsNeverTouched) {
  Inject("https://a.example/");
  std::filesystem::create_directory(out_);
  std::ofstream(out_ + "/thesis.txt") << "mine";
  EXPECT_EQ(Run({"--overwrite"}).exit_code, 2);
  for (const char* text : {"", "{}", "not even JSON"}) {
    std::ofstream(out_ + "/_export.json") << text;
    EXPECT_EQ(Run({"--overwrite"}).exit_code, 2) << text;
  }
  EXPECT_TRUE(Has("thesis.txt"));
}

TEST_F(Export, TheCrawlsOwnFoldersAreRefused) {
  Inject("https://a.example/");
  std::filesystem::create_directory_symlink(root_, folder_.path() + "/link");
  for (const std::string& folder :
       {root_, root_ + "/", root_ + "/crawldb/x", root_ + "/../crawl/x", folder_.path() + "/link/x"}) {
    const BinaryResult result = Trawl({"export", folder, "--root", root_});
    EXPECT_EQ(result.exit_code, 2) << folder;
    EXPECT_THAT(result.err, HasSubstr("is within the crawl"));
  }
  EXPECT_EQ(Trawl({"export", root_ + "-beside", "--root", root_, "--quiet"}).exit_code, 0);
}

TEST_F(Export, WhatIsNamedIsWrittenAloneAndHasAFolderOfItsOwn) {
  Inject("https://a.example/");
  const auto run = [this](std::vector<std::string> words) {
    words.insert(words.begin(), "export");
    words.insert(words.end(), {"--root", root_, "--json"});
    return Trawl(words);
  };
  EXPECT_EQ(AnswerOf(run({"urls", out_}))["urls"], 1);
  EXPECT_TRUE(Has("urls/part-00000.orc") && Has("_SUCCESS"));
  EXPECT_FALSE(Has("hosts/part-00000.orc"));
  EXPECT_EQ(run({"hosts", out_}).exit_code, 2) << "the folder has another export";
  EXPECT_EQ(AnswerOf(run({"hosts", out_, "--overwrite"}))["hosts"], 1);
  EXPECT_FALSE(Has("urls/part-00000.orc"));
  EXPECT_EQ(AnswerOf(run({"robots", out_, "--overwrite"}))["robots"], 0);
  EXPECT_EQ(AnswerOf(run({"pages", out_, "--overwrite"}))["pages"], 0);
  EXPECT_TRUE(Has("pages/part-00000.orc"));
  EXPECT_EQ(AnswerOf(run({"pages", out_}))["changed"], false);
  EXPECT_EQ(AnswerOf(run({out_, "--overwrite"}))["urls"], 1);
  EXPECT_FALSE(Has("pages/part-00000.orc"));
}

TEST_F(Export, WhatCannotBeExportedSaysWhatCan) {
  Inject("https://a.example/");
  const auto refused = [this](std::vector<std::string> words) {
    words.insert(words.begin(), "export");
    words.insert(words.end(), {"--root", root_});
    const BinaryResult result = Trawl(words);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(refused({"graph", out_}), HasSubstr("make it first:  trawl graph"));
  EXPECT_THAT(refused({"page", out_}), HasSubstr("write one of urls, hosts, robots, pages"));
  EXPECT_THAT(refused({"pages"}), HasSubstr("pages DIR"));
}

// Pages of two rounds: what 304 left in the first segment, what was new in the second, and what gc took.
TEST(ExportPages, HasOneRowForEachBodyThatIsStillStored) {
  CrawledWeb web;
  web.web().AddHost("a.example",
                    ServePages({{"/robots.txt", NotFound()},
                                {"/", {.body = "<title>Home</title><a href=/x>x</a><a href=/y>y</a>", .etag = "\"1\""}},
                                {"/x", {.body = "<title>X</title>text of x", .etag = "\"1\""}},
                                {"/y", RedirectTo("/x", 302)}}));
  web.web().AddHost("b.example", ServeChanging(1));
  web.Start();
  web.Crawl("a", {"http://a.example/", "http://b.example/"});
  web.Crawl("a", {"--now", "2026-02-02T00:00:00Z"});
  const auto pages = [&](const std::string& name) {
    return web.Object(web.Arguments("export", "a", {"pages", web.root(name)}));
  };
  const Json first = pages("out1");
  EXPECT_EQ(first["pages"], 3);
  EXPECT_EQ(first["bodies_gone"], 0);
  EXPECT_EQ(first["not_parsed"], 0);
  web.Run(web.Arguments("compact", "a", {}));
  EXPECT_EQ(pages("out2")["pages"], 3);
  EXPECT_EQ(
      web.Run(web.Arguments("gc", "a", {"--bodies_older_than", "20d", "--now", "2026-02-10T00:00:00Z"})).exit_code, 0);
  const Json last = pages("out3");
  EXPECT_EQ(last["pages"].get<int>() + last["bodies_gone"].get<int>(), 3);
}

std::string ProductPage(const std::string& name) {
  return "<title>" + name + "</title><script type=application/ld+json>{\"@type\":\"Product\",\"name\":\"" + name +
         "\",\"offers\":{\"price\":12.50}}</script><meta property=og:title content=" + name + "><p>A thing.</p>";
}

// Items over two rounds: of pages that answer 304, that share a body, that are gone, and that were removed.
TEST(ExportItems, HasTheItemsOfThePagesThatHaveText) {
  CrawledWeb web;
  web.web().AddHost(
      "a.example",
      ServePages({{"/robots.txt", NotFound()},
                  {"/",
                   {.body = ProductPage("lamp") + "<a href=/twin>t</a><a href=/no>n</a><a href=/broken>b</a>",
                    .etag = "\"1\""}},
                  {"/twin",
                   {.body = ProductPage("lamp") + "<a href=/twin>t</a><a href=/no>n</a><a href=/broken>b</a>",
                    .etag = "\"2\""}},
                  {"/no", {.body = "<p>no item", .etag = "\"3\""}},
                  {"/broken", {.body = "<script type=application/ld+json>{'a'}</script><p>text", .etag = "\"4\""}}}));
  web.Start();
  const std::string home = "http://a.example/";
  web.Crawl("a", {home});
  const auto items = [&](const std::string& name, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"items", web.root(name)});
    return web.Object(web.Arguments("export", "a", more))["items"];
  };
  const auto of_page = [&](const std::string& path) {
    return web.Run(web.Arguments("page", "a", {"http://a.example" + path, "--items"}));
  };
  EXPECT_EQ(items("out1"), 5) << "two of each product, one problem";
  EXPECT_EQ(items("unique", {"--unique"}), 3);
  web.Crawl("a", {"--now", "2026-02-02T00:00:00Z"});
  EXPECT_EQ(items("out2"), 5) << "304 changes nothing";
  for (const char* path : {"/", "/twin"}) {
    EXPECT_THAT(of_page(path).out, HasSubstr("\\\"price\\\":12.50")) << path;
    EXPECT_THAT(of_page(path).out, HasSubstr("opengraph")) << path;
  }
  EXPECT_THAT(of_page("/broken").out, HasSubstr("a name in quotes is missing at byte"));
  EXPECT_EQ(of_page("/no").out, "");
  EXPECT_EQ(of_page("/no").exit_code, 0);
  EXPECT_EQ(of_page("/unknown").exit_code, 1);

  web.Run(web.Arguments("remove", "a", {"http://a.example/twin"}));
  EXPECT_EQ(items("out3"), 3) << "a removed page has neither text nor items";
  EXPECT_EQ(of_page("/twin").exit_code, 1);
  web.Run(web.Arguments("compact", "a", {}));
  EXPECT_EQ(items("out4"), 3);

  const Json page = web.Object(web.Arguments("page", "a", {home}));
  EXPECT_EQ(page["items"], 2);
  EXPECT_EQ(page["headline"], "lamp");
  EXPECT_EQ(page["headline_from"], "opengraph");
  EXPECT_EQ(page["schema_types"], "Product");
}

}  // namespace
}  // namespace trawl
