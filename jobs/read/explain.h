// Why a URL is as it is, and when it is asked for next: what trawl readdb get --explain prints. Reads, writes nothing.
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

// One line: what it is about, the time that belongs to it (0: none), and the sentence.
struct Explanation {
  std::string about;
  TimeMs time_ms = 0;
  std::string text;
};

// Where to look, and what the crawl's options are.
struct ExplainContext {
  Store* store = nullptr;
  const Manifest* snapshot = nullptr;
  OptionTexts options;
  TimeMs now_ms = 0;
};
// The groups whose options an explanation takes into account.
OptionGroups ExplainOptionGroups();

// `row` is null for a URL that is not in the crawl. In this order, as far as there is something to say: state,
// found (who showed it first), rule (of NextState), due, refresh, scope, robots, host, segment, next, and a line
// "history" for each of its last fetches that is still stored, newest first.
arrow::Result<std::vector<Explanation>> ExplainUrl(const ExplainContext& context, const std::string& key,
                                                   const UrlRow* row);

Json ToJson(const std::vector<Explanation>& lines);
std::string TextOf(const std::vector<Explanation>& lines);

}  // namespace trawl
