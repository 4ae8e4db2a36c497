// Paths and patterns of robots.txt: the one form in which they are compared, and the match of one pattern. The rules of
// a host as a whole are in robots.h. Pure; any thread.
//
// RFC 9309 section 2.2.2 wants escapes evened out before comparing, but its text (encode all that is reserved) and its
// table (which leaves "=" alone) differ; and a path's "/" is not its "%2F". So the compared form is:
//   escaped  all but ASCII, controls, space and `"<>\^`{|}`; "%" without two hex digits; "*" and "$" that are meant
//            literally; "#"; and what a part's own separators hide: %2F and %3F in a path, %26, %3D and %2B in a query
//   plain    all else, however it was written
// with capital hex digits, so that ":" equals "%3A" and "/" in a query "%2F", as the RFC's table has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

// The compared form of a URL's path and query: `path` itself where nothing changes, else built in `buffer`.
std::string_view ComparedRobotsPath(std::string_view path, std::string* buffer);

// The compared form of a rule's pattern, in which "*" and a last "$" keep their meaning: `pattern` itself or `buffer`.
std::string_view ComparedRobotsPattern(std::string_view pattern, std::string* buffer);

// A pattern in compared form, cut where literal text ends for the first time.
struct RobotsPattern {
  std::string_view head;  // every match begins with it
  std::string_view tail;  // empty, or from the first "*" on
  bool anchored = false;  // it ended in "$": the match must reach the end of the path
};
RobotsPattern SplitRobotsPattern(std::string_view compared_pattern);

// Whether `rest`, the path behind a matching head, matches the tail. Linear in `rest` for each piece between two "*",
// and each piece is looked for once: no pattern makes this backtrack.
bool MatchRobotsTail(std::string_view tail, bool anchored, std::string_view rest);

// One bit for each pair of adjoining bytes (hashed to 64) in the path or in the pieces of a tail. A tail with a bit
// that the path lacks cannot match.
uint64_t RobotsPathPairs(std::string_view compared_path);
uint64_t RobotsTailPairs(std::string_view tail);

}  // namespace trawl
