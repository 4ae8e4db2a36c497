#include "jobs/policy/read_policy.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "formats/digests/digest.h"
#include "formats/rows/parse_row.h"

namespace trawl {

using arrow::Result;

int64_t ReadPolicy::At(int32_t depth) const {
  const std::array<int64_t, 3> facts = {rules, depth, depth < most_depth ? 1 : 0};
  const auto hash = static_cast<int64_t>(
      Hash64(std::string_view(reinterpret_cast<const char*>(facts.data()), sizeof(int64_t) * facts.size())));
  return hash == 0 ? 1 : hash;
}

std::string ReadPolicy::Text() const {
  std::array<char, 40> text;
  std::snprintf(text.data(), text.size(), "%016llx-%d", static_cast<unsigned long long>(rules), most_depth);
  return text.data();
}

Json ToJson(const ReadPolicy& policy) { return {{"rules", policy.rules}, {"most_depth", policy.most_depth}}; }

Result<ReadPolicy> ReadPolicyFromJson(const Json& json) {
  ReadPolicy policy;
  ARROW_ASSIGN_OR_RAISE(policy.rules, GetInt(json, "rules"));
  ARROW_ASSIGN_OR_RAISE(const int64_t most_depth, GetInt(json, "most_depth"));
  policy.most_depth = static_cast<int32_t>(most_depth);
  return policy;
}

bool IsToRead(const UrlRow& row, const ReadPolicy& policy) {
  if (row.body_file.empty() || row.removed || IsDropped(row)) return false;
  return row.parser < kParserVersion || row.read_policy != policy.At(row.depth);
}

}  // namespace trawl
