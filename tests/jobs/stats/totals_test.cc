// The totals that manifests carry equal a full count, after every job.
#include "jobs/stats/totals.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "runtime/root/snapshot.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

// The totals that the present carries, which equal those that a count gives.
Json TotalsOf(const std::string& root, const std::string& after) {
  const auto store = *OpenStore(root);
  const Snapshot present = *ReadPresent(store.get());
  if (!present.manifest.totals) return nullptr;
  EXPECT_EQ(ToJson(*present.manifest.totals), ToJson(*CountTotals(store.get(), present.manifest, 2, StopToken())))
      << after;
  return ToJson(*present.manifest.totals);
}

// Three pages, one of them gone, one that is refused and one that redirects.
void AddSite(CrawledWeb* web) {
  web->web().AddHost("a.test", ServePages({{"/robots.txt", NotFound()},
                                           {"/", {.body = "<a href=/b>b</a><a href=/gone>c</a><a href=/to>d</a>"}},
                                           {"/b", {.body = "<a href=/c>c</a><a href=/p.pdf>p</a>"}},
                                           {"/c", {.body = "the end"}},
                                           {"/gone", {.status = 410}},
                                           {"/to", RedirectTo("/c", 302)}}));
  web->Start();
}

TEST(Totals, EqualAFullCountAfterEveryJob) {
  CrawledWeb web;
  AddSite(&web);
  const auto run = [&web](const std::string& verb, const std::vector<std::string>& more) {
    web.Object(web.Arguments(verb, "a", more));
    return TotalsOf(web.root("a"), verb);
  };
  run("inject", {"--now", CrawledWeb::kNow, "http://a.test/"});
  run("config set", {"fetch.allow_private=true", "fetch.delay_ms=0", "fetch.hosts_file=" + web.hosts_file()});
  Json totals;
  for (const char* now :
       {"2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T03:00:00Z", "2026-02-01T00:00:00Z"}) {
    for (const char* verb : {"generate", "fetch", "parse", "updatedb"}) totals = run(verb, {"--now", now});
  }
  EXPECT_EQ(totals["rounds"], 4);
  EXPECT_EQ(totals["bodies"], 3);
  EXPECT_EQ(totals["pages"], 3) << "a page that has not changed is not stored again";
  EXPECT_EQ(totals["states"]["fetched"], 3);
  EXPECT_EQ(totals["states"]["gone"], 1);
  EXPECT_EQ(totals["states"]["redirected"], 1);
  run("inject", {"http://a.test/", "http://a.test/new"});
  run("compact", {});
  totals = run("remove", {"--prefix", "http://a.test/b", "http://a.test/gone", "http://a.test/never"});
  EXPECT_EQ(totals["bodies"], 2);
  EXPECT_FALSE(totals["states"].contains("gone"));
  EXPECT_EQ(run("inject", {"http://a.test/gone"})["states"]["unfetched"], 2);
  std::ofstream(web.root("seeds")) << "http://a.test/new\tscore=0.5\n";
  run("inject", {"--update", web.root("seeds")});
  EXPECT_EQ(run("urls set", {"--prefix", "http://a.test/", "--drop"})["states"].size(), 1u) << "all are refused";
  run("urls set", {"--prefix", "http://a.test/", "--undrop"});
  run("urls set", {"http://a.test/c", "--due", "now"});
  std::ofstream(web.root("scores")) << "http://a.test/c 0.9\n";
  run("score", {web.root("scores")});
  run("host", {"a.test", "--block", "--reason", "asked to"});
  run("host", {"a.test", "--unblock"});
  run("settle", {});
  run("settle", {"--all"});
  run("reparse", {"--all"});
  run("graph", {});
  run("round", {"--now", "2027-03-01T00:00:00Z", "--contact", "me@me.example", "--idle_exit", "0"});
  // A segment that is abandoned leaves them alone.
  const Json before = run("generate", {"--segment", "s9", "--now", "2027-06-01T00:00:00Z"});
  run("fetch", {"--now", "2027-06-01T00:00:00Z"});
  EXPECT_EQ(run("segments abandon", {"s9"}), before);
}

// All but one of them find another snapshot than the one that they read, and are done again.
TEST(Totals, OfJobsThatOvertakeEachOtherAreThoseOfTheTable) {
  const TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  AnswerOf(Trawl({"inject", "--root", root, "--json", "http://first.example/"}));
  std::vector<std::string> lists;
  for (int i = 0; i < 3; ++i) lists.push_back(WriteSeedFile(folder, i * 100, i * 100 + 200));
  std::vector<std::thread> threads;
  for (const std::string& list : lists) {
    threads.emplace_back([&root, &list] {
      EXPECT_EQ(Trawl({"inject", "--root", root, "--quiet", list}).exit_code, 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(TotalsOf(root, "injects")["states"], (Json{{"unfetched", 401}}));
}

TEST(Totals, OfAnOlderRootAreCountedOnceByTheFirstJob) {
  const TemporaryFolder folder;
  const std::string root = folder.path() + "/root";
  std::filesystem::copy(TestDataPath("root-1"), root, std::filesystem::copy_options::recursive);
  EXPECT_TRUE(TotalsOf(root, "nothing").is_null());
  const auto run = [&root](std::vector<std::string> words) {
    const std::string verb = words[0];
    words.insert(words.end(), {"--root", root, "--json"});
    AnswerOf(Trawl(words));
    return TotalsOf(root, verb);
  };
  EXPECT_EQ(run({"updatedb", "--segment", "s2"})["states"]["fetched"], 4);
  EXPECT_EQ(run({"inject", "http://new.example/"})["rounds"], 2);
  run({"compact"});
  run({"segments", "abandon", "s3"});
  run({"remove", "http://new.example/", "--prefix", "http://one.example:18180/"});
  EXPECT_EQ(run({"inject", "http://new.example/"})["states"]["unfetched"], 5);
}

}  // namespace
}  // namespace trawl
