// Runs the suite against a real HDFS and a real S3 server, where TRAWL_TEST_HDFS and TRAWL_TEST_S3 name roots below
// which the tests may write; cluster/up starts both and says so in its env file.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "arrow/io/interfaces.h"
#include "runtime/backends/hdfs_client.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/path.h"
#include "runtime/store/status.h"
#include "tests/support/process/in_child.h"
#include "tests/support/store/conformance.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

namespace {

// Returns the root of one test below the one that the environment names: a name of its own, before the query.
std::string RootBelow(const char* variable, const std::string& folder, const std::string& test) {
  const std::string root = std::getenv(variable);
  const size_t query = std::min(root.find('?'), root.size());
  return root.substr(0, query) + "/conformance/" + NameOf(folder) + "/" + test + root.substr(query);
}

StoreUnderTest Live(const char* name, const char* variable, const StoreDeviations& deviations) {
  return {name,
          [variable](const std::string& folder, const std::string& test) { return RootBelow(variable, folder, test); },
          [](const std::string& root) -> arrow::Result<std::shared_ptr<Store>> { return OpenStore(root); }, deviations,
          variable};
}

// Skips the test, saying so, where there is no such server.
#define NEEDS(variable)                                                                     \
  if (std::getenv(variable) == nullptr) {                                                   \
    GTEST_SKIP() << "NOT TESTED on a live server, because " << (variable) << " is not set"; \
  }                                                                                         \
  static_assert(true)

// A server that does not answer, or a missing bucket, is an error that names it; nothing is reported as "not found".
void ExpectFailures(const std::vector<arrow::Status>& statuses, const std::string& server) {
  for (const arrow::Status& status : statuses) {
    EXPECT_TRUE(status.IsIOError()) << status;
    EXPECT_FALSE(IsNotFound(status)) << status;
    EXPECT_NE(status.message().find(server), std::string::npos) << status;
  }
}

arrow::Status WriteOneByte(Store& store) {
  ARROW_ASSIGN_OR_RAISE(auto writer, store.OpenWriter("a/b"));
  ARROW_RETURN_NOT_OK(writer->stream()->Write("x"));
  return writer->Commit().status();
}

std::vector<arrow::Status> OneOfEach(Store& store) {
  return {store.ReadWhole("a/b", 1).status(),
          store.OpenVerified("a/b", {}).status(),
          store.Exists("a/b").status(),
          store.List("a", true).status(),
          store.List("", false).status(),
          store.RemoveFolder("a"),
          WriteOneByte(store),
          store.CreateExclusive("a/b", "x").status()};
}

// Two publishers race for each number, each with its own store; the winner's snapshot is read back.
void RacePublishers(const char* variable, const char* store_name) {
  const char* const wanted = std::getenv("TRAWL_TEST_RACES");
  const int races = wanted == nullptr ? 20 : std::atoi(wanted);
  const TemporaryFolder unique;
  const std::string root = RootBelow(variable, unique.path(), "publishers");
  const std::unique_ptr<Store> stores[] = {*OpenStore(root), *OpenStore(root)};
  ASSERT_OK_AND_ASSIGN(Snapshot base, CreateCrawl(stores[0].get(), {.normal_form = "standard", .unicode = "17.0"}));
  for (int race = 0; race < races; ++race) {
    std::atomic<int> winner{-1}, winners{0}, conflicts{0}, waiting{0};
    const auto publish = [&](int publisher) {
      const Manifest next = NextManifest(base, "job" + std::to_string(publisher), "test", race);
      for (++waiting; waiting < 2;) {
      }
      const auto outcome = PublishSnapshot(stores[publisher].get(), next);
      EXPECT_TRUE(outcome.ok()) << outcome.status();
      const bool won = outcome.ok() && *outcome == PublishOutcome::kPublished;
      if (won) winner = publisher;
      ++(won ? winners : conflicts);
    };
    std::thread other(publish, 1);
    publish(0);
    other.join();
    ASSERT_EQ(winners, 1) << "race " << race;
    ASSERT_EQ(conflicts, 1) << "race " << race;
    ASSERT_OK_AND_ASSIGN(base, ReadSnapshot(stores[0].get(), race + 1));
    ASSERT_EQ(base.manifest.job, "job" + std::to_string(winner)) << "race " << race;
  }
  std::printf("Races of two publishers on %s, one winner each: %d of %d\n", store_name, races, races);
  EXPECT_OK(stores[0]->RemoveFolder("snapshots"));
}

class ShutDown : public testing::Environment {
 public:
  void TearDown() override { ShutDownStores(); }
};
const testing::Environment* const kShutDown = testing::AddGlobalTestEnvironment(new ShutDown);

}  // namespace

INSTANTIATE_TEST_SUITE_P(Live, StoreConformance,
                         testing::Values(Live("Hdfs", "TRAWL_TEST_HDFS", {}),
                                         Live("S3", "TRAWL_TEST_S3",
                                              {.commits_may_race = true, .folders_are_prefixes = true})),
                         StoreName);

TEST(LiveHdfs, OfTwoPublishersOneWins) {
  NEEDS("TRAWL_TEST_HDFS");
  RacePublishers("TRAWL_TEST_HDFS", "HDFS");
}

TEST(LiveS3, OfTwoPublishersOneWins) {
  NEEDS("TRAWL_TEST_S3");
  RacePublishers("TRAWL_TEST_S3", "S3");
}

TEST(LiveHdfs, DeadNameNodeIsAnError) {
  NEEDS("TRAWL_TEST_HDFS");
  ASSERT_OK_AND_ASSIGN(const auto store, OpenStore("hdfs://127.0.0.1:9/crawl"));
  ExpectFailures(OneOfEach(*store), "hdfs://127.0.0.1:9/crawl");
}

// Java would take SIGINT and SIGTERM, on which a fetch closes its parts.
TEST(LiveHdfs, SignalsStayOurs) {
  NEEDS("TRAWL_TEST_HDFS");
  ASSERT_OK(OpenStore(std::getenv("TRAWL_TEST_HDFS")));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    ASSERT_EQ(sigaction(signal, nullptr, &action), 0);
    // The tests may have been started with these signals ignored.
    EXPECT_TRUE(action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) << signal;
  }
}

TEST(LiveHdfs, OneStoreOutlivesAnother) {
  NEEDS("TRAWL_TEST_HDFS");
  const std::string root = std::getenv("TRAWL_TEST_HDFS");
  ASSERT_OK_AND_ASSIGN(const auto staying, OpenStore(root));
  ASSERT_OK(OpenStore(root));
  EXPECT_OK(staying->List("", false));
  EXPECT_OK(staying->Exists("anything"));
}

TEST(LiveHdfs, ReplicationIsTheClustersUnlessTheRootSays) {
  NEEDS("TRAWL_TEST_HDFS");
  const TemporaryFolder unique;
  const std::string root = RootBelow("TRAWL_TEST_HDFS", unique.path(), "replication");
  ASSERT_OK_AND_ASSIGN(const auto by_default, OpenStore(root));
  ASSERT_OK_AND_ASSIGN(const auto twofold, OpenStore(root + "?replication=2"));
  ASSERT_OK(by_default->CreateExclusive("by_default", "x"));
  ASSERT_OK(twofold->CreateExclusive("twofold", "x"));
  ASSERT_OK_AND_ASSIGN(const std::string library, PrepareLibHdfs(""));
  const std::string host = std::string(std::getenv("TRAWL_TEST_HDFS"));
  ASSERT_OK_AND_ASSIGN(const auto client, HdfsClient::Connect(library, {.name_node = host}));
  const std::string folder = root.substr(root.find('/', std::string("hdfs://").size()));
  EXPECT_EQ(client->Look(folder + "/by_default").ValueOrDie()->replication, 1) << "the test cluster's";
  EXPECT_EQ(client->Look(folder + "/twofold").ValueOrDie()->replication, 2);
  EXPECT_OK(by_default->Remove("by_default"));
  EXPECT_OK(by_default->Remove("twofold"));
}

TEST(LiveS3, DeadServerIsAnError) {
  NEEDS("TRAWL_TEST_S3");
  ASSERT_OK_AND_ASSIGN(const auto store,
                       OpenStore("s3://bucket/crawl?endpoint_override=127.0.0.1:9&scheme=http&region=r"));
  // Not one of each operation: Arrow tries for six seconds.
  ExpectFailures({store->Exists("a/b").status(), store->List("a", true).status(), WriteOneByte(*store),
                  store->CreateExclusive("a/b", "x").status()},
                 "bucket/crawl");
}

TEST(LiveS3, MissingBucketIsAnError) {
  NEEDS("TRAWL_TEST_S3");
  const std::string root = std::getenv("TRAWL_TEST_S3");
  ASSERT_OK_AND_ASSIGN(const auto store, OpenStore("s3://no-such-bucket/crawl" + root.substr(root.find('?'))));
  ExpectFailures(OneOfEach(*store), "no-such-bucket");
}

TEST(LiveS3, WrongSecretIsAnErrorThatDoesNotTellIt) {
  NEEDS("TRAWL_TEST_S3");
  EXPECT_EQ(InChild([]() -> std::string {
              setenv("AWS_SECRET_ACCESS_KEY", "wJalrNotForYourEyes", 1);
              const auto store = OpenStore(std::getenv("TRAWL_TEST_S3")).ValueOrDie();
              for (const arrow::Status& status :
                   {store->ReadWhole("a", 1).status(), store->List("", true).status(), store->Exists("a").status(),
                    store->CreateExclusive("a", "x").status(), store->Remove("a")}) {
                const bool tells = status.ToString().find("wJalrNotForYourEyes") != std::string::npos;
                if (!status.IsIOError() || IsNotFound(status) || tells) return status.ToString();
              }
              return "";
            }),
            "");
}

// S3 lists a thousand names at once.
TEST(LiveS3, FolderOfManyIsListedAndRemovedWhole) {
  NEEDS("TRAWL_TEST_S3");
  const TemporaryFolder unique;
  ASSERT_OK_AND_ASSIGN(const auto store, OpenStore(RootBelow("TRAWL_TEST_S3", unique.path(), "many")));
  constexpr size_t kMany = 1'050;
  for (size_t i = 0; i < kMany; ++i) ASSERT_OK(store->CreateExclusive("many/" + std::to_string(i), "x"));
  ASSERT_OK_AND_ASSIGN(const auto entries, store->List("many", false));
  EXPECT_EQ(entries.size(), kMany);
  ASSERT_OK(store->RemoveFolder("many"));
  ASSERT_OK_AND_ASSIGN(const auto left, store->List("", true));
  EXPECT_EQ(left.size(), 0u);
}

}  // namespace trawl
