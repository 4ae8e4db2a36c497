#include "formats/http/fields.h"

#include <algorithm>
#include <limits>

#include "formats/http/date.h"
#include "formats/text/ascii.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

bool IsAllDigits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), IsAsciiDigit); }

// REQUIRES: IsAllDigits(text). A number that is too large becomes `largest`.
int64_t ParseDigits(std::string_view text, int64_t largest) {
  int64_t value = 0;
  for (const char c : text) {
    const int digit = c - '0';
    if (value > (largest - digit) / 10) return largest;
    value = value * 10 + digit;
  }
  return value;
}

std::optional<int64_t> DateFieldMs(const HeaderList& headers, std::string_view name, int64_t now_ms) {
  const std::optional<std::string_view> value = headers.First(name);
  return value ? ParseHttpDateMs(*value, now_ms) : std::nullopt;
}

}  // namespace

std::optional<int64_t> LastModifiedMsOf(const HeaderList& headers, int64_t now_ms) {
  return DateFieldMs(headers, "last-modified", now_ms);
}

std::optional<int64_t> DateMsOf(const HeaderList& headers, int64_t now_ms) {
  return DateFieldMs(headers, "date", now_ms);
}

std::optional<int64_t> RetryAfterMsOf(const HeaderList& headers, int64_t now_ms) {
  const std::optional<std::string_view> value = headers.First("retry-after");
  if (!value) return std::nullopt;
  if (IsAllDigits(*value)) return ParseDigits(*value, std::numeric_limits<int64_t>::max() / 1000) * 1000;
  const std::optional<int64_t> until_ms = ParseHttpDateMs(*value, now_ms);
  if (!until_ms) return std::nullopt;
  return std::max<int64_t>(0, *until_ms - DateMsOf(headers, now_ms).value_or(now_ms));
}

std::vector<std::string> ContentEncodingsOf(const HeaderList& headers) {
  std::vector<std::string> codings;
  for (const std::string_view value : headers.All("content-encoding")) {
    for (const std::string_view part : SplitAtCommas(value)) {
      std::string coding = AsciiLower(part);
      if (coding == "x-gzip" || coding == "x-compress") coding.erase(0, 2);
      if (!coding.empty() && coding != "identity") codings.push_back(std::move(coding));
    }
  }
  return codings;
}

Result<std::optional<int64_t>> ContentLengthOf(const HeaderList& headers) {
  const std::optional<std::string> combined = headers.Combined("content-length");
  if (!combined) return std::nullopt;
  const std::vector<std::string_view> values = SplitAtCommas(*combined);
  for (const std::string_view value : values) {
    if (value != values.front()) return Status::Invalid("Content-Length: \"", *combined, "\" has values that differ");
  }
  if (!IsAllDigits(values.front())) return std::nullopt;
  return ParseDigits(values.front(), std::numeric_limits<int64_t>::max());
}

std::string_view ETagOf(const HeaderList& headers) { return headers.First("etag").value_or(std::string_view()); }

std::optional<Refresh> RefreshOf(const HeaderList& headers) {
  const std::optional<std::string_view> value = headers.First("refresh");
  return value ? ParseRefresh(*value) : std::nullopt;
}

}  // namespace trawl
