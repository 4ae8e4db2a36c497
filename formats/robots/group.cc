#include "formats/robots/group.h"

#include <cstddef>
#include <unordered_set>
#include <utility>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr int64_t kMaxDelaySeconds = 1'000'000'000;

// RFC 9309 section 2.2.1: the product token has only letters, "_" and "-".
bool IsTokenByte(char c) { return IsAsciiLetter(c) || c == '_' || c == '-'; }

std::string_view TokenAtStart(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && IsTokenByte(text[end])) ++end;
  return text.substr(0, end);
}

// The token with a number that ends its word: "bot1" in "bot1 x" and "bot1/2.0", but "bot" in "bot1x".
std::string_view NumberedTokenAtStart(std::string_view text) {
  const size_t token = TokenAtStart(text).size();
  size_t end = token;
  while (end < text.size() && IsAsciiDigit(text[end])) ++end;
  const bool ends_word = end == text.size() || text[end] == ' ' || text[end] == '\t' || text[end] == '/';
  return text.substr(0, ends_word ? end : token);
}

bool NamesEveryone(std::string_view value) {
  return value.starts_with('*') && (value.size() == 1 || value[1] == ' ' || value[1] == '\t');
}

bool NamesAgent(std::string_view value, std::string_view agent) {
  return EqualsIgnoringAsciiCase(TokenAtStart(value), agent) ||
         EqualsIgnoringAsciiCase(NumberedTokenAtStart(value), agent);
}

// Gathers the groups that name the crawler and those for everyone in parallel: only the end of the file tells which
// apply.
class GroupReader {
 public:
  explicit GroupReader(std::string_view agent) : agent_(agent.substr(0, agent.find('/'))) {}

  void Add(const RobotsLine& line) {
    switch (line.key) {
      case RobotsKey::kUserAgent:
        return AddAgent(line.value);
      case RobotsKey::kAllow:
      case RobotsKey::kDisallow:
        return AddRule(line);
      case RobotsKey::kCrawlDelay:
        return AddCrawlDelay(line.value);
      case RobotsKey::kContentSignal:
        return AddContentSignal(line.value);
      case RobotsKey::kSitemap:
        if (!line.value.empty() && seen_sitemaps_.insert(line.value).second) file_.sitemaps.push_back(line.value);
        return;
      case RobotsKey::kOther:
        return;
    }
  }

  RobotsFile Finish() {
    file_.group = std::move(own_was_named_ ? own_ : everyone_);
    return std::move(file_);
  }

 private:
  void AddAgent(std::string_view value) {
    // Only rules end the list of a group's agents: other records "MUST NOT interfere with the parsing of explicitly
    // defined records" (section 2.2.4).
    if (!in_agent_list_) in_own_ = in_everyone_ = false;
    in_agent_list_ = true;
    if (NamesEveryone(value)) {
      in_everyone_ = true;
    } else if (!agent_.empty() && NamesAgent(value, agent_)) {
      in_own_ = own_was_named_ = true;
    }
  }

  void AddRule(const RobotsLine& line) {
    in_agent_list_ = false;
    // An empty pattern matches nothing.
    if (line.value.empty()) return;
    const RobotsGroup::Rule rule{line.value, line.text, line.number, line.key == RobotsKey::kAllow};
    if (in_own_) own_.rules.push_back(rule);
    if (in_everyone_) everyone_.rules.push_back(rule);
  }

  void AddCrawlDelay(std::string_view value) {
    const std::optional<int64_t> delay_ms = ParseCrawlDelayMs(value);
    if (in_own_ && !own_.crawl_delay_ms) own_.crawl_delay_ms = delay_ms;
    if (in_everyone_ && !everyone_.crawl_delay_ms) everyone_.crawl_delay_ms = delay_ms;
  }

  void AddContentSignal(std::string_view value) {
    if (value.empty()) return;
    if (in_own_) own_.content_signals.push_back(value);
    if (in_everyone_) everyone_.content_signals.push_back(value);
  }

  const std::string_view agent_;
  RobotsFile file_;
  RobotsGroup own_;
  RobotsGroup everyone_;
  std::unordered_set<std::string_view> seen_sitemaps_;
  bool own_was_named_ = false;
  bool in_own_ = false;
  bool in_everyone_ = false;
  bool in_agent_list_ = false;
};

}  // namespace

RobotsFile ReadRobotsFile(std::string_view text, std::string_view agent) {
  GroupReader reader(agent);
  RobotsLines lines(text);
  RobotsLine line;
  while (lines.Next(&line)) reader.Add(line);
  return reader.Finish();
}

std::optional<int64_t> ParseCrawlDelayMs(std::string_view value) {
  int64_t seconds = 0;
  size_t at = 0;
  size_t digits = 0;
  for (; at < value.size() && IsAsciiDigit(value[at]); ++at, ++digits) {
    if (seconds < kMaxDelaySeconds) seconds = seconds * 10 + (value[at] - '0');
  }
  int64_t millis = 0;
  if (at < value.size() && value[at] == '.') {
    int64_t unit_ms = 100;
    for (++at; at < value.size() && IsAsciiDigit(value[at]); ++at, ++digits) {
      millis += (value[at] - '0') * unit_ms;
      unit_ms /= 10;
    }
  }
  if (digits == 0 || at != value.size()) return std::nullopt;
  if (seconds >= kMaxDelaySeconds) return kMaxDelaySeconds * 1000;
  return seconds * 1000 + millis;
}

}  // namespace trawl
