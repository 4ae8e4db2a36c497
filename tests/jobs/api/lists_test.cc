// Lists that go on, snapshots that are gone, damaged files, hostile keys and roots of older versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>

#include "formats/answers/base64url.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "jobs/views/scan_memory.h"
#include "runtime/tables/table.h"
#include "runtime/terminal/timestamp.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/crawl/served_crawl.h"
#include "tests/support/store/forwarding_store.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kNow[] = "2026-01-02T00:00:00Z";

std::string KeyOf(int host, int page) { return "test,host" + std::to_string(host) + ")/p" + std::to_string(page); }

UrlRow PageRow(const std::string& key) {
  UrlRow row = UnfetchedRow(key);
  row.due_ms = 1'767'225'600'000;
  return row;
}

// Every row of the list, page by page, with `between` after each page.
std::vector<std::string> Walk(ServedCrawl& served, std::string target, const std::string& name,
                              const std::string& member, const std::function<void()>& between) {
  std::vector<std::string> all;
  const std::string first = target;
  while (true) {
    const Json page = served.Get(target);
    for (const Json& row : page[name]) all.push_back(row[member]);
    if (!page.contains("next")) return all;
    between();
    target = first + "&cursor=" + page["next"].get<std::string>();
  }
}

TEST(ApiLists, ACursorHasNoGapAndNoDoubleWhileRoundsGoOn) {
  SegmentFixture crawl;
  std::set<std::string> expected;
  std::vector<UrlRow> rows;
  for (int host = 0; host < 7; ++host) {
    for (int page = 0; page < (host == 3 ? 500 : 20); ++page) {
      rows.push_back(PageRow(KeyOf(host, page)));
      expected.insert(UrlOfKey(rows.back().key).ValueOrDie());
    }
  }
  ASSERT_OK(crawl.Put<UrlRow>(rows));
  ServedCrawl served(crawl.store(), kNow);
  int more = 0;
  // Each round adds URLs between those that were listed and those that were not.
  const auto round = [&] { ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(3, 1000 + more++))})); };
  const auto listed = Walk(served, "/api/v1/urls?limit=17", "urls", "url", round);
  EXPECT_EQ(listed.size(), expected.size());
  EXPECT_EQ(std::set<std::string>(listed.begin(), listed.end()), expected);
  EXPECT_GT(more, 30);
  const auto of_host =
      Walk(served, "/api/v1/urls?limit=100&snapshot=1&prefix=https://host3.test/", "urls", "url", [] {});
  EXPECT_EQ(of_host.size(), 500u);
  const auto hosts = Walk(served, "/api/v1/domains?limit=2", "domains", "domain", round);
  EXPECT_EQ(std::set<std::string>(hosts.begin(), hosts.end()).size(), 7u);
  EXPECT_EQ(hosts.size(), 7u);
}

TEST(ApiLists, ALinkHeaderLeadsOn) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(1, 1)), PageRow(KeyOf(1, 2))}));
  ServedCrawl served(crawl.store(), kNow);
  const ServerAnswer answer = served.Ask("/api/v1/urls?limit=1&state=unfetched");
  const std::string next = ParseJson(answer.body).ValueOrDie()["next"];
  EXPECT_EQ(HeaderOf(answer, "Link"), "</api/v1/urls?limit=1&state=unfetched&cursor=" + next + ">; rel=\"next\"");
  // A cursor is of its list and its snapshot.
  EXPECT_EQ(served.Ask("/api/v1/urls?prefix=https://host2.test/&cursor=" + next).status, 404);
  EXPECT_EQ(served.Ask("/api/v1/urls?snapshot=0&cursor=" + next).status, 404);
}

TEST(ApiLists, SnapshotsAreListedFromTheNewest) {
  SegmentFixture crawl;
  for (int i = 0; i < 5; ++i) ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(1, i))}));
  ServedCrawl served(crawl.store(), kNow);
  std::vector<int64_t> numbers;
  std::string target = "/api/v1/snapshots?limit=2";
  for (std::string next; numbers.size() < 20; target = "/api/v1/snapshots?limit=2&cursor=" + next) {
    const Json page = served.Get(target);
    for (const Json& snapshot : page["snapshots"]) numbers.push_back(snapshot["snapshot"]);
    if (!page.contains("next")) break;
    next = page["next"];
  }
  EXPECT_THAT(numbers, ::testing::ElementsAre(5, 4, 3, 2, 1, 0));
}

TEST(ApiLists, KeysOfTwoKilobytesAndOddTextsAreAnswered) {
  SegmentFixture crawl;
  const std::string key = "test,host1)/" + std::string(kMaxKeyBytes - 12, 'k');
  UrlRow row = PageRow(key);
  row.reason =
      "<b>\xE2\x80\xAE"
      "txt\xFF";  // markup, a right-to-left mark, no UTF-8
  row.content_type = "text/html\"><script>";
  ASSERT_OK(crawl.Put<UrlRow>({row}));
  ServedCrawl served(crawl.store(), kNow);
  const Json listed = served.Get("/api/v1/urls?limit=1")["urls"][0];
  const std::string id = listed["id"];
  EXPECT_LE(id.size(), 2731u);
  const Json one = served.Get("/api/v1/urls/" + id);
  EXPECT_EQ(one["key"], key);
  EXPECT_THAT(one["reason"].get<std::string>(), HasSubstr("txt\xEF\xBF\xBD"));
  EXPECT_EQ(served.Get("/api/v1/pages/" + id)["id"], id);
  EXPECT_EQ(served.Ask("/api/v1/pages/" + id + "/content").status, 404);
}

// The files below a folder of the root whose names end so.
std::vector<std::filesystem::path> FilesOf(const std::string& folder, const std::string& end) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(end)) files.push_back(entry.path());
  }
  return files;
}

TEST(ApiLists, ASnapshotWhoseFilesGcTookIsGone) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(1, 1))}));
  const auto old_files = FilesOf(crawl.root() + "/crawldb/urls", ".orc");
  ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(1, 2))}));
  // As after compact and gc: the present names other runs.
  ASSERT_OK(crawl.Publish("compact", [](Manifest* next) {
    auto& runs = next->tables["urls"];
    runs.erase(runs.begin());
  }));
  for (const auto& file : old_files) std::filesystem::remove(file);
  ServedCrawl served(crawl.store(), kNow);
  served.Get("/api/v1/urls");
  const Json gone = served.Get("/api/v1/urls?snapshot=1", 410);
  EXPECT_THAT(gone["detail"].get<std::string>(), HasSubstr("snapshot 1"));
  served.Get("/api/v1/settings?snapshot=1");
}

TEST(ApiLists, DamageOfThePresentNamesTheFile) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(1, 1))}));
  for (const auto& file : FilesOf(crawl.root() + "/crawldb/urls", ".orc")) std::filesystem::remove(file);
  ServedCrawl served(crawl.store(), kNow);
  const Json damage = served.Get("/api/v1/urls", 500);
  EXPECT_THAT(damage["detail"].get<std::string>(), HasSubstr("crawldb/urls/"));
  // What the damage does not concern is answered.
  served.Get("/api/v1/settings");
}

TEST(ApiLists, ATableOfManyRunsIsReadWithinTheMemoryThatThereIs) {
  constexpr int kRuns = 14;
  SegmentFixture crawl;
  for (int run = 0; run < kRuns; ++run) {
    ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(1, run)), PageRow(KeyOf(2, run))}));
    HostRow host;
    host.key = "test,host" + std::to_string(run);
    host.pages = 100 + run;
    host.addresses = "192.0.2." + std::to_string(run);
    HostRow domain;
    domain.key = "test,domain" + std::to_string(run);
    domain.domain.operator_pages = 7;
    ASSERT_OK(crawl.Put<HostRow>({host, domain}));
  }
  constexpr int64_t kMost = int64_t{160} << 20;
  const auto urls = Table::Open<UrlRow>(crawl.store(), crawl.Present()).ValueOrDie();
  const auto hosts = Table::Open<HostRow>(crawl.store(), crawl.Present()).ValueOrDie();
  ASSERT_GT(BytesOfScan(*urls, {}), kMost) << "all columns of all runs at once";
  ASSERT_GT(BytesOfScan(*hosts, {}), kMost);
  ServedCrawl served(crawl.store(), kNow);
  EXPECT_EQ(Walk(served, "/api/v1/urls?limit=9", "urls", "url", [] {}).size(), size_t{2} * kRuns);
  EXPECT_EQ(Walk(served, "/api/v1/domains?limit=5", "domains", "domain", [] {}).size(), size_t{kRuns})
      << "hosts with URLs and hosts with rows, but no domains";
  EXPECT_EQ(Walk(served, "/api/v1/domains?asked=true&limit=5", "domains", "domain", [] {}).size(), size_t{2} * kRuns);
  const Json largest = served.Get("/api/v1/domains?top=largest&limit=2")["domains"];
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_EQ(largest[0]["domain"], "host13.test");
  EXPECT_EQ(largest[0]["addresses"], Json::array({"192.0.2.13"})) << "the whole row";
  EXPECT_EQ(served.Get("/status")["hosts"], 2);
}

TEST(ApiLists, TooManyRunsAreAProblemThatSaysWhatToDo) {
  SegmentFixture crawl;
  for (int run = 0; run < 80; ++run) ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(1, run))}));
  ServedCrawl served(crawl.store(), kNow);
  const ServerAnswer answer = served.Ask("/api/v1/urls");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(HeaderOf(answer, "Retry-After"), "5");
  EXPECT_THAT(answer.body, AllOf(HasSubstr("320.0 MiB"), HasSubstr("trawl compact")));
  served.Get("/api/v1/urls?url=https://host1.test/p1");
}

// A store that can be switched off.
class SwitchedStore : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::atomic<bool> is_away{false};

  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override {
    ARROW_RETURN_NOT_OK(Check());
    return ForwardingStore::OpenUnverified(path);
  }
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override {
    ARROW_RETURN_NOT_OK(Check());
    return ForwardingStore::List(folder, recursive);
  }
  arrow::Result<bool> Exists(const std::string& path) override {
    ARROW_RETURN_NOT_OK(Check());
    return ForwardingStore::Exists(path);
  }

 private:
  arrow::Status Check() const { return is_away ? arrow::Status::IOError("connection refused") : arrow::Status::OK(); }
};

TEST(ApiLists, AStoreThatIsAwayIsToBeAskedAgain) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({PageRow(KeyOf(1, 1))}));
  SwitchedStore store(crawl.store());
  ServedCrawl served(&store, kNow);
  served.Get("/api/v1/urls");
  store.is_away = true;
  const ServerAnswer away = served.Ask("/api/v1/urls");
  EXPECT_EQ(away.status, 503);
  EXPECT_EQ(HeaderOf(away, "Retry-After"), "5");
  store.is_away = false;
  served.Get("/api/v1/urls");
}

TEST(ApiLists, RootsOfOlderVersionsAreAnswered) {
  for (const char* name : {"root-1", "root-2", "root-3", "root-4", "root-5"}) {
    SCOPED_TRACE(name);
    TemporaryFolder folder;
    std::filesystem::copy(TestDataPath(name), folder.path() + "/root", std::filesystem::copy_options::recursive);
    const auto store = OpenStore(folder.path() + "/root").ValueOrDie();
    ServedCrawl served(store.get(), "2027-01-01T00:00:00Z");
    for (const Endpoint& endpoint : served.api().endpoints()) {
      const bool has_values = endpoint.path.find('{') != std::string::npos;
      if (endpoint.method != "GET" || has_values) continue;
      SCOPED_TRACE(endpoint.path);
      served.Get(endpoint.path);
    }
    const Json urls = served.Get("/api/v1/urls?limit=1000"), hosts = served.Get("/api/v1/domains"),
               rounds = served.Get("/api/v1/rounds");
    EXPECT_FALSE(urls["urls"].empty());
    EXPECT_FALSE(hosts["domains"].empty());
    EXPECT_FALSE(rounds["rounds"].empty());
    for (const Json& row : urls["urls"]) {
      const std::string id = row["id"];
      served.Get("/api/v1/urls/" + id);
      served.Get("/api/v1/pages/" + id);
      served.Get("/api/v1/pages/" + id + "/history");
      served.Get("/api/v1/pages/" + id + "/links");
    }
    for (const Json& host : hosts["domains"]) {
      const std::string path = "/api/v1/domains/" + host["domain"].get<std::string>();
      for (const char* part : {"", "/patterns", "/suggestions", "/sitemaps", "/requests"}) served.Get(path + part);
    }
    for (const Json& round : rounds["rounds"]) {
      served.Get("/api/v1/rounds/" + round["segment"].get<std::string>());
    }
  }
}

// Two hosts that nobody answers for, one whose robots.txt cannot be had, and one that is free.
void PutWaitingHosts(SegmentFixture* crawl) {
  const TimeMs now_ms = ParseTimestamp(kNow).ValueOrDie();
  const auto robots = [&](const char* key, Outcome outcome, const char* why) {
    RobotsRow row;
    row.key = key;
    row.outcome = outcome;
    row.failures = 1;
    row.due_ms = now_ms + kHourMs;
    row.history = std::string("2026-01-01T23:00:00Z ") + why + "\n";
    row.is_dead = outcome == Outcome::kDnsFailed;
    return row;
  };
  RobotsRow free = robots("test,free)", Outcome::kFetched, "fetched 200");
  free.failures = 0;
  free.text_ms = now_ms - kHourMs;
  ASSERT_OK(crawl->Put<RobotsRow>(
      {robots("test,free)http", Outcome::kDnsFailed, "dns_failed 0 dead, no such name"), free,
       robots("test,hangs)http", Outcome::kTimeout, "timeout 0 unreachable, timeout"),
       robots("test,nohost)", Outcome::kDnsFailed, "dns_failed 0 dead, dns_failed, no such name")}));
  std::vector<HostRow> hosts;
  for (const char* key : {"test,free", "test,hangs", "test,nohost"}) {
    hosts.emplace_back().key = key;
    hosts.back().discovered = 1;
    hosts.back().failures_in_a_row = 1;
  }
  ASSERT_OK(crawl->Put<HostRow>(hosts));
  ASSERT_OK(crawl->Put<UrlRow>({PageRow("test,free)/"), PageRow("test,hangs)http/"), PageRow("test,nohost)/")}));
}

constexpr char kNobody[] =
    "nobody is there to ask for robots.txt: no such name; one URL of its host is tried again then, for all";
constexpr char kHangs[] = "its robots.txt could not be had: timeout; it is fetched again then";

TEST(ApiLists, AHostWhoseDayIsFullWaitsWithTheWordsOfItsPage) {
  SegmentFixture crawl;
  HostRow full;
  full.key = "test,full";
  full.day_start_ms = ParseTimestamp(kNow).ValueOrDie();
  full.pages_today = 50;
  full.pages = 50;
  full.operator_pages_a_day = 10;
  ASSERT_OK(crawl.Put<HostRow>({full}));
  ServedCrawl served(crawl.store(), kNow);
  const Json hold = served.Get("/api/v1/domains/full.test")["hold"];
  EXPECT_EQ(hold["text"], "full.test has had 50 pages today, of at most 10 (trawl host --per_day)");
  for (const char* list : {"top=waiting", "hold=day_is_full&asked=true"}) {
    const Json listed = served.Get(std::string("/api/v1/domains?") + list)["domains"];
    ASSERT_EQ(listed.size(), 1u) << list;
    EXPECT_EQ(listed[0]["hold"], hold) << list;
  }
  EXPECT_EQ(served.Get("/status")["holds"]["day_is_full"], 1);
}

TEST(ApiLists, AHostWhoseRobotsTxtIsAwaitedIsHeldAsItsUrlsAre) {
  SegmentFixture crawl;
  PutWaitingHosts(&crawl);
  ServedCrawl served(crawl.store(), kNow);
  const auto hold = [&](const std::string& host) { return served.Get("/api/v1/domains/" + host)["hold"]; };
  const char* const until = "2026-01-02T01:00:00Z";
  EXPECT_EQ(hold("nohost.test"), (Json{{"kind", "dead_host"}, {"until", until}, {"text", kNobody}}));
  EXPECT_EQ(hold("hangs.test"), (Json{{"kind", "robots_deferred"}, {"until", until}, {"text", kHangs}}));
  EXPECT_EQ(hold("free.test"), Json()) << "one of its origins may be asked";
  const Json waiting = served.Get("/api/v1/domains?top=waiting")["domains"];
  ASSERT_EQ(waiting.size(), 2u);
  for (const Json& host : waiting) EXPECT_EQ(host["hold"], hold(host["domain"].get<std::string>()));
  for (const char* more : {"", "&asked=true"}) {
    const Json dead = served.Get(std::string("/api/v1/domains?hold=dead_host") + more)["domains"];
    ASSERT_EQ(dead.size(), 1u) << more;
    EXPECT_EQ(dead[0]["domain"], "nohost.test");
    EXPECT_EQ(dead[0]["hold"], hold("nohost.test"));
  }
  const Json counts = served.Get("/status")["holds"];
  EXPECT_EQ(counts["dead_host"], 1);
  EXPECT_EQ(counts["robots_deferred"], 1);
}

}  // namespace
}  // namespace trawl
