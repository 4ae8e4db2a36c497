#include "formats/http/head.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

using Step = HttpHeadReader::Step;

// Feeds `text` line by line and returns the last step.
Step Read(HttpHeadReader& reader, std::string_view text) {
  Step step = Step::kMore;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    step = reader.Take(text.substr(0, end));
    if (step == Step::kTooLarge || step == Step::kConflict) return step;
    text.remove_prefix(end);
  }
  return step;
}

TEST(HttpHead, KeepsRawBytesAndTheFieldsThatCount) {
  HttpHeadReader reader({});
  const std::string head =
      "HTTP/1.1 301 Moved\r\ncontent-TYPE: text/html;\r\n charset=utf-8\r\nLocation: /a\r\nLocation: /b\r\n"
      "Content-Encoding: gzip\r\nContent-Encoding: br\r\nContent-Length: 12\r\nX: \xff\r\n\r\n";
  EXPECT_EQ(Read(reader, head), Step::kEnd);
  EXPECT_EQ(reader.raw(), head);
  EXPECT_EQ(reader.status(), 301);
  EXPECT_EQ(reader.content_type(), "text/html; charset=utf-8");
  EXPECT_EQ(reader.location(), "/a");
  EXPECT_EQ(reader.codings(), "gzip, br");
  EXPECT_EQ(reader.content_length(), 12);
}

TEST(HttpHead, TransferCodingsStandBehindContentCodings) {
  HttpHeadReader reader({});
  EXPECT_EQ(Read(reader, "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\nContent-Encoding: br\r\n\r\n"),
            Step::kEnd);
  EXPECT_EQ(reader.codings(), "br, gzip");
}

TEST(HttpHead, InterimAnswersAreForgotten) {
  HttpHeadReader reader({});
  EXPECT_EQ(Read(reader, "HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\nLocation: /x\r\n\r\n"), Step::kInterimEnd);
  EXPECT_EQ(Read(reader, "HTTP/1.1 200 OK\r\n\r\n"), Step::kEnd);
  EXPECT_EQ(reader.content_length(), -1);
  EXPECT_EQ(reader.location(), "");
  EXPECT_EQ(reader.raw(), "HTTP/1.1 200 OK\r\n\r\n");
}

TEST(HttpHead, LengthsFollowTheFetchStandard) {
  // Fetch, "extract a length": "If candidateValue … is not … value, then return failure"; "If … is not one or more
  // ASCII digits … return null".
  const struct {
    const char* fields;
    Step step;
    int64_t length;
  } kCases[] = {
      {"Content-Length: 30\r\n", Step::kEnd, 30},
      {"Content-Length: 30,30,  30  \r\nContent-Length: 30  \r\n", Step::kEnd, 30},
      {"Content-Length: 030\r\n", Step::kEnd, 30},
      {"Content-Length: 30,42\r\n", Step::kConflict, -1},
      {"Content-Length: 030\r\nContent-Length: 30\r\n", Step::kConflict, -1},
      {"Content-Length: 30,\r\n", Step::kConflict, -1},
      {"Content-Length: \r\nContent-Length: 30\r\n", Step::kConflict, -1},
      {"Content-Length: aaaah\r\nContent-Length: nah\r\n", Step::kConflict, -1},
      {"Content-Length: 30s\r\n", Step::kEnd, -1},
      {"Content-Length: -1\r\n", Step::kEnd, -1},
      {"Content-Length: \r\n", Step::kEnd, -1},
      {"Content-Length: 99999999999999999999\r\n", Step::kEnd, -1},
      {"Content-Length: 1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n", Step::kEnd, -1},
  };
  for (const auto& c : kCases) {
    HttpHeadReader reader({});
    EXPECT_EQ(Read(reader, "HTTP/1.1 200 OK\r\n" + std::string(c.fields) + "\r\n"), c.step) << c.fields;
    if (c.step == Step::kEnd) {
      EXPECT_EQ(reader.content_length(), c.length) << c.fields;
    }
  }
}

TEST(HttpHead, LimitsCountInterimAnswersAndTrailers) {
  HttpHeadReader interim({.max_bytes = 1 << 20, .max_fields = 10});
  EXPECT_EQ(Read(interim, "HTTP/1.1 100 C\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: 5\r\nF: 6\r\n\r\n"), Step::kInterimEnd);
  EXPECT_EQ(Read(interim, "HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n"), Step::kEnd);
  EXPECT_EQ(interim.Take("Trailer: 1\r\n"), Step::kTooLarge);
  EXPECT_EQ(interim.Excess(), "more than 10 header fields");

  HttpHeadReader large({.max_bytes = 100, .max_fields = 10});
  EXPECT_EQ(Read(large, "HTTP/1.1 200 OK\r\nA: " + std::string(100, 'a') + "\r\n\r\n"), Step::kTooLarge);
  EXPECT_EQ(large.Excess(), "more than 100 bytes of headers");
  HttpHeadReader endless({.max_bytes = 1000, .max_fields = 1000});
  Step step = Step::kMore;
  for (int i = 0; i < 100 && step != Step::kTooLarge; ++i) step = Read(endless, "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(step, Step::kTooLarge) << "interim answers without end";
}

TEST(HttpHead, OddLinesDoNotHarm) {
  HttpHeadReader reader({});
  EXPECT_EQ(Read(reader, "HTTP/1.1\r\nno colon\r\n: no name\r\n \r\n"), Step::kEnd) << "a line of blanks ends it";
  EXPECT_EQ(reader.status(), 0);
  HttpHeadReader fold({});
  EXPECT_EQ(Read(fold, "HTTP/1.1 200 OK\r\n folded onto nothing\r\n\r\n"), Step::kEnd);
}

}  // namespace
}  // namespace trawl
