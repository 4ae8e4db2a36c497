// trawl inject --from: seeds from others' archives.
#include "jobs/inject/archive_seeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "formats/text/deflate.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

std::string Cdxj(const std::string& time, const std::string& url, const std::string& digest) {
  return "key " + time + " {\"url\": \"" + url + "\", \"digest\": \"" + digest + "\"}\n";
}

std::string Record(const std::string& type, const std::string& url, const std::string& time, const std::string& block) {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Date: " + time + "\r\nWARC-Target-URI: " + url +
         "\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\nWARC-Payload-Digest: sha1:" + type +
         "\r\nContent-Length: " + std::to_string(block.size()) + "\r\n\r\n" + block + "\r\n\r\n";
}

class ArchiveSeeds : public ::testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.path() + "/" + name, std::ios::binary) << bytes;
    return folder_.path() + "/" + name;
  }
  Json Inject(const std::string& from, std::vector<std::string> files) const {
    std::vector<std::string> arguments = {"inject", "--root", root_, "--json", "--from", from};
    arguments.insert(arguments.end(), files.begin(), files.end());
    return AnswerOf(Trawl(arguments));
  }
  Json RowOf(const std::string& url) const {
    return AnswerOf(Trawl({"readdb", "get", "--root", root_, "--json", url}));
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
};

// Of several captures the latest counts, whatever their order, and nobody is told that they contradict each other.
TEST_F(ArchiveSeeds, TheLatestCaptureOfAPageIsKept) {
  const std::string file =
      File("a.cdxj",
           Cdxj("20250101000000", "http://ok.test/a", "AAA") + Cdxj("20260301120000", "http://ok.test/a", "sha1:CCC") +
               Cdxj("20250601000000", "http://ok.test/a", "BBB") + Cdxj("20250101000000", "https://ok.test/b?x", "") +
               Cdxj("20250101000000", "https://ok.test/c", "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"));
  const Json json = Inject("cdxj", {file});
  EXPECT_EQ(json["new"], 3);
  EXPECT_EQ(json["lines"], 5);
  EXPECT_EQ(json["bad"], 0);
  EXPECT_EQ(json["contradictions"], 0);
  const Json row = RowOf("http://ok.test/a");
  EXPECT_EQ(row["metadata"][kArchiveSeen], "2026-03-01T12:00:00Z");
  EXPECT_EQ(row["metadata"][kArchiveDigest], "sha1:CCC");
  EXPECT_EQ(row["state"], "unfetched");
  EXPECT_TRUE(row["etag"].is_null());  // the first request is an ordinary one
  EXPECT_FALSE(RowOf("https://ok.test/b?x")["metadata"].contains(kArchiveDigest));
  // As the record itself has it.
  EXPECT_EQ(RowOf("https://ok.test/c")["metadata"][kArchiveDigest], "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

TEST_F(ArchiveSeeds, AFileOfAnotherKindIsNamedOnce) {
  const std::string record = Record("response", "http://ok.test/", "2026-01-01T00:00:00Z", "");
  GzipMembers gzip = *GzipMembers::Make(6);
  const std::string warc = File("a.warc.gz", std::string(*gzip.MemberOf(record))), plain = File("a.warc", record);
  const std::string index = File("a.cdxj", Cdxj("20250101000000", "http://ok.test/a", "AAA"));
  const std::string wacz = File("a.wacz", "PK\x03\x04...");
  const struct {
    std::string from, file, says;
  } kCases[] = {{"cdxj", warc, "a.warc.gz: is a WARC file; write --from warc"},
                {"cdxj", plain, "a.warc: is a WARC file"},
                {"warc", index, "a.cdxj: is an index; write --from cdxj"},
                {"cdxj", wacz, "a.wacz: is a ZIP file"},
                {"warc", wacz, "a.wacz: is a ZIP file"}};
  for (const auto& test : kCases) {
    const BinaryResult result = Trawl({"inject", "--root", root_, "--from", test.from, test.file});
    EXPECT_EQ(result.exit_code, 2) << test.says;
    EXPECT_THAT(result.err, HasSubstr(test.says));
  }
}

TEST_F(ArchiveSeeds, AFilesControlBytesAreNotShown) {
  const std::string file = File("a.cdxj", "\x1b[31m \x07 red\n");
  const BinaryResult result = Trawl({"inject", "--root", root_, "--from", "cdxj", file});
  EXPECT_EQ((result.out + result.err).find_first_of("\x1b\x07"), std::string::npos) << result.err;
}

TEST_F(ArchiveSeeds, WhatIsNoPageIsSkippedAndWhatIsNoLineIsBad) {
  const std::string file =
      File("a.cdx",
           " CDX N b a m s k r M S V g\n"
           "test,ok)/ 20260101000000 http://ok.test/ text/html 200 ABC - - 10 20 a.warc.gz\n" +
               Cdxj("20260101000000", "dns:ok.test", "X") + Cdxj("20260101000000", "http://ok.test/robots.txt", "X") +
               "not a line\n" + Cdxj("20260101000000", "http://ok.test/a\\tscore=1", "X") +
               Cdxj("20260101000000", "http://", "X"));
  const Json json = Inject("cdxj", {file});
  EXPECT_EQ(json["new"], 1);
  EXPECT_EQ(json["skipped"], 3);
  EXPECT_EQ(json["bad"], 3);
  EXPECT_EQ(json["samples"][0]["number"], 5);
  EXPECT_EQ(json["samples"][0]["text"], "not a line");
  EXPECT_THAT(json["samples"][1]["reason"].get<std::string>(), HasSubstr("control character"));
}

// ZipNum: a member per block, read to its end.
TEST_F(ArchiveSeeds, AZipNumIndexIsReadMemberByMember) {
  GzipMembers gzip = *GzipMembers::Make(6);
  std::string file;
  for (int block = 0; block < 5; ++block) {
    std::string lines;
    for (int i = 0; i < 1000; ++i) {
      lines +=
          Cdxj("20260101000000", "http://h" + std::to_string(i % 7) + ".test/" + std::to_string(block * 1000 + i), "D");
    }
    file += *gzip.MemberOf(lines);
  }
  EXPECT_EQ(Inject("cdxj", {File("cdx-00000.gz", file)})["new"], 5000);
  // From a store, and nothing is new in it.
  EXPECT_EQ(Inject("cdxj", {"file://" + folder_.path() + "/cdx-00000.gz"})["known"], 5000);
  const BinaryResult cut =
      Trawl({"inject", "--root", root_, "--from", "cdxj", File("cut.gz", file.substr(0, file.size() - 10))});
  EXPECT_NE(cut.exit_code, 0);
  EXPECT_THAT(cut.err, HasSubstr("cut.gz: the file is cut off or damaged"));
}

TEST_F(ArchiveSeeds, RecordsOfAWarcAreSeeds) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const std::vector<std::string> records = {
      "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
      "Content-Length: 0\r\n\r\n\r\n\r\n",
      Record("request", "http://ok.test/r", "2026-01-01T00:00:00Z", "GET / HTTP/1.1\r\n\r\n"),
      Record("response", "http://ok.test/a", "2026-01-01T00:00:01.750Z", head),
      Record("revisit", "<http://ok.test/b>", "2026-01-02T00:00:00Z", ""),
      Record("response", "http://ok.test/robots.txt", "2026-01-01T00:00:00Z", head),
      Record("response", "http://ok.test/c", "yesterday", head)};
  GzipMembers gzip = *GzipMembers::Make(6);
  std::string plain, zipped;
  for (const std::string& record : records) {
    plain += record;
    zipped += *gzip.MemberOf(record);
  }
  for (const std::string& file : {File("a.warc", plain), File("a.warc.gz", zipped)}) {
    const Json json = Inject("warc", {file});
    EXPECT_EQ(json["lines"], 6) << json;
    EXPECT_EQ(json["skipped"], 3) << json;
    EXPECT_EQ(json["bad"], 1) << json;
    EXPECT_EQ(json["seeds"], 2) << json;
  }
  const Json row = RowOf("http://ok.test/a");
  EXPECT_EQ(row["metadata"][kArchiveSeen], "2026-01-01T00:00:01Z");
  EXPECT_EQ(row["metadata"][kArchiveDigest], "sha1:response");
  EXPECT_EQ(RowOf("http://ok.test/b")["metadata"][kArchiveDigest], "sha1:revisit");
  // What is readable of a file that is cut off is taken.
  const Json cut = Inject("warc", {File("cut.warc.gz", zipped.substr(0, zipped.size() - 20))});
  EXPECT_EQ(cut["known"], 2) << cut;
  EXPECT_EQ(cut["bad"], 1) << cut;
}

TEST_F(ArchiveSeeds, OnlyFilesAreArchives) {
  const struct {
    const char *file, *message;
  } cases[] = {{"https://example.com/a.cdxj", "is not read over HTTP; fetch the file first"},
               {"s3://", "names no file"},
               {"nothing.cdxj", "there is no file 'nothing.cdxj'"}};
  for (const auto& c : cases) {
    const BinaryResult result = Trawl({"inject", "--root", root_, "--from", "cdxj", c.file});
    EXPECT_EQ(result.exit_code, 2) << c.file;
    EXPECT_THAT(result.err, HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace trawl
