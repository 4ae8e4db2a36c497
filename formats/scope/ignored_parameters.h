// Parameters that change nothing on a host, as the operator says: links to the host lead to the URL without them. A line of
// the file is a host and the name of a parameter; blank lines and lines that begin with '#' are skipped:
//
//   www.example.com sort
//
// Immutable; any thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/url/pieces.h"

namespace trawl {

class IgnoredParameters {
 public:
  IgnoredParameters() = default;
  // Invalid, with file and line, for a line that is no host and name.
  static arrow::Result<IgnoredParameters> Parse(std::string_view text, const std::string& file);

  // Takes them out of a normalised URL, and finds its pieces again; false where it has none. REQUIRES: `pieces` are those
  // of `*url`.
  bool Remove(std::string* url, UrlPieces* pieces) const;

 private:
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> names_;  // by host
};

}  // namespace trawl
