#include "formats/warc/http_head.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "formats/http/header_list.h"
#include "formats/text/ascii.h"
#include "formats/text/utf8.h"
#include "formats/warc/names.h"

namespace trawl {

namespace {

constexpr std::string_view kMask = "X-Crawler-";

struct Field {
  std::string name;
  std::string value;
};

// RFC 9110 section 5.5: CR, LF and NUL in a value are dangerous; a blank may take their place. So it does for the others.
std::string WithoutControls(std::string_view text) {
  std::string out(TrimBytes(text, " \t\r"));
  for (char& c : out) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) c = ' ';
  }
  return out;
}

// A reason as UTF-8 that is more than Latin-1 makes readers fail that send it on; it has no meaning (RFC 9112 section 4).
std::string Reason(std::string_view text) {
  std::string out = WithoutControls(text);
  const bool is_wide =
      std::any_of(out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xC4; });
  if (!is_wide || ValidUtf8Prefix(out) != out.size()) return out;
  for (char& c : out) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return out;
}

std::string StatusLine(std::string_view line, int32_t status) {
  std::string_view version = "HTTP/1.1";
  size_t at = line.find_first_of(" \t");
  if (line.substr(0, at) == "HTTP/1.0") version = "HTTP/1.0";
  std::string_view rest = at == std::string_view::npos ? std::string_view() : TrimBytes(line.substr(at), " \t\r");
  if (rest.size() >= 3 && std::all_of(rest.begin(), rest.begin() + 3, IsAsciiDigit)) {
    std::from_chars(rest.data(), rest.data() + 3, status);
    rest.remove_prefix(3);
  }
  std::string code = std::to_string(std::clamp(status, 0, 999));
  code.insert(0, 3 - code.size(), '0');
  return std::string(version) + " " + code + " " + Reason(rest);
}

// The codings of a list, each in lower case; "identity" changes nothing, and "x-gzip" is "gzip" (RFC 9110 section 8.4.1).
void AppendCodings(std::string_view list, std::vector<std::string>* codings) {
  for (const std::string_view part : SplitAtCommas(list)) {
    std::string coding = AsciiLower(part);
    if (coding.empty() || coding == "identity") continue;
    if (coding == "x-gzip" || coding == "x-compress") coding.erase(0, 2);
    codings->push_back(std::move(coding));
  }
}

// The fields of a head whose lines begin at `raw`, up to its blank line.
std::vector<Field> FieldsOf(std::string_view raw, int32_t* dropped) {
  std::vector<Field> fields;
  bool is_dropped = true;  // what continues no field is dropped with it
  while (!raw.empty()) {
    const size_t end = raw.find('\n');
    const std::string_view line = raw.substr(0, end);
    raw.remove_prefix(end == std::string_view::npos ? raw.size() : end + 1);
    if (TrimBytes(line, " \t\r").empty()) break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (is_dropped) {
        ++*dropped;
      } else {
        std::string& value = fields.back().value;
        value += (value.empty() ? "" : " ") + WithoutControls(line);
      }
      continue;
    }
    const size_t colon = line.find(':');
    const std::string_view name = TrimBytes(line.substr(0, colon), " \t");
    is_dropped = colon == std::string_view::npos || !IsFieldName(name);
    if (is_dropped) {
      ++*dropped;
    } else {
      fields.push_back({std::string(name), WithoutControls(line.substr(colon + 1))});
    }
  }
  return fields;
}

bool Is(const Field& field, std::string_view name) { return EqualsIgnoringAsciiCase(field.name, name); }

// Whether the payload has exactly the codings that the fields name.
bool KeepsCodings(const std::vector<Field>& fields, std::string_view kept) {
  std::vector<std::string> sent, still;
  for (const Field& field : fields) {
    if (Is(field, "content-encoding")) AppendCodings(field.value, &sent);
  }
  AppendCodings(kept, &still);
  return !sent.empty() && sent == still;
}

}  // namespace

WarcHttpHead WarcHttpHeadOf(const WarcHttpAnswer& answer) {
  WarcHttpHead head;
  const size_t first_end = answer.raw.find('\n');
  const std::string_view rest = first_end == std::string_view::npos ? "" : answer.raw.substr(first_end + 1);
  const std::vector<Field> fields = FieldsOf(rest, &head.dropped_lines);
  // Nothing is coded in nothing: decoders that expect a coding fail on an empty body.
  const std::string_view kept = answer.payload_bytes == 0 ? std::string_view() : answer.kept_codings;
  const bool keeps_codings = KeepsCodings(fields, kept);
  const std::string length = std::to_string(answer.payload_bytes);

  const auto add = [&head](std::string_view mask, std::string_view name, std::string_view value) {
    head.text.append(mask).append(name).append(": ").append(value).append("\r\n");
  };
  head.text = StatusLine(answer.raw.substr(0, first_end), answer.status) + "\r\n";
  bool has_length = false;
  for (const Field& field : fields) {
    if (Is(field, "content-length")) {
      if (has_length || field.value != length) add(kMask, field.name, field.value);
      if (!has_length) add("", field.value == length ? field.name : "Content-Length", length);
      has_length = true;
    } else {
      const bool is_false = Is(field, "transfer-encoding") || (Is(field, "content-encoding") && !keeps_codings);
      add(is_false ? kMask : std::string_view(), field.name, field.value);
    }
  }
  if (!keeps_codings && !kept.empty()) add("", "Content-Encoding", kept);
  if (!has_length) add("", "Content-Length", length);
  head.text += "\r\n";
  return head;
}

}  // namespace trawl
