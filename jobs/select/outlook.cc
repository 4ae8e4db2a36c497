#include "jobs/select/outlook.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "formats/rows/times.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

// Counters of select that are no reasons.
constexpr const char* kNoReasons[] = {"due", "candidates", "overflow"};

bool IsReason(const std::string& counter) {
  return std::find(std::begin(kNoReasons), std::end(kNoReasons), counter) == std::end(kNoReasons);
}

// The reason for people, with what they can type where the name alone does not say it. Others are their counter's name.
std::string WordsOf(const std::string& why) {
  static const std::map<std::string, std::string> kWords = {
      {"blocked", "blocked (trawl host HOST says why)"},
      {"crawl_delay", "long Crawl-delay"},
      {"held", "open segment (trawl segments list)"},
      {"pattern_budget",
       "of patterns that yield little or are new, of which a round takes a few (trawl host HOST --patterns)"},
      {"refused", "refused by the scope (trawl readdb get --explain URL names the rule)"},
      {"robots_deferred", "robots.txt cannot be had"},
      {"throttled", "host asked for time"},
  };
  const auto found = kWords.find(why);
  if (found != kWords.end()) return found->second;
  std::string words = why;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace

Outlook OutlookOf(const Selection& selection, TimeMs now_ms) {
  Outlook outlook;
  outlook.due = selection.counters.Get("due");
  for (const auto& [why, urls] : selection.counters.counts()) {
    if (urls == 0 || !IsReason(why)) continue;
    const auto until = selection.left_out_until_ms.find(why);
    outlook.held.push_back({why, urls, until == selection.left_out_until_ms.end() ? kNever : until->second});
  }
  std::stable_sort(outlook.held.begin(), outlook.held.end(),
                   [](const HeldUrls& a, const HeldUrls& b) { return a.urls > b.urls; });
  const bool has_ready = selection.counters.Get("candidates") > 0;
  outlook.next_ms = has_ready ? now_ms : selection.job.empty() ? kNever : selection.next_due_ms;
  return outlook;
}

Json ToJson(const Outlook& outlook) {
  const auto time = [](TimeMs time_ms) { return time_ms == kNever ? Json(nullptr) : Json(FormatTimestamp(time_ms)); };
  Json held = Json::array();
  for (const HeldUrls& one : outlook.held) {
    held.push_back({{"why", one.why}, {"urls", one.urls}, {"until", time(one.until_ms)}});
  }
  return {{"due", outlook.due}, {"held", held}, {"next_due", time(outlook.next_ms)}};
}

std::string HeldText(const Json& held) {
  std::string text;
  int64_t urls = 0;
  for (const Json& one : held) {
    const auto count = one["urls"].get<int64_t>();
    urls += count;
    if (!text.empty()) text += "; ";
    if (held.size() > 1) text += ReadableCount(count) + ": ";
    text += WordsOf(one["why"].get<std::string>());
    if (!one["until"].is_null()) text += " until " + one["until"].get<std::string>();
  }
  if (text.empty()) return text;
  return ReadableCount(urls) + (urls == 1 ? " due is held: " : " due are held: ") + text;
}

std::string IdleText(const Outlook& outlook, TimeMs now_ms) {
  const bool has_next = outlook.next_ms != kNever && outlook.next_ms != 0;
  const std::string when =
      FormatTimestamp(outlook.next_ms) + ", in " + ReadableDuration(std::max<int64_t>(outlook.next_ms - now_ms, 0));
  if (outlook.held.empty()) return "nothing is due" + (has_next ? "; the next URL is due at " + when : "");
  return "nothing can be fetched: " + HeldText(ToJson(outlook)["held"]) +
         (has_next ? "; the next URL can be fetched at " + when : "");
}

}  // namespace trawl
