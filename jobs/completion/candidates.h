// What can stand at the end of a command line: verbs, options, values, arguments. Pure but for the ids, which the
// caller looks up. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jobs/verb/verb.h"
#include "runtime/options/value_kind.h"

namespace trawl {

struct OfferedWord {
  std::string word;
  std::string text;  // one line about it; may be empty
};

enum class PathsWanted { kNone, kFiles, kFolders };

struct Candidates {
  std::vector<OfferedWord> words;
  // The word goes on after a candidate.
  bool is_open = false;
  // Whether the shell is to offer paths, too. The last word is `before` and then `path`.
  PathsWanted paths = PathsWanted::kNone;
  std::string before;
  std::string path;
};

// What the line says of the crawl that is meant.
struct TypedCrawl {
  std::optional<std::string> root;
  std::optional<std::string> config;
};
// The ids of that kind, in the order in which they are offered.
using FindIds = std::function<std::vector<std::string>(ValueKind kind, const TypedCrawl& crawl)>;

// The words after the program's name, without quotes.
struct TypedWords {
  std::vector<std::string> words;  // up to the cursor; the last one is completed
  std::vector<std::string> later;  // after it
};
// The candidates for the last word before the cursor; every one begins with that word. The words after the cursor count
// where they name the crawl. REQUIRES: there is a word.
Candidates FindCandidates(const std::vector<Verb>& verbs, const TypedWords& typed, const FindIds& find_ids);

}  // namespace trawl
