#include "formats/warc/reader.h"

#include <algorithm>
#include <charconv>

#include "formats/text/ascii.h"
#include "formats/warc/digest_check.h"
#include "formats/warc/field_rules.h"
#include "formats/warc/http_block.h"
#include "formats/warc/input.h"
#include "formats/warc/names.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr size_t kMaxHeadBytes = 1 << 20;
constexpr std::string_view kBlankLine = "\r\n\r\n";

bool IsHttp(const WarcRecord& record) {
  const std::string_view type = record.Get("Content-Type");
  return EqualsIgnoringAsciiCase(TrimBytes(type.substr(0, type.find(';')), " \t"), "application/http");
}

}  // namespace

std::string_view WarcRecord::Get(std::string_view name) const {
  for (const auto& [field, value] : fields) {
    if (EqualsIgnoringAsciiCase(field, name)) return value;
  }
  return {};
}

std::string_view WarcRecord::target_uri() const {
  std::string_view uri = Get("WARC-Target-URI");
  return uri.starts_with('<') && uri.ends_with('>') ? uri.substr(1, uri.size() - 2) : uri;
}

int32_t WarcRecord::http_status() const {
  if (!http_head.starts_with("HTTP/")) return -1;
  const size_t blank = http_head.find(' ');
  int32_t status = -1;
  if (blank == std::string::npos || http_head.size() < blank + 4) return -1;
  const char* const digits = http_head.data() + blank + 1;
  const auto [end, error] = std::from_chars(digits, digits + 3, status);
  return error == std::errc() && end == digits + 3 && status >= 0 ? status : -1;
}

struct WarcReader::State {
  State(Source source, WarcReading how) : input(std::move(source)), reading(std::move(how)) {}

  // What a step leaves for the next ones. Where it says false, nothing after this can be read.
  Result<bool> ReadHead();
  Result<bool> ReadBlock();
  Result<bool> ReadEnd();

  bool TakeFields(std::string_view head);
  void TakeLine(std::string_view line, bool* in_field);
  // The first fault is the one that is told.
  void Fault(std::string what) {
    if (record->fault.empty()) record->fault = std::move(what);
  }
  void FaultIfStrict(std::string what) {
    if (reading.strict) Fault(std::move(what));
  }
  bool Lose(const std::string& what) {
    // Damage of the file is the cause of what is missing.
    Fault(input.damage().empty() ? what : input.damage());
    return false;
  }

  WarcInput input;
  const WarcReading reading;
  WarcRecord* record = nullptr;
  bool is_over = false;
};

WarcReader::WarcReader(Source source, WarcReading reading)
    : state_(std::make_unique<State>(std::move(source), std::move(reading))) {}
WarcReader::~WarcReader() = default;

// The head is in the input's text, up to the blank line.
Result<bool> WarcReader::State::ReadHead() {
  size_t seen = 0, end = std::string_view::npos, line_end = 0;
  std::string_view text;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(text, input.Peek(seen + 1));
    const size_t from = seen < 3 ? 0 : seen - 3;
    end = text.find(kBlankLine, from);
    line_end = kBlankLine.size();
    if (const size_t bare = text.substr(0, end).find("\n\n", from); bare < end) {
      end = bare;
      line_end = 2;
    }
    if (end != std::string_view::npos) break;
    if (seen == text.size()) {
      if (text.empty()) return Lose("its gzip member is empty");
      return Lose(text.starts_with("WARC/") ? "the file ends within its head" : "it is no WARC record");
    }
    if (seen == 0 && text.size() >= 5 && !text.starts_with("WARC/")) return Lose("it is no WARC record");
    if (text.size() > kMaxHeadBytes) return Lose("its head is longer than 1 MiB");
    seen = text.size();
  }
  if (!text.starts_with("WARC/")) return Lose("it is no WARC record");
  const bool is_read = TakeFields(text.substr(0, end));
  input.Consume(end + line_end);
  return is_read;
}

bool WarcReader::State::TakeFields(std::string_view head) {
  bool in_field = false, is_first = true;
  while (!head.empty()) {
    const size_t end = head.find('\n');
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    } else if (end != std::string_view::npos) {
      FaultIfStrict("a line of its head does not end with CR LF");
    }
    if (is_first) {
      record->version = line.substr(5);
    } else {
      TakeLine(line, &in_field);
    }
    is_first = false;
  }
  const std::string_view length = record->Get("Content-Length");
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), record->block_bytes);
  if (length.empty() || error != std::errc() || end != length.data() + length.size() || record->block_bytes < 0) {
    record->block_bytes = 0;
    return Lose(length.empty() ? "it has no Content-Length" : "Content-Length is no number");
  }
  if (reading.strict) Fault(FaultOfFields(*record));
  return true;
}

void WarcReader::State::TakeLine(std::string_view line, bool* in_field) {
  if (line.starts_with(' ') || line.starts_with('\t')) {
    // Nothing writes folded fields any more, and WARC 1.1 is going to forbid them; 1.0 has them.
    if (record->version != "1.0") FaultIfStrict("a field of its head is folded");
    if (*in_field) record->fields.back().second.append(" ").append(TrimBytes(line, " \t"));
    return;
  }
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  *in_field = colon != std::string_view::npos && IsFieldName(name);
  if (!*in_field) return FaultIfStrict("a line of its head is no field: " + std::string(line.substr(0, 100)));
  const std::string_view value = TrimBytes(line.substr(colon + 1), " \t");
  const bool has_control = std::any_of(value.begin(), value.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
  });
  if (has_control) FaultIfStrict(std::string(name) + " has a control character");
  record->fields.emplace_back(name, value);
}

Result<bool> WarcReader::State::ReadBlock() {
  std::optional<HttpBlock> http;
  if (IsHttp(*record)) http.emplace(reading, record);
  DigestCheck block_digest, payload_digest;
  if (reading.strict) {
    block_digest.Begin(record->Get("WARC-Block-Digest"));
    // Elsewhere the payload is the block; a revisit has that of its original, a segment a part of it.
    const bool has_payload = record->type() != "revisit" && record->Get("WARC-Segment-Number").empty();
    if (!http && has_payload) payload_digest.Begin(record->Get("WARC-Payload-Digest"));
  }
  for (int64_t left = record->block_bytes; left > 0;) {
    ARROW_ASSIGN_OR_RAISE(std::string_view text, input.Peek(1));
    if (text.empty()) {
      return Lose("the file ends within its block, " + std::to_string(left) +
                  " bytes before the end that "
                  "Content-Length says");
    }
    text = text.substr(0, static_cast<size_t>(std::min<int64_t>(left, static_cast<int64_t>(text.size()))));
    block_digest.Update(text);
    payload_digest.Update(text);
    if (http) http->Feed(text);
    if (reading.take_block) reading.take_block(text);
    left -= static_cast<int64_t>(text.size());
    input.Consume(text.size());
  }
  if (!http) record->payload_bytes = record->block_bytes;
  if (!block_digest.Matches()) Fault("WARC-Block-Digest is not that of its block");
  if (http) Fault(http->Finish());
  if (!payload_digest.Matches()) Fault("WARC-Payload-Digest is not that of its payload");
  return true;
}

Result<bool> WarcReader::State::ReadEnd() {
  ARROW_ASSIGN_OR_RAISE(std::string_view text, input.Peek(kBlankLine.size()));
  if (!text.starts_with(kBlankLine)) {
    if (!input.damage().empty()) return Lose({});
    if (text.empty()) {
      FaultIfStrict("the two line ends after its block are missing");
    } else if (text.find_first_not_of("\r\n") == 0) {
      // Where a text of the declared length is followed by more, nobody knows where the next record begins.
      return Lose("its block goes on after the end that Content-Length says");
    } else {
      FaultIfStrict("its block is not followed by two line ends and nothing else");
    }
  }
  // At most the two, written somehow; forgiving, all that there are.
  for (size_t ends = 0; !reading.strict || ends < kBlankLine.size(); ++ends) {
    ARROW_ASSIGN_OR_RAISE(text, input.Peek(1));
    if (text.empty() || (text.front() != '\r' && text.front() != '\n')) break;
    input.Consume(1);
  }
  if (!input.is_gzip()) return true;
  ARROW_ASSIGN_OR_RAISE(text, input.Peek(1));
  if (!input.damage().empty()) return Lose({});
  if (text.empty()) return true;
  if (text.find_first_not_of("\r\n") == 0 && !text.starts_with("WARC/") && text.size() >= 5) {
    return Lose("its gzip member goes on after its end");
  }
  FaultIfStrict("its gzip member has more than this record");
  return true;
}

Result<bool> WarcReader::Next(WarcRecord* record) {
  State& state = *state_;
  *record = {};
  if (state.is_over) return false;
  state.record = record;
  ARROW_ASSIGN_OR_RAISE(const bool has_more, state.input.Begin());
  record->offset = state.input.offset();
  bool can_go_on = has_more;
  if (has_more) {
    ARROW_ASSIGN_OR_RAISE(can_go_on, state.ReadHead());
    if (can_go_on) {
      ARROW_ASSIGN_OR_RAISE(can_go_on, state.ReadBlock());
    }
    if (can_go_on) {
      ARROW_ASSIGN_OR_RAISE(can_go_on, state.ReadEnd());
    }
  } else {
    state.is_over = true;
    if (state.input.damage().empty()) return false;
    record->fault = state.input.damage();
  }
  record->length = state.input.end() - record->offset;
  record->is_last = !can_go_on;
  state.is_over = !can_go_on;
  return true;
}

WarcReader::Source SourceOf(std::string_view file) {
  return [file]() mutable -> Result<std::string_view> { return std::exchange(file, {}); };
}

}  // namespace trawl
