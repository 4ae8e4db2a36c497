#include "jobs/inject/seed_line.h"

#include <algorithm>
#include <vector>

#include "arrow/util/utf8.h"
#include "formats/url/key.h"
#include "jobs/policy/judge.h"
#include "runtime/terminal/nearest_name.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMaxLineBytes = 64 << 10;
constexpr char kPriority[] = "priority";

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

Result<UrlKind> ParseKind(std::string_view text) {
  for (const UrlKind kind : {UrlKind::kPage, UrlKind::kSitemap, UrlKind::kFeed}) {
    if (text == TextOf(kind)) return kind;
  }
  return Status::Invalid("kind '", text, "' is not known; write page, sitemap or feed");
}

// Puts the pair into `pairs`, with the one text that its value has.
Status ReadPair(std::string_view name, std::string_view value, SeedPairs* pairs) {
  std::string text(value);
  if (name == "score") {
    ARROW_ASSIGN_OR_RAISE(const int32_t score, ParseSeedScore(value));
    text = FormatDecimal(score, 6);
  } else if (name == "interval") {
    ARROW_ASSIGN_OR_RAISE(const int64_t interval_ms, ParseInterval(value));
    text = FormatDuration(interval_ms);
  } else if (name == kPriority || name == "tier") {
    ARROW_ASSIGN_OR_RAISE(const TierChoice tier, ParseTier(value));
    name = kPriority;
    text = TextOf(tier);
  } else if (name == "kind") {
    ARROW_RETURN_NOT_OK(ParseKind(value).status());
  }
  const auto [pair, is_new] = pairs->emplace(name, text);
  if (is_new || pair->second == text) return Status::OK();
  return Status::Invalid(name, " is named twice, ", pair->second, " and ", text);
}

// Empty where the name is known, or resembles none that is.
std::string WarningFor(const std::string& name) {
  static const std::vector<std::string> known = {"score", "interval", kPriority, "tier", "kind"};
  if (std::find(known.begin(), known.end(), name) != known.end()) return "";
  const std::string nearest = NearestName(name, known);
  return nearest.empty() ? "" : "'" + name + "' is kept as metadata; did you mean " + nearest + "?";
}

// The known name of a pair that a blank, and no tab, separates from the URL: "priority" of "https://a.example/ priority=1".
std::string PairAfterBlank(std::string_view url) {
  const size_t blank = url.find(' ');
  if (blank == std::string_view::npos) return "";
  const std::string_view pair = Trimmed(url.substr(blank));
  for (const char* name : {"score", "interval", kPriority, "tier", "kind"}) {
    if (pair.starts_with(std::string(name) + "=")) return name;
  }
  return "";
}

Status ReadPairs(std::string_view text, SeedLine* seed) {
  while (!text.empty()) {
    const size_t tab = text.find('\t');
    const std::string_view pair = Trimmed(text.substr(0, tab));
    text = tab == std::string_view::npos ? "" : text.substr(tab + 1);
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) return Status::Invalid("'", pair, "' is not key=value");
    if (pair.find('\n') != std::string_view::npos) return Status::Invalid("'", pair, "' has a line break");
    ARROW_RETURN_NOT_OK(ReadPair(pair.substr(0, equals), pair.substr(equals + 1), &seed->pairs));
    if (seed->warning.empty()) seed->warning = WarningFor(std::string(pair.substr(0, equals)));
  }
  return Status::OK();
}

}  // namespace

Result<UrlChange> ChangeOf(const SeedPairs& pairs) {
  UrlChange change;
  for (const auto& [name, value] : pairs) {
    if (name == "score") {
      ARROW_ASSIGN_OR_RAISE(change.score, ParseSeedScore(value));
    } else if (name == "interval") {
      ARROW_ASSIGN_OR_RAISE(change.interval_ms, ParseInterval(value));
    } else if (name == kPriority) {
      ARROW_ASSIGN_OR_RAISE(change.tier, ParseTier(value));
    } else if (name == "kind") {
      ARROW_ASSIGN_OR_RAISE(change.kind, ParseKind(value));
    } else {
      change.metadata.emplace(name, value);
    }
  }
  return change;
}

Status SeedReader::ReadUrl(std::string_view text, SeedLine* seed) {
  if (!url_.Parse(text)) {
    const bool has_scheme = text.find("://") != std::string_view::npos;
    return Status::Invalid(has_scheme ? "not a URL" : "not a URL: it has no scheme, such as https://");
  }
  const UrlRefusal refusal = normalizer_.Normalize(url_, &normalised_);
  if (refusal != UrlRefusal::kNone) return Status::Invalid(TextOf(refusal));
  ARROW_ASSIGN_OR_RAISE(seed->key, KeyOfUrl(normalised_));
  seed->spelling = RequestSpelling(url_);
  if (seed->spelling == normalised_) seed->spelling.clear();
  if (scope_ == nullptr) return Status::OK();
  if (scope_->Check(normalised_, 0).accepted) return Status::OK();
  return Status::Invalid(JudgeUrl(*scope_, normalised_, form_, 0).text);
}

Result<bool> SeedReader::Read(std::string_view line, SeedLine* seed) {
  if (line.size() > kMaxLineBytes) return Status::Invalid("a line of over ", kMaxLineBytes, " bytes");
  line = Trimmed(line);
  if (line.empty() || line.front() == '#') return false;
  if (!arrow::util::ValidateUTF8(line)) return Status::Invalid("not UTF-8");
  *seed = SeedLine();
  const size_t tab = line.find('\t');
  ARROW_RETURN_NOT_OK(ReadUrl(Trimmed(line.substr(0, tab)), seed));
  if (const std::string name = PairAfterBlank(line.substr(0, tab)); !name.empty()) {
    return Status::Invalid("a blank comes before ", name, "=; a tab separates the URL from what is said of it");
  }
  if (tab != std::string_view::npos) ARROW_RETURN_NOT_OK(ReadPairs(line.substr(tab + 1), seed));
  return true;
}

}  // namespace trawl
