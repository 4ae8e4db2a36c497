// robots.txt: what RFC 9309 lets one crawler ask of one host. Start at RobotsRules::Parse and Check.
//
// Where this departs from the RFC, or fills it:
//  - "key value" without a colon counts, and "Allow: …/index.html" also allows "…/": as Google's parser has both;
//  - the octets of a rule are counted in the form in which paths are compared (robots_pattern.h);
//  - a numbered robot ("bot1"), which the RFC's product token cannot name, is matched by its whole word;
//  - a file in UTF-16 with a byte order mark is read, although the RFC asks for UTF-8 (section 2.3): whoever wrote
//    "Disallow" in it meant it;
//  - Crawl-delay, Sitemap and Content-Signal are read as well. As "other records" (section 2.2.4) they neither open nor
//    close a group.
//
// A RobotsRules is an immutable value: any number of threads may Check one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

class RobotsRules {
 public:
  struct Verdict {
    bool allowed = true;
    // The line that decided, from 1; 0 where no rule matched, or the path is /robots.txt itself.
    uint32_t line = 0;
    // That line as it was written. Lives as long as the RobotsRules.
    std::string_view text;
  };

  // Without any rule: all is allowed.
  RobotsRules() = default;

  // The rules for the crawler with the product token `agent` (RFC 9309 section 2.2.1; what follows a "/" in it is left
  // out): those of all groups that name it, else of all groups for "*". Never fails: what is not understood is skipped.
  static RobotsRules Parse(std::string_view text, std::string_view agent);

  // Whether `path_and_query` ("/a/b?c=d", without fragment) may be asked for. An empty path means "/".
  Verdict Check(std::string_view path_and_query) const;

  // The first valid Crawl-delay of those groups.
  std::optional<int64_t> crawl_delay_ms() const { return crawl_delay_ms_; }
  // The values of the file's Sitemap lines, whatever their group: in order, each once, as written.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  // The values of those groups' Content-Signal lines, in order, as written.
  const std::vector<std::string>& content_signals() const { return content_signals_; }
  // How many rules there are, for measuring and for people.
  size_t size() const { return rules_.size(); }

 private:
  friend class RobotsCompiler;

  // Texts are ranges of arena_, so that the value may be moved and copied.
  struct Range {
    uint32_t offset = 0;
    uint32_t size = 0;
  };
  struct Rule {
    Range line;
    Range tail;  // of the pattern, from its first "*" on
    uint64_t tail_pairs = 0;
    // Octets of the pattern, times two, plus one for allow: of the rules that match, the highest decides.
    uint32_t rank = 0;
    uint32_t line_number = 0;
    bool allow = false;
    bool anchored = false;
  };
  // The rules that share a head, the literal beginning of their pattern: rules_[first_rule, end_rule), highest rank
  // first. Nodes are sorted by head; a node's parent has the longest other head that begins it, so that all heads that
  // begin a path lie on one chain of parents.
  struct Node {
    Range head;
    uint32_t first_rule = 0;
    uint32_t end_rule = 0;
    int32_t parent = -1;
    uint32_t highest_rank = 0;  // of this node and those up its chain
  };

  std::string_view At(Range range) const { return std::string_view(arena_).substr(range.offset, range.size); }
  // The node from which every head that begins `path` is reached by going up; -1 where none does. `shared` is how many
  // octets its head and `path` have in common at the beginning.
  int32_t NearestNode(std::string_view path, size_t* shared) const;
  // The first rule of a node, whose head begins `path`, that matches and has at least that rank; null where none does.
  const Rule* MatchIn(const Node& node, std::string_view path, uint64_t path_pairs, uint32_t least_rank) const;
  const Rule* DecidingRule(std::string_view path) const;

  std::string arena_;
  std::vector<Rule> rules_;
  std::vector<Node> nodes_;
  std::optional<int64_t> crawl_delay_ms_;
  std::vector<std::string> sitemaps_;
  std::vector<std::string> content_signals_;
};

}  // namespace trawl
