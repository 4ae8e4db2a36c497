// The verbs over the base, by the binary.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

TEST(BaseJobs, InjectLooksRemovesCompactsAndExports) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  const std::string seeds = WriteSeedFile(folder, 0, 2000);
  Json inject = AnswerOf(Trawl({"inject", "--root", root, "--json", seeds, "https://other.example/?x=1"}));
  EXPECT_EQ(inject["new"], 2001);
  EXPECT_EQ(inject["changed"], true);
  inject = AnswerOf(Trawl({"inject", "--root", root, "--json", seeds}));
  EXPECT_EQ(inject["new"], 0);
  EXPECT_EQ(inject["changed"], false);

  Json stats = AnswerOf(Trawl({"readdb", "stats", "--root", root, "--json"}));
  EXPECT_EQ(stats["urls"], 2001);
  EXPECT_EQ(stats["hosts"], 38);
  EXPECT_EQ(stats["by_state"]["unfetched"], 2001);

  const Json removed = AnswerOf(
      Trawl({"remove", "--root", root, "--json", "--prefix", "https://host3.example/", "https://other.example/?x=1"}));
  EXPECT_EQ(removed["removed"], 55);  // 54 pages of host 3, and the other
  AnswerOf(Trawl({"compact", "--root", root, "--json"}));
  stats = AnswerOf(Trawl({"readdb", "stats", "--root", root, "--json"}));
  EXPECT_EQ(stats["urls"], 2001 - 55);
  EXPECT_EQ(stats["runs"], 1);
  EXPECT_EQ(Trawl({"readdb", "get", "--root", root, "https://other.example/?x=1"}).exit_code, 1);
  // Time travel: the removed rows are still in the snapshot before.
  EXPECT_EQ(AnswerOf(Trawl({"readdb", "stats", "--root", root, "--json", "--snapshot", "1"}))["urls"], 2001);
  // A removed URL may come back.
  EXPECT_EQ(AnswerOf(Trawl({"inject", "--root", root, "--json", "https://other.example/?x=1"}))["new"], 1);

  const std::string out = folder.path() + "/out";
  EXPECT_EQ(AnswerOf(Trawl({"export", out, "--root", root, "--json"}))["urls"], 2001 - 54);
  EXPECT_EQ(AnswerOf(Trawl({"export", out, "--root", root, "--json"}))["changed"], false);
  EXPECT_EQ(Trawl({"export", out, "--root", root, "--format", "parquet"}).exit_code, 2);
}

// More seeds in a soak (TRAWL_TEST_SOAK): then 16 MiB of memory spill.
TEST(BaseJobs, CutThreadsAndMemoryDoNotChangeTheRows) {
  TemporaryFolder folder;
  const bool is_soak = std::getenv("TRAWL_TEST_SOAK") != nullptr;
  const int seeds = is_soak ? 300'000 : 3000;
  const std::string first = WriteSeedFile(folder, 0, seeds);
  const std::string second = WriteSeedFile(folder, seeds / 2, seeds * 2);
  std::set<std::string> rows;
  int cuts = 0;
  for (const char* partitions : {"1", "2", "5", "8"}) {
    for (const char* threads : {"1", "2"}) {
      for (const char* memory : {"16MiB", "1GiB"}) {
        if (!is_soak && (*threads == '1') != (memory == std::string_view("16MiB"))) continue;
        const std::string root = folder.path() + "/crawl" + std::to_string(cuts++);
        const auto run = [&](std::vector<std::string> verb) {
          for (const std::string& more : {std::string("--root"), root, std::string("--json"), std::string("--now"),
                                          std::string("2026-01-01T00:00:00Z"), std::string("--threads"),
                                          std::string(threads), std::string("--memory"), std::string(memory)}) {
            verb.push_back(more);
          }
          AnswerOf(Trawl(verb));
        };
        for (const std::string& list : {first, second}) run({"inject", "--partitions", partitions, list});
        std::string all = RunsOf(root);
        run({"compact"});
        rows.insert(all + RunsOf(root));
        std::filesystem::remove_all(root);
      }
    }
  }
  EXPECT_EQ(rows.size(), 1u) << ::testing::PrintToString(rows);
  std::printf("Threads, memory and partitions that give the same digests: %d of %d\n", cuts, cuts);
}

TEST(BaseJobs, InjectsAtOnceAllSucceedAndLoseNoRow) {
  const int rounds = std::getenv("TRAWL_TEST_SOAK") != nullptr ? 100 : 2;
  for (int round = 0; round < rounds; ++round) {
    TemporaryFolder folder;
    const std::string root = folder.path() + "/crawl";
    std::vector<std::string> lists;
    for (int i = 0; i < 2 + round % 3; ++i) lists.push_back(WriteSeedFile(folder, i * 400, i * 400 + 600));
    std::vector<int> exits(lists.size(), -1);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < lists.size(); ++i) {
      threads.emplace_back([&, i] { exits[i] = Trawl({"inject", "--root", root, "--quiet", lists[i]}).exit_code; });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int exit : exits) EXPECT_EQ(exit, 0);
    const auto expected = static_cast<int64_t>(lists.size()) * 400 + 200;
    ASSERT_EQ(AnswerOf(Trawl({"readdb", "stats", "--root", root, "--json"}))["urls"], expected);
  }
  std::printf("Races of two to four injects, no row lost: %d of %d\n", rounds, rounds);
}

TEST(BaseJobs, BadLinesAreCountedAndShown) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  const BinaryResult mixed = Trawl({"inject", "--root", root, "--json", "-"},
                                   "# a comment\nhttps://a.example/\tscore=0.5\nnonsense\n\nftp://b/\n");
  EXPECT_EQ(mixed.exit_code, 0) << mixed.err;
  const Json json = *ParseJson(mixed.out);
  EXPECT_EQ(json["new"], 1);
  EXPECT_EQ(json["bad"], 2);
  EXPECT_EQ(json["samples"][0]["source"], "standard input");
  EXPECT_EQ(json["samples"][0]["number"], 3);
  EXPECT_EQ(Trawl({"inject", "--root", root, "-"}, "nonsense\n").exit_code, 3);
}

TEST(BaseJobs, AnEmptyListIsCountedAsNoLines) {
  TemporaryFolder folder;
  const Json json = AnswerOf(Trawl({"inject", "--root", folder.path() + "/crawl", "--json", "-"}));
  for (const char* name : {"lines", "bad", "seeds", "new", "known"}) EXPECT_EQ(json[name], 0) << name;
  EXPECT_EQ(json["changed"], false);
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

TEST(BaseJobs, AMissingOrCutFileOfARunStopsEveryVerbThatBuildsOnIt) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  // So many that the sidecar of urls is a file.
  ASSERT_EQ(Trawl({"inject", "--root", root, WriteSeedFile(folder, 0, 400)}).exit_code, 0);
  std::vector<std::filesystem::path> files;
  for (const char* table : {"urls", "seeds"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root + "/crawldb/" + table)) {
      const std::string name = entry.path().filename();
      const bool is_data = name.ends_with(".orc");
      if (is_data || (name.ends_with(".idx") && table == std::string("urls"))) files.push_back(entry.path());
    }
  }
  ASSERT_EQ(files.size(), 3u);
  const std::filesystem::path aside = folder.path() + "/aside";
  for (const std::filesystem::path& file : files) {
    for (const bool is_cut : {false, true}) {
      std::filesystem::rename(file, aside);
      if (is_cut) {
        std::filesystem::copy_file(aside, file);
        std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
      }
      std::vector<std::vector<std::string>> verbs = {{"inject", "https://after.example/"}};
      if (file.string().find("/urls/") != std::string::npos)
        verbs.push_back({"remove", "https://host1.example/page/1"});
      for (std::vector<std::string>& verb : verbs) {
        verb.insert(verb.end(), {"--root", root});
        const BinaryResult result = Trawl(verb);
        EXPECT_EQ(result.exit_code, 3) << verb[0];
        EXPECT_NE(result.err.find(file.filename()), std::string::npos) << result.err;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        EXPECT_FALSE(std::filesystem::exists(root + "/snapshots/00000002.json"));
      }
      std::filesystem::rename(aside, file);
    }
  }
  EXPECT_EQ(Trawl({"inject", "--root", root, "https://after.example/"}).exit_code, 0);
}

TEST(BaseJobs, SettingsAreTakenByLaterVerbs) {
  TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  ASSERT_EQ(Trawl({"inject", "--root", root, "https://a.example/"}).exit_code, 0);
  for (const auto& [assignment, why] : {std::pair{"job.partition=3", "did you mean job.partitions?"},
                                        {"job.partitions=-1", "'-1' is not allowed"},
                                        {"job.partition=", "did you mean job.partitions?"},
                                        {"root=x", "cannot be a setting"},
                                        {"job.partitions", "is not a setting; write SETTING=VALUE"}}) {
    const BinaryResult refused = Trawl({"config", "set", "--root", root, assignment});
    EXPECT_EQ(refused.exit_code, 2) << assignment;
    EXPECT_NE(refused.err.find(why), std::string::npos) << refused.err;
  }
  EXPECT_EQ(Trawl({"config", "get", "--root", root, "job.partition"}).exit_code, 2);
  ASSERT_EQ(Trawl({"config", "set", "--root", root, "job.partitions=3"}).exit_code, 0);
  EXPECT_EQ(AnswerOf(Trawl({"config", "get", "--root", root, "--json"}))["job.partitions"], "3");
  // A later verb takes it.
  EXPECT_EQ(AnswerOf(Trawl({"inject", "--root", root, "--json", "https://b.example/"}))["new"], 1);
  ASSERT_EQ(Trawl({"config", "set", "--root", root, "job.partitions="}).exit_code, 0);
  EXPECT_EQ(AnswerOf(Trawl({"config", "get", "--root", root, "--json"})), Json::object());
}

}  // namespace
}  // namespace trawl
