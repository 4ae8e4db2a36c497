// Explains why a URL is as it is and when it is asked for next, for trawl readdb get --explain. Reads, writes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/rows/url_row.h"
#include "runtime/options/options.h"
#include "runtime/options/resolve.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// One line: its subject, the time that belongs to it (0: no time), and the sentence.
struct Explanation {
  std::string about;
  TimeMs time_ms = 0;
  std::string text;
};

// The crawl to look into, and its options.
struct ExplainContext {
  Store* store = nullptr;
  const Manifest* snapshot = nullptr;
  OptionTexts options;
  TimeMs now_ms = 0;
  // Whether the URLs that come before a due one are counted; that may read the whole urls table.
  bool counts_before = true;
};
// The groups whose options an explanation takes into account.
OptionGroups ExplainOptionGroups();

// `row` is null for a URL that is not in the crawl. The lines come in this order, where there is something to say:
// state, found (the page that showed it first), rule (of NextState), due, rank, refresh, scope, robots, domain, host, segment, next,
// and one line "history" per stored fetch of the last ones, newest first.
arrow::Result<std::vector<Explanation>> ExplainUrl(const ExplainContext& context, const std::string& key,
                                                   const UrlRow* row);

Json ToJson(const std::vector<Explanation>& lines);
std::string TextOf(const std::vector<Explanation>& lines);

}  // namespace trawl
