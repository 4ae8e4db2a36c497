// Crawls that earlier versions wrote (tests/data/root-N): every verb works on each of them.
//
// root-1 was written by 705c1e0. It has rows in every table, an applied segment and an abandoned one, and three open
// segments: s2 is parsed, s3 is fetched, s4 has only its lists.
//
// root-2 has what operators set: tiers, scores, intervals and due times of URLs, a dropped URL, limits and a block with its
// reason of hosts and a domain. s1 is applied, s2 is parsed.
//
// root-3 has a site with sitemaps, a feed and pages that ask not to be copied (tests/support/web/dated_site.h), as
// tests/scripts/write_root_3 writes it. s1 to s4 are applied, s5 is parsed.
//
// root-4 has duplicates, near ones, patterns and a store of bodies (tests/support/web/twin_site.h), as
// tests/scripts/write_root writes it. s1 to s5 are settled, s6 is applied and not settled. root-5 is the same by the parser
// of version 3, with what an archive needs to know of requests. root-6 is the same with all that rounds tell of themselves, and
// with the redirects of robots.txt files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "jobs/verb/verb.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/test_data.h"

namespace trawl {

const std::vector<Verb>& Verbs();

namespace {

class OlderRoot : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { Copy(GetParam()); }
  void Copy(const std::string& name) {
    std::filesystem::copy(TestDataPath(name), root(), std::filesystem::copy_options::recursive);
    // Nobody listens there: what is fetched fails.
    std::ofstream(hosts()) << "127.77.0.1 one.example two.example three.example four.example five.example\n";
  }

  std::string root() const { return folder_.path() + "/root"; }
  std::string hosts() const { return folder_.path() + "/hosts"; }

  BinaryResult Run(const std::string& verb, std::vector<std::string> arguments = {}) {
    ran_.insert(verb);
    std::vector<std::string> words;
    for (size_t at = 0; at < verb.size();) {
      const size_t end = std::min(verb.find(' ', at), verb.size());
      words.push_back(verb.substr(at, end - at));
      at = end + 1;
    }
    words.insert(words.end(), {"--root", root(), "--quiet", "--json"});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return Trawl(words);
  }
  // The object that it answers.
  Json Answer(const std::string& verb, const std::vector<std::string>& arguments = {}) {
    SCOPED_TRACE(verb);
    return AnswerOf(Run(verb, arguments));
  }
  // A verb that answers with an object per line.
  size_t Lines(const std::string& verb, const std::vector<std::string>& arguments = {}) {
    const BinaryResult result = Run(verb, arguments);
    EXPECT_EQ(result.exit_code, 0) << verb << ": " << result.err;
    return static_cast<size_t>(std::count(result.out.begin(), result.out.end(), '\n'));
  }
  std::vector<std::string> Asking(std::vector<std::string> more) const {
    more.insert(more.end(), {"--fetch.allow_private", "--fetch.hosts_file", hosts(), "--fetch.retries", "0"});
    return more;
  }

  std::set<std::string> ran_;

 private:
  const TemporaryFolder folder_;
};

TEST_P(OlderRoot, EveryVerbWorksOnIt) {
  const Json before = Answer("readdb stats");
  EXPECT_EQ(before["urls"], 9);
  EXPECT_EQ(before["by_state"]["fetched"], 1);
  EXPECT_EQ(Lines("readdb dump"), 9u);
  EXPECT_EQ(Lines("readdb hosts"), 5u);
  EXPECT_EQ(Answer("readdb get", {"http://one.example:18180/"})["state"], "fetched");
  EXPECT_EQ(Run("readdb get", {"--explain", "http://one.example:18180/a.html"}).exit_code, 0);
  EXPECT_EQ(Lines("readseg list"), 5u);
  EXPECT_EQ(Lines("readseg get", {"http://one.example:18180/"}), 2u);
  EXPECT_EQ(Lines("readseg dump", {"s2"}), 5u);
  EXPECT_EQ(Lines("segments list"), 5u);
  EXPECT_EQ(Lines("rounds"), 1u);
  EXPECT_EQ(Answer("page", {"http://one.example:18180/"})["links"].size(), 4u);
  EXPECT_EQ(Answer("host", {"five.example"})["blocked"], true);
  EXPECT_EQ(Lines("sitemaps", {"one.example"}), 1u);
  EXPECT_EQ(Answer("config get")["urls.depth"], "4");
  EXPECT_EQ(Lines("snapshot list"), 16u);
  EXPECT_EQ(Answer("snapshot show", {"15"})["number"], 15);
  EXPECT_EQ(Lines("jobs"), 20u);
  EXPECT_EQ(Run("jobs status", {"20260101T000000Z-fetch-9c1dd8b7"}).exit_code, 0);
  EXPECT_EQ(Run("jobs kill", {"20260101T000000Z-fetch-9c1dd8b7"}).exit_code, 2) << "it runs on no cluster";
  EXPECT_EQ(Run("doctor").exit_code, 0);

  // The open segments go on where the older version left them.
  EXPECT_EQ(Answer("updatedb", {"--segment", "s2"})["fetched"], 4);
  EXPECT_EQ(Answer("parse", {"--segment", "s3"})["pages"], 1);
  EXPECT_EQ(Answer("updatedb", {"--segment", "s3"})["fetched"], 1);
  EXPECT_EQ(Answer("fetch", Asking({"--segment", "s4"}))["outcome.connect_failed"], 1) << "nobody listens there";
  Answer("parse", {"--segment", "s4"});
  EXPECT_EQ(Answer("updatedb", {"--segment", "s4"})["failing"], 1);
  EXPECT_EQ(Answer("readdb stats")["by_state"]["fetched"], 5);
  EXPECT_EQ(Answer("rounds", {"s2"})["totals"]["states"]["fetched"], 4);
  EXPECT_EQ(Answer("report")["round"]["segment"], "s4");
  EXPECT_EQ(Answer("watch", {"--watch.count", "1"})["state"], "idle");
  EXPECT_THAT((std::vector<int>{0, 3}), ::testing::Contains(Run("health").exit_code));

  // And a new round, looked at and steered.
  EXPECT_EQ(Answer("inject", {"http://four.example:18180/new.html"})["new"], 1);
  // What the older version read is read again once, for it noted no rules.
  EXPECT_EQ(Answer("config set", {"urls.depth=5"})["pages_to_read"], 4);
  EXPECT_EQ(Answer("reparse", {"--dry_run"})["pages"], 4);
  EXPECT_EQ(Answer("reparse")["pages"], 4);
  EXPECT_EQ(Answer("reparse")["changed"], false);
  // What was read by an older parser waits until it is read again.
  EXPECT_EQ(Answer("settle")["pages"], 4);
  EXPECT_EQ(Answer("settle")["changed"], false);
  EXPECT_TRUE(Answer("readdb get", {"http://one.example:18180/"})["duplicate_of"].is_null());
  EXPECT_GT(Answer("generate", {"--segment", "s6", "--now", "2026-03-01T00:00:00Z"})["urls"], 0);
  Answer("segments abandon", {"s6"});
  EXPECT_EQ(Run("crawl", Asking({"--rounds", "1", "--now", "2026-04-01T00:00:00Z"})).exit_code, 3) << "nobody listens";
  EXPECT_EQ(Run("round", Asking({"--now", "2027-05-01T00:00:00Z"})).exit_code, 3) << "nobody listens";
  EXPECT_EQ(Answer("urls set", {"http://four.example:18180/new.html", "--score", "0.9", "--tier", "low"})["changed"],
            1);
  EXPECT_EQ(Answer("score", {"http://four.example:18180/new.html", "--take_back"})["changed"], 1);
  EXPECT_EQ(Answer("urls set", {"http://five.example/", "--drop"})["matched"], 1);
  EXPECT_EQ(Answer("inject", {"http://four.example:18180/new.html", "--update"})["known"], 1);
  EXPECT_EQ(Answer("remove", {"http://four.example:18180/new.html"})["removed"], 1);
  EXPECT_GE(Answer("graph")["hosts"], 1);
  EXPECT_EQ(Run("graph", {"--orphans"}).exit_code, 0);
  EXPECT_EQ(Run("graph", {"--dead_links"}).exit_code, 0);
  EXPECT_GE(Answer("page", {"http://one.example:18180/", "--inlinks"})["count"], 0);
  EXPECT_GE(Answer("export", {"graph", root() + "-graph"})["host_ranks"], 1);
  const Json archive = Answer("archive", {root() + "-archive", "--name", "OLDER"});
  EXPECT_GE(archive["captures"]["warc"], 4);
  EXPECT_GE(archive["records"]["resource"], 1) << "of robots.txt answers that older versions wrote";
  EXPECT_EQ(Answer("archive", {root() + "-archive", "--verify"})["valid"], true);
  EXPECT_GT(Answer("export", {"links", root() + "-links"})["links"], 0);
  EXPECT_EQ(Answer("compact")["changed"], true);
  EXPECT_EQ(Answer("gc", {"--dry_run"})["dry_run"], true);
  const Json after = Answer("readdb stats");
  EXPECT_GE(after["by_state"].value("failing", 0), 5) << "all that was asked for where nobody listens";
  EXPECT_EQ(Answer("export", {root() + "-export"})["urls"], after["urls"]);
  // The older version's snapshot reads as before.
  EXPECT_EQ(Answer("readdb stats", {"--snapshot", "15"})["by_state"], before["by_state"]);

  for (const Verb& verb : Verbs()) {
    // ApiLists.RootsOfOlderVersionsAreAnswered asks what trawl serve answers from.
    const bool needs_no_root =
        verb.name == "check" || verb.name == "completion" || verb.name == "serve" || verb.is_hidden;
    EXPECT_TRUE(needs_no_root || ran_.contains(verb.name)) << verb.name << " was not tried on " << GetParam();
  }
}

class OlderRoot2 : public OlderRoot {
 protected:
  void SetUp() override { Copy("root-2"); }
};

TEST_P(OlderRoot2, WhatTheOperatorSetIsReadAndObeyed) {
  const auto url = [this](const std::string& host, const std::string& path) {
    return Answer("readdb get", {"http://" + host + ".example:18180/" + path});
  };
  EXPECT_EQ(url("one", "")["tier"], "high");
  EXPECT_EQ(url("one", "")["metadata"]["team"], "news");
  EXPECT_EQ(url("three", "")["tier"], "low");
  EXPECT_EQ(url("two", "")["score"], 0.3);
  const Json set = url("one", "b.html");
  EXPECT_EQ(set["score"], 0.25);
  EXPECT_EQ(set["fixed_score"], true);
  EXPECT_EQ(set["own_interval_ms"], 172'800'000);
  EXPECT_EQ(url("two", "gone.html")["due"], "2026-06-01T00:00:00Z");
  EXPECT_EQ(url("two", "gone.html")["due_set"], "2026-02-01T01:00:00Z");
  EXPECT_EQ(url("one", "a.html")["state"], "refused");
  EXPECT_EQ(Answer("host", {"three.example"})["reason"], "asked us to");
  EXPECT_EQ(Answer("host", {"two.example"})["operator_pages_a_day"], 5);
  EXPECT_EQ(Answer("host", {"--domain", "one.example"})["operator_pages_a_day"], 1000);

  // The open segment is applied, and links to what was dropped come with it.
  Answer("updatedb", {"--segment", "s2"});
  EXPECT_EQ(url("one", "a.html")["reason"], "dropped: dropped by the operator");
  EXPECT_EQ(url("one", "b.html")["state"], "fetched");
  EXPECT_EQ(url("one", "b.html")["score"], 0.25);
  EXPECT_EQ(url("two", "gone.html")["due"], "2026-06-01T00:00:00Z");
  Answer("compact");
  EXPECT_EQ(Answer("inject", {"http://one.example:18180/a.html"})["known_dropped"], 1);
  EXPECT_EQ(Answer("urls set", {"--outcome", "dropped", "--undrop"})["changed"], 1);
  EXPECT_EQ(url("one", "a.html")["state"], "unfetched");
}

class OlderRoot3 : public OlderRoot {
 protected:
  void SetUp() override { Copy("root-3"); }
};

TEST_P(OlderRoot3, WhatPagesAskForIsReadAndRespected) {
  const auto signals = [this](const std::string& path) {
    return Answer("readdb get", {"http://dated.test" + path})["signals"];
  };
  EXPECT_EQ(signals("/old/0"), Json({"noarchive", "noai"}));
  EXPECT_EQ(signals("/old/5"), Json({"noai"}));
  EXPECT_EQ(signals("/old/1"), Json::array());
  const Json exported = Answer("export", {"pages", root() + "-pages"});
  EXPECT_GE(exported["left_out.noarchive"], 6) << exported;
  EXPECT_EQ(exported["left_out.noai"], 2) << "a setting of the crawl asks for it";
  EXPECT_EQ(Answer("export", {"pages", root() + "-train", "--respect", "no-ai-train"})["left_out"],
            exported["pages"].get<int>() + exported["left_out"].get<int>() - 4)
      << "all of dated.test, by its robots.txt";
  Answer("updatedb", {"--segment", "s5"});
  EXPECT_EQ(signals("/old/6"), Json({"noarchive"})) << "on days with an even number";
  EXPECT_EQ(Answer("page", {"http://dated.test/old/0"})["signals"], Json({"noarchive", "noai"}));
}

class OlderRoot4 : public OlderRoot {};

TEST_P(OlderRoot4, WhatSettleDecidedIsReadAndBuiltUpon) {
  const auto page = [this](const std::string& url) { return Answer("readdb get", {url}); };
  EXPECT_EQ(page("http://twin.test/p/1")["duplicate_of"], "http://twin.test/p/0");
  EXPECT_EQ(page("http://www.twin.test/p/2")["duplicate_of"], "http://twin.test/p/2");
  EXPECT_EQ(page("http://twin.test/p/2")["near_duplicate_of"], "http://twin.test/p/0");
  EXPECT_EQ(page("http://twin.test/p/2")["distance"], 2);
  EXPECT_GT(Answer("host", {"twin.test", "--patterns"})["patterns"].size(), 2u);
  EXPECT_EQ(Answer("page", {"http://mirror.test/p/4"})["title"], "Group 1");
  // What an incremental settle makes of it is what deciding everything anew makes.
  EXPECT_TRUE(Answer("settle")["changed"]);
  const Json settled = Answer("readdb stats")["duplicates"];
  EXPECT_GT(settled["exact"], 40);
  Answer("settle", {"--all"});
  EXPECT_EQ(Answer("readdb stats")["duplicates"]["exact"], settled["exact"]);
  // By the digests of today the same pages are equal. Those of root-4 counted canonical links, so fewer pages were.
  EXPECT_GT(Answer("reparse", {"--all"})["pages"], 40);
  Answer("settle");
  const Json today = GetParam() == std::string("root-4") ? Json(100) : settled["exact"];
  EXPECT_EQ(Answer("readdb stats")["duplicates"]["exact"], today);
}

INSTANTIATE_TEST_SUITE_P(Versions, OlderRoot4, ::testing::Values("root-4", "root-5", "root-6"),
                         [](const auto& root) { return std::string("Twins") + std::string(root.param).back(); });

INSTANTIATE_TEST_SUITE_P(Versions, OlderRoot3, ::testing::Values("root-3"),
                         [](const auto&) { return std::string("Signals"); });

INSTANTIATE_TEST_SUITE_P(Versions, OlderRoot2, ::testing::Values("root-2"),
                         [](const auto&) { return std::string("Words"); });

INSTANTIATE_TEST_SUITE_P(Versions, OlderRoot, ::testing::Values("root-1"),
                         [](const auto& root) { return "Root" + std::string(root.param).substr(5); });

}  // namespace
}  // namespace trawl
