// One request for a page: its path and query, taken apart, and the values that it asks the API for. One thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/web/layout.h"
#include "jobs/web/markup.h"
#include "jobs/web/web.h"
#include "runtime/server/message.h"

namespace trawl {

// Fields as a browser sends them, `a=1&b=two+words`: of a query, or of a form's body. Of a name that comes twice the last
// one counts.
std::map<std::string, std::string> ParseFields(std::string_view text);
// Percent-decoded.
std::string Decoded(std::string_view text, bool plus_is_space);

struct PageCall {
  PageCall(WebContext& web, const ServerRequest& asked, const StopToken& stop_token);

  WebContext& context;
  const ServerRequest& request;
  const StopToken& stop;
  std::vector<std::string> path;  // its segments, decoded: {"hosts", "example.com"}
  std::map<std::string, std::string> query;

  std::string Query(const std::string& name) const;
  SourceAnswer Get(const std::string& target) { return context.source.Get(target, stop); }
  // A value that the page can do without: null where it cannot be had, and then *missing says why.
  Json TryGet(const std::string& target, std::string_view what, Markup* missing);
};

// The page of a failed value: what the API said of it.
ServerAnswer ProblemPage(const PageCall& call, const SourceAnswer& failed);

// 303 to a path of ours.
ServerAnswer GoTo(const std::string& target);

}  // namespace trawl
