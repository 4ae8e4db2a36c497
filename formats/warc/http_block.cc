#include "formats/warc/http_block.h"

#include <algorithm>

#include "formats/http/fields.h"
#include "formats/http/raw_headers.h"
#include "formats/text/ascii.h"
#include "formats/warc/names.h"

namespace trawl {

namespace {

// Heads of answers are much shorter; what has no end is no head.
constexpr size_t kMaxHeadBytes = 1 << 20;

// The place after the first blank line; npos where there is none yet. Nothing before `from` is looked at again.
size_t EndOfHead(std::string_view text, size_t from) {
  for (size_t at = text.find('\n', from); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with('\n')) return at + 2;
    if (rest.starts_with("\r\n")) return at + 3;
  }
  return std::string_view::npos;
}

bool IsVersion(std::string_view text) { return text == "HTTP/1.1" || text == "HTTP/1.0"; }

bool IsStatusLine(std::string_view line) {
  return line.size() >= 12 && IsVersion(line.substr(0, 8)) && line[8] == ' ' &&
         std::all_of(line.begin() + 9, line.begin() + 12, IsAsciiDigit) && (line.size() == 12 || line[12] == ' ');
}

bool IsRequestLine(std::string_view line) {
  const size_t first = line.find(' '), last = line.rfind(' ');
  return first != std::string_view::npos && last > first + 1 && IsFieldName(line.substr(0, first)) &&
         line.find(' ', first + 1) == last && IsVersion(line.substr(last + 1));
}

bool HasControls(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
}

std::string FaultOfLines(std::string_view head, bool is_request) {
  for (bool is_first = true; !head.empty(); is_first = false) {
    const size_t end = head.find('\n');
    if (end == 0 || head[end - 1] != '\r') return "a line of its HTTP head does not end with CR LF";
    const std::string_view line = head.substr(0, end - 1);
    head.remove_prefix(end + 1);
    const std::string shown = ": " + std::string(line.substr(0, 100));
    if (HasControls(line)) return "its HTTP head has a control character";
    if (is_first) {
      if (is_request && !IsRequestLine(line)) return "its HTTP request line is wrong" + shown;
      if (!is_request && !IsStatusLine(line)) return "its HTTP status line is wrong" + shown;
    } else if (!line.empty() && line.front() != ' ' && line.front() != '\t') {
      const size_t colon = line.find(':');
      if (colon == std::string_view::npos || !IsFieldName(line.substr(0, colon)))
        return "a line of its HTTP head is no field" + shown;
    }
  }
  return {};
}

// Answers to which a body never belongs (RFC 9112 section 6.3).
bool NeverHasBody(int32_t status) { return status == 204 || status == 304 || (status >= 100 && status < 200); }

}  // namespace

HttpBlock::HttpBlock(const WarcReading& reading, WarcRecord* record)
    : reading_(reading),
      record_(record),
      is_request_(AsciiLower(record->Get("Content-Type")).find("msgtype=request") != std::string::npos),
      has_payload_(record->type() != "revisit" && record->Get("WARC-Segment-Number").empty()),
      is_whole_(record->Get("WARC-Truncated").empty()) {
  if (!reading_.strict || !has_payload_) return;
  digest_.Begin(record->Get("WARC-Payload-Digest"));
  digest_with_chunks_.Begin(record->Get("WARC-Payload-Digest"));
}

void HttpBlock::Feed(std::string_view bytes) {
  if (in_head_) {
    FeedHead(bytes);
  } else {
    FeedPayload(bytes);
  }
}

void HttpBlock::FeedHead(std::string_view bytes) {
  std::string& head = record_->http_head;
  const size_t from = head.size() < 2 ? 0 : head.size() - 2;
  // What is long without an end is not kept: the record has a fault already.
  if (head.size() > kMaxHeadBytes) return;
  const size_t before = head.size();
  head += bytes;
  const size_t end = EndOfHead(head, from);
  if (end == std::string::npos) return;
  head.resize(end);
  in_head_ = false;
  BeginPayload();
  FeedPayload(bytes.substr(end - before));
}

void HttpBlock::BeginPayload() {
  if (!reading_.strict) return;
  fault_ = FaultOfLines(record_->http_head, is_request_);
  const HeaderList headers = ParseRawHeaders(record_->http_head);
  const std::string transfer = AsciiLower(headers.Combined("Transfer-Encoding").value_or(""));
  if (transfer == "chunked") chunks_.emplace();
  const auto length = ContentLengthOf(headers);
  if (!length.ok() && fault_.empty()) fault_ = "its HTTP head has two different values of Content-Length";
  if (length.ok() && transfer.empty()) announced_ = *length;
  for (const std::string& coding : ContentEncodingsOf(headers)) codings_ += (codings_.empty() ? "" : ", ") + coding;
}

void HttpBlock::FeedPayload(std::string_view bytes) {
  if (bytes.empty()) return;
  record_->payload_bytes += static_cast<int64_t>(bytes.size());
  if (!reading_.strict || !has_payload_) return;
  if (!chunks_) return FeedContent(bytes);
  digest_with_chunks_.Update(bytes);
  const bool is_chunked = chunks_->Feed(bytes, [this](std::string_view content) { FeedContent(content); });
  if (!is_chunked && fault_.empty()) fault_ = "its HTTP head says chunked, its payload has no chunks";
}

void HttpBlock::FeedContent(std::string_view bytes) {
  digest_.Update(bytes);
  content_bytes_ += static_cast<int64_t>(bytes.size());
  if (codings_.empty() || !reading_.make_decoder) return;
  if (!decoder_) decoder_ = reading_.make_decoder(codings_);
  is_decodable_ = is_decodable_ && decoder_(bytes);
}

std::string HttpBlock::FaultOfPayload() {
  if (is_whole_ && chunks_ && !chunks_->ended()) return "the last chunk of its payload is missing";
  if (is_whole_ && decoder_ && is_decodable_) is_decodable_ = decoder_({});
  if (!is_decodable_) return "its payload is not coded as Content-Encoding says: " + codings_;
  const bool can_have_body = !is_request_ && !NeverHasBody(record_->http_status());
  if (is_whole_ && can_have_body && announced_ && *announced_ != content_bytes_) {
    return "its HTTP head says Content-Length " + std::to_string(*announced_) + ", its payload has " +
           std::to_string(content_bytes_) + " bytes";
  }
  if (!digest_.Matches() && !(chunks_ && digest_with_chunks_.Matches()))
    return "WARC-Payload-Digest is not that of its payload";
  return {};
}

std::string HttpBlock::Finish() {
  // A revisit needs no block, whatever its Content-Type says (WARC 1.1 section 6.7).
  const bool has_none = record_->block_bytes == 0 && record_->type() == "revisit";
  if (in_head_) return reading_.strict && !has_none ? "its HTTP head has no end" : "";
  if (!reading_.strict || !fault_.empty() || !has_payload_) return fault_;
  return FaultOfPayload();
}

}  // namespace trawl
