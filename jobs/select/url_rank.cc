#include "jobs/select/url_rank.h"

#include <algorithm>
#include <array>

#include "formats/digests/digest.h"
#include "formats/url/key.h"

namespace trawl {

namespace {

constexpr int32_t kHighScore = 700'000;
constexpr int32_t kLowScore = 300'000;

bool IsDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Whether a text is the number of a page after the first: "2", "17".
bool IsFurtherNumber(std::string_view text) { return IsDigits(text) && text.size() <= 5 && text != "0" && text != "1"; }

bool IsYear(std::string_view text) {
  return IsDigits(text) && text.size() == 4 && (text.starts_with("19") || text.starts_with("20"));
}
bool IsMonthOrDay(std::string_view text) { return IsDigits(text) && text.size() <= 2; }

// Removes the next piece of `rest`, up to and with `separator`, and returns it without the separator.
std::string_view TakePiece(std::string_view* rest, char separator) {
  const size_t end = std::min(rest->find(separator), rest->size());
  const std::string_view piece = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return piece;
}

constexpr std::array<std::string_view, 9> kPageParameters = {"page",   "p",      "pg",    "paged", "pagenum",
                                                             "pageno", "offset", "start", "from"};

}  // namespace

const char* NameOf(UrlTier tier) {
  static constexpr const char* kNames[kTiers] = {"high", "medium", "low"};
  return kNames[static_cast<size_t>(tier)];
}

void UrlRank::AppendTo(std::string* bytes) const {
  for (const uint64_t value : {high, low}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes->push_back(static_cast<char>(value >> shift & 255));
  }
}

bool IsFurtherPage(std::string_view path_and_query) {
  std::string_view query = path_and_query;
  std::string_view path = TakePiece(&query, '?');
  while (!query.empty()) {
    std::string_view value = TakePiece(&query, '&');
    const std::string_view name = TakePiece(&value, '=');
    const bool counts = std::find(kPageParameters.begin(), kPageParameters.end(), name) != kPageParameters.end();
    if (counts && IsFurtherNumber(value)) return true;
  }
  bool behind_page = false;
  while (!path.empty()) {
    std::string_view segment = TakePiece(&path, '/');
    if (behind_page && IsFurtherNumber(segment)) return true;
    behind_page = segment == "page";
    if (segment.starts_with("page-") && IsFurtherNumber(segment.substr(5))) return true;
  }
  return false;
}

bool IsArchive(std::string_view path_and_query) {
  std::string_view path = TakePiece(&path_and_query, '?');
  // The number of pieces of a date at the end of the path: a year, a month, a day.
  int date = 0;
  while (!path.empty()) {
    const std::string_view segment = TakePiece(&path, '/');
    if (segment == "archive" || segment == "archives") return true;
    if (segment.empty()) continue;
    if (date > 0 && date < 3 && IsMonthOrDay(segment)) {
      ++date;
    } else {
      date = IsYear(segment) ? 1 : 0;
    }
  }
  return date > 0;
}

UrlTier TierOf(std::string_view key, const RankFacts& facts) {
  switch (facts.tier) {
    case TierChoice::kHigh:
      return UrlTier::kHigh;
    case TierChoice::kMedium:
      return UrlTier::kMedium;
    case TierChoice::kLow:
      return UrlTier::kLow;
    case TierChoice::kByRule:
      break;
  }
  if (facts.is_seed || facts.score >= kHighScore) return UrlTier::kHigh;
  const std::string_view path = key.substr(OriginPartOfKey(key).size());
  if (path == "/") return UrlTier::kHigh;
  if (facts.score < kLowScore || IsFurtherPage(path) || IsArchive(path)) return UrlTier::kLow;
  return UrlTier::kMedium;
}

UrlRank RankOf(std::string_view key, const RankFacts& facts) {
  const auto behind_best = static_cast<uint64_t>(std::clamp(kScoreOne - facts.score, 0, 2 * kScoreOne));
  return {static_cast<uint64_t>(TierOf(key, facts)) << 32 | behind_best, Hash64(key)};
}

}  // namespace trawl
