// The rules by which the links of a page are judged, as a number: a page that was read under another number is to be
// read again (trawl reparse). Pure; any thread.
//
// The number of a page stands for the scope, the lists and rules of URLs and the limits (urls.*), for the depth of the
// page, and for whether its links are within the depth limit. So another depth limit concerns only the pages at whose
// depth it makes a difference. Seeds are not in it: a new seed makes no page be read again.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/rows/url_row.h"

namespace trawl {

struct ReadPolicy {
  int64_t rules = 0;  // a hash of everything but the depth limit
  int32_t most_depth = 0;

  // The number for a page at that depth. Never 0, which rows of older versions have.
  int64_t At(int32_t depth) const;
  // All of it, for documents: "5f3a9c0112345678-10".
  std::string Text() const;
  bool operator==(const ReadPolicy&) const = default;
};

Json ToJson(const ReadPolicy& policy);
arrow::Result<ReadPolicy> ReadPolicyFromJson(const Json& json);

// Whether the row has a body that an older parser, or the same parser under other rules, read last. A row of 0, which an
// older version wrote, is to be read once. REQUIRES: the row has state, outcome, depth, body_file, parser and
// read_policy.
bool IsToRead(const UrlRow& row, const ReadPolicy& policy);

}  // namespace trawl
