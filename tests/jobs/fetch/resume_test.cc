// Fetch that is killed, stopped, paused and done twice at once: what was safe stays, and no host is asked by two.
#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <set>
#include <thread>

#include "formats/documents/attempt_entry.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "tests/support/crawl/fetch_scene.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int kHosts = 6, kPages = 12;

std::string HostName(int host) { return "h" + std::to_string(host) + ".test"; }

// A web of hosts with pages, a crawl with one list a half of them, and the options of the command line.
class Scene {
 public:
  explicit Scene(int list_count = 1, int64_t answer_ms = 5) : scene(Started(answer_ms)), lists(list_count) {
    scene.options.delay_ms = 60;
    std::vector<FetchListContent> contents(static_cast<size_t>(lists));
    for (int host = 0; host < kHosts; ++host) {
      for (int page = 0; page < kPages; ++page) {
        const std::string url = "http://" + HostName(host) + "/p" + std::to_string(page);
        contents[static_cast<size_t>(host % lists)].urls.push_back(ListedUrl(url));
      }
    }
    segment = scene.Open(contents).ValueOr(OpenSegment());
  }

  BinaryRequest Request() {
    BinaryRequest request;
    request.arguments = scene.Arguments();
    for (const char* more : {"--fetch.part_time", "200ms", "--fetch.timeout", "400ms", "--fetch.lease", "1200ms"}) {
      request.arguments.push_back(more);
    }
    return request;
  }
  // Until that many pages have been asked for.
  void WaitForRequests(size_t count) {
    for (int i = 0; i < 10'000 && web.Log().size() < count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  void ExpectPolite() {
    const std::vector<TestLogEntry> log = web.Log();
    std::string host;
    EXPECT_GE(MinGapMs(log, &host), 60) << host;
    for (int i = 0; i < kHosts; ++i) EXPECT_LE(MaxConcurrentPerHost(log, HostName(i)), 1) << i;
  }
  void ExpectAllFetched() {
    const auto rows = scene.Rows();
    EXPECT_EQ(rows.size(), static_cast<size_t>(kHosts * kPages));
    for (const auto& [key, row] : rows) EXPECT_EQ(row.outcome, Outcome::kFetched) << key;
    // All pages have the same bytes, which are stored once a list, whatever was killed; and everyone finds them.
    const StepRecord record = ReadStep(scene.store(), segment.id, kFetchStep).ValueOrDie().value();
    std::map<std::string, int64_t> stored;
    int64_t bodies = 0;
    for (const FileReceipt& file : record.FilesOf(ContentRow::kTable)) bodies += stored[file.name] = file.rows;
    EXPECT_EQ(bodies, lists);
    for (const auto& [key, row] : rows) EXPECT_LT(row.content_row, stored[row.content_file]) << key;
    EXPECT_EQ(record.counters["bodies_shared"], kHosts * kPages - lists);
  }
  // URLs that some committed part has, at this moment.
  std::set<std::string> Safe() {
    std::set<std::string> safe;
    for (int64_t n = 0;; ++n) {
      const auto text = scene.store()->ReadWhole(AttemptPath(segment.id, 0, n), 1 << 20);
      if (!text.ok()) return safe;
      const auto json = ParseJson(*text);
      const auto entry = AttemptEntryFromJson(*json);
      if (!entry.ok() || entry->event != AttemptEvent::kPart) continue;
      const auto files = entry->files.find("fetch");
      if (files == entry->files.end()) continue;
      for (const FileReceipt& file : files->second) {
        EXPECT_OK(ForEachDatasetRow<FetchRow>(scene.store(), segment.id, "fetch", file, [&safe](const FetchRow& row) {
          safe.insert(row.url);
          return arrow::Status::OK();
        }));
      }
    }
  }

  TestWeb web;
  FetchScene scene;
  OpenSegment segment;
  const int lists;

 private:
  TestWeb& Started(int64_t answer_ms) {
    for (int i = 0; i < kHosts; ++i)
      web.AddHost(HostName(i), ServePages({{"*", {.body = "page", .delay_ms = answer_ms}}}));
    if (!web.Start().ok()) std::abort();
    return web;
  }
};

TEST(FetchResume, AfterKillOnlyWhatCameSinceTheLastPartIsFetchedAgain) {
  Scene scene;
  for (const size_t requests : {10u, 30u, 45u}) {
    BinaryProcess process(scene.Request());
    scene.WaitForRequests(requests);
    process.Signal(SIGKILL);
    EXPECT_EQ(process.Wait().signal, SIGKILL);
    const std::set<std::string> safe = scene.Safe();
    const size_t before = scene.web.Log().size();
    BinaryProcess next(scene.Request());
    scene.WaitForRequests(before + 4);
    next.Signal(SIGKILL);
    next.Wait();
    const std::vector<TestLogEntry> log = scene.web.Log();
    for (size_t i = before; i < log.size(); ++i) {
      EXPECT_FALSE(safe.contains("http://" + log[i].host + log[i].path)) << log[i].path;
    }
  }
  const BinaryResult last = RunBinary(scene.Request());
  EXPECT_EQ(last.exit_code, 0) << last.err;
  scene.ExpectAllFetched();
  scene.ExpectPolite();
}

// The pages of a part may be asked for again, a host that was told to wait for may not.
TEST(FetchResume, AWishForTimeOutlivesAKill) {
  TestWeb web;
  web.AddHost("busy.test", [](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    return AnswerWith({.status = 429, .headers = {{"Retry-After", "3600"}}}, request);
  });
  web.AddHost("slow.test", ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "x", .delay_ms = 300}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  std::vector<std::string> urls = {"http://busy.test/1", "http://busy.test/2"};
  for (int i = 0; i < 30; ++i) urls.push_back("http://slow.test/" + std::to_string(i));
  ASSERT_OK(scene.Open({{.urls = ListedUrls(urls)}}));
  const auto asked = [&web](const std::string& host) { return EntriesOf(web.Log(), host).size(); };
  {
    BinaryProcess process({.arguments = scene.Arguments()});
    // Behind "begins" the next entry is a part: parts are a minute apart, and nothing beats within a third of that.
    const std::string part = AttemptPath(scene.last_segment, 0, 1);
    for (int i = 0; i < 1'500 && !*scene.store()->Exists(part); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    process.Signal(SIGKILL);
    process.Wait();
  }
  EXPECT_EQ(asked("busy.test"), 2u);
  // Nor does the successor wait for it.
  const BinaryResult last = RunBinary({.arguments = scene.Arguments()});
  EXPECT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(asked("busy.test"), 2u);
}

TEST(FetchResume, TheDelayOfAHostThatGrewSlowOutlivesAKill) {
  TestWeb web;
  web.AddHost("slow.test", ServePages({{"*", {.body = "x", .delay_ms = 2'100}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 100;
  HostRow slow;
  slow.key = "test,slow";
  slow.response_ms = 1'999;
  const RobotsRow robots = {.key = "test,slow)http", .fetched_ms = 1, .due_ms = kNever, .text_ms = 1};
  ASSERT_OK(scene.Open(
      {{.urls = ListedUrls({"http://slow.test/1", "http://slow.test/2"}), .hosts = {slow}, .robots = {robots}}}));
  const std::string part = AttemptPath(scene.last_segment, 0, 1);
  {
    BinaryProcess process({.arguments = scene.Arguments()});
    for (int i = 0; i < 1'500 && !*scene.store()->Exists(part); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    process.Signal(SIGKILL);
    process.Wait();
  }
  EXPECT_EQ(web.Log().size(), 1u);
  ASSERT_OK_AND_ASSIGN(const std::string text, scene.store()->ReadWhole(part, 1 << 20));
  ASSERT_OK_AND_ASSIGN(const Json json, ParseJson(text));
  ASSERT_OK_AND_ASSIGN(const AttemptEntry entry, AttemptEntryFromJson(json));
  ASSERT_TRUE(entry.files.contains("hosts"));
  int32_t delay_ms = 0;
  for (const FileReceipt& file : entry.files.at("hosts")) {
    ASSERT_OK(ForEachDatasetRow<HostRow>(scene.store(), scene.last_segment, "hosts", file, [&](const HostRow& row) {
      delay_ms = row.delay_ms;
      return arrow::Status::OK();
    }));
  }
  EXPECT_GE(delay_ms, 4'000);
}

TEST(FetchResume, StoppedItClosesItsPartAndGoesOn) {
  Scene scene;
  BinaryProcess process(scene.Request());
  scene.WaitForRequests(20);
  process.Signal(SIGTERM);
  const BinaryResult stopped = process.Wait();
  EXPECT_EQ(stopped.exit_code, 75) << stopped.err;
  const size_t asked = scene.web.Log().size();
  const size_t safe = scene.Safe().size();
  EXPECT_GE(safe + kHosts, asked);  // all but robots.txt
  const BinaryResult last = RunBinary(scene.Request());
  EXPECT_EQ(last.exit_code, 0) << last.err;
  scene.ExpectAllFetched();
  scene.ExpectPolite();
  EXPECT_EQ(scene.web.Log().size(), static_cast<size_t>(kHosts * (kPages + 1)));  // nothing twice
}

// The attempt before has asked for some of the pages that a registrable domain may have; its successor asks for the rest.
TEST(FetchResume, ThePagesOfADomainAreCountedOverAttempts) {
  constexpr int64_t kMost = 17;
  TestWeb web;
  FetchListContent list;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "h" + std::to_string(i) + ".site.test";
    web.AddHost(name, ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "page", .delay_ms = 5}}}));
    for (int page = 0; page < 10; ++page)
      list.urls.push_back(ListedUrl("http://" + name + "/p" + std::to_string(page)));
    HostRow host;
    host.key = "test,site,h" + std::to_string(i);
    host.domain = {.operator_pages = 100 + kMost, .pages = 100};
    list.hosts.push_back(host);
  }
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 100;
  ASSERT_OK(scene.Open({list}));
  const auto pages = [&web] {
    int64_t count = 0;
    for (const TestLogEntry& entry : web.Log()) count += entry.path == "/robots.txt" ? 0 : 1;
    return count;
  };
  BinaryProcess process({.arguments = scene.Arguments()});
  for (int i = 0; i < 10'000 && pages() < 6; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Wait().exit_code, 75);
  EXPECT_LT(pages(), kMost);
  EXPECT_EQ(RunBinary({.arguments = scene.Arguments()}).exit_code, 0);
  EXPECT_EQ(pages(), kMost);
}

TEST(FetchResume, APausedAttemptNeverAsksBesideItsSuccessor) {
  Scene scene;
  BinaryProcess paused(scene.Request());
  scene.WaitForRequests(15);
  paused.Signal(SIGSTOP);
  BinaryProcess successor(scene.Request());
  const size_t before = scene.web.Log().size();
  scene.WaitForRequests(before + 10);  // the successor has waited out the lease and asks
  paused.Signal(SIGCONT);
  const BinaryResult second = successor.Wait();
  EXPECT_EQ(second.exit_code, 0) << second.err;
  paused.Wait();
  scene.ExpectAllFetched();
  scene.ExpectPolite();
}

TEST(FetchResume, TwoAtOnceDoItOnce) {
  Scene scene(2);
  BinaryProcess first(scene.Request());
  BinaryProcess second(scene.Request());
  const BinaryResult one = first.Wait(), other = second.Wait();
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(other.exit_code, 0) << other.err;
  scene.ExpectAllFetched();
  scene.ExpectPolite();
  EXPECT_EQ(scene.web.Log().size(), static_cast<size_t>(kHosts * (kPages + 1)));
}

}  // namespace
}  // namespace trawl
