// What the operator changes about a host, or about a registrable domain with all its hosts: by options of trawl host, or by
// a line of a policy file. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/rows/host_row.h"
#include "formats/url/normal.h"

namespace trawl {

struct HostTarget {
  std::string key;  // the host part of a URL key: "com,example,www"
  bool is_domain = false;
  // "www.example.com", "the domain example.com".
  std::string Name() const;
};

// What is not set stays as it is.
struct HostChange {
  std::optional<bool> blocked;
  std::optional<std::string> reason;   // why, in the operator's words
  std::optional<int32_t> delay_ms;     // 0: the usual delay; -1: no wait
  std::optional<int64_t> pages_a_day;  // 0: the limit of all
  std::optional<int64_t> pages;        // in all; 0: the limit of all
  // Kinds of what is held against a host, of HoldKinds().
  std::vector<std::string> clear;

  bool IsAny() const { return blocked || delay_ms || pages_a_day || pages || !clear.empty(); }
  bool operator==(const HostChange&) const = default;
};

// "breaker|trap|slow|throttle|patterns|all".
const char* HoldKinds();
// Whether the rows of the host's patterns go, which Apply knows nothing about.
bool ClearsPatterns(const HostChange& change);

// Changes the row of the target's key: the host's part or the domain's.
void Apply(const HostChange& change, bool to_domain, HostRow* row);

// For a plan.
Json ToJson(const HostChange& change);
arrow::Result<HostChange> HostChangeFromJson(const Json& json);

// A host as a name or a URL on it. UsageError where it is neither.
arrow::Result<HostTarget> HostTargetOf(const std::string& text, NormalForm form);
// A registrable domain. UsageError where it is none, with the domain that is meant.
arrow::Result<HostTarget> DomainTargetOf(const std::string& text, NormalForm form);

}  // namespace trawl
