// Input: a first byte of options, then either a file for the reader, or a head, a URL and a value of which records are made:
// the reader finds no fault in what we write ourselves, whatever a server sends.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/text/deflate.h"
#include "formats/warc/http_head.h"
#include "formats/warc/reader.h"
#include "formats/warc/record.h"
#include "runtime/decode/payload_decoder.h"

namespace {

using trawl::WarcReader;
using trawl::WarcRecord;

// Reads to the end; the number of records without a fault.
int Read(std::string_view file, bool strict, size_t piece_bytes) {
  trawl::WarcReading reading = trawl::StrictWarcReading();
  reading.strict = strict;
  const size_t size = file.size();
  WarcReader reader(
      [file, piece_bytes]() mutable -> arrow::Result<std::string_view> {
        const std::string_view piece = file.substr(0, piece_bytes);
        file.remove_prefix(piece.size());
        return piece;
      },
      reading);
  WarcRecord record;
  int whole = 0;
  for (bool is_over = false; *reader.Next(&record); is_over = record.is_last) {
    if (is_over || record.offset < 0 || record.length < 0) std::abort();
    if (record.offset + record.length > static_cast<int64_t>(size)) std::abort();
    if (record.is_last && record.fault.empty()) std::abort();
    whole += record.fault.empty() ? 1 : 0;
    record.http_status();
    record.target_uri();
  }
  return whole;
}

void Write(std::string_view head, std::string_view text, std::string_view payload) {
  const trawl::WarcRecords records(trawl::WarcDigest::kSha1);
  static trawl::GzipMembers members = *trawl::GzipMembers::Make(1);
  const trawl::WarcCapture capture = {
      .place = std::string(text), .url = "http://a.example/" + std::string(text), .http_version = "1.1"};
  std::string record, file;
  const auto add = [&] { file += *members.MemberOf(record); };
  const trawl::WarcHttpHead made =
      trawl::WarcHttpHeadOf({.raw = head, .payload_bytes = static_cast<int64_t>(payload.size())});
  records.Response(capture, made.text, {.bytes = payload}, &record);
  add();
  records.Metadata(capture, {{"via", std::string(text)}}, &record);
  add();
  records.SamePayload(capture, made.text,
                      {.id = capture.MainId(), .url = capture.url, .digest = WarcDigestOf(records.digest(), payload)},
                      &record);
  add();
  if (Read(file, true, 1 << 16) != 3) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] & 0x80) {
    const size_t first = std::min(input.find('\xff'), input.size());
    const std::string_view rest = input.substr(std::min(first + 1, input.size()));
    const size_t second = std::min(rest.find('\xff'), rest.size());
    Write(input.substr(0, first), rest.substr(0, second), rest.substr(std::min(second + 1, rest.size())));
    return 0;
  }
  const size_t piece_bytes = size_t{1} << (data[0] % 16);
  Read(input, data[0] & 0x40, piece_bytes);
  if (input.starts_with("WARC/")) {
    static trawl::GzipMembers members = *trawl::GzipMembers::Make(1);
    Read(*members.MemberOf(input), data[0] & 0x40, piece_bytes);
  }
  return 0;
}
