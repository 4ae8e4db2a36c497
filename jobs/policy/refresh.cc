#include "jobs/policy/refresh.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "formats/text/ascii.h"
#include "formats/text/lines.h"
#include "formats/url/key.h"
#include "formats/url/pieces.h"
#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The change rate is a mean of about this many comparisons.
constexpr int32_t kRateMemory = 4;
// A hundred years, so that sums of times stay far from the end of int64.
constexpr int64_t kLongestMs = 36'525 * kDayMs;

UrlRules NoRules() { return UrlRules::Parse("", "").MoveValueUnsafe(); }

// Removes the next word from the front of a line.
std::string_view TakeWord(std::string_view* line) {
  const size_t end = std::min(line->find_first_of(" \t"), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(end);
  line->remove_prefix(std::min(line->find_first_not_of(" \t"), line->size()));
  return word;
}

Result<RefreshClass> ReadClass(std::string_view* line) {
  RefreshClass read;
  read.name = std::string(TakeWord(line));
  const std::string_view interval = TakeWord(line);
  if (interval.empty()) return Status::Invalid("write CLASS INTERVAL +REGEX, such as news 1d +/news/");
  ARROW_ASSIGN_OR_RAISE(read.longest_ms, ParseDuration(interval));
  if (read.longest_ms <= 0 || read.longest_ms > kLongestMs)
    return Status::Invalid("'", interval, "' is not an interval; write one like 1d");
  if (line->empty() || line->front() != '+') {
    return Status::Invalid("'", line->substr(0, 100), "': the rule must begin with '+', such as +/news/");
  }
  return read;
}

}  // namespace

const OptionGroup<RefreshOptions>& RefreshOptionGroup() {
  static const auto group =
      OptionGroup<RefreshOptions>("refresh", "When pages are fetched again")
          .String("rules", &RefreshOptions::rules,
                  "page classes with a longest interval: lines CLASS INTERVAL +REGEX; the first match decides", "FILE")
          .Main()
          .Duration("start_interval", &RefreshOptions::start_interval_ms, "interval after a page's first fetch",
                    Between(1, kLongestMs))
          .Main()
          .Fixed("often_rate", &RefreshOptions::often_rate,
                 "a page that changed in more than this share of its fetches changes often", 6, Between(0, kScoreOne))
          .Duration("often_interval", &RefreshOptions::often_interval_ms, "interval of pages that change often",
                    Between(1, kLongestMs))
          .Fixed("sometimes_rate", &RefreshOptions::sometimes_rate,
                 "a page that changed in more than this share of its fetches changes sometimes", 6,
                 Between(0, kScoreOne))
          .Duration("sometimes_interval", &RefreshOptions::sometimes_interval_ms,
                    "interval of pages that change sometimes", Between(1, kLongestMs))
          .Fixed("top_score", &RefreshOptions::top_score, "a page with a higher score is a top page", 6,
                 Between(0, kScoreOne))
          .Duration("top_interval", &RefreshOptions::top_interval_ms, "longest interval of top pages",
                    Between(1, kLongestMs))
          .Int("settled_after", &RefreshOptions::settled_after,
               "a page's interval grows each time the page was unchanged N times in a row", Between(1, 1'000))
          .Int("settled_growth", &RefreshOptions::settled_growth,
               "factor by which settled_after makes the interval grow", Between(1, 100))
          .Duration("min_interval", &RefreshOptions::min_interval_ms, "shortest interval of any page",
                    Between(1, kLongestMs))
          .Main()
          .Duration("max_interval", &RefreshOptions::max_interval_ms, "longest interval of pages without a rule",
                    Between(1, kLongestMs))
          .Main()
          .Int("failing_rounds", &RefreshOptions::failing_rounds,
               "a page that fails in N rounds in a row counts as gone", Between(1, 1'000))
          .Main()
          .Duration("retry_interval", &RefreshOptions::retry_interval_ms,
                    "time until a page that failed is fetched again", Between(0, kLongestMs))
          .Duration("gone_interval", &RefreshOptions::gone_interval_ms,
                    "time until a page that is gone or was refused is tried again", Between(1, kLongestMs))
          .Duration("denied_interval", &RefreshOptions::denied_interval_ms,
                    "time until robots.txt is checked again for a page that it denies; at least robots.ttl",
                    Between(1, kLongestMs))
          .Must([](const RefreshOptions& options) {
            if (options.min_interval_ms > options.max_interval_ms) {
              return UsageError(
                  "--refresh.min_interval is longer than --refresh.max_interval; shorten the first or lengthen the "
                  "second");
            }
            return Status::OK();
          });
  return group;
}

int64_t EndOfInterval(const IntervalStart& start, int64_t interval_ms, const RefreshOptions& options) {
  const int64_t minute_ms = start.round_ms - start.round_ms % kMinuteMs;
  const int64_t since_round_ms = start.round_ms > 0 ? std::max<int64_t>(start.answered_ms - minute_ms, 0) : 0;
  const int64_t shorter_ms = interval_ms - std::min(since_round_ms, interval_ms / 10);
  return start.answered_ms + std::max(shorter_ms, std::min(interval_ms, options.min_interval_ms));
}

Result<std::string> ReadRefreshRules(const RefreshOptions& options) {
  constexpr int64_t kMaxBytes = 1 << 20;
  if (options.rules.empty()) return std::string();
  Result<std::string> text = ReadLocalFile(options.rules, kMaxBytes);
  if (!text.ok()) return UsageError("--refresh.rules ", text.status().message());
  return text;
}

RefreshRules::RefreshRules() : rules_(NoRules()), classes_(1) {}

Result<RefreshRules> RefreshRules::Parse(std::string_view text, std::string file) {
  std::vector<RefreshClass> classes(1);
  std::vector<size_t> class_of_line(1);
  std::string rules;  // the file without its first two columns, line by line
  TextLines lines(text);
  for (std::string_view line; lines.Next(&line);) {
    class_of_line.push_back(0);
    if (!line.empty() && line.front() != '#' && line.front() != ' ' && line.front() != '>' && line.front() != '<') {
      Result<RefreshClass> read = ReadClass(&line);
      if (!read.ok()) return Status::Invalid(file, ":", lines.number(), ": ", read.status().message());
      read->line = lines.number();
      class_of_line.back() = classes.size();
      classes.push_back(*std::move(read));
    }
    rules.append(line).push_back('\n');
  }
  ARROW_ASSIGN_OR_RAISE(UrlRules parsed, UrlRules::Parse(rules, std::move(file)));
  RefreshRules out(std::move(parsed));
  out.classes_ = std::move(classes);
  out.class_of_line_ = std::move(class_of_line);
  return out;
}

const RefreshClass& RefreshRules::ClassOf(std::string_view key) const {
  std::string url;
  UrlPieces pieces;
  if (empty() || !WriteUrlOfKey(key, &url) || !SplitWebUrl(url, &pieces)) return classes_.front();
  return classes_[class_of_line_[rules_.Check(url, pieces.host).line]];
}

// Rules, in this order:
//  1. A fetch that had content to compare with moves the change rate. It is the mean over the first four comparisons,
//     then three quarters of the old rate and one quarter of the new comparison.
//  2. If the operator has set an interval for this URL, that is the interval, whatever else is known.
//  3. Else a rate over often_rate makes the interval often_interval, and one over sometimes_rate sometimes_interval.
//  4. Else the first fetch makes it start_interval, a change leaves it as it is, and after each settled_after fetches in
//     a row without a change it is multiplied by settled_growth.
//  5. A score over top_score makes it at most top_interval.
//  6. It is at most the longest of the class, or max_interval where the page has no class, and at least min_interval.
void Reschedule(const RefreshOptions& options, const RefreshClass& refresh_class, bool is_first, bool has_changed,
                UrlRow* row) {
  if (is_first) {
    row->unchanged = 0;
  } else {
    const int64_t looks = std::clamp(row->fetches - 1, 1, kRateMemory);
    const int64_t look = has_changed ? kScoreOne : 0;
    row->change_rate = static_cast<int32_t>((row->change_rate * (looks - 1) + look) / looks);
    row->unchanged = has_changed ? 0 : row->unchanged + 1;
  }
  if (row->fixed_interval_ms > 0) {
    row->interval_ms = row->fixed_interval_ms;
    return;
  }
  int64_t interval_ms = is_first || row->interval_ms <= 0 ? options.start_interval_ms : row->interval_ms;
  const int64_t longest_ms = refresh_class.longest_ms > 0 ? refresh_class.longest_ms : options.max_interval_ms;
  if (row->change_rate > options.often_rate) {
    interval_ms = options.often_interval_ms;
  } else if (row->change_rate > options.sometimes_rate) {
    interval_ms = options.sometimes_interval_ms;
  } else if (row->unchanged > 0 && row->unchanged % options.settled_after == 0) {
    interval_ms = interval_ms > longest_ms / options.settled_growth ? longest_ms : interval_ms * options.settled_growth;
  }
  if (row->score > options.top_score) interval_ms = std::min(interval_ms, options.top_interval_ms);
  row->interval_ms = std::max(std::min(interval_ms, longest_ms), options.min_interval_ms);
}

bool IsWithinWindow(const UrlRow& before, int64_t fetched_ms) {
  return before.due_ms == kNever || fetched_ms - before.due_ms <= before.interval_ms;
}

}  // namespace trawl
