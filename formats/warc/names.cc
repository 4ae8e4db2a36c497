#include "formats/warc/names.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "formats/digests/digest.h"
#include "formats/text/ascii.h"

namespace trawl {

std::string_view TextOf(WarcType type) {
  switch (type) {
    case WarcType::kWarcinfo:
      return "warcinfo";
    case WarcType::kRequest:
      return "request";
    case WarcType::kResponse:
      return "response";
    case WarcType::kRevisit:
      return "revisit";
    case WarcType::kMetadata:
      return "metadata";
    case WarcType::kResource:
      return "resource";
    case WarcType::kConversion:
      return "conversion";
  }
  return "";
}

std::string WarcIdOf(std::string_view place, WarcType type) {
  // The namespace of all ids, for ever: 7e1b6d0c-3f3e-5a53-9d5b-1c0b6f7a2e48.
  static constexpr char kNamespace[] = "\x7e\x1b\x6d\x0c\x3f\x3e\x5a\x53\x9d\x5b\x1c\x0b\x6f\x7a\x2e\x48";
  std::string name(kNamespace, 16);
  name.append(place).append("/").append(TextOf(type));
  std::string uuid = Sha1Of(name).substr(0, 16);
  uuid[6] = static_cast<char>((uuid[6] & 0x0f) | 0x50);  // version 5
  uuid[8] = static_cast<char>((uuid[8] & 0x3f) | 0x80);  // the variant of RFC 9562
  const std::string hex = ToHex(uuid);
  return "<urn:uuid:" + hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" + hex.substr(16, 4) +
         "-" + hex.substr(20) + ">";
}

std::string WarcDateOf(int64_t ms) {
  const auto time = std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(ms));
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

namespace {

// Takes a number of exactly so many digits off the front of `text`; -1 where it does not begin with one.
int TakeDigits(std::string_view* text, size_t digits) {
  if (text->size() < digits) return -1;
  int number = 0;
  for (const char c : text->substr(0, digits)) {
    if (!IsAsciiDigit(c)) return -1;
    number = number * 10 + (c - '0');
  }
  text->remove_prefix(digits);
  return number;
}

bool TakeByte(std::string_view* text, char byte) {
  if (!text->starts_with(byte)) return false;
  text->remove_prefix(1);
  return true;
}

// ".250" to milliseconds, cut; -1 where there are no digits or more than nine.
int TakeFraction(std::string_view* text) {
  int ms = 0;
  size_t digits = 0;
  for (; digits < text->size() && IsAsciiDigit((*text)[digits]); ++digits) {
    if (digits < 3) ms = ms * 10 + ((*text)[digits] - '0');
  }
  if (digits == 0 || digits > 9) return -1;
  text->remove_prefix(digits);
  for (; digits < 3; ++digits) ms *= 10;
  return ms;
}

}  // namespace

// WARC 1.1 section 5.4 takes the W3C profile of ISO 8601 in UTC: a year alone, and every longer form.
std::optional<int64_t> ParseWarcDate(std::string_view text) {
  int month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0;
  const int year = TakeDigits(&text, 4);
  if (year >= 0 && TakeByte(&text, '-')) {
    month = TakeDigits(&text, 2);
    if (month >= 0 && TakeByte(&text, '-')) {
      day = TakeDigits(&text, 2);
      if (day >= 0 && TakeByte(&text, 'T')) {
        hour = TakeDigits(&text, 2);
        if (!TakeByte(&text, ':')) return {};
        minute = TakeDigits(&text, 2);
        if (TakeByte(&text, ':')) second = TakeDigits(&text, 2);
        if (TakeByte(&text, '.')) ms = TakeFraction(&text);
        if (!TakeByte(&text, 'Z')) return {};
      }
    }
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  const bool is_date = year >= 0 && month >= 0 && day >= 0 && date.ok();
  const bool is_time = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60 && ms >= 0;
  if (!text.empty() || !is_date || !is_time) return {};
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(days).count() +
         ((int64_t{hour} * 60 + minute) * 60 + second) * 1000 + ms;
}

namespace {

bool IsEscape(std::string_view text) {
  return text.size() >= 3 && HexDigitValue(text[1]) >= 0 && HexDigitValue(text[2]) >= 0;
}

}  // namespace

std::string TargetUriOf(std::string_view url) {
  // Unreserved characters and all delimiters but brackets, which only an IPv6 address has (RFC 3986 section 2.2).
  static constexpr std::string_view kAllowed = "-._~:/?@!$&'()*+,;=";
  const size_t scheme = url.find("://");
  const size_t host_end = scheme == std::string_view::npos ? 0 : url.find_first_of("/?#", scheme + 3);
  bool in_fragment = false;
  std::string uri;
  uri.reserve(url.size());
  for (size_t i = 0; i < url.size(); ++i) {
    const char c = url[i];
    const bool begins_fragment = c == '#' && !in_fragment;
    in_fragment = in_fragment || begins_fragment;
    if (IsAsciiLetter(c) || IsAsciiDigit(c) || kAllowed.find(c) != std::string_view::npos || begins_fragment ||
        ((c == '[' || c == ']') && i < host_end) || (c == '%' && IsEscape(url.substr(i)))) {
      uri += c;
    } else {
      static constexpr char kDigits[] = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri;
}

bool IsFieldName(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || kMarks.find(c) != std::string_view::npos;
  });
}

bool IsUri(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !IsAsciiLetter(text.front())) return false;
  const bool has_scheme = std::all_of(text.begin(), text.begin() + static_cast<ptrdiff_t>(colon), [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '+' || c == '-' || c == '.';
  });
  return has_scheme && TargetUriOf(text) == text;
}

std::string WarcDigestOf(WarcDigest algorithm, std::string_view bytes) {
  return WarcDigestText(algorithm, algorithm == WarcDigest::kSha1 ? Sha1Of(bytes) : Sha256Of(bytes));
}

std::string WarcDigestOf(WarcDigest algorithm, std::string_view first, std::string_view second) {
  const auto digest_of = [&]<typename Digest>(Digest digest) {
    digest.Update(first);
    digest.Update(second);
    return WarcDigestText(algorithm, Bytes(digest.Finish()));
  };
  return algorithm == WarcDigest::kSha1 ? digest_of(Sha1()) : digest_of(Sha256());
}

std::string WarcDigestText(WarcDigest algorithm, std::string_view raw_digest) {
  return algorithm == WarcDigest::kSha1 ? "sha1:" + ToBase32(raw_digest) : "sha256:" + ToHex(raw_digest);
}

namespace {
constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
}  // namespace

std::string ToBase32(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 8 + 4) / 5);
  uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (count += 8; count >= 5; count -= 5) text += kBase32[bits >> (count - 5) & 31];
  }
  if (count > 0) text += kBase32[bits << (5 - count) & 31];
  return text;
}

bool FromBase32(std::string_view text, std::string* bytes) {
  while (text.ends_with('=')) text.remove_suffix(1);
  bytes->clear();
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t value = kBase32.find(c);
    if (value == std::string_view::npos) return false;
    bits = bits << 5 | static_cast<uint32_t>(value);
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes->push_back(static_cast<char>(bits >> count & 0xff));
  }
  // What is left over is zeros, and less than a character.
  return count < 5 && (bits & ((1U << count) - 1)) == 0;
}

std::string_view WarcTruncationOf(Truncation truncation) {
  switch (truncation) {
    case Truncation::kNone:
      return "";
    case Truncation::kSize:
      return "length";
    case Truncation::kTime:
      return "time";
    case Truncation::kIncomplete:
      return "disconnect";
    case Truncation::kRatio:
    case Truncation::kCoding:
      return "unspecified";
  }
  return "unspecified";
}

}  // namespace trawl
