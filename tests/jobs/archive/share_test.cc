// trawl archive --wacz: a share of a finished archive, out of the whole program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/sitemap/gzip.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/store/stored_files.h"
#include "tests/support/values/zip_entries.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class Share : public ::testing::Test {
 protected:
  Share() {
    web_.web().AddHost("a.test", [](const TestRequest& request) {
      if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
      return AnswerWith({.body = "<title>page</title>" + request.path}, request);
    });
    web_.Start();
    web_.Object(
        web_.Arguments("inject", "c", {"--now", CrawledWeb::kNow, "http://a.test/docs/1", "http://a.test/other"}));
    const BinaryResult round = web_.Run(web_.Arguments("round", "c",
                                                       {"--now", "2026-01-01T01:00:00Z", "--fetch.allow_private",
                                                        "--fetch.hosts_file", web_.hosts_file(), "--urls.depth", "0"}));
    EXPECT_EQ(round.exit_code, 0) << round.err;
  }
  BinaryResult Archive(std::vector<std::string> more) const {
    more.insert(more.begin(), web_.root("w"));
    return web_.Run(web_.Arguments("archive", "c", more));
  }

  CrawledWeb web_;
};

TEST_F(Share, IsMadeOfAFinishedNameAlone) {
  const std::string file = web_.root("share.wacz");
  const std::vector<std::string> share = {"--name", "ONE", "--wacz", file, "--prefix", "a.test/docs/"};
  const BinaryResult early = Archive(share);
  EXPECT_EQ(early.exit_code, 2);
  EXPECT_THAT(early.err, HasSubstr("archive first, without --wacz"));
  EXPECT_EQ(Archive({"--name", "ONE", "--prefix", "a.test/docs/"}).exit_code, 2) << "a prefix of nothing";
  const BinaryResult both = Archive({"--name", "ONE", "--wacz", file, "--verify"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("write one of them"));

  ASSERT_EQ(Archive({"--name", "ONE"}).exit_code, 0);
  const auto before = FilesIn(web_.root("w"));
  const BinaryResult made = Archive(share);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Json answer = ParseJson(made.out).ValueOr(Json());
  EXPECT_EQ(answer["captures"], 1);
  EXPECT_EQ(answer["pages"], 1);
  EXPECT_EQ(answer["bytes"], std::filesystem::file_size(file));
  EXPECT_EQ(ZipDirectory(ReadFile(file)).size(), 6u);
  EXPECT_EQ(FilesIn(web_.root("w")), before) << "the archive stays as it is";

  EXPECT_EQ(Archive(share).exit_code, 2) << "the file is there";
  std::vector<std::string> again = share;
  again.push_back("--overwrite");
  EXPECT_EQ(Archive(again).exit_code, 0);
  EXPECT_EQ(FilesIn(web_.root("w")), before) << "--overwrite is about the file";
}

// The outcome of such answers is a fault of the protocol, and their rows of fetch have no status.
TEST(ArchivedFaults, TheIndexHasTheStatusOfTheRecordAndSaysThatItHasNoBody) {
  CrawledWeb web;
  web.web().AddHost("a.test", [](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    if (request.path == "/chunks") {
      return AnswerRaw(
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n<p>no\r\n");
    }
    return AnswerRaw(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello");
  });
  web.Start();
  web.Object(web.Arguments("inject", "c", {"--now", CrawledWeb::kNow, "http://a.test/two", "http://a.test/chunks"}));
  web.Run(web.Arguments("round", "c",
                        {"--now", "2026-01-01T01:00:00Z", "--fetch.allow_private", "--fetch.hosts_file",
                         web.hosts_file(), "--urls.depth", "0", "--fetch.retries", "0"}));
  ASSERT_EQ(web.Run(web.Arguments("archive", "c", {web.root("w"), "--name", "ONE"})).exit_code, 0);
  std::string lines;
  for (const auto& [name, bytes] : FilesIn(web.root("w"))) {
    if (name.find("/cdx-") == std::string::npos) continue;
    Gunzip(bytes, [&lines](std::string_view piece) {
      lines += piece;
      return true;
    });
  }
  for (const char* const key : {"test,a)/two ", "test,a)/chunks "}) {
    const size_t line = lines.find(key);
    ASSERT_NE(line, std::string::npos) << lines;
    const std::string found = lines.substr(line, lines.find('\n', line) - line);
    EXPECT_THAT(found, HasSubstr("\"status\": \"200\""));
    EXPECT_THAT(found, HasSubstr("\"truncated\": \"unspecified\""));
  }
}

}  // namespace
}  // namespace trawl
