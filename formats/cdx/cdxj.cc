#include "formats/cdx/cdxj.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "formats/documents/json.h"
#include "formats/text/ascii.h"
#include "formats/text/utf8.h"

namespace trawl {

using arrow::Result;
using arrow::Status;
namespace chrono = std::chrono;

namespace {

constexpr size_t kTimestampDigits = 14;

// A JSON text in ASCII, as Python's json module writes it: other characters as \uXXXX, in UTF-16.
void AppendJsonText(std::string_view text, std::string* out) {
  const auto append_unit = [out](uint32_t unit) {
    std::array<char, 8> escape;
    std::snprintf(escape.data(), escape.size(), "\\u%04x", unit & 0xffff);
    out->append(escape.data());
  };
  out->push_back('"');
  std::string repaired;
  if (AsciiPrefix(text) < text.size()) {
    AppendRepairedUtf8(text, &repaired);
    text = repaired;
  }
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    if (lead == '"' || lead == '\\') {
      out->append({'\\', static_cast<char>(lead)});
    } else if (lead < 0x20) {
      append_unit(lead);
    } else if (lead < 0x80) {
      out->push_back(static_cast<char>(lead));
    } else {
      const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
      uint32_t point = lead & (0x3f >> more);
      for (int i = 0; i < more; ++i) point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3f);
      if (point >= 0x10000) {
        append_unit(0xd800 + ((point - 0x10000) >> 10));
        append_unit(0xdc00 + ((point - 0x10000) & 0x3ff));
      } else {
        append_unit(point);
      }
    }
  }
  out->push_back('"');
}

// The milliseconds of "20261119200000"; more digits are a fraction, which does not count.
Result<int64_t> ReadTimestamp(std::string_view text) {
  const bool is_digits = text.size() >= kTimestampDigits && std::all_of(text.begin(), text.end(), IsAsciiDigit);
  const auto number = [text](size_t at, size_t size) {
    int value = 0;
    for (const char digit : text.substr(at, size)) value = value * 10 + (digit - '0');
    return value;
  };
  if (is_digits) {
    const chrono::year_month_day day{chrono::year(number(0, 4)), chrono::month(static_cast<unsigned>(number(4, 2))),
                                     chrono::day(static_cast<unsigned>(number(6, 2)))};
    const int hour = number(8, 2), minute = number(10, 2), second = number(12, 2);
    if (day.ok() && hour < 24 && minute < 60 && second < 61) {
      const auto time = chrono::sys_days(day) + chrono::hours(hour) + chrono::minutes(minute) + chrono::seconds(second);
      return chrono::duration_cast<chrono::milliseconds>(time.time_since_epoch()).count();
    }
  }
  return Status::Invalid("'", text.substr(0, 32), "' is not a time such as 20260101000000");
}

// Cuts the next field off.
std::string_view NextField(std::string_view* text) {
  const size_t blank = text->find(' ');
  const std::string_view field = text->substr(0, blank);
  text->remove_prefix(blank == std::string_view::npos ? text->size() : blank + 1);
  return field;
}

Status ReadJsonFields(std::string_view text, CdxLine* line) {
  ARROW_ASSIGN_OR_RAISE(const Json json, ParseJson(text));
  if (!json.is_object()) return Status::Invalid("what comes after the time is not a JSON object");
  ARROW_ASSIGN_OR_RAISE(line->url, GetString(json, HasMember(json, "url") ? "url" : "uri"));
  // A page without a digest is a page.
  const bool has_digest = HasMember(json, "digest") && json.at("digest").is_string();
  line->digest = has_digest ? json.at("digest").get<std::string>() : "";
  return Status::OK();
}

// "url mime status digest …": what comes after key and time.
Status ReadBlankFields(std::string_view text, CdxLine* line) {
  line->url.assign(NextField(&text));
  NextField(&text);
  NextField(&text);
  const std::string_view digest = NextField(&text);
  line->digest.assign(digest == "-" ? "" : digest);
  if (text.empty()) return Status::Invalid("it has neither JSON nor the fields of a CDX");
  return Status::OK();
}

}  // namespace

std::string CdxTimestamp(int64_t time_ms) {
  const chrono::sys_seconds time{chrono::floor<chrono::seconds>(chrono::milliseconds(time_ms))};
  const auto midnight = chrono::floor<chrono::days>(time);
  const chrono::year_month_day day{midnight};
  const chrono::hh_mm_ss clock{time - midnight};
  std::array<char, 48> text;
  std::snprintf(text.data(), text.size(), "%04d%02u%02u%02d%02d%02d", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

std::string_view CdxDigest(std::string_view payload_digest) {
  constexpr std::string_view kSha1 = "sha1:";
  return payload_digest.starts_with(kSha1) ? payload_digest.substr(kSha1.size()) : payload_digest;
}

std::string_view CdxMime(const CaptureRow& capture) {
  if (capture.record_type == "revisit") return "warc/revisit";
  return capture.mime.empty() ? std::string_view("unk") : std::string_view(capture.mime);
}

std::string_view CdxDetectedMime(const CaptureRow& capture) {
  return capture.record_type == "revisit" ? std::string_view() : std::string_view(capture.mime_detected);
}

void AppendCdxjLine(const CaptureRow& capture, std::string* out) {
  out->append(capture.key).append(" ").append(CdxTimestamp(capture.began_ms)).append(" {");
  bool is_first = true;
  const auto member = [out, &is_first](const char* name, std::string_view value) {
    if (value.empty()) return;
    out->append(is_first ? "\"" : ", \"").append(name).append("\": ");
    AppendJsonText(value, out);
    is_first = false;
  };
  member("url", capture.url);
  member("mime", CdxMime(capture));
  member("mime-detected", CdxDetectedMime(capture));
  if (capture.status >= 0) member("status", std::to_string(capture.status));
  member("digest", CdxDigest(capture.digest));
  member("length", std::to_string(capture.length));
  member("offset", std::to_string(capture.offset));
  member("filename", capture.filename);
  member("charset", capture.charset);
  member("languages", capture.languages);
  member("truncated", capture.truncated);
  member("redirect", capture.redirect);
  out->append("}\n");
}

Result<bool> ReadCdxLine(std::string_view text, CdxLine* line) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.empty() || text.front() == '!' || text.starts_with(" CDX ") || text.starts_with("CDX ")) return false;
  NextField(&text);  // the key, which everybody makes in another way
  ARROW_ASSIGN_OR_RAISE(line->time_ms, ReadTimestamp(NextField(&text)));
  ARROW_RETURN_NOT_OK(text.starts_with('{') ? ReadJsonFields(text, line) : ReadBlankFields(text, line));
  return true;
}

}  // namespace trawl
