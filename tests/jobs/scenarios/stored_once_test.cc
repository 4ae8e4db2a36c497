// Bodies that are stored once: equal ones of a list, and those that trawl compact --bodies moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>

#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/root/snapshot.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int kPages = 12;
constexpr int kChanging = 9;  // the first ones
constexpr char kSoon[] = "2026-01-01T01:00:00Z";
constexpr char kLater[] = "2026-03-01T00:00:00Z";
constexpr char kMuchLater[] = "2026-06-01T00:00:00Z";

// Every third page has the bytes of the one before. The first ones change with the second answer.
std::string BodyOf(int page, int number) {
  const int seed = page % 3 == 2 ? page - 1 : page;
  const int version = page < kChanging && number > 1 ? 2 : 1;
  std::mt19937 random(static_cast<unsigned>(seed * 10 + version));
  std::string body = "<title>" + std::to_string(seed) + "</title><a href=below>below</a><p>";
  for (int word = 0; word < 1000; ++word) body += std::to_string(random()) + " ";
  return body;
}

std::string UrlOf(int page) { return "http://a.test/" + std::to_string(page) + "/page"; }

TestHandler Site() {
  return [](const TestRequest& request) {
    if (request.path == "/") {
      TestPage page;
      for (int i = 0; i < kPages; ++i) page.body += "<a href=/" + std::to_string(i) + "/page>x</a>";
      return AnswerWith(page, request);
    }
    const size_t end = request.path.find("/page");
    if (end == std::string::npos) return AnswerWith(NotFound(), request);
    return AnswerWith({.body = BodyOf(std::atoi(request.path.c_str() + 1), request.number)}, request);
  };
}

class StoredOnce : public ::testing::Test {
 protected:
  StoredOnce() {
    web_.web().AddHost("a.test", Site());
    web_.Start();
    web_.Object(web_.Arguments("inject", "c", {"--now", CrawledWeb::kNow, "http://a.test/"}));
  }
  // One round; nothing where nothing is due.
  Json Round(const char* now, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--now", now, "--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file",
                               web_.hosts_file(), "--urls.scope", "any", "--urls.depth", "1"});
    const BinaryResult round = web_.Run(web_.Arguments("round", "c", more));
    EXPECT_LE(round.exit_code, 1) << round.err;
    return ParseJson(round.out).ValueOr(Json());
  }
  Json Ask(const std::string& verb, const std::vector<std::string>& more) {
    return web_.Object(web_.Arguments(verb, "c", more));
  }
  Json Compact(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--bodies", "--now", kMuchLater});
    return Ask("compact", more);
  }
  std::string Body(const std::string& url) {
    return web_.Run({"page", url, "--body", "--root", web_.root("c"), "--quiet"}).out;
  }
  // Every page has its own bytes, and the links of its own URL.
  void ExpectPages(int number) {
    for (int page = 0; page < kPages; ++page) {
      EXPECT_EQ(Body(UrlOf(page)), BodyOf(page, number)) << page;
      const Json json = Ask("page", {UrlOf(page)});
      EXPECT_EQ(json["title"], std::to_string(page % 3 == 2 ? page - 1 : page));
      const BinaryResult links = web_.Run(web_.Arguments("page", "c", {UrlOf(page), "--links"}));
      EXPECT_NE(links.out.find("http://a.test/" + std::to_string(page) + "/below"), std::string::npos) << links.out;
    }
  }
  // Of all content files.
  int64_t BytesOnDisk() {
    int64_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(web_.root("c") + "/segments")) {
      if (entry.path().parent_path().filename() == "content") bytes += static_cast<int64_t>(entry.file_size());
    }
    return bytes;
  }
  std::vector<std::string> Segments() {
    const std::shared_ptr<Store> store = *OpenStore(web_.root("c"), {});
    std::vector<std::string> ids;
    const Manifest present = ReadPresent(store.get())->manifest;
    for (const ClosedSegment& segment : present.closed_segments) ids.push_back(segment.id);
    return ids;
  }

  CrawledWeb web_;
};

TEST_F(StoredOnce, EqualBodiesOfAList) {
  Round(CrawledWeb::kNow);
  const Json round = Round(kSoon);
  EXPECT_EQ(round["pages"], kPages);
  const std::shared_ptr<Store> store = *OpenStore(web_.root("c"), {});
  ASSERT_OK_AND_ASSIGN(const auto fetched, ReadStep(store.get(), Segments().back(), kFetchStep));
  ASSERT_TRUE(fetched);
  EXPECT_EQ(fetched->RowsOf(ContentRow::kTable), kPages * 2 / 3);
  EXPECT_EQ(fetched->counters["bodies_shared"], kPages / 3);
  EXPECT_GT(fetched->counters["bytes_shared"], 4 * 9'000);
  ASSERT_OK_AND_ASSIGN(const auto parsed, ReadStep(store.get(), Segments().back(), kParseStep));
  EXPECT_EQ(parsed->RowsOf("parse"), kPages);
  ExpectPages(1);
  int shared = 0;
  for (int page = 0; page < kPages; ++page) shared += Ask("page", {UrlOf(page)})["shares_body"] == true ? 1 : 0;
  EXPECT_EQ(shared, kPages / 3);
  EXPECT_EQ(Ask("export pages", {web_.root("out")})["pages"], kPages + 1);
  // The round's document has the numbers.
  const Json document = Ask("rounds", {Segments().back()});
  EXPECT_EQ(document["duplicates"]["shared"], kPages / 3);
  EXPECT_EQ(document["duplicates"]["shared_bytes"], fetched->counters["bytes_shared"]);
  // Reading again, each by its own URL.
  const Json again = Ask("reparse", {"--all", "--urls.depth", "2"});
  EXPECT_EQ(again["pages"], kPages + 1);
  EXPECT_EQ(again["bodies_gone"], 0);
  EXPECT_EQ(again["urls_new"], kPages) << "one below each page";
  ExpectPages(1);
}

TEST_F(StoredOnce, BodiesThatNobodyPointsToGo) {
  Round(CrawledWeb::kNow);
  Round(kSoon);
  EXPECT_EQ(Compact({"--dry_run"})["files"], 0) << "all are pointed to";
  Round(kLater);
  ExpectPages(2);
  const Json before = Ask("readdb stats", {});
  const int64_t stored = BytesOnDisk();
  const Json dry = Compact({"--dry_run"});
  EXPECT_GE(dry["files"], 1);
  EXPECT_EQ(dry["bodies"], 2) << "pages 9 to 11 were not stored again; two of them share";
  EXPECT_EQ(dry["changed"], false);
  EXPECT_EQ(Compact({"--compact.bodies_after", "365d", "--dry_run"})["files"], 0) << "they are too young";
  EXPECT_EQ(Compact()["pages_moved"], 3);
  EXPECT_EQ(Compact()["files"], 0) << "once is enough";
  ExpectPages(2);
  const Json after = Ask("readdb stats", {});
  EXPECT_EQ(after["by_state"], before["by_state"]);
  EXPECT_EQ(after["bodies"], before["bodies"]);

  // gc takes the old files once no kept snapshot needs them.
  const std::vector<std::string> collect = {"--now", "2099-01-01T00:00:00Z", "--keep_time", "0", "--keep_snapshots"};
  const auto gc = [&](const char* snapshots) {
    std::vector<std::string> all = collect;
    all.emplace_back(snapshots);
    return Ask("gc", all);
  };
  gc("5");
  EXPECT_GT(BytesOnDisk(), stored) << "a kept snapshot has its rows point there";
  gc("1");
  EXPECT_LT(BytesOnDisk(), stored * 3 / 4);
  ExpectPages(2);

  // Who looks at a past round is told.
  const BinaryResult past = web_.Run({"readseg", "get", UrlOf(10), "--root", web_.root("c")});
  EXPECT_EQ(past.exit_code, 0) << past.err;
  EXPECT_THAT(past.out, ::testing::HasSubstr("its body is not there any more"));
  for (const std::string& segment : Segments()) {
    const BinaryResult dump =
        web_.Run({"readseg", "dump", segment, "--body", web_.root("bodies"), "--json", "--root", web_.root("c")});
    EXPECT_EQ(dump.exit_code, 0) << segment << ": " << dump.err;
  }
  EXPECT_EQ(web_.Run({"page", UrlOf(10), "--history", "--root", web_.root("c")}).exit_code, 0);
  EXPECT_EQ(web_.Run({"rounds", "--root", web_.root("c")}).exit_code, 0);
  EXPECT_EQ(web_.Run({"segments", "list", "--root", web_.root("c")}).exit_code, 0);
  const Json again = Ask("reparse", {"--all", "--urls.depth", "1"});
  EXPECT_EQ(again["pages"], kPages + 1);
  EXPECT_EQ(again["bodies_gone"], 0);
  // The next rounds go on from there.
  Round(kMuchLater);
  ExpectPages(2);
}

// Settle writes places of bodies that its tables know; those must be the new ones.
TEST_F(StoredOnce, ASettleBetweenCompactAndGcPointsToNoOldPlace) {
  const std::string copy = UrlOf(9) + "?copy";
  Ask("inject", {"--now", CrawledWeb::kNow, copy});
  for (const char* now : {CrawledWeb::kNow, kSoon, kLater}) Round(now);
  EXPECT_EQ(Ask("readdb get", {copy})["duplicate_of"], UrlOf(9));
  EXPECT_GT(Compact()["pages_moved"], 3);
  for (const char* decided : {"changed", "all"}) {
    Ask("settle", decided == std::string("all") ? std::vector<std::string>{"--all"} : std::vector<std::string>{});
    EXPECT_EQ(Body(copy), BodyOf(9, 1)) << decided;
  }
  Ask("gc", {"--now", "2099-01-01T00:00:00Z", "--keep_time", "0", "--keep_snapshots", "1"});
  ExpectPages(2);
  EXPECT_EQ(Body(copy), BodyOf(9, 1));
  EXPECT_EQ(Ask("page", {copy})["shares_body"], true);
  EXPECT_EQ(web_.Run({"doctor", "--root", web_.root("c")}).exit_code, 0);
}

}  // namespace
}  // namespace trawl
