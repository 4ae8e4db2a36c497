#include "formats/robots/robots.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/charset/decode.h"
#include "formats/robots/group.h"
#include "formats/robots/lines.h"
#include "formats/robots/pattern.h"

namespace trawl {

// Makes the rules of a group: patterns in compared form, sorted by their heads.
class RobotsCompiler {
 public:
  RobotsRules Compile(const RobotsFile& file) {
    out_.crawl_delay_ms_ = file.group.crawl_delay_ms;
    out_.sitemaps_.assign(file.sitemaps.begin(), file.sitemaps.end());
    out_.content_signals_.assign(file.group.content_signals.begin(), file.group.content_signals.end());
    Reserve(file.group);
    for (const RobotsGroup::Rule& rule : file.group.rules) Add(rule);
    Sort();
    MakeNodes();
    return std::move(out_);
  }

 private:
  using Range = RobotsRules::Range;
  struct Draft {
    Range head;
    RobotsRules::Rule rule;
  };

  void Reserve(const RobotsGroup& group) {
    size_t bytes = 0;
    for (const RobotsGroup::Rule& rule : group.rules) bytes += rule.text.size();
    out_.arena_.reserve(bytes);
    drafts_.reserve(group.rules.size());
  }

  Range Store(std::string_view text) {
    const Range range{static_cast<uint32_t>(out_.arena_.size()), static_cast<uint32_t>(text.size())};
    out_.arena_.append(text);
    return range;
  }

  void Add(const RobotsGroup::Rule& source) {
    // A path begins with "/", so a pattern with any other beginning cannot match.
    if (source.pattern[0] != '/' && source.pattern[0] != '*') return;
    const Range line = Store(source.text);
    const std::string_view compared = ComparedRobotsPattern(source.pattern, &buffer_);
    // Mostly the compared form equals the text of the line and need not be stored twice.
    const bool as_written = compared.data() == source.pattern.data();
    const Range pattern = as_written
                              ? Range{line.offset + static_cast<uint32_t>(source.pattern.data() - source.text.data()),
                                      static_cast<uint32_t>(compared.size())}
                              : Store(compared);
    AddPattern(source, line, pattern, /*anchor=*/false);
    const size_t slash = compared.rfind('/');
    if (source.allow && slash != std::string_view::npos && compared.substr(slash).starts_with("/index.htm")) {
      AddPattern(source, line, {pattern.offset, static_cast<uint32_t>(slash + 1)}, /*anchor=*/true);
    }
  }

  // `anchor`: the match must reach the end, although no "$" is written.
  void AddPattern(const RobotsGroup::Rule& source, Range line, Range pattern, bool anchor) {
    const std::string_view text = out_.At(pattern);
    const RobotsPattern parts = SplitRobotsPattern(text);
    const auto head_size = static_cast<uint32_t>(parts.head.size());
    Draft draft;
    draft.head = {pattern.offset, head_size};
    draft.rule.line = line;
    draft.rule.tail = {pattern.offset + head_size, static_cast<uint32_t>(parts.tail.size())};
    draft.rule.tail_pairs = RobotsTailPairs(parts.tail);
    draft.rule.rank = (pattern.size + (anchor ? 1 : 0)) * 2 + (source.allow ? 1 : 0);
    draft.rule.line_number = source.line;
    draft.rule.allow = source.allow;
    draft.rule.anchored = parts.anchored || anchor;
    drafts_.push_back(draft);
  }

  // By head, then highest rank first; of equal rules the first line decides.
  void Sort() {
    std::sort(drafts_.begin(), drafts_.end(), [this](const Draft& a, const Draft& b) {
      const int heads = out_.At(a.head).compare(out_.At(b.head));
      if (heads != 0) return heads < 0;
      return std::tuple(b.rule.rank, a.rule.line_number) < std::tuple(a.rule.rank, b.rule.line_number);
    });
  }

  void MakeNodes() {
    out_.rules_.reserve(drafts_.size());
    for (const Draft& draft : drafts_) {
      if (out_.nodes_.empty() || out_.At(out_.nodes_.back().head) != out_.At(draft.head)) AddNode(draft);
      out_.rules_.push_back(draft.rule);
      out_.nodes_.back().end_rule = static_cast<uint32_t>(out_.rules_.size());
    }
  }

  void AddNode(const Draft& first) {
    const std::string_view head = out_.At(first.head);
    auto parent = static_cast<int32_t>(out_.nodes_.size()) - 1;
    while (parent >= 0 && !head.starts_with(out_.At(out_.nodes_[parent].head))) parent = out_.nodes_[parent].parent;
    RobotsRules::Node node;
    node.head = first.head;
    node.first_rule = static_cast<uint32_t>(out_.rules_.size());
    node.parent = parent;
    node.highest_rank = std::max(first.rule.rank, parent < 0 ? 0 : out_.nodes_[parent].highest_rank);
    out_.nodes_.push_back(node);
  }

  RobotsRules out_;
  std::vector<Draft> drafts_;
  std::string buffer_;
};

RobotsRules RobotsRules::Parse(std::string_view text, std::string_view agent) {
  std::string decoded;
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    text =
        DecodeToUtf8(text.substr(0, 2 * kRobotsMaxBytes), text.front() == '\xFF' ? "UTF-16LE" : "UTF-16BE", &decoded);
  }
  return RobotsCompiler().Compile(ReadRobotsFile(text, agent));
}

int32_t RobotsRules::NearestNode(std::string_view path, size_t* shared) const {
  const auto after = std::upper_bound(nodes_.begin(), nodes_.end(), path,
                                      [this](std::string_view p, const Node& node) { return p < At(node.head); });
  if (after == nodes_.begin()) return -1;
  const auto node = static_cast<int32_t>(after - nodes_.begin()) - 1;
  const std::string_view head = At(nodes_[node].head);
  const size_t limit = std::min(head.size(), path.size());
  *shared = static_cast<size_t>(std::mismatch(head.begin(), head.begin() + limit, path.begin()).first - head.begin());
  return node;
}

const RobotsRules::Rule* RobotsRules::MatchIn(const Node& node, std::string_view path, uint64_t path_pairs,
                                              uint32_t least_rank) const {
  const std::string_view rest = path.substr(node.head.size);
  for (uint32_t i = node.first_rule; i < node.end_rule && rules_[i].rank >= least_rank; ++i) {
    const Rule& rule = rules_[i];
    if ((rule.tail_pairs & ~path_pairs) == 0 && MatchRobotsTail(At(rule.tail), rule.anchored, rest)) return &rule;
  }
  return nullptr;
}

const RobotsRules::Rule* RobotsRules::DecidingRule(std::string_view path) const {
  size_t shared = 0;
  const uint64_t path_pairs = RobotsPathPairs(path);
  const Rule* best = nullptr;
  uint32_t best_rank = 0;
  for (int32_t at = NearestNode(path, &shared); at >= 0 && nodes_[at].highest_rank >= best_rank;
       at = nodes_[at].parent) {
    if (nodes_[at].head.size > shared) continue;
    const Rule* rule = MatchIn(nodes_[at], path, path_pairs, best_rank);
    if (rule == nullptr) continue;
    // The first line of equal rules decides also where their heads differ.
    if (best == nullptr || rule->rank > best_rank || rule->line_number < best->line_number) best = rule;
    best_rank = best->rank;
  }
  return best;
}

RobotsRules::Verdict RobotsRules::Check(std::string_view path_and_query) const {
  std::string buffer;
  std::string_view path = ComparedRobotsPath(path_and_query, &buffer);
  std::string rooted;
  if (!path.starts_with('/')) path = rooted = "/" + std::string(path);
  // RFC 9309 section 2.2.2: "The /robots.txt URI is implicitly allowed."
  if (path == "/robots.txt") return {};
  const Rule* rule = DecidingRule(path);
  if (rule == nullptr) return {};
  return {rule->allow, rule->line_number, At(rule->line)};
}

}  // namespace trawl
