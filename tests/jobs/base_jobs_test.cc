// The verbs over the base, by the binary.
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "formats/json.h"
#include "tests/support/run_binary.h"
#include "tests/support/temporary_folder.h"

namespace trawl {
namespace {

constexpr char kNow[] = "2026-01-01T00:00:00Z";

BinaryResult Trawl(std::vector<std::string> arguments, const std::string& input = "") {
  return RunBinary({.arguments = std::move(arguments), .input = input});
}

Json Object(const BinaryResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  auto json = ParseJson(result.out);
  EXPECT_TRUE(json.ok()) << result.out;
  return json.ok() ? *json : Json();
}

// Logical digest of what the present shows, by way of a compaction into one run.
std::string DigestOf(const std::string& root) {
  Trawl({"compact", "--root", root, "--now", kNow, "--quiet"});
  const Json snapshot = Object(Trawl({"snapshot", "list", "--root", root, "--limit", "1", "--json"}));
  const Json manifest = Object(Trawl({"snapshot", "show", DumpJson(snapshot["snapshot"]), "--root", root, "--json"}));
  return DumpJson(manifest["tables"]["urls"][0]["digest"]);
}

std::string SeedFile(const TemporaryFolder& folder, int from, int to) {
  const std::string path = folder.path() + "/seeds-" + std::to_string(from) + "-" + std::to_string(to) + ".txt";
  std::ofstream file(path);
  for (int i = from; i < to; ++i) {
    file << "https://host" << i % 37 << ".example/page/" << i << (i % 5 == 0 ? "?b=2&a=1" : "") << "\n";
  }
  return path;
}

TEST(BaseJobs, InjectLooksRemovesCompactsAndExports) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  const std::string seeds = SeedFile(folder, 0, 2000);
  Json inject = Object(Trawl({"inject", "--root", root, "--json", seeds, "https://other.example/?x=1"}));
  EXPECT_EQ(inject["new"], 2001);
  EXPECT_EQ(inject["changed"], true);
  inject = Object(Trawl({"inject", "--root", root, "--json", seeds}));
  EXPECT_EQ(inject["new"], 0);
  EXPECT_EQ(inject["changed"], false);

  Json stats = Object(Trawl({"readdb", "stats", "--root", root, "--json"}));
  EXPECT_EQ(stats["urls"], 2001);
  EXPECT_EQ(stats["hosts"], 38);
  EXPECT_EQ(stats["by_state"]["unfetched"], 2001);

  const Json removed = Object(
      Trawl({"remove", "--root", root, "--json", "--prefix", "https://host3.example/", "https://other.example/?x=1"}));
  EXPECT_EQ(removed["removed"], 55);  // 54 pages of host 3, and the other
  Object(Trawl({"compact", "--root", root, "--json"}));
  stats = Object(Trawl({"readdb", "stats", "--root", root, "--json"}));
  EXPECT_EQ(stats["urls"], 2001 - 55);
  EXPECT_EQ(stats["runs"], 1);
  EXPECT_EQ(Trawl({"readdb", "get", "--root", root, "https://other.example/?x=1"}).exit_code, 1);
  // Time travel: the removed rows are still in the snapshot before.
  EXPECT_EQ(Object(Trawl({"readdb", "stats", "--root", root, "--json", "--snapshot", "1"}))["urls"], 2001);
  // A removed URL may come back.
  EXPECT_EQ(Object(Trawl({"inject", "--root", root, "--json", "https://other.example/?x=1"}))["new"], 1);

  const std::string out = folder.path() + "/out";
  EXPECT_EQ(Object(Trawl({"export", out, "--root", root, "--json"}))["urls"], 2001 - 54);
  EXPECT_EQ(Object(Trawl({"export", out, "--root", root, "--json"}))["changed"], false);
  EXPECT_EQ(Trawl({"export", out, "--root", root, "--format", "parquet"}).exit_code, 2);
}

TEST(BaseJobs, CutThreadsAndMemoryDoNotChangeTheRows) {
  TemporaryFolder folder;
  const std::string seeds = SeedFile(folder, 0, 3000);
  std::vector<std::string> digests;
  int n = 0;
  for (const char* partitions : {"1", "2", "5", "8"}) {
    for (const auto& [threads, memory] : {std::pair{"1", "16MiB"}, std::pair{"2", "1GiB"}}) {
      const std::string root = folder.path() + "/crawl" + std::to_string(n++);
      Object(Trawl({"inject", "--root", root, "--json", "--now", kNow, "--partitions", partitions, "--threads", threads,
                    "--memory", memory, seeds}));
      digests.push_back(DigestOf(root));
    }
  }
  for (const std::string& digest : digests) EXPECT_EQ(digest, digests[0]);
}

TEST(BaseJobs, TwoInjectsAtOnceBothSucceed) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  std::vector<std::thread> threads;
  std::vector<int> exits(4, -1);
  std::vector<std::string> lists;
  for (int i = 0; i < 4; ++i) lists.push_back(SeedFile(folder, i * 400, i * 400 + 600));
  for (size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] { exits[i] = Trawl({"inject", "--root", root, "--quiet", lists[i]}).exit_code; });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int exit : exits) EXPECT_EQ(exit, 0);
  EXPECT_EQ(Object(Trawl({"readdb", "stats", "--root", root, "--json"}))["urls"], 1800);
}

TEST(BaseJobs, BadLinesAreCountedAndShown) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  const BinaryResult mixed =
      Trawl({"inject", "--root", root, "--json", "-"}, "# a comment\nhttps://a.example/\tscore=0.5\nnonsense\n\nftp://b/\n");
  EXPECT_EQ(mixed.exit_code, 0) << mixed.err;
  const Json json = *ParseJson(mixed.out);
  EXPECT_EQ(json["new"], 1);
  EXPECT_EQ(json["bad"], 2);
  EXPECT_EQ(json["samples"][0]["source"], "standard input");
  EXPECT_EQ(json["samples"][0]["number"], 3);
  EXPECT_EQ(Trawl({"inject", "--root", root, "-"}, "nonsense\n").exit_code, 3);
}

TEST(BaseJobs, DamageIsOneLineThatNamesTheFile) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  ASSERT_EQ(Trawl({"inject", "--root", root, "https://a.example/"}).exit_code, 0);
  const std::string manifest = root + "/snapshots/00000001.json";
  std::string text;
  std::getline(std::ifstream(manifest), text, '\0');
  for (const size_t at : {size_t{0}, size_t{20}, text.size() / 2, text.size() - 2}) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    std::ofstream(manifest) << flipped;
    const BinaryResult result = Trawl({"readdb", "stats", "--root", root});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.err.find("snapshots/00000001.json"), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  std::ofstream(manifest) << text;
  EXPECT_EQ(Trawl({"readdb", "stats", "--root", root}).exit_code, 0);
  const BinaryResult no_crawl = Trawl({"readdb", "stats", "--root", folder.path()});
  EXPECT_EQ(no_crawl.exit_code, 3);
  EXPECT_NE(no_crawl.err.find("is not a crawl"), std::string::npos) << no_crawl.err;
}

TEST(BaseJobs, SettingsAreTakenByLaterVerbs) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  ASSERT_EQ(Trawl({"inject", "--root", root, "https://a.example/"}).exit_code, 0);
  EXPECT_EQ(Trawl({"config", "set", "--root", root, "job.partition=3"}).exit_code, 2);
  ASSERT_EQ(Trawl({"config", "set", "--root", root, "job.partitions=3"}).exit_code, 0);
  EXPECT_EQ(Object(Trawl({"config", "get", "--root", root, "--json"}))["job.partitions"], "3");
}

}  // namespace
}  // namespace trawl
