#include "jobs/api/endpoints.h"

#include <algorithm>

#include "formats/answers/base64url.h"
#include "formats/url/key.h"
#include "jobs/api/write_endpoints.h"
#include "jobs/page/page.h"
#include "jobs/policy/score.h"
#include "jobs/read/explain.h"
#include "jobs/verb/url_arguments.h"
#include "jobs/views/failure.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr int64_t kMostRows = 1'000'000;
constexpr int64_t kMostMs = 2000;

}  // namespace

const std::vector<Endpoint>& ApiEndpoints() {
  static const std::vector<Endpoint> table = [] {
    std::vector<Endpoint> all;
    for (auto part : {StatusEndpoints(), UrlEndpoints(), DomainEndpoints(), PageEndpoints(), PagePartEndpoints(),
                      StatsEndpoints(), RoundEndpoints(), CrawlEndpoints(), WriteEndpoints()}) {
      std::move(part.begin(), part.end(), std::back_inserter(all));
    }
    // "/urls/pending" comes before "/urls/{id}".
    const auto templates = [](const Endpoint& endpoint) {
      return std::count(endpoint.path.begin(), endpoint.path.end(), '{');
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const Endpoint& a, const Endpoint& b) { return templates(a) < templates(b); });
    return all;
  }();
  return table;
}

OptionGroups ApiOptionGroups() {
  OptionGroups groups = ExplainOptionGroups();
  for (const AnyOptionGroup* group : PageLinkGroups()) {
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  return groups;
}

Parameter IdParameter() {
  return {
      .name = "id",
      .place = ParameterPlace::kPath,
      .schema = {{"type", "string"}, {"minLength", 1}},
      .description = "The `id` of a URL as other answers give it: base64url of its key. `_`: the one that `url` names.",
      .example = "Y29tLGV4YW1wbGUsd3d3KS8"};
}

Parameter UrlParameter() {
  return {.name = "url",
          .schema = {{"type", "string"}, {"minLength", 1}},
          .description = "A URL, however it is spelled.",
          .example = "https://www.example.com/"};
}

std::vector<Parameter> WithListParameters(std::vector<Parameter> parameters) {
  parameters.push_back({.name = "limit",
                        .schema = {{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}, {"default", 100}},
                        .description = "At most so many. A page may have fewer, even none, and a `next`."});
  parameters.push_back({.name = "cursor",
                        .schema = {{"type", "string"}, {"minLength", 1}},
                        .description = "The `next` of the page before. It names the snapshot, too."});
  return parameters;
}

std::string IdOfKey(std::string_view key) { return Base64UrlOf(key); }

Result<std::string> KeyOfCall(const ApiCall& call) {
  const std::string id = call.Has("id") ? call.Text("id") : "_";
  if (id == "_") {
    if (!call.Has("url")) return BadRequest("name the URL by its id, or by ?url=");
    Result<std::string> key = KeyOfArgument(call.Text("url"), call.view->normal_form());
    return key.ok() ? key : Unknown(key.status().message());
  }
  std::optional<std::string> key = BytesOfBase64Url(id);
  const Result<std::string> url = key ? UrlOfKey(*key) : Result<std::string>(arrow::Status::Invalid(""));
  const Result<std::string> again = url.ok() ? KeyOfUrl(*url) : url;
  if (!again.ok() || *again != *key) return Unknown("'" + id.substr(0, 100) + "' is not the id of a URL");
  return *std::move(key);
}

Result<std::string> HostPartOfName(const std::string& name, NormalForm form) {
  const Result<std::string> key = KeyOfArgument("https://" + name + "/", form);
  const bool is_host = key.ok() && name.find_first_of("/?#@:\\ ") == std::string::npos;
  // An IPv6 address has colons.
  if (!is_host && !(key.ok() && name.starts_with('['))) {
    return Unknown("'" + name.substr(0, 260) + "' is not the name of a host");
  }
  return std::string(HostPartOfKey(*key));
}

ScanOptions RangeOfKeys(const KeyRange& keys) {
  const uint32_t slot = SlotOfKey(keys.from);
  ScanOptions options;
  options.slots = {slot, slot + 1};
  options.from_key = keys.from;
  options.to_key = keys.to;
  return options;
}

Result<ScanOptions> RangeFromCursor(const ApiCall& call, ScanOptions range) {
  if (!call.Has("cursor")) return range;
  const std::optional<Cursor> cursor = ParseCursor(call.Text("cursor"));
  const bool is_of_list = cursor && range.slots.Contains(cursor->slot) && cursor->key.size() <= kMaxKeyBytes &&
                          (range.to_key.empty() || (range.from_key <= cursor->key && cursor->key < range.to_key));
  if (!is_of_list) return Unknown("this cursor is none of this list");
  range.slots.begin = cursor->slot;
  range.from_key = cursor->key;
  return range;
}

ScanBudget::ScanBudget(const ApiCall& call)
    : clock_(*call.surroundings.clock), until_ms_(clock_.MonotonicMs() + kMostMs), rows_left_(kMostRows) {}

bool ScanBudget::IsUsedUp(int64_t rows) {
  rows_left_ -= rows;
  unclocked_ += rows;
  if (rows_left_ < 0) return true;
  if (unclocked_ < 256) return false;
  unclocked_ = 0;
  return clock_.MonotonicMs() > until_ms_;
}

}  // namespace trawl
