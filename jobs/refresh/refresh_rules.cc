#include "jobs/refresh/refresh_rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/text/ascii.h"
#include "formats/text/lines.h"
#include "formats/url/key.h"
#include "formats/url/pieces.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr uint32_t kNoLine = UINT32_MAX;
// A hundred years, so that sums of times stay far from the end of int64.
constexpr int64_t kLongestMs = 36'525 * kDayMs;
constexpr char kUsage[] =
    "write CLASS FIRST..LONGEST and which pages, such as docs 3d..14d host=docs.example.com, or news path=/news/";

struct ReadyMade {
  std::string_view name;
  int64_t interval_ms;
};
constexpr std::array<ReadyMade, 2> kReadyMade = {{{"news", kDayMs}, {"tail", 30 * kDayMs}}};

UrlRules NoRules() { return UrlRules::Parse("", "").MoveValueUnsafe(); }

std::string_view NextWord(std::string_view line) { return line.substr(0, line.find_first_of(" \t")); }
void SkipWord(std::string_view* line) {
  line->remove_prefix(NextWord(*line).size());
  line->remove_prefix(std::min(line->find_first_not_of(" \t"), line->size()));
}

Result<int64_t> ReadInterval(std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(const int64_t interval_ms, ParseDuration(text));
  if (interval_ms > 0 && interval_ms <= kLongestMs) return interval_ms;
  return Status::Invalid("'", text, "' is not an interval; write one like 1d, or two like 3d..14d");
}

Status ReadIntervals(std::string_view text, RefreshClass* read) {
  const size_t dots = text.find("..");
  ARROW_ASSIGN_OR_RAISE(read->longest_ms, ReadInterval(dots == std::string_view::npos ? text : text.substr(dots + 2)));
  if (dots == std::string_view::npos) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(read->first_ms, ReadInterval(text.substr(0, dots)));
  if (read->first_ms <= read->longest_ms) return Status::OK();
  return Status::Invalid("'", text, "' begins with the longer interval; write the first one first: FIRST..LONGEST");
}

// Whether a word says which pages, and is no interval.
bool TellsOfPages(std::string_view word) {
  return word.starts_with('+') || word.starts_with('-') || word.find('=') != std::string_view::npos;
}

// Reads the name and the intervals of a line.
Result<RefreshClass> ReadClass(std::string_view* line) {
  RefreshClass read;
  read.name = std::string(NextWord(*line));
  SkipWord(line);
  const std::string_view word = NextWord(*line);
  if (word.empty()) return Status::Invalid(kUsage);
  if (!TellsOfPages(word)) {
    ARROW_RETURN_NOT_OK(ReadIntervals(word, &read));
    SkipWord(line);
    return read;
  }
  for (const ReadyMade& ready : kReadyMade) {
    if (ready.name == read.name) read.first_ms = read.longest_ms = ready.interval_ms;
  }
  if (read.longest_ms == 0) {
    return Status::Invalid("'", read.name.substr(0, 100), "' has no interval; only news and tail go without: ", kUsage);
  }
  return read;
}

bool IsOfType(std::string_view type, std::string_view wanted) {
  if (!wanted.ends_with("/*")) return type == wanted;
  return type.starts_with(wanted.substr(0, wanted.size() - 1));
}

}  // namespace

// A page as lines see it. The views are those of `url`.
struct RefreshRules::PageFacts {
  std::string url, sitemap, type;
  UrlPieces pieces;

  // False where the key is none.
  bool Read(const UrlRow& row) {
    if (!WriteUrlOfKey(row.key, &url) || !SplitWebUrl(url, &pieces)) return false;
    if (row.sitemap.empty() || !WriteUrlOfKey(row.sitemap, &sitemap)) sitemap.clear();
    type = AsciiLower(TrimBytes(std::string_view(row.content_type).substr(0, row.content_type.find(';')), " \t"));
    return true;
  }
  std::string_view PathAndQuery() const { return std::string_view(url).substr(pieces.origin.size()); }
};

RefreshRules::RefreshRules() : rules_(NoRules()), classes_(1), class_of_line_(1), pages_(1) {}

Status RefreshRules::ReadPages(std::string_view* rest, Pages* pages) {
  while (!rest->empty() && rest->front() != '+') {
    const std::string_view word = NextWord(*rest);
    const size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    std::string* const member = name == "host"      ? &pages->host
                                : name == "domain"  ? &pages->domain
                                : name == "path"    ? &pages->path
                                : name == "type"    ? &pages->type
                                : name == "sitemap" ? &pages->sitemap
                                                    : nullptr;
    if (member == nullptr || equals == std::string_view::npos) {
      return Status::Invalid(
          "'", rest->substr(0, 100),
          "' is none of host=, domain=, path=, type=, sitemap=, and no rule, which must begin with '+', "
          "such as +/news/");
    }
    if (!member->empty()) return Status::Invalid("'", name, "=' stands twice; give each its own line");
    *member = std::string(word.substr(equals + 1));
    if (member->empty()) return Status::Invalid("'", name, "=' has no value");
    SkipWord(rest);
  }
  for (std::string* host : {&pages->host, &pages->domain}) {
    *host = AsciiLower(*host);
    if (!host->empty() && !HostPartOfHost(*host).ok())
      return Status::Invalid("'", host->substr(0, 100), "' is no host; write one like www.example.com");
  }
  pages->type = AsciiLower(pages->type);
  if (!pages->path.empty() && pages->path.front() != '/')
    return Status::Invalid("'path=", pages->path.substr(0, 100), "' must begin with '/'");
  if (!pages->type.empty() && pages->type.find('/') == std::string::npos)
    return Status::Invalid("'type=", pages->type.substr(0, 100),
                           "' is no content type; write one like application/pdf");
  if (!pages->sitemap.empty() && !pages->sitemap.starts_with("http://") && !pages->sitemap.starts_with("https://"))
    return Status::Invalid("'sitemap=", pages->sitemap.substr(0, 100), "' must begin with http:// or https://");
  return Status::OK();
}

Result<RefreshRules> RefreshRules::Parse(std::string_view text, std::string file) {
  RefreshRules out;
  std::string rules;  // what formats/scope/rules.h is to read, line by line
  bool is_in_section = false;
  TextLines lines(text);
  for (std::string_view line; lines.Next(&line); rules.push_back('\n')) {
    out.class_of_line_.push_back(0);
    const bool is_section = line.starts_with('>') || line.starts_with('<');
    if (line.starts_with('<') && !is_in_section) {
      return Status::Invalid(file, ":", lines.number(), ": '<' ends what no line '> HOST' has begun");
    }
    if (is_section) is_in_section = line.front() == '>';
    if (is_section || line.empty() || line.front() == '#' || line.front() == ' ') {
      rules.append(line);
      continue;
    }
    Result<RefreshClass> read = ReadClass(&line);
    Pages pages;
    const Status sound = read.ok() ? ReadPages(&line, &pages) : read.status();
    const uint32_t number = lines.number();
    if (!sound.ok()) return Status::Invalid(file, ":", number, ": ", sound.message());
    const bool names_pages = !(pages.host + pages.domain + pages.path + pages.type + pages.sitemap).empty();
    if (line.empty() && !names_pages) {
      return Status::Invalid(file, ":", number, ": '': the rule must begin with '+', such as +/news/; or write host=, ",
                             "domain=, path=, type= or sitemap=");
    }
    read->line = number;
    out.class_of_line_.back() = out.classes_.size();
    if (!line.empty() || is_in_section) {
      rules.append(line.empty() ? "+." : line);
    } else {
      (!pages.host.empty()     ? out.of_host_[pages.host]
       : !pages.domain.empty() ? out.of_domain_[pages.domain]
                               : out.of_all_)
          .push_back(number);
    }
    out.classes_.push_back(*std::move(read));
    out.pages_.push_back(std::move(pages));
  }
  ARROW_ASSIGN_OR_RAISE(out.rules_, UrlRules::Parse(rules, std::move(file)));
  return out;
}

bool RefreshRules::Matches(uint32_t line, const PageFacts& page) const {
  const Pages& wanted = pages_[class_of_line_[line]];
  const std::string_view host = page.pieces.host;
  if (!wanted.host.empty() && host != wanted.host) return false;
  if (!wanted.domain.empty() && host != wanted.domain && !host.ends_with("." + wanted.domain)) return false;
  if (!page.PathAndQuery().starts_with(wanted.path)) return false;
  if (!wanted.type.empty() && !IsOfType(page.type, wanted.type)) return false;
  return wanted.sitemap.empty() || page.sitemap.starts_with(wanted.sitemap);
}

uint32_t RefreshRules::FirstOf(const Lines& lines, const PageFacts& page, uint32_t best) const {
  for (const uint32_t line : lines) {
    if (line >= best) break;
    if (Matches(line, page)) return line;
  }
  return best;
}

const RefreshClass& RefreshRules::ClassOf(const UrlRow& row) const {
  PageFacts page;
  if (empty() || !page.Read(row)) return classes_.front();
  const std::string_view host = page.pieces.host;
  uint32_t best = rules_.CheckSome(page.url, host, [&](uint32_t line) { return Matches(line, page); }).line;
  if (best == 0) best = kNoLine;
  best = FirstOf(of_all_, page, best);
  if (const auto found = of_host_.find(host); found != of_host_.end()) best = FirstOf(found->second, page, best);
  for (std::string_view domain = host; !of_domain_.empty() && !domain.empty();) {
    if (const auto found = of_domain_.find(domain); found != of_domain_.end())
      best = FirstOf(found->second, page, best);
    const size_t dot = domain.find('.');
    domain = dot == std::string_view::npos ? std::string_view() : domain.substr(dot + 1);
  }
  return classes_[best == kNoLine ? 0 : class_of_line_[best]];
}

}  // namespace trawl
