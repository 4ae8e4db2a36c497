#include "jobs/verb/url_arguments.h"

#include <string_view>

#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr std::string_view kSchemeEnd = "://";

// The prefix with its origin normalised, as keys have it.
Result<std::string> NormalPrefix(const std::string& prefix, NormalForm form) {
  const size_t host = prefix.find(kSchemeEnd);
  if (host == std::string::npos) return Status::Invalid("it has no scheme");
  const size_t path = prefix.find_first_of("/?#", host + kSchemeEnd.size());
  ARROW_ASSIGN_OR_RAISE(std::string url, NormalizeUrl(prefix.substr(0, path) + "/", form));
  if (path == std::string::npos) return url;
  return url + prefix.substr(prefix[path] == '/' ? path + 1 : path);
}

}  // namespace

Result<std::string> KeyOfArgument(const std::string& argument, NormalForm form) {
  const Result<std::string> url = NormalizeUrl(argument, form);
  Result<std::string> key = url.ok() ? KeyOfUrl(*url) : url.status();
  if (key.ok()) return key;
  const bool lacks_scheme = !argument.empty() && argument.find(kSchemeEnd) == std::string::npos;
  return UsageError(argument, ": ", key.status().message(),
                    lacks_scheme ? "; did you mean https://" + argument + "?" : "");
}

Result<KeyRange> KeysOfPrefix(const std::string& prefix, NormalForm form) {
  const Result<std::string> normal = NormalPrefix(prefix, form);
  const Result<KeyRange> range = normal.ok() ? KeyRangeOfUrlPrefix(*normal) : Result<KeyRange>(normal.status());
  if (range.ok()) return range;
  return UsageError("--prefix ", prefix, ": ", range.status().message(), "; write it like https://host/path");
}

std::vector<std::string> JoinPrefixes(const std::vector<std::string>& items) {
  std::vector<std::string> prefixes;
  for (const std::string& item : items) {
    if (prefixes.empty() || item.find(kSchemeEnd) != std::string::npos) {
      prefixes.push_back(item);
    } else {
      prefixes.back() += "," + item;
    }
  }
  return prefixes;
}

}  // namespace trawl
