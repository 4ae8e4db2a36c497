// Reading stored pages again: a wider scope, a deeper depth or a rule less bring what a crawl with these from the start
// would have, without a request.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/sanitized.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr char kSeed[] = "http://www.site.test/";
constexpr char kLater[] = "2026-01-01T12:00:00Z";

// Each page has words of its own: equal pages would be duplicates, and which of them stands for the others depends on when
// it was found.
std::string PageWith(const std::vector<std::string>& links, const std::string& words = "Some words.") {
  std::string html = "<html><title>a page</title><body>" + words;
  for (const std::string& link : links) html += "<a href=\"" + link + "\">to it</a>";
  return html + "</body></html>";
}

// www has a chain of pages, one deeper than the other, links to another host of the domain, and a part that a rule may
// refuse. From the other host a short way leads into the chain.
class Reparse : public ::testing::Test {
 protected:
  Reparse() {
    std::map<std::string, TestPage> www, shop;
    www["/robots.txt"] = shop["/robots.txt"] = NotFound();
    www["/"] = {.body = PageWith({"/d1.html", "http://shop.site.test/", "/private/1.html", "/d1.html#again"})};
    for (int depth = 1; depth <= 8; ++depth) {
      www["/d" + std::to_string(depth) + ".html"] = {
          .body = PageWith({"/d" + std::to_string(depth + 1) + ".html", "/", "/side" + std::to_string(depth) + ".html"},
                           "depth " + std::to_string(depth))};
      www["/side" + std::to_string(depth) + ".html"] = {.body = PageWith({"/"}, "beside " + std::to_string(depth))};
    }
    www["/private/1.html"] = {.body = PageWith({"/private/2.html"})};
    www["/private/2.html"] = {.body = PageWith({"/"}, "private")};
    shop["/"] = {.body = PageWith({"/s1.html", "http://www.site.test/d3.html"})};
    shop["/s1.html"] = {.body = PageWith({"/"}, "shop")};
    web_.web().AddHost("www.site.test", ServePages(www));
    web_.web().AddHost("shop.site.test", ServePages(shop));
    web_.Start();
    rules_ = web_.root("rules");
    std::ofstream(rules_) << "-/private/\n+.\n";
  }

  std::vector<std::string> Arguments(const std::string& name, std::vector<std::string> more) const {
    const std::vector<std::string> all = {
        "--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", web_.hosts_file(), "--now", kLater};
    more.insert(more.begin(), all.begin(), all.end());
    return web_.Arguments("crawl", name, more);
  }
  Json Crawl(const std::string& name, const std::vector<std::string>& more) const {
    return web_.Object(Arguments(name, more));
  }
  // As it is without a word.
  Json Narrow(const std::string& name) const {
    return Crawl(name, {"--scope", "host", "--depth", "3", "--scope_rules", rules_, kSeed});
  }
  Json Set(const std::string& name, std::vector<std::string> settings) const {
    settings.insert(settings.begin(), {"--now", kLater});
    return web_.Object(web_.Arguments("config set", name, settings));
  }
  Json Read(const std::string& name, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--now", kLater});
    return web_.Object(web_.Arguments("reparse", name, more));
  }
  std::vector<Json> Dump(const std::string& name) const {
    std::vector<Json> rows;
    const BinaryResult dump = web_.Run(web_.Arguments("readdb dump", name, {}));
    std::istringstream lines(dump.out);
    for (std::string line; std::getline(lines, line);) rows.push_back(ParseJson(line).ValueOrDie());
    return rows;
  }
  Json Row(const std::string& name, const std::string& url) const {
    return web_.Object(web_.Arguments("readdb get", name, {url}));
  }
  // "url state depth" and the score, of every URL.
  std::set<std::string> Facts(const std::string& name) const {
    std::set<std::string> facts;
    for (const Json& row : Dump(name)) {
      const std::string fact = row["url"].get<std::string>() + " " + row["state"].get<std::string>() + " " +
                               DumpJson(row["depth"]) + " " + DumpJson(row["score"]);
      EXPECT_TRUE(facts.insert(fact).second) << fact << " is there twice";
    }
    return facts;
  }
  std::set<std::string> Urls(const std::string& name) const {
    std::set<std::string> urls;
    for (const Json& row : Dump(name)) urls.insert(row["url"].get<std::string>());
    return urls;
  }

  CrawledWeb web_;
  std::string rules_;
};

TEST_F(Reparse, ADeeperDepthBringsWhatItWouldHaveBrought) {
  Narrow("late");
  const std::set<std::string> before = Urls("late");
  EXPECT_FALSE(before.contains("http://www.site.test/d4.html"));
  const Json set = Set("late", {"urls.depth=6"});
  EXPECT_EQ(set["pages_to_read"], 2) << "d3 and side2, of depth 3";

  web_.web().ClearLog();
  const Json read = Read("late");
  EXPECT_TRUE(web_.web().Log().empty());
  EXPECT_EQ(read["changed"], true);
  EXPECT_EQ(read["pages"], 2);
  EXPECT_EQ(read["urls_new"], 2) << "d4 and side3";
  EXPECT_GT(read["links"].get<int64_t>(), 0);
  EXPECT_EQ(read["left"], 0);
  std::set<std::string> wanted = before;
  wanted.insert({"http://www.site.test/d4.html", "http://www.site.test/side3.html"});
  EXPECT_EQ(Urls("late"), wanted);
  const Json d4 = Row("late", "http://www.site.test/d4.html");
  EXPECT_EQ(d4["state"], "unfetched");
  EXPECT_EQ(d4["depth"], 4);
  EXPECT_EQ(d4["inlinks"], 1);
  EXPECT_EQ(d4["via"], "http://www.site.test/d3.html");

  const Json again = Read("late");
  EXPECT_EQ(again["changed"], false);
  EXPECT_EQ(again["pages"], 0);
  EXPECT_EQ(again["segment"], nullptr);

  Crawl("late", {});
  Crawl("wide", {"--scope", "host", "--depth", "6", "--scope_rules", rules_, kSeed});
  EXPECT_EQ(Facts("late"), Facts("wide"));
}

TEST_F(Reparse, ARuleTakenAwayBringsWhatItKeptOut) {
  Narrow("late");
  Set("late", {"urls.scope_rules="});
  const Json read = Read("late");
  EXPECT_EQ(read["pages"].get<size_t>(), Urls("late").size() - 1) << "every page, and one URL is new";
  EXPECT_EQ(read["urls_new"], 1);
  Crawl("late", {});
  Crawl("wide", {"--scope", "host", "--depth", "3", kSeed});
  EXPECT_EQ(Facts("late"), Facts("wide"));
}

// The other host shows a shorter way into the chain: pages that are stored come nearer, and theirs with them.
TEST_F(Reparse, AWiderScopeBringsPagesAndDepths) {
  Narrow("late");
  EXPECT_EQ(Row("late", "http://www.site.test/d3.html")["depth"], 3);
  Set("late", {"urls.scope=domain", "urls.depth=6", "urls.scope_rules="});
  web_.web().ClearLog();
  const Json read = Read("late");
  EXPECT_TRUE(web_.web().Log().empty());
  EXPECT_EQ(read["urls_new"], 4) << "shop, private/1, d4 and side3";
  const Json shop = Row("late", "http://shop.site.test/");
  EXPECT_EQ(shop["depth"], 1);
  EXPECT_EQ(shop["score"], 0.4);
  EXPECT_EQ(shop["inlinks"], 1);
  Crawl("late", {});
  EXPECT_EQ(Row("late", "http://www.site.test/d3.html")["depth"], 2);
  EXPECT_EQ(Row("late", "http://www.site.test/d4.html")["depth"], 3) << "its page was read again, being nearer";
  Crawl("wide", {"--scope", "domain", "--depth", "6", kSeed});
  EXPECT_EQ(Facts("late"), Facts("wide"));
  // All of it is read as it should be now.
  EXPECT_EQ(Read("late")["pages"], 0);
}

TEST_F(Reparse, CrawlAndRoundDoItByThemselvesWithinTheirBudget) {
  for (const bool by_rounds : {false, true}) {
    const std::string name = by_rounds ? "rounds" : "late";
    Narrow(name);
    Set(name, {"urls.scope=domain", "urls.depth=6", "urls.scope_rules=", "reparse.pages=3"});
    if (by_rounds) {
      int rounds = 0;
      while (rounds < 40) {
        const BinaryResult round = web_.Run(
            web_.Arguments("round", name,
                           {"--now", "2026-01-01T12:" + std::to_string(10 + rounds) + ":00Z", "--fetch.allow_private",
                            "--fetch.delay_ms", "0", "--fetch.hosts_file", web_.hosts_file()}));
        ++rounds;
        if (round.exit_code != 0 && rounds > 12) break;
      }
      EXPECT_LT(rounds, 40);
    } else {
      Crawl(name, {});
    }
    EXPECT_EQ(Read(name)["pages"], 0) << "nothing is left";
  }
  Crawl("wide", {"--scope", "domain", "--depth", "6", kSeed});
  EXPECT_EQ(Facts("late"), Facts("wide"));
  EXPECT_EQ(Facts("rounds"), Facts("wide"));
}

TEST_F(Reparse, ABudgetOfNoneReadsNothing) {
  Narrow("late");
  Set("late", {"urls.depth=6", "reparse.pages=0"});
  const std::set<std::string> before = Urls("late");
  web_.Run(Arguments("late", {}));
  EXPECT_EQ(Urls("late"), before);
}

TEST_F(Reparse, LeavesWhatRequestsToldAsItWas) {
  Narrow("late");
  const std::vector<Json> before = Dump("late");
  EXPECT_EQ(Read("late", {"--all"})["pages"], before.size());
  std::map<std::string, Json> after;
  for (const Json& row : Dump("late")) after[row["url"].get<std::string>()] = row;
  for (const Json& row : before) {
    EXPECT_EQ(after[row["url"].get<std::string>()], row) << "inlinks, score, due time and all the rest";
  }
  // What another rule lets in counts once, however often it is read.
  Set("late", {"urls.depth=6"});
  Read("late");
  const std::vector<Json> once = Dump("late");
  EXPECT_EQ(Row("late", "http://www.site.test/d4.html")["inlinks"], 1);
  EXPECT_EQ(Read("late", {"--all"})["changed"], true);
  EXPECT_EQ(Dump("late"), once);
  EXPECT_EQ(Read("late")["changed"], false) << "all of it was read as it should be";
}

TEST_F(Reparse, PrefixReadsAPartOfTheSite) {
  Narrow("late");
  Set("late", {"urls.depth=6"});
  EXPECT_EQ(Read("late", {"--prefix", "http://www.site.test/side"})["pages"], 1);
  EXPECT_EQ(Read("late")["pages"], 1) << "the other one";
  EXPECT_EQ(Read("late", {"--all", "--prefix", "http://www.site.test/d"})["pages"], 3);
}

TEST_F(Reparse, ADryRunSaysWhatOtherRulesWouldDo) {
  Narrow("late");
  const std::set<std::string> before = Urls("late");
  const Json wider = Read("late", {"--dry_run", "--urls.depth", "6", "--urls.scope", "domain"});
  EXPECT_EQ(wider["changed"], false);
  EXPECT_EQ(wider["let_in"], (Json{{"depth", 2}, {"scope", 1}}));
  EXPECT_EQ(wider["urls_new"], 3);
  EXPECT_EQ(wider["leave_out"], Json::object());
  const Json narrower = Read("late", {"--dry_run", "--urls.depth", "1"});
  EXPECT_EQ(narrower["urls_new"], 0);
  EXPECT_EQ(narrower["leave_out"]["depth"], 4) << "d2, d3, side1, side2";
  EXPECT_EQ(Urls("late"), before);
  EXPECT_EQ(Read("late")["pages"], 0) << "the settings are as they were";
}

TEST_F(Reparse, ShowsItselfInTheVerbsThatLook) {
  Narrow("late");
  EXPECT_THAT(web_.Run(web_.Arguments("readdb get", "late", {"--explain", "http://www.site.test/d4.html"})).out,
              HasSubstr("trawl reparse"));
  Set("late", {"urls.depth=6"});
  EXPECT_THAT(web_.Run(web_.Arguments("readdb get", "late", {"--explain", "http://www.site.test/d4.html"})).out,
              HasSubstr("reads them again"));
  const Json read = Read("late");
  const std::string segment = read["segment"];
  const Json round = web_.Object(web_.Arguments("rounds", "late", {segment}));
  EXPECT_EQ(round["kind"], "reparse");
  EXPECT_EQ(round["reading"]["pages"], 2);
  EXPECT_EQ(round["reading"]["to_read"], 0);
  EXPECT_EQ(round["urls_new"], 2);
  EXPECT_EQ(round["fetch"]["pages"], 0);
  const BinaryResult segments = web_.Run(web_.Arguments("segments list", "late", {}));
  EXPECT_THAT(segments.out, HasSubstr("\"kind\":\"reparse\""));
  EXPECT_THAT(web_.Run(web_.Arguments("readseg dump", "late", {segment})).out, HasSubstr("/d3.html"));
  EXPECT_THAT(web_.Run(web_.Arguments("readseg get", "late", {"http://www.site.test/d3.html"})).out,
              HasSubstr("\"read_again\":true"));
  const BinaryResult page = web_.Run(web_.Arguments("page", "late", {"http://www.site.test/d3.html", "--links"}));
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(page.out, HasSubstr("/d4.html")) << "the links of the newest reading";
  EXPECT_EQ(web_.Run(web_.Arguments("export", "late", {"pages", web_.root("out"), "--format", "parquet"})).exit_code,
            0);
}

TEST_F(Reparse, NeitherHoldsADomainNorWaitsForAnOpenSegment) {
  Narrow("late");
  Set("late", {"urls.depth=6"});
  const std::string due = "2026-02-01T00:00:00Z";
  web_.Object(web_.Arguments("generate", "late", {"--now", due, "--segment", "open"}));
  const Json read = web_.Object(web_.Arguments("reparse", "late", {"--now", due}));
  EXPECT_EQ(read["urls_new"], 2);
  for (const char* verb : {"fetch", "parse", "updatedb"}) {
    web_.Object(web_.Arguments(verb, "late",
                               {"--now", due, "--segment", "open", "--fetch.allow_private", "--fetch.hosts_file",
                                web_.hosts_file(), "--fetch.delay_ms", "0"}));
  }
  EXPECT_EQ(web_.Object(web_.Arguments("reparse", "late", {"--now", due}))["pages"], 0)
      << "a page of the list keeps what the reading told";
}

TEST_F(Reparse, SurvivesCompactAndGc) {
  Narrow("late");
  Set("late", {"urls.scope=domain", "urls.depth=6"});
  Read("late");
  const std::set<std::string> facts = Facts("late");
  web_.Object(web_.Arguments("compact", "late", {"--now", kLater}));
  web_.Object(web_.Arguments("gc", "late", {"--now", "2026-12-01T00:00:00Z", "--gc.keep_time", "0s"}));
  EXPECT_EQ(Facts("late"), facts);
  EXPECT_EQ(web_.Run(web_.Arguments("page", "late", {"http://www.site.test/d3.html", "--links"})).exit_code, 0);
  EXPECT_EQ(Read("late", {"--all"})["bodies_gone"], 0);
  // Bodies that are gone are said, and not looked for in each round.
  web_.Object(web_.Arguments("gc", "late",
                             {"--now", "2028-12-01T00:00:00Z", "--gc.keep_time", "0s", "--gc.bodies_older_than", "1d",
                              "--gc.keep_latest_body=false"}));
  Set("late", {"urls.scope=host"});
  const Json gone = Read("late");
  EXPECT_EQ(gone["pages"], 0);
  EXPECT_GT(gone["bodies_gone"].get<int64_t>(), 0);
}

TEST_F(Reparse, KilledAtAnyTimeTheSameCommandGoesOn) {
  Narrow("whole");
  Set("whole", {"urls.scope=domain", "urls.depth=6"});
  Read("whole");
  const std::set<std::string> expected = Facts("whole");
  std::mt19937 random(20260101);
  int killed = 0;
  const int times = kSanitized ? 1 : 3;
  for (int time = 0; time < times; ++time) {
    const std::string name = "killed" + std::to_string(time);
    Narrow(name);
    Set(name, {"urls.scope=domain", "urls.depth=6"});
    {
      BinaryProcess process({.arguments = web_.Arguments("reparse", name, {"--now", kLater})});
      std::this_thread::sleep_for(std::chrono::milliseconds(std::uniform_int_distribution<int64_t>(5, 120)(random)));
      process.Signal(SIGKILL);
      killed += process.Wait().signal == SIGKILL ? 1 : 0;
    }
    Read(name);
    EXPECT_EQ(Facts(name), expected);
    EXPECT_EQ(Read(name)["changed"], false);
  }
  EXPECT_GT(killed, 0);
}

// A deeper depth than any page has concerns none: that is noted, and makes no segment.
TEST_F(Reparse, AChangeThatConcernsNoPageMakesNoSegment) {
  Crawl("late", {"--scope", "host", "--depth", "20", kSeed});
  const auto segments = [this] {
    const std::string list = web_.Run(web_.Arguments("segments list", "late", {})).out;
    return std::count(list.begin(), list.end(), '\n');
  };
  const auto before = segments();
  EXPECT_EQ(Set("late", {"urls.depth=30"})["pages_to_read"], 0);
  const Json noted = Read("late");
  EXPECT_EQ(noted["pages"], 0);
  EXPECT_EQ(noted["segment"], nullptr);
  EXPECT_EQ(segments(), before);
  EXPECT_EQ(Read("late")["changed"], false) << "it is noted";
  EXPECT_GT(Set("late", {"urls.depth=2"})["pages_to_read"], 0) << "another rule counts as ever";
}

TEST_F(Reparse, ANamedSegmentIsMadeOnce) {
  Narrow("late");
  Set("late", {"urls.depth=6"});
  EXPECT_EQ(Read("late", {"--segment", "again"})["changed"], true);
  const Json retry = Read("late", {"--segment", "again"});
  EXPECT_EQ(retry["changed"], false);
  EXPECT_EQ(retry["segment"], "again");
}

}  // namespace
}  // namespace trawl
