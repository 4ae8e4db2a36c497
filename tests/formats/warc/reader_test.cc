#include "formats/warc/reader.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "formats/text/deflate.h"
#include "formats/warc/http_head.h"
#include "formats/warc/record.h"
#include "runtime/decode/payload_decoder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/encode.h"

namespace trawl {
namespace {

const WarcRecords kRecords(WarcDigest::kSha1);

// One record of each type, as an archive has them.
std::vector<std::string> RecordsOfEachType() {
  const WarcFileInfo info = {.path = "a.warc.gz", .fields = {{"software", "trawl"}}};
  const WarcCapture capture = {.place = "S/f#0",
                               .url = "https://a.example/",
                               .began_ms = 1'767'268'800'250,
                               .address = "2001:db8::1",
                               .http_version = "1.1",
                               .tls_version = "TLSv1.3",
                               .warcinfo_id = info.Id()};
  WarcCapture again = capture, not_modified = capture;
  again.place = "S/f#1";
  not_modified.place = "S/f#2";
  again.main = not_modified.main = WarcType::kRevisit;
  const std::string head =
      WarcHttpHeadOf({.raw = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", .payload_bytes = 5}).text;
  const WarcOriginal original = {capture.MainId(), capture.url, capture.began_ms,
                                 WarcDigestOf(WarcDigest::kSha1, "hello")};
  std::vector<std::string> records(9);
  kRecords.Warcinfo(info, &records[0]);
  kRecords.Request(capture, "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", &records[1]);
  kRecords.Response(capture, head, {.bytes = "hello"}, &records[2]);
  kRecords.Metadata(capture, {{"fetchTimeMs", "3"}}, &records[3]);
  kRecords.SamePayload(again, head, original, &records[4]);
  kRecords.NotModified(not_modified, original, &records[5]);
  kRecords.Resource(not_modified, "text/plain", {.bytes = "Disallow: /"}, &records[6]);
  kRecords.Conversion(capture, "hello", "eng", &records[7]);
  kRecords.Response(again, "HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\n\r\n", {}, &records[8]);
  return records;
}

std::string Compressed(const std::vector<std::string>& records) {
  std::string file;
  GzipMembers members = *GzipMembers::Make(6);
  for (const std::string& record : records) file += *members.MemberOf(record);
  return file;
}

std::string Joined(const std::vector<std::string>& records) {
  std::string file;
  for (const std::string& record : records) file += record;
  return file;
}

struct Reading {
  std::vector<WarcRecord> records;
  std::vector<std::string> blocks;
  // The first one, as "OFFSET: WHAT".
  std::string fault;
};

// Reads the file in pieces of that many bytes.
Reading Read(std::string_view file, bool strict = true, size_t piece = 1 << 20) {
  Reading reading;
  WarcReading how = StrictWarcReading();
  how.strict = strict;
  std::string block;
  how.take_block = [&block](std::string_view bytes) { block += bytes; };
  WarcReader reader(
      [file, piece]() mutable -> arrow::Result<std::string_view> {
        const std::string_view next = file.substr(0, piece);
        file.remove_prefix(next.size());
        return next;
      },
      how);
  WarcRecord record;
  while (true) {
    const arrow::Result<bool> more = reader.Next(&record);
    EXPECT_OK(more);
    if (!more.ok() || !*more) return reading;
    reading.records.push_back(record);
    reading.blocks.push_back(std::exchange(block, ""));
    if (reading.fault.empty() && !record.fault.empty())
      reading.fault = std::to_string(record.offset) + ": " + record.fault;
  }
}

TEST(WarcReader, ReadsWhatIsWritten) {
  const std::vector<std::string> records = RecordsOfEachType();
  for (const bool is_gzip : {true, false}) {
    const std::string file = is_gzip ? Compressed(records) : Joined(records);
    for (const size_t piece : {size_t{1}, size_t{7}, size_t{1} << 20}) {
      const Reading reading = Read(file, true, piece);
      EXPECT_EQ(reading.fault, "");
      ASSERT_EQ(reading.records.size(), records.size());
      int64_t offset = 0;
      for (size_t i = 0; i < records.size(); ++i) {
        EXPECT_EQ(reading.records[i].offset, offset);
        const std::string alone =
            file.substr(static_cast<size_t>(offset), static_cast<size_t>(reading.records[i].length));
        EXPECT_EQ(alone, is_gzip ? Compressed({records[i]}) : records[i]) << "offset and length cut out one record";
        offset += reading.records[i].length;
      }
      EXPECT_EQ(offset, static_cast<int64_t>(file.size()));
      const WarcRecord& response = reading.records[2];
      EXPECT_EQ(response.type(), "response");
      EXPECT_EQ(response.target_uri(), "https://a.example/");
      EXPECT_EQ(response.http_status(), 200);
      EXPECT_EQ(response.payload_bytes, 5);
      EXPECT_EQ(response.http_head + "hello", reading.blocks[2]);
      EXPECT_EQ(reading.records[5].http_status(), -1);
    }
  }
}

TEST(WarcReader, EveryCutIsSeen) {
  const std::vector<std::string> records = RecordsOfEachType();
  for (const std::string& file : {Compressed(records), Joined(records)}) {
    const Reading whole = Read(file);
    for (size_t size = 1; size < file.size(); ++size) {
      const Reading reading = Read(std::string_view(file).substr(0, size));
      const bool is_border = std::any_of(whole.records.begin(), whole.records.end(), [size](const WarcRecord& record) {
        return record.offset == static_cast<int64_t>(size);
      });
      EXPECT_EQ(reading.fault.empty(), is_border) << size << " of " << file.size() << ": " << reading.fault;
    }
  }
}

TEST(WarcReader, EveryChangedByteOfATextIsSeen) {
  // In a plain file nothing but its own digests protects a block; what is left in heads must still make sense.
  const std::vector<std::string> records = RecordsOfEachType();
  const std::string& response = records[2];
  const size_t block = response.find("\r\n\r\n") + 4;
  for (size_t at = block; at < response.size(); ++at) {
    std::string damaged = response;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_NE(Read(damaged).fault, "") << at << ": " << response.substr(at, 20);
  }
  // gzip's own fields for the time and the system are not part of what it protects.
  const std::string file = Compressed({response});
  for (size_t at = 10; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_NE(Read(damaged).fault, "") << at;
  }
}

std::string With(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// A response with that HTTP message as its block.
std::string ResponseOf(std::string_view message, std::string_view more_fields = "") {
  return "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
         "WARC-Target-URI: http://a.example/\r\n" +
         std::string(more_fields) +
         "Content-Type: application/http; msgtype=response\r\nContent-Length: " + std::to_string(message.size()) +
         "\r\n\r\n" + std::string(message) + "\r\n\r\n";
}

// warcio's create_revisit_record without HTTP fields writes it so.
TEST(WarcReader, ARevisitNeedsNoBlock) {
  const std::string response = ResponseOf("");
  EXPECT_EQ(Read(response).fault, "0: its HTTP head has no end");
  EXPECT_EQ(Read(With(response, "WARC-Type: response",
                      "WARC-Type: revisit\r\nWARC-Profile: "
                      "http://netpreserve.org/warc/1.1/revisit/server-not-modified"))
                .fault,
            "");
  EXPECT_EQ(Read(With(ResponseOf("HTTP/1.1 200 OK\r\n"), "WARC-Type: response",
                      "WARC-Type: revisit\r\nWARC-Profile: "
                      "http://netpreserve.org/warc/1.1/revisit/server-not-modified"))
                .fault,
            "0: its HTTP head has no end");
}

TEST(WarcReader, FaultsOfFields) {
  const std::vector<std::string> records = RecordsOfEachType();
  const std::string &info = records[0], &request = records[1], &response = records[2], &metadata = records[3],
                    &revisit = records[4];
  const struct {
    std::string file, fault;
  } kCases[] = {
      {With(info, "WARC/1.1", "WARC/2.0"), "WARC/2.0 is no version of WARC"},
      {With(info, "WARC/1.1", "WORC/1.1"), "it is no WARC record"},
      {With(info, "WARC-Type: warcinfo\r\n", ""), "it has no WARC-Type"},
      {With(response, "WARC-Record-ID", "X-Record-ID"), "it has no WARC-Record-ID"},
      {With(response, "WARC-Date", "X-Date"), "it has no WARC-Date"},
      {With(response, "Content-Length", "X-Length"), "it has no Content-Length"},
      {With(response, "WARC-Target-URI", "X-URI"), "it has no WARC-Target-URI"},
      {With(response, "WARC-Date: ", "WARC-Date: 2026-01-01T00:00:00Z\r\nwarc-date: "),
       "WARC-Date stands there 2 times"},
      {With(request, "WARC-Concurrent-To: ", "WARC-Concurrent-To: <urn:x:y>\r\nWARC-Concurrent-To: "), ""},
      {With(response, "https://a.example/", "<https://a.example/>"),
       "WARC-Target-URI is no URI of RFC 3986: <https://a.example/>"},
      {With(response, "https://a.example/", "https://a.example/|"),
       "WARC-Target-URI is no URI of RFC 3986: https://a.example/|"},
      {With(With(response, "WARC/1.1", "WARC/1.0"), ":00.250Z", ":00.250Z"),
       "WARC-Date is no date of this version of WARC: 2026-01-01T12:00:00.250Z"},
      {With(With(With(response, "WARC/1.1", "WARC/1.0"), ":00.250Z", ":00Z"), "https://a.example/",
            "<https://a.example/>"),
       ""},
      {With(response, "WARC-Record-ID: <", "WARC-Record-ID: "),
       "WARC-Record-ID is no URI between < and >: " + std::string(WarcIdOf("S/f#0", WarcType::kResponse)).substr(1)},
      {With(info, "WARC-Filename: a.warc.gz", "WARC-Target-URI: http://a.example/"),
       "WARC-Target-URI does not belong to a record of type warcinfo"},
      {With(metadata, "WARC-Concurrent-To: ", "WARC-Payload-Digest: sha1:A\r\nWARC-Concurrent-To: "),
       "WARC-Payload-Digest does not belong to a record of type metadata"},
      {With(response, "WARC-IP-Address", "WARC-Refers-To: <urn:x:y>\r\nWARC-IP-Address"),
       "WARC-Refers-To does not belong to a record of type response"},
      {With(response, "2001:db8::1", "IP"), "WARC-IP-Address is no IP address: IP"},
      {With(revisit, "WARC-Payload-Digest", "X-Payload-Digest"),
       "a revisit with an identical payload has no WARC-Payload-Digest"},
      {With(revisit, "WARC-Profile", "X-Profile"), "it has no WARC-Profile"},
      {With(response, "WARC-Date: ", "WARC-Date\r\n: "), "a line of its head is no field: WARC-Date"},
      {With(response, "\r\nWARC-Date", "\nWARC-Date"), "a line of its head does not end with CR LF"},
      {With(response, "WARC-Date: ", "X: a\r\n b\r\nWARC-Date: "), "a field of its head is folded"},
      {With(response, "WARC-Date: ", "X: a\x01z\r\nWARC-Date: "), "X has a control character"},
      {With(response, "WARC-Date: ", "WARC-Truncated: too long\r\nWARC-Date: "),
       "WARC-Truncated is not one word: too long"},
      {With(response, "WARC-Date: ", "WARC-Profile:\r\nWARC-Date: "), "WARC-Profile is empty"},
      {With(response, "WARC-Payload-Digest: sha1:", "WARC-Payload-Digest: "),
       "WARC-Payload-Digest is no digest of the form ALGORITHM:VALUE: VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Read(test.file).fault, test.fault.empty() ? "" : "0: " + test.fault);
}

TEST(WarcReader, FaultsOfFraming) {
  const std::vector<std::string> records = RecordsOfEachType();
  const std::string &request = records[1], &response = records[2];
  const std::string second = std::to_string(request.size()), member = Compressed({response});
  const struct {
    std::string file, fault;
  } kCases[] = {
      {request + response.substr(0, response.size() - 2),
       second + ": its block is not followed by two line ends and nothing else"},
      {request.substr(0, request.size() - 2) + response,
       "0: its block is not followed by two line ends and nothing else"},
      {With(response, "Content-Length: 7", "Content-Length: 6"), "0: WARC-Block-Digest is not that of its block"},
      {With(response, "Content-Length: 7", "Content-Length: 9"),
       "0: the file ends within its block, 16 bytes before the end that Content-Length says"},
      {With(response, "Content-Length: 7", "Content-Length: -7"), "0: Content-Length is no number"},
      {With(response, "Content-Length: 7", "Content-Length: 9999999999999999999"), "0: Content-Length is no number"},
      {response + "rubbish", std::to_string(response.size()) + ": it is no WARC record"},
      {member + "rubbish", std::to_string(member.size()) + ": bytes that are no gzip member"},
      {member + std::string("\x1f\x8b rubbish"), std::to_string(member.size()) + ": its gzip member is damaged"},
      {Compressed({response, ""}), std::to_string(member.size()) + ": its gzip member is empty"},
      {Compressed({request + response}), "0: its gzip member has more than this record"},
      {Compressed({response + "\r\n"}), "0: its gzip member has more than this record"},
      {member.substr(0, member.size() - 1), "0: the file ends within its gzip member"},
      {"rubbish", "0: it is no WARC record"},
      {"", ""},
  };
  for (const auto& test : kCases) EXPECT_EQ(Read(test.file).fault, test.fault);
}

TEST(WarcReader, DigestsAreCompared) {
  const std::string response = RecordsOfEachType()[2];
  EXPECT_EQ(Read(With(response, "\r\n\r\nhello", "\r\n\r\nhullo")).fault,
            "0: WARC-Block-Digest is not that of its block");
  const std::string message = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  const auto fault_of = [&message](const std::string& digest) {
    return Read(ResponseOf(message, "WARC-Payload-Digest: " + digest + "\r\n")).fault;
  };
  EXPECT_EQ(fault_of("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"), "");
  EXPECT_EQ(fault_of("sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"), "") << "hex, as some write it";
  EXPECT_EQ(fault_of("SHA-256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"), "");
  EXPECT_EQ(fault_of("sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA===="), "")
      << "Base32, as some write it";
  EXPECT_EQ(fault_of("md5:whatever"), "") << "nobody can say";
  for (const char* const wrong : {"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n",
                                  "sha1:x", "sha256:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"})
    EXPECT_EQ(fault_of(wrong), "0: WARC-Payload-Digest is not that of its payload") << wrong;
}

TEST(WarcReader, FaultsOfHttpHeads) {
  const struct {
    std::string message, fault;
  } kCases[] = {
      {"HTTP/1.1 200 OK\nContent-Length: 1\n\nx", "a line of its HTTP head does not end with CR LF"},
      {"HTTP/2 200 \r\n\r\nx", "its HTTP status line is wrong: HTTP/2 200 "},
      {"HTTP/1.1 20 OK\r\n\r\nx", "its HTTP status line is wrong: HTTP/1.1 20 OK"},
      {"HTTP/1.1 200\r\n\r\nx", ""},
      {"HTTP/1.0 200 OK\r\nA: b\r\n folded\r\n\r\nx", ""},
      {"HTTP/1.1 200 OK\r\nno colon\r\n\r\nx", "a line of its HTTP head is no field: no colon"},
      {std::string("HTTP/1.1 200 OK\r\nA: \0\r\n\r\nx", 27), "its HTTP head has a control character"},
      {"HTTP/1.1 200 OK\r\nA: b\r\n", "its HTTP head has no end"},
      {"", "its HTTP head has no end"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx", "its HTTP head says Content-Length 2, its payload has 1 bytes"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\r\nx",
       "its HTTP head says Content-Length 1, its payload has 3 bytes"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
       "its HTTP head has two different values of Content-Length"},
      {"HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n", ""},
  };
  for (const auto& test : kCases)
    EXPECT_EQ(Read(ResponseOf(test.message)).fault, test.fault.empty() ? "" : "0: " + test.fault);
  EXPECT_EQ(Read(ResponseOf("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx", "WARC-Truncated: disconnect\r\n")).fault,
            "");
  EXPECT_EQ(Read(ResponseOf("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx",
                            "WARC-Segment-Number: 1\r\nWARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n"))
                .fault,
            "")
      << "the rest is in a continuation";
  const std::string request = RecordsOfEachType()[1];
  EXPECT_EQ(Read(With(With(request, "WARC-Block-Digest", "X-Digest"), "GET / HTTP/1.1", "GET  / HTTP/11")).fault,
            "0: its HTTP request line is wrong: GET  / HTTP/11");
}

// What no other validator sees: a body that was decoded under a head that was not told.
TEST(WarcReader, APayloadIsCodedAsItsHeadSays) {
  const std::string page = "<html>" + std::string(100, 'x');
  for (const char* const coding : {"gzip", "x-gzip", "deflate", "br", "zstd", "gzip, br"}) {
    std::string coded = page;
    if (std::string_view(coding) == "gzip, br") {
      coded = Brotli(Gzip(page));
    } else {
      coded = EncodeContent(std::string_view(coding) == "x-gzip" ? "gzip" : coding, page);
    }
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Encoding: " + std::string(coding) + "\r\n\r\n";
    EXPECT_EQ(Read(ResponseOf(head + coded)).fault, "") << coding;
    EXPECT_NE(Read(ResponseOf(head + page)).fault.find("its payload is not coded as Content-Encoding says"),
              std::string::npos)
        << coding;
    const std::string cut = head + coded.substr(0, coded.size() - 9);
    EXPECT_NE(Read(ResponseOf(cut)).fault, "") << coding;
    EXPECT_EQ(Read(ResponseOf(cut, "WARC-Truncated: disconnect\r\n")).fault, "") << coding;
    EXPECT_EQ(Read(ResponseOf(head)).fault, "") << coding << ": nothing is coded in nothing";
  }
  EXPECT_EQ(Read(ResponseOf("HTTP/1.1 200 OK\r\nContent-Encoding: foo\r\n\r\n" + page)).fault, "");
}

TEST(WarcReader, ChunksAreChunks) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string chunks = "3;x=y\r\nhel\r\n02\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n";
  const std::string content_digest = "WARC-Payload-Digest: " + WarcDigestOf(WarcDigest::kSha1, "hello") + "\r\n";
  const std::string raw_digest = "WARC-Payload-Digest: " + WarcDigestOf(WarcDigest::kSha1, chunks) + "\r\n";
  EXPECT_EQ(Read(ResponseOf(head + chunks, content_digest)).fault, "");
  EXPECT_EQ(Read(ResponseOf(head + chunks, raw_digest)).fault, "") << "as wget and warcio write it";
  EXPECT_EQ(Read(ResponseOf(head + chunks, content_digest), true, 1).fault, "");
  for (const char* const wrong :
       {"hello\r\n", "5\r\nhello0\r\n\r\n", "\r\n", "11111111111111111\r\nhello", "5\r\nhello\r\n0\r\n\r\nx"})
    EXPECT_EQ(Read(ResponseOf(head + wrong)).fault, "0: its HTTP head says chunked, its payload has no chunks")
        << wrong;
  EXPECT_EQ(Read(ResponseOf(head + "5\r\nhello\r\n")).fault, "0: the last chunk of its payload is missing");
  EXPECT_EQ(Read(ResponseOf(head + "5\r\nhel", "WARC-Truncated: length\r\n")).fault, "");
}

TEST(WarcReader, ReadsOnAfterAFault) {
  std::vector<std::string> records = RecordsOfEachType();
  records[2] = With(records[2], "hello", "hullo");
  const Reading reading = Read(Compressed(records));
  EXPECT_EQ(reading.records.size(), records.size());
  EXPECT_FALSE(reading.records[2].fault.empty());
  EXPECT_TRUE(reading.records[3].fault.empty());
}

TEST(WarcReader, AReaderOfOthersArchivesForgives) {
  std::vector<std::string> records = RecordsOfEachType();
  for (std::string& record : records) {
    record = With(record, "WARC-Date: ", "No field\r\nWARC-Date: ");
    record.resize(record.size() - 2);
  }
  const Reading one_member = Read(Compressed({Joined(records)}), /*strict=*/false);
  EXPECT_EQ(one_member.fault, "");
  EXPECT_EQ(one_member.records.size(), records.size());
  const Reading plain = Read(Joined(records), /*strict=*/false);
  EXPECT_EQ(plain.fault, "");
  EXPECT_EQ(plain.records.size(), records.size());
  EXPECT_EQ(plain.records[2].http_status(), 200);
  EXPECT_EQ(Read("WARC/1.1\nWARC-Type: x\nContent-Length: 2\n\nab\n\n\n\n\n", /*strict=*/false).fault, "");
}

TEST(WarcReader, LongRecordsTakeNoMemory) {
  // A member of 100 MB of which the text is a gigabyte would do the same.
  const std::string head = "HTTP/1.1 200 OK\r\n\r\n";
  const std::string file = Compressed({ResponseOf(head + std::string(size_t{32} << 20, 'x'))});
  size_t longest = 0;
  WarcReading how = StrictWarcReading();
  how.take_block = [&longest](std::string_view bytes) { longest = std::max(longest, bytes.size()); };
  WarcReader reader(SourceOf(file), how);
  WarcRecord record;
  ASSERT_OK_AND_ASSIGN(const bool has_record, reader.Next(&record));
  EXPECT_TRUE(has_record && record.fault.empty()) << record.fault;
  EXPECT_EQ(record.payload_bytes, int64_t{32} << 20);
  EXPECT_LT(longest, size_t{256} << 10);
}

}  // namespace
}  // namespace trawl
