// What people see of pages that another one stands for: readdb, page, graph and export name it, and totals count it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "jobs/stats/totals.h"
#include "runtime/root/snapshot.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kFirst[] = "http://a.example/first";
constexpr char kSame[] = "http://a.example/same";
constexpr char kNear[] = "http://a.example/near";
constexpr int64_t kBytes = 18;  // of a body
constexpr int64_t kSaved =
    kBytes + 7;  // fetch stores equal bodies once: that of the same page, and one of the two ends

// The first page and the same have one body, whose link is theirs alone; the near one links elsewhere.
class Duplicates : public ::testing::Test {
 protected:
  void SetUp() override {
    web_.web().AddHost("a.example",
                       ServePages({{"/robots.txt", NotFound()},
                                   {"/", {.body = "<a href=/first>1</a><a href=/same>2</a><a href=/near>3</a>"}},
                                   {"/first", {.body = "<a href=/to>to</a>"}},
                                   {"/same", {.body = "<a href=/to>to</a>"}},
                                   {"/near", {.body = "<a href=/no>no</a>"}},
                                   {"*", {.body = "the end"}}}));
    web_.Start();
    web_.Crawl("a", {"http://a.example/", "--settle.enabled=false"});
  }
  // Writes what trawl settle would decide.
  void Settle() {
    SegmentFixture crawl(web_.root("a"));
    const UrlRow first = *crawl.Find<UrlRow>("example,a)http/first");
    UrlRow same = *crawl.Find<UrlRow>("example,a)http/same"), near = *crawl.Find<UrlRow>("example,a)http/near");
    ASSERT_EQ(same.bytes, kBytes);
    ASSERT_TRUE(same.shares_body);
    same.state = UrlState::kDuplicate;
    same.duplicate_of = near.near_duplicate_of = first.key;
    near.distance = 2;
    ASSERT_OK(crawl.Put<UrlRow>({same, near}));
    ASSERT_OK(crawl.Publish("settle", [](Manifest* next) {
      --next->totals->states["fetched"];
      next->totals->states["duplicate"] = 1;
      next->totals->exact_duplicates = next->totals->near_duplicates = 1;
    }));
  }
  Json Object(const std::string& verb, const std::vector<std::string>& more) const {
    return web_.Object(web_.Arguments(verb, "a", more));
  }
  std::string Text(const std::string& verb, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = web_.Arguments(verb, "a", more);
    std::erase(arguments, "--json");
    const BinaryResult result = web_.Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out + result.err;
  }
  Json TotalsAfter(const std::string& what) const {
    const auto store = *OpenStore(web_.root("a"));
    const Snapshot present = *ReadPresent(store.get());
    const Json totals = ToJson(*present.manifest.totals);
    EXPECT_EQ(totals, ToJson(*CountTotals(store.get(), present.manifest, 2, StopToken()))) << what;
    return totals;
  }

  CrawledWeb web_;
};

TEST_F(Duplicates, AreNamedWhereverPagesAreShown) {
  Settle();
  const Json same = Object("readdb get", {kSame}), near = Object("readdb get", {kNear});
  EXPECT_EQ(same["state"], "duplicate");
  EXPECT_EQ(same["duplicate_of"], kFirst);
  EXPECT_TRUE(same["near_duplicate_of"].is_null() && same["distance"].is_null()) << DumpJson(same);
  EXPECT_EQ(near["near_duplicate_of"], kFirst);
  EXPECT_EQ(near["distance"], 2);
  EXPECT_TRUE(near["duplicate_of"].is_null());
  EXPECT_TRUE(Object("readdb get", {kFirst})["duplicate_of"].is_null());
  const std::string words = std::string("duplicate of ") + kFirst + "; looked at again at twice its interval";
  EXPECT_THAT(Text("readdb get", {"--explain", kSame}), HasSubstr(words));
  EXPECT_THAT(Text("readdb get", {"--explain", kSame}), Not(HasSubstr("--retry"))) << "nothing is wrong with it";
  EXPECT_THAT(Text("readdb get", {"--explain", kNear}), HasSubstr("nearly the same as http://a.example/first (2 of"));
  EXPECT_EQ(Object("readdb dump", {"--state", "duplicate"})["duplicate_of"], kFirst);
  EXPECT_THAT(Text("page", {kSame}), HasSubstr(words));
  EXPECT_EQ(Object("page", {kSame})["duplicate_of"], kFirst);
  EXPECT_EQ(Object("page", {kNear})["distance"], 2);
  EXPECT_EQ(Object("readdb stats", {})["duplicates"], (Json{{"exact", 1}, {"near", 1}, {"bytes_saved", kSaved}}));
  EXPECT_THAT(Text("readdb stats", {}), HasSubstr("duplicates    1 exact and 1 near duplicate, 25 B saved\n"));
}

TEST_F(Duplicates, GiveNoLinksToTheGraph) {
  Object("graph", {});
  EXPECT_EQ(Object("page", {"http://a.example/to", "--inlinks"})["count"], 2);
  Settle();
  Object("graph", {});
  const Json to = Object("page", {"http://a.example/to", "--inlinks"});
  EXPECT_EQ(to["count"], 1);
  EXPECT_EQ(to["inlinks"][0]["url"], kFirst);
  EXPECT_EQ(Object("page", {"http://a.example/no", "--inlinks"})["count"], 1) << "a near one is a page of its own";
}

TEST_F(Duplicates, AreMarkedInExportsAndLeftOutOfUniqueOnes) {
  Settle();
  const std::string all = web_.root("all"), unique = web_.root("unique");
  EXPECT_EQ(Object("export", {"pages", all})["pages"], 6);
  const Json left = Object("export", {"pages", unique, "--unique"});
  EXPECT_EQ(left["pages"], 4);
  EXPECT_EQ(left["exact_duplicates"], 1);
  EXPECT_EQ(left["near_duplicates"], 1);
  EXPECT_EQ(web_.Run(web_.Arguments("export", "a", {"pages", unique})).exit_code, 2) << "another export";
  EXPECT_THAT(Text("export", {"pages", unique, "--unique", "--overwrite"}), HasSubstr("already done"));
  EXPECT_THAT(Text("export", {"pages", web_.root("said"), "--unique"}),
              HasSubstr("1 exact and 1 near duplicate left out (--unique)\n"));
  EXPECT_EQ(web_.Run(web_.Arguments("export", "a", {web_.root("urls"), "--unique"})).exit_code, 2);
}

TEST_F(Duplicates, AreCountedRightByEveryJobThatChangesThem) {
  Settle();
  EXPECT_EQ(TotalsAfter("settle")["exact_duplicates"], 1);
  Object("urls set", {kSame, "--interval", "3d"});
  const std::string due = Object("readdb get", {kSame})["due"];
  EXPECT_EQ(due.substr(0, 10), "2026-01-04") << "the operator's interval is not doubled";
  EXPECT_EQ(TotalsAfter("urls set")["exact_duplicates"], 1);
  Object("config set", {"refresh.max_interval=2d"});
  TotalsAfter("reschedule");
  Object("compact", {});
  EXPECT_EQ(TotalsAfter("compact")["shared_bytes"], kSaved);
  Object("urls set", {kNear, "--drop"});
  EXPECT_EQ(TotalsAfter("drop")["near_duplicates"], 0);
  EXPECT_TRUE(Object("readdb get", {kNear})["near_duplicate_of"].is_null());
  Object("remove", {kSame});
  const Json totals = TotalsAfter("remove");
  EXPECT_EQ(totals["exact_duplicates"], 0);
  EXPECT_EQ(totals["shared_bytes"], kSaved - kBytes);
  Object("inject", {kSame});
  TotalsAfter("inject");
}

// As a command leaves it that is killed between updatedb and settle: the same command again settles, and so does the next.
TEST_F(Duplicates, AreSettledAtTheNextStart) {
  const std::string now = "2026-01-01T00:10:00Z";
  EXPECT_TRUE(Object("readdb get", {kFirst})["duplicate_of"].is_null()) << "--settle.enabled=false lasts";
  Object("config set", {"settle.enabled=true", "--now", now});
  const BinaryResult round = web_.Run(web_.Arguments("round", "a", {"--now", now}));
  EXPECT_EQ(round.exit_code, 1) << "nothing is due: " << round.err;
  const Json first = Object("readdb get", {kFirst});
  EXPECT_EQ(first["state"], "duplicate");
  EXPECT_EQ(first["duplicate_of"], kSame) << "the shorter URL";
  EXPECT_EQ(TotalsAfter("settle")["exact_duplicates"], 2) << "and of the pages that they link to";
  const int64_t snapshot = Object("readdb stats", {})["snapshot"];
  web_.Run(web_.Arguments("round", "a", {"--now", now}));
  EXPECT_EQ(Object("readdb stats", {})["snapshot"], snapshot) << "once";
  const BinaryResult later = web_.Run(web_.Arguments("round", "a", {"--now", "2026-02-02T00:00:00Z"}));
  ASSERT_EQ(later.exit_code, 0) << later.err << later.out;
  EXPECT_EQ(ParseJson(later.out).ValueOrDie()["duplicates"]["exact"], 2);
  EXPECT_EQ(TotalsAfter("round")["exact_duplicates"], 2);
}

}  // namespace
}  // namespace trawl
