// Input: the first line names the agent, the second the path; the rest is the robots.txt. The verdict is compared with
// that of a plain method: every rule in turn, wildcards by dynamic programming.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "formats/robots/group.h"
#include "formats/robots/pattern.h"
#include "formats/robots/robots.h"

namespace {

// With more steps the plain method takes too long.
constexpr size_t kMaxPlainSteps = 4 << 20;

void Require(bool holds) {
  if (!holds) std::abort();
}

// reached[i]: the part of the pattern read so far matches the first i bytes of the path.
bool PlainMatch(std::string_view pattern, std::string_view path) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  std::vector<bool> reached(path.size() + 1, false);
  reached[0] = true;
  for (const char c : pattern) {
    std::vector<bool> next(path.size() + 1, false);
    for (size_t i = 0; i <= path.size(); ++i) {
      if (c == '*') {
        next[i] = reached[i] || (i > 0 && next[i - 1]);
      } else {
        next[i] = i > 0 && reached[i - 1] && path[i - 1] == c;
      }
    }
    reached = next;
  }
  if (anchored) return reached[path.size()];
  for (const bool any : reached) {
    if (any) return true;
  }
  return false;
}

// The line of the deciding rule, found by trying all rules; 0 where none matches.
uint32_t PlainVerdict(const trawl::RobotsGroup& group, std::string_view path) {
  size_t best_rank = 0;
  uint32_t best_line = 0;
  const auto consider = [&](std::string_view pattern, const trawl::RobotsGroup::Rule& rule) {
    const size_t rank = pattern.size() * 2 + (rule.allow ? 1 : 0);
    if (rank <= best_rank || !PlainMatch(pattern, path)) return;
    best_rank = rank;
    best_line = rule.line;
  };
  std::string buffer;
  for (const trawl::RobotsGroup::Rule& rule : group.rules) {
    const std::string pattern(trawl::ComparedRobotsPattern(rule.pattern, &buffer));
    consider(pattern, rule);
    const size_t slash = pattern.rfind('/');
    if (rule.allow && slash != std::string::npos && pattern.compare(slash, 10, "/index.htm") == 0) {
      consider(pattern.substr(0, slash + 1) + "$", rule);
    }
  }
  return best_line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto take_line = [&rest] {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() == rest.size() ? line.size() : line.size() + 1);
    return line;
  };
  const std::string_view agent = take_line();
  std::string path(take_line());
  if (!path.starts_with('/')) path.insert(0, 1, '/');
  const trawl::RobotsRules rules = trawl::RobotsRules::Parse(rest, agent);
  const trawl::RobotsRules::Verdict verdict = rules.Check(path);
  Require(verdict.allowed || verdict.line != 0);
  const bool is_utf16 = rest.starts_with("\xFF\xFE") || rest.starts_with("\xFE\xFF");  // its lines are not in `rest`
  Require(is_utf16 || rest.find(verdict.text) != std::string_view::npos);
  Require(rules.Check("/robots.txt").allowed);

  std::string buffer;
  const std::string compared(trawl::ComparedRobotsPath(path, &buffer));
  // The compared form of the compared form is the same.
  Require(trawl::ComparedRobotsPath(compared, &buffer) == compared);
  if (!is_utf16 && compared != "/robots.txt" && compared.size() * rest.size() < kMaxPlainSteps) {
    Require(verdict.line == PlainVerdict(trawl::ReadRobotsFile(rest, agent).group, compared));
  }
  return 0;
}
