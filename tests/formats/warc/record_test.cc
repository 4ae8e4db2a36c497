#include "formats/warc/record.h"

#include <gtest/gtest.h>

#include "formats/warc/http_head.h"

namespace trawl {
namespace {

const WarcRecords kRecords(WarcDigest::kSha1);

WarcCapture Capture() {
  return {.place = "S/f.orc#0",
          .url = "https://a.example/|?q=\xc3\xa4",
          .began_ms = 1'767'268'800'250,
          .address = "93.184.216.34",
          .http_version = "2",
          .tls_version = "TLSv1.3",
          .warcinfo_id = "<urn:uuid:info>"};
}

const WarcOriginal kOriginal = {.id = "<urn:uuid:first>",
                                .url = "https://a.example/first",
                                .began_ms = 1'767'182'400'000,
                                .digest = "sha1:2AAESGI5LBNDRYZ7RSQZRAHLDSBJYLXE"};

// The golden records: archives that are written again have the same bytes, so these never change.

TEST(WarcRecord, Warcinfo) {
  std::string record;
  kRecords.Warcinfo({.path = "crawl-data/N/segments/S/warc/N-1-2-00000.warc.gz",
                     .opened_ms = 1'767'268'800'000,
                     .fields = {{"software", "trawl/0.2.0"}, {"operator", "me\r\nrobots: ignore"}}},
                    &record);
  EXPECT_EQ(record,
            "WARC/1.1\r\n"
            "WARC-Type: warcinfo\r\n"
            "WARC-Record-ID: <urn:uuid:39798e16-129f-5619-bd88-30ea355d25e6>\r\n"
            "WARC-Date: 2026-01-01T12:00:00.000Z\r\n"
            "WARC-Filename: N-1-2-00000.warc.gz\r\n"
            "WARC-Block-Digest: sha1:IXIU3VR6KSKN57ICOYOVGLWDNIL35HR7\r\n"
            "Content-Type: application/warc-fields\r\n"
            "Content-Length: 176\r\n"
            "\r\n"
            "software: trawl/0.2.0\r\n"
            "operator: me  robots: ignore\r\n"
            "format: WARC File Format 1.1\r\n"
            "conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
            "\r\n"
            "\r\n");
}

TEST(WarcRecord, Request) {
  std::string record;
  kRecords.Request(Capture(), "GET /%7C?q=%C3%A4 HTTP/1.1\r\nHost: a.example\r\n\r\n", &record);
  EXPECT_EQ(record,
            "WARC/1.1\r\n"
            "WARC-Type: request\r\n"
            "WARC-Record-ID: <urn:uuid:7ab0c187-f7c3-599c-bac2-3160a796ccb4>\r\n"
            "WARC-Date: 2026-01-01T12:00:00.250Z\r\n"
            "WARC-Target-URI: https://a.example/%7C?q=%C3%A4\r\n"
            "WARC-Warcinfo-ID: <urn:uuid:info>\r\n"
            "WARC-IP-Address: 93.184.216.34\r\n"
            "WARC-Protocol: h2\r\n"
            "WARC-Protocol: tls/1.3\r\n"
            "WARC-Concurrent-To: <urn:uuid:e6fba14f-2ec5-5b9b-89a6-8bc828311495>\r\n"
            "WARC-Block-Digest: sha1:Y35QYMGL4KXQD4KN3WWRLKXI5IPFVBA4\r\n"
            "Content-Type: application/http;msgtype=request\r\n"
            "Content-Length: 47\r\n"
            "\r\n"
            "GET /%7C?q=%C3%A4 HTTP/1.1\r\nHost: a.example\r\n\r\n"
            "\r\n"
            "\r\n");
}

TEST(WarcRecord, Response) {
  const WarcHttpHead head = WarcHttpHeadOf({.raw = "HTTP/2 200 \r\ncontent-encoding: br\r\n\r\n", .payload_bytes = 4});
  std::string record = "what was there before";
  kRecords.Response(Capture(), head.text, {.bytes = "<p>\n", .truncated = "length", .identified_type = "text/html"},
                    &record);
  EXPECT_EQ(record,
            "WARC/1.1\r\n"
            "WARC-Type: response\r\n"
            "WARC-Record-ID: <urn:uuid:e6fba14f-2ec5-5b9b-89a6-8bc828311495>\r\n"
            "WARC-Date: 2026-01-01T12:00:00.250Z\r\n"
            "WARC-Target-URI: https://a.example/%7C?q=%C3%A4\r\n"
            "WARC-Warcinfo-ID: <urn:uuid:info>\r\n"
            "WARC-IP-Address: 93.184.216.34\r\n"
            "WARC-Protocol: h2\r\n"
            "WARC-Protocol: tls/1.3\r\n"
            "WARC-Payload-Digest: sha1:FK6QWEG3X6NGVPSKIBQ5PH2QQTFX3VMR\r\n"
            "WARC-Truncated: length\r\n"
            "WARC-Identified-Payload-Type: text/html\r\n"
            "WARC-Block-Digest: sha1:2AUUH2GDTNBNE662TH2KTHPUHLTKTNTM\r\n"
            "Content-Type: application/http;msgtype=response\r\n"
            "Content-Length: 72\r\n"
            "\r\n"
            "HTTP/1.1 200 \r\nX-Crawler-content-encoding: br\r\nContent-Length: 4\r\n\r\n<p>\n"
            "\r\n"
            "\r\n");
}

TEST(WarcRecord, RevisitOfTheSamePayload) {
  std::string record;
  WarcCapture capture = Capture();
  capture.main = WarcType::kRevisit;
  kRecords.SamePayload(capture, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", kOriginal, &record);
  EXPECT_EQ(record,
            "WARC/1.1\r\n"
            "WARC-Type: revisit\r\n"
            "WARC-Record-ID: <urn:uuid:f2dfc28b-4504-5082-ae09-975639f60c2d>\r\n"
            "WARC-Date: 2026-01-01T12:00:00.250Z\r\n"
            "WARC-Target-URI: https://a.example/%7C?q=%C3%A4\r\n"
            "WARC-Warcinfo-ID: <urn:uuid:info>\r\n"
            "WARC-IP-Address: 93.184.216.34\r\n"
            "WARC-Protocol: h2\r\n"
            "WARC-Protocol: tls/1.3\r\n"
            "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
            "WARC-Refers-To: <urn:uuid:first>\r\n"
            "WARC-Refers-To-Target-URI: https://a.example/first\r\n"
            "WARC-Refers-To-Date: 2025-12-31T12:00:00.000Z\r\n"
            "WARC-Payload-Digest: sha1:2AAESGI5LBNDRYZ7RSQZRAHLDSBJYLXE\r\n"
            "WARC-Truncated: length\r\n"
            "WARC-Block-Digest: sha1:LFULQNKXAUNFZYX4PLBDTN7DYLITGYIM\r\n"
            "Content-Type: application/http;msgtype=response\r\n"
            "Content-Length: 38\r\n"
            "\r\n"
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
            "\r\n"
            "\r\n");
}

TEST(WarcRecord, RevisitThatWasNotModifiedHasNoBlock) {
  std::string record;
  WarcCapture capture = Capture();
  capture.http_version = "1.1";
  capture.tls_version.clear();
  capture.address.clear();
  kRecords.NotModified(capture, kOriginal, &record);
  EXPECT_EQ(record,
            "WARC/1.1\r\n"
            "WARC-Type: revisit\r\n"
            "WARC-Record-ID: <urn:uuid:f2dfc28b-4504-5082-ae09-975639f60c2d>\r\n"
            "WARC-Date: 2026-01-01T12:00:00.250Z\r\n"
            "WARC-Target-URI: https://a.example/%7C?q=%C3%A4\r\n"
            "WARC-Warcinfo-ID: <urn:uuid:info>\r\n"
            "WARC-Protocol: http/1.1\r\n"
            "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\r\n"
            "WARC-Refers-To: <urn:uuid:first>\r\n"
            "WARC-Refers-To-Target-URI: https://a.example/first\r\n"
            "WARC-Refers-To-Date: 2025-12-31T12:00:00.000Z\r\n"
            "WARC-Block-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n"
            "Content-Length: 0\r\n"
            "\r\n"
            "\r\n"
            "\r\n");
}

TEST(WarcRecord, Metadata) {
  std::string record;
  kRecords.Metadata(Capture(), {{"fetchTimeMs", "31"}, {"via", "a\x0d\x0aWARC-Type: x\r\n"}}, &record);
  EXPECT_EQ(record,
            "WARC/1.1\r\n"
            "WARC-Type: metadata\r\n"
            "WARC-Record-ID: <urn:uuid:e7a5f0ac-8aed-583e-913b-eea625c174bf>\r\n"
            "WARC-Date: 2026-01-01T12:00:00.250Z\r\n"
            "WARC-Target-URI: https://a.example/%7C?q=%C3%A4\r\n"
            "WARC-Warcinfo-ID: <urn:uuid:info>\r\n"
            "WARC-Concurrent-To: <urn:uuid:e6fba14f-2ec5-5b9b-89a6-8bc828311495>\r\n"
            "WARC-Block-Digest: sha1:DJPIYLAXQLPCVM3FDJ36DI6TV6DD6NYI\r\n"
            "Content-Type: application/warc-fields\r\n"
            "Content-Length: 39\r\n"
            "\r\n"
            "fetchTimeMs: 31\r\n"
            "via: a  WARC-Type: x\r\n"
            "\r\n"
            "\r\n");
}

TEST(WarcRecord, ResourceAndConversion) {
  std::string record;
  WarcCapture capture = Capture();
  capture.main = WarcType::kResource;
  kRecords.Resource(capture, "text/plain", {.bytes = "Disallow:"}, &record);
  EXPECT_NE(record.find("WARC-Type: resource\r\nWARC-Record-ID: " + capture.MainId() + "\r\n"), std::string::npos);
  EXPECT_NE(record.find("WARC-Payload-Digest: sha1:TICDKZVAZ2KVZ7V6SSQ7IJXZ6KDIEVSD\r\n"
                        "WARC-Block-Digest: sha1:TICDKZVAZ2KVZ7V6SSQ7IJXZ6KDIEVSD\r\n"
                        "Content-Type: text/plain\r\nContent-Length: 9\r\n\r\nDisallow:\r\n\r\n"),
            std::string::npos)
      << record;
  kRecords.Conversion(Capture(), "Titel\nText", "deu", &record);
  EXPECT_NE(record.find("WARC-Warcinfo-ID: <urn:uuid:info>\r\n"
                        "WARC-Refers-To: " +
                        Capture().MainId() +
                        "\r\n"
                        "WARC-Identified-Content-Language: deu\r\n"
                        "WARC-Block-Digest: sha1:OJEN6Y7BCSAASIRVD2WNNMYKPARWZUGC\r\n"
                        "Content-Type: text/plain\r\nContent-Length: 10\r\n\r\nTitel\nText\r\n\r\n"),
            std::string::npos)
      << record;
}

TEST(WarcRecord, ProtocolsAreNamedAsWarcProtocolProposes) {
  const struct {
    std::string http, tls, lines;
  } kCases[] = {{"1.0", "", "WARC-Protocol: http/1.0\r\n"},
                {"2", "", "WARC-Protocol: h2c\r\n"},
                {"1.1", "TLSv1", "WARC-Protocol: http/1.1\r\nWARC-Protocol: tls/1.0\r\n"},
                {"1.1", "TLSv1.2", "WARC-Protocol: http/1.1\r\nWARC-Protocol: tls/1.2\r\n"},
                {"", "", ""}};
  for (const auto& test : kCases) {
    WarcCapture capture = Capture();
    capture.http_version = test.http;
    capture.tls_version = test.tls;
    std::string record;
    kRecords.Request(capture, "GET / HTTP/1.1\r\n\r\n", &record);
    EXPECT_NE(record.find("WARC-IP-Address: 93.184.216.34\r\n" + test.lines + "WARC-Concurrent-To"), std::string::npos)
        << record;
  }
}

TEST(WarcRecord, DigestsMayBeSha256) {
  std::string record;
  WarcRecords(WarcDigest::kSha256).Resource(Capture(), "text/plain", {.bytes = ""}, &record);
  EXPECT_NE(
      record.find("WARC-Payload-Digest: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\r\n"
                  "WARC-Block-Digest: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\r\n"
                  "Content-Length: 0\r\n"),
      std::string::npos);
}

}  // namespace
}  // namespace trawl
