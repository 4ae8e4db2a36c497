// trawl check warc: what reaches the answer. The faults themselves are those of tests/formats/warc/reader_test.cc.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "formats/documents/json.h"
#include "formats/text/deflate.h"
#include "formats/warc/record.h"
#include "jobs/check/check.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

// Two records, each a member: a request, and an answer whose body is `body`.
std::string File(const std::string& head, const std::string& body, const std::string& second_place = "S/f#1") {
  const WarcRecords records(WarcDigest::kSha1);
  WarcCapture capture = {.place = "S/f#0", .url = "https://a.example/"};
  GzipMembers members = *GzipMembers::Make(6);
  std::string record, file;
  records.Response(capture, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", {.bytes = "ab"}, &record);
  file += *members.MemberOf(record);
  capture.place = second_place;
  records.Response(capture, head, {.bytes = body}, &record);
  return file + std::string(*members.MemberOf(record));
}

std::string Base64(std::string bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const size_t padding = (3 - bytes.size() % 3) % 3;
  bytes.append(padding, '\0');
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](size_t at) { return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i + at])); };
    const uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (const int shift : {18, 12, 6, 0}) text += kDigits[group >> shift & 63];
  }
  return text.replace(text.size() - padding, padding, padding, '=');
}

Json AnswerTo(const std::string& file) {
  std::istringstream in(DumpJson(Json{{"id", 7}, {"body_b64", Base64(file)}}) + "\n");
  std::ostringstream out;
  EXPECT_OK(AnswerChecks("warc", in, out));
  return *ParseJson(out.str());
}

constexpr char kGoodHead[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";

TEST(CheckWarc, AnswersWithTheFirstFaultAndItsPlace) {
  const std::string good = File(kGoodHead, "hello");
  EXPECT_EQ(AnswerTo(good),
            (Json{{"id", 7}, {"valid", true}, {"records", 2}, {"offset", nullptr}, {"fault", nullptr}}));
  EXPECT_EQ(AnswerTo(good.substr(0, good.size() - 1)), (Json{{"id", 7},
                                                             {"valid", false},
                                                             {"records", 1},
                                                             {"offset", good.find("\x1f\x8b", 1)},
                                                             {"fault", "the file ends within its gzip member"}}));
  EXPECT_EQ(AnswerTo(File("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", "hello"))["fault"],
            "its payload is not coded as Content-Encoding says: gzip")
      << "runtime's decoders are asked";
  EXPECT_EQ(AnswerTo("")["fault"], "the file has no record");
}

TEST(CheckWarc, AWaczIsAZip) {
  for (const char* const begin : {"PK\x03\x04", "PK\x05\x06"}) {
    const Json answer = AnswerTo(std::string(begin) + std::string(64, '\x14'));
    EXPECT_EQ(answer["valid"], false);
    EXPECT_EQ(answer["fault"],
              "the file is a ZIP, as a WACZ is; unpack it, and check the files of its folder archive/");
  }
  EXPECT_EQ(AnswerTo("PKZIP")["fault"], "it is no WARC record");
}

TEST(CheckWarc, AnIdComesOnce) {
  const Json answer = AnswerTo(File(kGoodHead, "hello", "S/f#0"));
  EXPECT_EQ(answer["fault"],
            "its WARC-Record-ID is that of an earlier record: " + WarcIdOf("S/f#0", WarcType::kResponse));
  EXPECT_GT(answer["offset"], 0);
}

TEST(CheckWarc, PrintsForPeopleAndExitsWith3) {
  const TemporaryFolder folder;
  const auto write = [&folder](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.path() + "/" + name, std::ios::binary) << bytes;
    return folder.path() + "/" + name;
  };
  const std::string good = write("good", File(kGoodHead, "hello"));
  const std::string bad = write("bad", File("HTTP/2 200 \r\n\r\n", "hello"));
  const BinaryResult valid = Trawl({"check", "warc", good});
  EXPECT_EQ(valid.exit_code, 0) << valid.err;
  EXPECT_EQ(valid.out.substr(0, good.size() + 18), good + ": valid, 2 records");
  const BinaryResult both = Trawl({"check", "warc", bad, good});
  EXPECT_EQ(both.exit_code, 3);
  EXPECT_NE(both.out.find(": its HTTP status line is wrong: HTTP/2 200 \n" + bad +
                          ": not valid; 2 records could be read\n" + good + ": valid"),
            std::string::npos)
      << both.out;
  EXPECT_EQ((*ParseJson(Trawl({"check", "warc", "--json", bad}).out))["valid"], false);
  const BinaryResult missing = Trawl({"check", "warc", folder.path() + "/none"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_NE(missing.err.find("none: cannot be read"), std::string::npos) << missing.err;
}

TEST(CheckWarc, SaysWhatToTypeInstead) {
  const TemporaryFolder folder;
  for (const std::string& no_file : {folder.path(), std::string("-"), std::string("https://a.example/a.warc.gz")}) {
    const BinaryResult result = Trawl({"check", "warc", no_file});
    EXPECT_EQ(result.exit_code, 2) << no_file;
    EXPECT_NE(result.err.find("name "), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace trawl
