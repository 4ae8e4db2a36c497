// The indexes of an archive, made of hand-made capture rows.
#include "jobs/cdxindex/indexes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "formats/cdx/cdxj.h"
#include "formats/cdx/urlkey.h"
#include "formats/digests/digest.h"
#include "formats/sitemap/gzip.h"
#include "jobs/cdxindex/capture_files.h"
#include "jobs/cdxindex/index_job.h"
#include "jobs/cdxindex/success.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/local_runner.h"
#include "runtime/tables/run_writer.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/manual_clock.h"
#include "tests/support/store/stored_files.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int64_t kBeganMs = 1'767'225'600'999;  // 2026-01-01T00:00:00.999Z
const char* const kName = "TRAWL-TEST";

CaptureRow CaptureOf(const std::string& url, int64_t began_ms, int number, const std::string& subset = "warc") {
  return {.key = UrlKeyForIndex(url),
          .url = url,
          .began_ms = began_ms,
          .record_type = "response",
          .record_id = "<urn:uuid:" + std::to_string(number) + ">",
          .subset = subset,
          .segment = "s1",
          .status = 200,
          .mime = "text/html",
          .digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
          .filename = "crawl-data/TRAWL-TEST/segments/s1/" + subset + "/a.warc.gz",
          .offset = number * 100,
          .length = 100};
}

std::string Unpacked(std::string_view file) {
  std::string text;
  const GunzipEnd end = Gunzip(file, [&text](std::string_view piece) {
    text += piece;
    return true;
  });
  EXPECT_EQ(end, GunzipEnd::kWhole);
  return text;
}

std::vector<std::string> LinesOf(const std::string& text, bool with_end = true) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at) + 1;
    lines.push_back(text.substr(at, end - at - (with_end ? 0 : 1)));
    at = end;
  }
  return lines;
}

std::vector<std::string> FieldsOf(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

class CdxIndexes : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(store_, OpenStore(folder_.path()));
    begin_.name = kName;
    begin_.snapshot = -1;
    options_.block_lines = 50;
  }

  // Writes the rows of a part as the job before does.
  void AddPart(const std::vector<CaptureRow>& rows) {
    const int number = static_cast<int>(parts_.size());
    RowFileOptions unsorted;
    unsorted.sorted = false;
    RunWriter<CaptureRow> writer(store_.get(), ArchivePaths(begin_.name).Captures(), "part-" + std::to_string(number),
                                 unsorted);
    for (const CaptureRow& row : rows) {
      ASSERT_OK(writer.Append(row));
      std::string line;
      AppendCdxjLine(row, &line);
      lines_.push_back(line);
    }
    ArchivePart part;
    part.number = number;
    ASSERT_OK_AND_ASSIGN(part.captures, writer.Finish());
    part.files = {{.path = "crawl-data/TRAWL-TEST/segments/s1/warc/" + std::to_string(number) + ".warc.gz"},
                  {.path = "crawl-data/TRAWL-TEST/segments/s1/robotstxt/" + std::to_string(number) + ".warc.gz"}};
    parts_.push_back(std::move(part));
  }
  // 3,000 captures of 40 hosts in three parts.
  void AddCaptures() {
    int number = 0;
    for (int part = 0; part < 3; ++part) {
      std::vector<CaptureRow> rows;
      for (int i = 0; i < 1000; ++i, ++number) {
        const std::string host = "h" + std::to_string(number * 7919 % 40) + ".example.org";
        const std::string url = "https://" + host + "/" + std::to_string(number * 31 % 997);
        rows.push_back(CaptureOf(url, kBeganMs + number * 777, number, number % 5 == 0 ? "crawldiagnostics" : "warc"));
      }
      AddPart(rows);
    }
  }

  JobEnvironment Environment(int threads = 2) {
    runner_ =
        std::make_unique<LocalRunner>(LocalRunnerOptions{.threads = threads, .memory_bytes = 64 << 20, .attempts = 1});
    JobEnvironment environment;
    environment.store = crawl_.store();
    environment.runner = runner_.get();
    environment.clock = &clock_;
    environment.now_ms = kBeganMs;
    environment.options = JobOptionGroup().Print({});
    environment.log = [this](LogLevel, const std::string& event, const Json&) {
      jobs_ += event == "job_began" ? 1 : 0;
    };
    return environment;
  }
  arrow::Result<std::vector<ArchiveFile>> Make(int threads = 2) {
    const std::string directory = folder_.path();
    const IndexWish wish = {begin_, options_, directory, store_.get(), parts_};
    return MakeIndexes(Environment(threads), wish);
  }
  // The job alone, with shards that begin at these keys.
  arrow::Result<JobResult> RunSplit(std::vector<std::string> splits) {
    const IndexPlan plan = {
        .directory = folder_.path(), .name = kName, .block_lines = options_.block_lines, .splits = std::move(splits)};
    std::vector<FileReceipt> captures;
    for (const ArchivePart& part : parts_) captures.insert(captures.end(), part.captures.begin(), part.captures.end());
    return RunJob(Environment(), CdxindexRequest(plan, captures, -1));
  }
  std::string Read(const std::string& path) const { return ReadFile(folder_.path() + "/" + path); }
  std::string Index(const std::string& file) const { return Read(ArchivePaths(begin_.name).Cdxj() + "/" + file); }
  // Those for readers.
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files = FilesIn(folder_.path());
    std::erase_if(files, [](const auto& file) { return file.first.starts_with("_trawl/"); });
    return files;
  }
  std::vector<std::string> SortedLines() const {
    std::vector<std::string> lines = lines_;
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  TemporaryFolder folder_;
  SegmentFixture crawl_;
  ManualClock clock_ = ManualClock(kBeganMs);
  std::unique_ptr<LocalRunner> runner_;
  std::unique_ptr<Store> store_;
  ArchiveBegin begin_;
  ArchiveOptions options_;
  std::vector<ArchivePart> parts_;
  std::vector<std::string> lines_;
  int jobs_ = 0;
};

TEST_F(CdxIndexes, EveryCaptureHasItsLineInTheOrderOfBytes) {
  AddCaptures();
  ASSERT_OK(Make().status());
  EXPECT_EQ(LinesOf(Unpacked(Index("cdx-00000.gz"))), SortedLines());
}

TEST_F(CdxIndexes, ABlockIsFoundByItsLineInTheCluster) {
  AddCaptures();
  ASSERT_OK(Make().status());
  EXPECT_EQ(Index("cluster.loc"), "cdx-00000.gz\tcdx-00000.gz\n");
  const std::string shard = Index("cdx-00000.gz");
  const std::vector<std::string> sorted = SortedLines();
  const std::vector<std::string> cluster = LinesOf(Index("cluster.idx"), /*with_end=*/false);
  ASSERT_EQ(cluster.size(), 60u);
  size_t offset = 0;
  for (size_t block = 0; block < cluster.size(); ++block) {
    const std::vector<std::string> fields = FieldsOf(cluster[block]);
    ASSERT_EQ(fields.size(), 5u) << cluster[block];
    EXPECT_TRUE(sorted[block * 50].starts_with(fields[0] + " {")) << fields[0];
    EXPECT_EQ(fields[1], "cdx-00000.gz");
    EXPECT_EQ(fields[2], std::to_string(offset));
    EXPECT_EQ(fields[4], std::to_string(block + 1));
    const size_t length = std::stoul(fields[3]);
    EXPECT_EQ(LinesOf(Unpacked(shard.substr(offset, length))).size(), 50u);
    offset += length;
  }
  EXPECT_EQ(offset, shard.size());
}

TEST_F(CdxIndexes, ShardsFollowOneAnother) {
  AddCaptures();
  ASSERT_OK_AND_ASSIGN(const JobResult result,
                       RunSplit({"org,example,h1)/5", "org,example,h20)/", "org,example,h3)/"}));
  EXPECT_EQ(result.output.counters.Get("rows"), 3000);
  EXPECT_EQ(result.output.counters.Get("lines"), 3000);
  EXPECT_EQ(result.output.counters.Get("captures.crawldiagnostics"), 600);
  std::vector<std::string> lines;
  for (int shard = 0; shard < 4; ++shard) {
    const std::vector<std::string> more = LinesOf(Unpacked(Index("cdx-0000" + std::to_string(shard) + ".gz")));
    EXPECT_GT(more.size(), 100u);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  EXPECT_EQ(lines, SortedLines());
  const std::string table = "cc-index/table/trawl/warc/crawl=TRAWL-TEST/subset=";
  EXPECT_EQ(Read(table + "warc/part-00003.parquet").substr(0, 4), "PAR1");
  EXPECT_EQ(Read(table + "crawldiagnostics/part-00000.parquet").substr(0, 4), "PAR1");
}

TEST_F(CdxIndexes, AShardWithoutCapturesHasNoFile) {
  AddCaptures();
  ASSERT_OK(RunSplit({"com,", "org,"}).status());
  const auto files = Files();
  EXPECT_FALSE(files.contains(ArchivePaths(begin_.name).Cdxj() + "/cdx-00000.gz"));
  EXPECT_EQ(LinesOf(Unpacked(Index("cdx-00002.gz"))), SortedLines());
}

TEST_F(CdxIndexes, CapturesOfOneSecondAreInOrderToo) {
  const int64_t later = kBeganMs - 900;  // the same second
  AddPart({CaptureOf("https://a.example/x", kBeganMs, 1), CaptureOf("http://a.example/x", kBeganMs, 2),
           CaptureOf("http://a.example/x", later, 3), CaptureOf("http://www.a.example/x", later, 4),
           CaptureOf("http://a.example/x!", later, 5), CaptureOf("http://a.example/x?", later, 6),
           CaptureOf("http://a.example/X", later, 7), CaptureOf("http://a.example/x/", kBeganMs + 1, 8)});
  ASSERT_OK(Make().status());
  EXPECT_EQ(LinesOf(Unpacked(Index("cdx-00000.gz"))), SortedLines());
}

TEST_F(CdxIndexes, TheSameBytesOnAnyNumberOfThreads) {
  AddCaptures();
  ASSERT_OK(Make(1).status());
  const auto files = Files();
  EXPECT_EQ(files.size(), 9u);
  ASSERT_OK(store_->RemoveFolder("cc-index"));
  ASSERT_OK(Make(8).status());
  EXPECT_EQ(Files(), files);
  EXPECT_EQ(jobs_, 2);
}

TEST_F(CdxIndexes, AnAttemptFindsWhatAnEarlierOneHasWritten) {
  AddCaptures();
  const auto files_of = [](const JobResult& result) {
    std::vector<std::string> files;
    for (const TaskReceipt& receipt : result.output.receipts) files.push_back(DumpJson(receipt.facts));
    return files;
  };
  ASSERT_OK_AND_ASSIGN(const JobResult first, RunSplit({"org,example,h20)/"}));
  const auto files = Files();
  ASSERT_OK(store_->Remove(ArchivePaths(begin_.name).Cdxj() + "/cdx-00001.gz"));
  ASSERT_OK_AND_ASSIGN(const JobResult second, RunSplit({"org,example,h20)/"}));
  EXPECT_EQ(files_of(second), files_of(first));
  EXPECT_EQ(Files(), files);
}

TEST_F(CdxIndexes, WhatIsWholeStays) {
  AddCaptures();
  ASSERT_OK_AND_ASSIGN(const auto made, Make());
  ASSERT_OK_AND_ASSIGN(const auto again, Make());
  EXPECT_EQ(again, made);
  EXPECT_EQ(jobs_, 1);
  const auto files = Files();
  std::set<std::string> receipts;
  for (const ArchiveFile& file : made) {
    receipts.insert(file.path);
    ASSERT_TRUE(files.contains(file.path)) << file.path;
    EXPECT_EQ(file.size_bytes, static_cast<int64_t>(files.at(file.path).size()));
    EXPECT_EQ(file.sha256, ToHex(Sha256Of(files.at(file.path)))) << file.path;
  }
  EXPECT_EQ(receipts.size(), files.size());
  EXPECT_TRUE(std::is_sorted(made.begin(), made.end(),
                             [](const ArchiveFile& a, const ArchiveFile& b) { return a.path < b.path; }));
}

TEST_F(CdxIndexes, OtherOptionsOrALostFileMakeThemAnew) {
  AddCaptures();
  ASSERT_OK(Make().status());
  const auto files = Files();
  ASSERT_OK(store_->Remove(ArchivePaths(begin_.name).Cdxj() + "/cluster.idx"));
  ASSERT_OK(Make().status());
  EXPECT_EQ(Files(), files);
  EXPECT_EQ(jobs_, 2);

  options_.index = {"orc"};
  ASSERT_OK(Make().status());
  EXPECT_EQ(jobs_, 3);
  const auto orc = Files();
  EXPECT_TRUE(orc.contains("cc-index/table/trawl/warc/crawl=TRAWL-TEST/subset=warc/part-00000.orc"));
  for (const auto& [path, bytes] : orc) {
    EXPECT_FALSE(path.ends_with(".parquet") || path.ends_with("cluster.idx")) << path << " is left over";
  }
  options_.index = {"none"};
  ASSERT_OK_AND_ASSIGN(const auto none, Make());
  EXPECT_EQ(none.size(), 2u) << "the lists of WARC files";
}

TEST_F(CdxIndexes, ListsNameEveryFile) {
  AddCaptures();
  ASSERT_OK(Make().status());
  EXPECT_EQ(Unpacked(Read("crawl-data/TRAWL-TEST/warc.paths.gz")),
            "crawl-data/TRAWL-TEST/segments/s1/warc/0.warc.gz\ncrawl-data/TRAWL-TEST/segments/s1/warc/1.warc.gz\n"
            "crawl-data/TRAWL-TEST/segments/s1/warc/2.warc.gz\n");
  EXPECT_EQ(
      Unpacked(Read("crawl-data/TRAWL-TEST/cc-index.paths.gz")),
      "cc-index/collections/TRAWL-TEST/indexes/cdx-00000.gz\ncc-index/collections/TRAWL-TEST/indexes/cluster.idx\n"
      "cc-index/collections/TRAWL-TEST/indexes/cluster.loc\n");
  EXPECT_EQ(LinesOf(Unpacked(Read("crawl-data/TRAWL-TEST/cc-index-table.paths.gz"))).size(), 2u);
  EXPECT_EQ(LinesOf(Unpacked(Read("crawl-data/TRAWL-TEST/robotstxt.paths.gz"))).size(), 3u);
}

TEST_F(CdxIndexes, ACaptureThatNoIndexCanHaveIsAnError) {
  CaptureRow nameless = CaptureOf("https://a.example/", kBeganMs, 7);
  nameless.key.clear();
  AddPart({nameless});
  const auto made = Make();
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.status().message().find("<urn:uuid:7>"), std::string::npos) << made.status();
}

TEST_F(CdxIndexes, SplitsDivideTheRowsEvenly) {
  AddCaptures();
  std::vector<FileReceipt> captures;
  for (const ArchivePart& part : parts_) captures.insert(captures.end(), part.captures.begin(), part.captures.end());
  const std::string folder = ArchivePaths(begin_.name).Captures();
  ASSERT_OK_AND_ASSIGN(const auto splits, SplitKeys(store_.get(), folder, captures, 7));
  ASSERT_EQ(splits.size(), 6u);
  std::vector<int> rows(7);
  for (const std::string& line : lines_)
    ++rows[static_cast<size_t>(RangeOfKey(splits, line.substr(0, line.find(' '))))];
  for (const int in_range : rows) EXPECT_NEAR(in_range, 3000 / 7, 60);
  EXPECT_EQ(RangeOfKey(splits, splits[2]), 3) << "a split begins a range";
}

TEST_F(CdxIndexes, AKeyWithMostOfTheRowsDoesNotMakeEmptyShards) {
  std::vector<CaptureRow> rows;
  for (int i = 0; i < 100; ++i) rows.push_back(CaptureOf("https://a.example/", kBeganMs + i * 1000, i));
  rows.push_back(CaptureOf("https://b.example/", kBeganMs, 200));
  AddPart(rows);
  const std::string folder = ArchivePaths(begin_.name).Captures();
  ASSERT_OK_AND_ASSIGN(const auto splits, SplitKeys(store_.get(), folder, parts_[0].captures, 5));
  EXPECT_TRUE(splits.empty()) << "the second URL's row is the last hundredth";
  ASSERT_OK_AND_ASSIGN(const auto all, SplitKeys(store_.get(), folder, parts_[0].captures, 500));
  EXPECT_EQ(all, std::vector<std::string>{"example,b)/"});
}

TEST_F(CdxIndexes, SuccessTellsWhatIsFinished) {
  ASSERT_OK_AND_ASSIGN(const auto none, ReadSuccess(store_.get()));
  EXPECT_TRUE(none.empty());
  const FinishedArchive archive = {.name = kName,
                                   .counts = {{"records", {{"response", 7}}}},
                                   .files = {{.path = "a", .size_bytes = 1, .sha256 = "ab", .records = 2}}};
  ASSERT_OK(WriteSuccess(store_.get(), {archive}));
  ASSERT_OK(WriteSuccess(store_.get(), {archive})) << "once more, after a lost reply";
  ASSERT_OK_AND_ASSIGN(const auto read, ReadSuccess(store_.get()));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].counts, archive.counts);
  EXPECT_EQ(read[0].files, archive.files);
  EXPECT_FALSE(WriteSuccess(store_.get(), {}).ok()) << "whoever begins removes it first";
}

}  // namespace
}  // namespace trawl
