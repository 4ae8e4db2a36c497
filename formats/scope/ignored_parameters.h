// Parameters that change nothing on a host, as the operator says: links to the host lead to the URL without them. A line of
// the file is a host and the name of a parameter; blank lines and lines that begin with '#' are skipped:
//
//   www.example.com sort
//
// A crawl may learn others by itself. Such a rule holds for the pages of one form (formats/url/pattern.h), and is a text
// like a key of the table patterns: the pattern up to its '?', a blank, and the name: "com,example,www)/list? sort".
//
// Immutable once it is made; any thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/url/pieces.h"

namespace trawl {

std::string LearnedRule(std::string_view pattern, std::string_view name);
bool IsLearnedRule(std::string_view pattern_key);
struct LearnedParameter {
  std::string_view pattern;  // up to its '?', without it
  std::string_view name;
};
// REQUIRES: it is a learned rule.
LearnedParameter PartsOfLearnedRule(std::string_view rule);

class IgnoredParameters {
 public:
  IgnoredParameters() = default;
  // Invalid, with file and line, for a line that is no host and name.
  static arrow::Result<IgnoredParameters> Parse(std::string_view text, const std::string& file);

  // REQUIRES: it is a learned rule.
  void AddLearned(std::string_view rule);

  // Takes them out of a normalised URL, and finds its pieces again; false where it has none. REQUIRES: `pieces` are those
  // of `*url`.
  bool Remove(std::string* url, UrlPieces* pieces) const;

 private:
  // By host: names, and learned rules, which have a blank.
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> names_;
};

}  // namespace trawl
