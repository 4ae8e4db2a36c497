// The door of formats/robots: robots.txt, and what RFC 9309 lets one crawler ask of one host. Start at
// RobotsRules::Parse and Check.
//
// Departures from the RFC and additions to it:
//  - "key value" without a colon counts, and "Allow: …/index.html" also allows "…/": as in Google's parser;
//  - the octets of a rule are counted in the form in which paths are compared (pattern.h);
//  - a numbered robot ("bot1"), which the RFC's product token cannot name, is matched by the whole word;
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
    // The line that decided, counted from 1; 0 where no rule matched, or where the path is /robots.txt itself.
    uint32_t line = 0;
    // That line as it was written. It lives as long as the RobotsRules.
    std::string_view text;
  };

  // No rules: everything is allowed.
  RobotsRules() = default;

  // The rules for the crawler with the product token `agent` (RFC 9309 section 2.2.1; a "/" in it and everything after
  // it is ignored): those of all groups that name it, else of all groups for "*". Never fails: unknown lines are
  // skipped.
  static RobotsRules Parse(std::string_view text, std::string_view agent);

  // Whether `path_and_query` ("/a/b?c=d", without fragment) may be asked for. An empty path means "/".
  Verdict Check(std::string_view path_and_query) const;

  // The first valid Crawl-delay of those groups.
  std::optional<int64_t> crawl_delay_ms() const { return crawl_delay_ms_; }
  // The values of the file's Sitemap lines in any group: in order, each once, as written.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  // The values of those groups' Content-Signal lines, in order, as written.
  const std::vector<std::string>& content_signals() const { return content_signals_; }
  // The number of rules, for measurements and for people.
  size_t size() const { return rules_.size(); }

 private:
  friend class RobotsCompiler;

  // Texts are ranges of arena_, so that a RobotsRules may be moved and copied.
  struct Range {
    uint32_t offset = 0;
    uint32_t size = 0;
  };
  struct Rule {
    Range line;
    Range tail;  // the pattern from its first "*" on
    uint64_t tail_pairs = 0;
    // The number of octets in the pattern, times two, plus one for allow. The matching rule with the highest rank
    // decides.
    uint32_t rank = 0;
    uint32_t line_number = 0;
    bool allow = false;
    bool anchored = false;
  };
  // The rules that share a head, which is the literal beginning of their pattern: rules_[first_rule, end_rule), highest
  // rank first. Nodes are sorted by head. A node's parent has the longest other head that begins the node's head, so
  // all heads that begin a path lie on one chain of parents.
  struct Node {
    Range head;
    uint32_t first_rule = 0;
    uint32_t end_rule = 0;
    int32_t parent = -1;
    uint32_t highest_rank = 0;  // the highest rank in this node and all nodes up its chain
  };

  std::string_view At(Range range) const { return std::string_view(arena_).substr(range.offset, range.size); }
  // The node from which all heads that begin `path` are reached by going up; -1 where no head begins it. `shared` is
  // the number of octets at the beginning that its head and `path` share.
  int32_t NearestNode(std::string_view path, size_t* shared) const;
  // The first rule of a node, whose head begins `path`, that matches and has at least rank `least_rank`; null where no
  // rule does.
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
