// Paths and patterns of robots.txt: the form in which they are compared, and the match of one pattern. robots.h has all
// rules of a host together. Pure; any thread.
//
// RFC 9309 section 2.2.2 wants different spellings of escapes made equal before comparing. But its text (encode
// everything reserved) and its table (which leaves "=" alone) differ, and "/" in a path is not the same as "%2F". So
// the compared form is:
//   escaped  all but ASCII, controls, space and `"<>\^`{|}`; "%" without two hex digits; "*" and "$" that are meant
//            literally; "#"; and escaped separators of the part: %2F and %3F in a path, %26, %3D and %2B in a query
//   plain    everything else, however it was written
// with capital hex digits, so that ":" equals "%3A" and "/" in a query "%2F", as the RFC's table has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

// The compared form of a URL's path and query: `path` itself where nothing changes, otherwise built in `buffer`.
std::string_view ComparedRobotsPath(std::string_view path, std::string* buffer);

// The compared form of a rule's pattern, in which "*" and a last "$" keep their meaning: `pattern` itself or `buffer`.
std::string_view ComparedRobotsPattern(std::string_view pattern, std::string* buffer);

// A pattern in compared form, cut where its first literal text ends.
struct RobotsPattern {
  std::string_view head;  // every match begins with it
  std::string_view tail;  // empty, or from the first "*" on
  bool anchored = false;  // the pattern ended in "$": the match must reach the end of the path
};
RobotsPattern SplitRobotsPattern(std::string_view compared_pattern);

// Whether `rest`, the path after a matching head, matches the tail. Each piece between two "*" is searched for once, in
// time linear in `rest`, so no pattern makes this backtrack.
bool MatchRobotsTail(std::string_view tail, bool anchored, std::string_view rest);

// One bit for each pair of adjacent bytes (hashed to 64) in the path or in the pieces of a tail. A tail with a bit that
// the path lacks cannot match.
uint64_t RobotsPathPairs(std::string_view compared_path);
uint64_t RobotsTailPairs(std::string_view tail);

}  // namespace trawl
