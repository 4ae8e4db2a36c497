// trawl graph on crawls: what it inverts, ranks, lists and exports, and what becomes of it in later rounds.
#include "jobs/graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "arrow/adapters/orc/adapter.h"
#include "arrow/api.h"
#include "arrow/io/file.h"
#include "formats/rows/host_graph_row.h"
#include "formats/rows/link_list.h"
#include "formats/rows/outlinks_row.h"
#include "formats/url/key.h"
#include "jobs/page/page.h"
#include "jobs/policy/score.h"
#include "jobs/segment/pages.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/merge_scan.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kMonthLater[] = "2026-02-02T00:00:00Z";
constexpr int kPages = 25;

// The page of that number as its n-th request gets it: other links, texts and directives each time, and some pages go.
TestAnswer Answer(int host, const TestRequest& request) {
  if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
  const int page = request.path == "/" ? 0 : std::atoi(request.path.c_str() + 1);
  const int version = std::min(request.number, 2);
  if (page >= kPages || (version == 2 && page % 8 == 5)) return AnswerWith(NotFound(), request);
  if (version == 2 && page % 8 == 6) return AnswerWith(RedirectTo("/", 302), request);
  std::string body = "<title>page</title>";
  const auto link = [&](int to_host, int to, const std::string& text, const char* rel) {
    body += "<a href='http://" + std::string(to_host == 0 ? "a" : "b") + ".example/" +
            (to == 0 ? "" : std::to_string(to)) + "' " + rel + ">" + text + "</a>\n";
  };
  for (int i = 1; i <= 4; ++i) {
    const int to = version == 1 ? page * 4 + i : (page * 3 + 7 * i) % kPages;
    if (to < kPages)
      link(host, to, "text " + std::to_string(page * version), i == 3 && version == 2 ? "rel=nofollow" : "");
  }
  if (page % 3 == version - 1) link(1 - host, page, "across", "");
  return AnswerWith({.body = body + "words of page " + std::to_string(page) + " version " + std::to_string(version)},
                    request);
}

// source, target, text, how, nofollow
using Link = std::tuple<std::string, std::string, std::string, std::string, bool>;

class GraphVerb : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const int host : {0, 1}) {
      web_.web().AddHost(host == 0 ? "a.example" : "b.example",
                         [host](const TestRequest& request) { return Answer(host, request); });
    }
    web_.Start();
  }
  Json Crawl(std::vector<std::string> more) {
    more.insert(more.end(), {"--urls.scope", "any", "--fetch.retries", "0", "--settle.enabled=false"});
    return web_.Crawl("a", more);
  }
  Json Verb(const std::string& verb, const std::vector<std::string>& more = {}) const {
    return web_.Object(web_.Arguments(verb, "a", more));
  }
  // Every row of a list.
  std::vector<Json> List(const std::vector<std::string>& more) const {
    const BinaryResult result = web_.Run(web_.Arguments("graph", "a", more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<Json> rows;
    for (size_t at = 0; at < result.out.size();) {
      const size_t end = result.out.find('\n', at);
      rows.push_back(ParseJson(result.out.substr(at, end - at)).ValueOrDie());
      at = end + 1;
    }
    return rows;
  }

  struct Pages {
    std::set<Link> links;    // of all pages that are there, as their segments have them
    std::set<Link> inlinks;  // of all pages, as the graph has them
    int64_t counted = 0;     // sum of the inlinks' counts
    std::set<std::string> fetched, failing;
  };
  Pages ReadPages() const {
    const auto store = *OpenStore(web_.root("a"));
    const Manifest present = ReadPresent(store.get())->manifest;
    Pages pages;
    NewestPages readings(store.get());
    const auto urls = *Table::Open<UrlRow>(store.get(), present);
    EXPECT_OK(ForEachRow<UrlRow>(urls, {}, [&](const UrlRow& row) -> arrow::Status {
      ARROW_ASSIGN_OR_RAISE(const Page page,
                            ReadPage({.store = store.get(), .snapshot = &present}, row.key, {.inlinks = true}));
      if (row.state == UrlState::kFetched) pages.fetched.insert(row.key);
      if (row.state == UrlState::kFailing) pages.failing.insert(row.key);
      if (row.state == UrlState::kFetched || row.state == UrlState::kFailing) {
        ParseRow parsed;
        ARROW_ASSIGN_OR_RAISE(const bool was_parsed, readings.Find(row, &parsed));
        if (was_parsed) {
          ARROW_ASSIGN_OR_RAISE(const std::vector<LinkRow> links, readings.Links(parsed));
          for (const LinkRow& link : links) pages.links.emplace(row.key, link.to, link.text, link.how, link.nofollow);
        }
      }
      pages.counted += page.inlinks.links;
      return ForEachListedLink(page.inlinks.list, [&](const ListedLink& link) {
        pages.inlinks.emplace(link.key, row.key, link.text, link.how, link.nofollow);
        return arrow::Status::OK();
      });
    }));
    return pages;
  }
  CrawledWeb web_;
};

TEST_F(GraphVerb, InlinksAreTheInvertedLinksAlsoAfterPagesHaveChanged) {
  Crawl({"http://a.example/"});
  const Json first = Verb("graph");
  EXPECT_EQ(first["hosts"], 2);
  EXPECT_EQ(first["edges"], 2);
  EXPECT_EQ(first["pages"], 2 * kPages);
  EXPECT_GT(first["iterations"], 0);
  EXPECT_EQ(first["harmonic"]["method"], "exact");
  const Pages before = ReadPages();
  EXPECT_EQ(before.links, before.inlinks);
  EXPECT_EQ(before.counted, static_cast<int64_t>(before.links.size()));
  EXPECT_EQ(first["links"], before.links.size());
  EXPECT_GT(before.links.size(), 60u);

  Crawl({"--now", kMonthLater, "--rounds", "1"});
  const Json second = Verb("graph", {"--now", kMonthLater});
  const Pages after = ReadPages();
  EXPECT_EQ(after.links, after.inlinks);
  EXPECT_EQ(second["links"], after.links.size());
  EXPECT_NE(after.links, before.links);
  const Json states = Verb("readdb stats")["by_state"];
  EXPECT_EQ(second["pages"], states["fetched"].get<int64_t>() + states["failing"].get<int64_t>())
      << "what redirects has no links";
  EXPECT_LT(second["pages"], first["pages"]);

  // As a page shows them.
  const Json home = Verb("page", {"http://a.example/", "--inlinks"});
  EXPECT_EQ(home["count"], home["inlinks"].size());
  ASSERT_FALSE(home["inlinks"].empty());
  EXPECT_TRUE(home["inlinks"][0]["url"].is_string() && home["inlinks"][0]["nofollow"].is_boolean());
  EXPECT_EQ(home["graph_snapshot"], second["of_snapshot"]);

  // Compaction and gc change nothing.
  Verb("compact");
  Verb("gc", {"--keep_snapshots", "1", "--keep_time", "0s", "--now", "2026-06-01T00:00:00Z"});
  EXPECT_EQ(ReadPages().inlinks, after.inlinks);
  EXPECT_EQ(Verb("graph")["links"], second["links"]);
}

TEST_F(GraphVerb, ListsDeadLinksPageByPageAndOrphans) {
  Crawl({"http://a.example/"});
  EXPECT_THAT(web_.Run(web_.Arguments("graph", "a", {"--orphans"})).err, HasSubstr("type  trawl graph"));
  EXPECT_TRUE(List({"--dead_links"}).empty());
  Crawl({"--now", kMonthLater, "--rounds", "1"});
  std::set<std::pair<std::string, std::string>> expected, listed;
  const Pages pages = ReadPages();
  for (const Link& link : pages.links) {
    if (pages.failing.contains(std::get<0>(link)) || !pages.failing.contains(std::get<1>(link))) continue;
    expected.emplace(*UrlOfKey(std::get<0>(link)), *UrlOfKey(std::get<1>(link)));
  }
  for (const Json& row : List({"--dead_links"})) {
    listed.emplace(row["source"].get<std::string>(), row["target"].get<std::string>());
    EXPECT_EQ(row["status"], 404);
    EXPECT_EQ(row["how"], "a");
  }
  EXPECT_EQ(listed, expected);
  EXPECT_GT(listed.size(), 3u);
  std::erase_if(expected, [](const auto& link) { return !link.first.starts_with("http://b.example/"); });
  EXPECT_EQ(List({"--dead_links", "--host", "b.example"}).size(), expected.size());
  EXPECT_EQ(web_.Run(web_.Arguments("graph", "a", {"--host", "b.example"})).exit_code, 2);

  Verb("graph", {"--now", kMonthLater});
  std::set<std::string> orphans, linked, found;
  for (const Link& link : pages.links) linked.insert(std::get<1>(link));
  for (const std::string& key : pages.fetched) {
    if (!linked.contains(key) && key != "example,a)http/") orphans.insert(*UrlOfKey(key));
  }
  for (const Json& row : List({"--orphans"})) found.insert(row["url"].get<std::string>());
  EXPECT_EQ(found, orphans);
}

TEST_F(GraphVerb, IsExportedInThreeForms) {
  Crawl({"http://a.example/"});
  const auto run = [&](const std::string& what, const std::string& out, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"export", what, web_.root(out), "--root", web_.root("a"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return web_.Run(words);
  };
  EXPECT_THAT(run("graph", "out").err, HasSubstr("make it first:  trawl graph"));
  const Json graph = Verb("graph");
  const BinaryResult parquet = run("graph", "out", {"--format", "parquet"});
  EXPECT_EQ(parquet.exit_code, 0) << parquet.err;
  EXPECT_EQ(ParseJson(parquet.out)->at("host_ranks"), 2);
  EXPECT_EQ(ParseJson(parquet.out)->at("host_edges"), 2);
  for (const char* const folder : {"host_ranks", "host_edges", "domain_edges"}) {
    EXPECT_TRUE(std::filesystem::exists(web_.root("out") + "/" + folder + "/part-00000.parquet")) << folder;
  }
  EXPECT_EQ(run("links", "links").exit_code, 0);
  EXPECT_EQ(ParseJson(run("links", "links2").out)->at("links"), graph["links"]);
  EXPECT_EQ(run("graph", "out", {"--format", "text", "--overwrite"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(web_.root("out") + "/host_ranks/part-00000.parquet"));
  for (const char* const file : {"vertices.txt.gz", "edges.txt.gz", "ranks.txt.gz"}) {
    EXPECT_TRUE(std::filesystem::exists(web_.root("out") + "/" + file)) << file;
  }
  EXPECT_EQ(run("urls", "urls", {"--format", "text"}).exit_code, 2);
  // Each of the two hosts has half of the rank, and so have its pages.
  EXPECT_EQ(run("pages", "pages").exit_code, 0);
  ASSERT_OK_AND_ASSIGN(const auto file, arrow::io::ReadableFile::Open(web_.root("pages") + "/pages/part-00000.orc"));
  ASSERT_OK_AND_ASSIGN(const auto reader,
                       arrow::adapters::orc::ORCFileReader::Open(file, arrow::default_memory_pool()));
  ASSERT_OK_AND_ASSIGN(const auto pages, reader->Read());
  const auto ranks = std::static_pointer_cast<arrow::DoubleArray>(pages->GetColumnByName("rank")->chunk(0));
  ASSERT_EQ(ranks->length(), 2 * kPages);
  for (int64_t i = 0; i < ranks->length(); ++i) EXPECT_NEAR(ranks->Value(i), 0.5, 1e-6);
}

TEST_F(GraphVerb, RoundsMakeItByThemselvesWhereEnoughHasChanged) {
  const std::vector<std::string> often = {"--graph.every", "2", "--graph.least_hosts", "1", "--graph.share", "0.01"};
  std::vector<std::string> words = {"http://a.example/"};
  words.insert(words.end(), often.begin(), often.end());
  const Json report = Crawl(words);
  EXPECT_GT(report["counters"].value("graph.ranked", 0), 0);
  const auto store = *OpenStore(web_.root("a"));
  const Manifest present = ReadPresent(store.get())->manifest;
  ASSERT_TRUE(present.read_to.contains(kGraphJob));
  GraphOptions options = {.every = 1, .share = 0, .least_hosts = 1};
  Verb("graph");
  const Manifest made = ReadPresent(store.get())->manifest;
  EXPECT_FALSE(*IsGraphDue(store.get(), made, options)) << "nothing has changed";
  std::vector<std::string> later = {"--now", kMonthLater, "--rounds", "1"};
  later.insert(later.end(), often.begin(), often.end());
  EXPECT_EQ(Crawl(later)["counters"].value("graph.ranked", 0), 0) << "too soon";
  const Manifest after = ReadPresent(store.get())->manifest;
  EXPECT_TRUE(*IsGraphDue(store.get(), after, options));
  options.share = 1;
  EXPECT_FALSE(*IsGraphDue(store.get(), after, options)) << "too little has changed";
  options.share = 0;
  options.every = 0;
  EXPECT_FALSE(*IsGraphDue(store.get(), after, options));
  options.every = 1;
  options.least_hosts = 3;
  EXPECT_FALSE(*IsGraphDue(store.get(), after, options)) << "too few hosts";
  // Without options a small crawl makes none.
  EXPECT_FALSE(*IsGraphDue(store.get(), after, {}));
}

// A page that has left its sitemap is one; where the list of the sitemap is cut, nobody knows.
TEST(GraphLists, APageThatLeftItsSitemapIsAnOrphan) {
  SegmentFixture crawl;
  std::vector<UrlRow> urls;
  std::vector<OutlinksRow> lists;
  for (const char* map : {"com,a)/whole.xml", "com,a)/cut.xml"}) {
    UrlRow& sitemap = urls.emplace_back(UnfetchedRow(map));
    sitemap.state = UrlState::kFetched;
    sitemap.kind = UrlKind::kSitemap;
    LinkListWriter list;
    list.Add({.key = std::string(map) + "/listed", .how = "sitemap"});
    OutlinksRow& row = lists.emplace_back();
    row.key = map;
    row.listed = 1;
    row.links = row.key == "com,a)/cut.xml" ? 2 : 1;
    row.list.assign(list.bytes());
    for (const char* page : {"/listed", "/left"}) {
      UrlRow& entry = urls.emplace_back(UnfetchedRow(std::string(map) + page));
      entry.state = UrlState::kFetched;
      entry.sitemap = map;
    }
  }
  ASSERT_OK(crawl.Put<UrlRow>(urls));
  ASSERT_OK(crawl.Put<OutlinksRow>(lists));
  EXPECT_EQ(Trawl({"graph", "--root", crawl.root(), "--quiet"}).exit_code, 0);
  const BinaryResult orphans = Trawl({"graph", "--orphans", "--root", crawl.root(), "--json"});
  EXPECT_THAT(orphans.out, HasSubstr("https://a.com/whole.xml/left"));
  EXPECT_EQ(std::count(orphans.out.begin(), orphans.out.end(), '\n'), 1) << orphans.out;
}

// The authority that new links get.
TEST(GraphRanks, DecideTheScoreOfNewLinks) {
  SegmentFixture crawl;
  UrlRow page = UnfetchedRow("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({page}));
  RankRow rank;
  rank.key = "com,ranked";
  rank.authority = 700'000;
  ASSERT_OK(crawl.Put<RankRow>({rank}));
  ASSERT_OK(crawl.Open("s1"));
  FetchRow fetch = FetchOf(page, Outcome::kFetched, 200, crawl.now_ms - 1000);
  fetch.body_digest = "digest";
  fetch.content_file = "m0-0-0.orc";
  ParseRow parse;
  parse.key = fetch.key;
  parse.fetched_ms = fetch.fetched_ms;
  parse.links = 2;
  LinkRow ranked = LinkOf("com,a)/", "com,ranked)/", 1), other = LinkOf("com,a)/", "com,other)/", 1);
  ranked.text = "to ranked";
  ASSERT_OK(crawl.Finish("s1", {.fetch = {fetch}, .parse = {parse}, .links = {ranked, other}}));
  ASSERT_OK(crawl.Apply("s1").status());
  EXPECT_EQ(crawl.Find<UrlRow>("com,ranked)/")->score,
            ScoreOf({.depth = 1, .authority = 700'000, .key = "com,ranked)/"}));
  EXPECT_EQ(crawl.Find<UrlRow>("com,other)/")->score, ScoreOf({.depth = 1, .key = "com,other)/"}));
  // And the page's own links, in the order of the page.
  const auto row = crawl.Find<OutlinksRow>("com,a)/");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->links, 2);
  std::vector<std::string> links;
  ASSERT_OK(ForEachListedLink(row->list, [&links](const ListedLink& link) {
    links.push_back(std::string(link.key) + " " + std::string(link.text));
    return arrow::Status::OK();
  }));
  EXPECT_THAT(links, ElementsAre("com,ranked)/ to ranked", "com,other)/ "));
}

}  // namespace
}  // namespace trawl
