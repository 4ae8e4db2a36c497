#include "jobs/inject/seed_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "arrow/util/utf8.h"
#include "formats/url/key.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMaxLineBytes = 64 << 10;

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// ".5", "+0.5" and "5e-1" are all numbers. A computed score may have more digits than are kept, or lie a little over 1.
Result<int32_t> ReadScore(std::string_view text) {
  std::string_view number = text;
  if (number.starts_with('+')) number.remove_prefix(1);
  double score = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), score);
  const bool is_number = error == std::errc() && end == number.data() + number.size() && !number.starts_with('-');
  if (!is_number || !std::isfinite(score)) return Status::Invalid("score '", text, "' is not a number from 0 to 1");
  return static_cast<int32_t>(std::lround(std::min(score, 1.0) * kScoreOne));
}

Status ReadKnownPair(std::string_view key, std::string_view value, UrlRow* row, bool* known) {
  *known = true;
  if (key == "score") {
    ARROW_ASSIGN_OR_RAISE(row->score, ReadScore(value));
  } else if (key == "interval") {
    ARROW_ASSIGN_OR_RAISE(row->fixed_interval_ms, ParseDuration(value));
    if (row->fixed_interval_ms == 0)
      return Status::Invalid("interval ", value, " is not an interval; write one like 1d");
    row->interval_ms = row->fixed_interval_ms;
  } else if (key == "kind") {
    for (const UrlKind kind : {UrlKind::kPage, UrlKind::kSitemap, UrlKind::kFeed}) {
      if (value != TextOf(kind)) continue;
      row->kind = kind;
      return Status::OK();
    }
    return Status::Invalid("kind '", value, "' is not known; write page, sitemap or feed");
  } else {
    *known = false;
  }
  return Status::OK();
}

Status ReadPairs(std::string_view text, UrlRow* row) {
  std::vector<std::string> others;
  while (!text.empty()) {
    const size_t tab = text.find('\t');
    const std::string_view pair = Trimmed(text.substr(0, tab));
    text = tab == std::string_view::npos ? "" : text.substr(tab + 1);
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) return Status::Invalid("'", pair, "' is not key=value");
    bool known = false;
    ARROW_RETURN_NOT_OK(ReadKnownPair(pair.substr(0, equals), pair.substr(equals + 1), row, &known));
    if (!known) others.emplace_back(pair);
  }
  std::sort(others.begin(), others.end());
  for (const std::string& pair : others) row->metadata += (row->metadata.empty() ? "" : "\n") + pair;
  return Status::OK();
}

}  // namespace

Status SeedReader::ReadUrl(std::string_view text, UrlRow* row) {
  if (!url_.Parse(text)) {
    const bool has_scheme = text.find("://") != std::string_view::npos;
    return Status::Invalid(has_scheme ? "not a URL" : "not a URL: it has no scheme, such as https://");
  }
  const UrlRefusal refusal = normalizer_.Normalize(url_, &normalised_);
  if (refusal != UrlRefusal::kNone) return Status::Invalid(TextOf(refusal));
  ARROW_ASSIGN_OR_RAISE(row->key, KeyOfUrl(normalised_));
  row->spelling = RequestSpelling(url_);
  if (row->spelling == normalised_) row->spelling.clear();
  return Status::OK();
}

Result<bool> SeedReader::Read(std::string_view line, UrlRow* row) {
  if (line.size() > kMaxLineBytes) return Status::Invalid("a line of over ", kMaxLineBytes, " bytes");
  line = Trimmed(line);
  if (line.empty() || line.front() == '#') return false;
  if (!arrow::util::ValidateUTF8(line)) return Status::Invalid("not UTF-8");
  *row = UrlRow();
  const size_t tab = line.find('\t');
  ARROW_RETURN_NOT_OK(ReadUrl(Trimmed(line.substr(0, tab)), row));
  row->score = defaults_.score;
  row->is_seed = true;
  row->due_ms = defaults_.now_ms;
  row->discovered_ms = defaults_.now_ms;
  if (tab != std::string_view::npos) ARROW_RETURN_NOT_OK(ReadPairs(line.substr(tab + 1), row));
  return true;
}

}  // namespace trawl
