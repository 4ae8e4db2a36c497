#include "formats/cdx/cdxj.h"

#include <gtest/gtest.h>

#include "formats/documents/json.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

CaptureRow Page() {
  CaptureRow row;
  row.key = "com,example)/a";
  row.url = "https://example.com/a";
  row.began_ms = 1767225599999;  // 2025-12-31T23:59:59.999Z
  row.record_type = "response";
  row.subset = "warc";
  row.segment = "20260101T000000Z-00000001";
  row.status = 200;
  row.mime = "text/html";
  row.mime_detected = "application/xhtml+xml";
  row.digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  row.charset = "UTF-8";
  row.languages = "deu,eng";
  row.filename = "crawl-data/T/segments/S/warc/T-00000.warc.gz";
  row.offset = 1234;
  row.length = 567;
  return row;
}

std::string LineOf(const CaptureRow& row) {
  std::string line;
  AppendCdxjLine(row, &line);
  return line;
}

// The second is cut, not rounded: readers look for it in WARC-Date.
TEST(Cdxj, ALineHasCommonCrawlsFieldsInTheirOrder) {
  EXPECT_EQ(LineOf(Page()),
            "com,example)/a 20251231235959 {\"url\": \"https://example.com/a\", \"mime\": \"text/html\", "
            "\"mime-detected\": \"application/xhtml+xml\", \"status\": \"200\", "
            "\"digest\": \"3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\", \"length\": \"567\", \"offset\": \"1234\", "
            "\"filename\": \"crawl-data/T/segments/S/warc/T-00000.warc.gz\", \"charset\": \"UTF-8\", "
            "\"languages\": \"deu,eng\"}\n");
}

TEST(Cdxj, ARevisitIsNamedAndWhatIsUnknownIsLeftOut) {
  CaptureRow row = Page();
  row.record_type = "revisit";
  row.truncated = "length";
  row.charset = row.languages = "";
  EXPECT_EQ(LineOf(row),
            "com,example)/a 20251231235959 {\"url\": \"https://example.com/a\", \"mime\": \"warc/revisit\", "
            "\"status\": \"200\", \"digest\": \"3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\", \"length\": \"567\", "
            "\"offset\": \"1234\", \"filename\": \"crawl-data/T/segments/S/warc/T-00000.warc.gz\", "
            "\"truncated\": \"length\"}\n");
  row = Page();
  row.record_type = "resource";
  row.status = -1;
  row.mime = row.mime_detected = "";
  row.digest = "sha256:e3b0";
  row.redirect = "https://example.com/b";
  const Json json = *ParseJson(std::string_view(LineOf(row)).substr(30));
  EXPECT_EQ(json["mime"], "unk");
  EXPECT_FALSE(json.contains("status"));
  EXPECT_EQ(json["digest"], "sha256:e3b0");
  EXPECT_EQ(json["redirect"], "https://example.com/b");
}

// As Python's json.dumps does it, which others' lines come from.
TEST(Cdxj, TextsAreEscapedToAscii) {
  CaptureRow row = Page();
  row.redirect = "\"\\\n\x7f\xC3\xA9\xE2\x82\xAC\xF0\x9F\xA7\xA0\xFF";
  const std::string line = LineOf(row);
  EXPECT_NE(line.find("\"redirect\": \"\\\"\\\\\\u000a\x7f\\u00e9\\u20ac\\ud83e\\udde0\\ufffd\"}\n"), std::string::npos)
      << line;
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(Cdxj, OwnAndOthersLinesAreRead) {
  CdxLine line;
  const struct {
    const char *text, *url, *digest;
    int64_t time_ms;
  } cases[] = {
      {"com,example)/ 20260101000000 {\"url\": \"http://example.com/\", \"digest\": \"sha1:ABC\"}",
       "http://example.com/", "sha1:ABC", 1767225600000},
      {"com,example)/ 20260101000000123 {\"uri\": \"http://example.com/\"}\r", "http://example.com/", "",
       1767225600000},
      {"com,example)/ 20260101000000 http://example.com/ text/html 200 ABC - - 10 20 a.warc.gz", "http://example.com/",
       "ABC", 1767225600000},
      {"com,example)/ 20260101000000 http://example.com/ text/html 200 - - 20 a.warc.gz", "http://example.com/", "",
       1767225600000},
      {"- 20240229235960 {\"url\": \"x\", \"status\": 200}", "x", "", 1709251200000},
      {"- 20260101000000 {\"url\": \"x\", \"digest\": null}", "x", "", 1767225600000},
  };
  for (const auto& c : cases) {
    const auto read = ReadCdxLine(c.text, &line);
    ASSERT_OK(read.status()) << c.text;
    EXPECT_TRUE(*read);
    EXPECT_EQ(line.url, c.url) << c.text;
    EXPECT_EQ(line.digest, c.digest) << c.text;
    EXPECT_EQ(line.time_ms, c.time_ms) << c.text;
  }
  for (const char* text : {"", "\r", " CDX N b a m s k r M S V g", "!meta 0 {\"format\": \"cdxj-gzip-1.0\"}"}) {
    const auto read = ReadCdxLine(text, &line);
    ASSERT_OK(read.status()) << text;
    EXPECT_FALSE(*read) << text;
  }
}

TEST(Cdxj, WhatIsNoLineIsRefusedWithAReason) {
  const struct {
    const char *text, *reason;
  } cases[] = {
      {"https://example.com/", "'' is not a time such as"},
      {"com,example)/ 20261301000000 {}", "'20261301000000' is not a time"},
      {"com,example)/ 2026 {\"url\": \"x\"}", "'2026' is not a time"},
      {"com,example)/ 20260101000000 {\"url\": 1}", "url"},
      {"com,example)/ 20260101000000 {\"mime\": \"a\"}", "uri"},
      {"com,example)/ 20260101000000 {\"url\": \"x\"", ""},
      {"com,example)/ 20260101000000\tcdx-00000.gz\t0\t10\t1", "is not a time"},
      {"com,example)/ 20260101000000 http://example.com/", "neither JSON nor the fields of a CDX"},
  };
  CdxLine line;
  for (const auto& c : cases) {
    const auto read = ReadCdxLine(c.text, &line);
    ASSERT_FALSE(read.ok()) << c.text;
    EXPECT_NE(read.status().message().find(c.reason), std::string::npos) << c.text << ": " << read.status();
  }
}

}  // namespace
}  // namespace trawl
