// One request for a page: its path and query, taken apart, and the values that it asks the API for. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/answers/target.h"
#include "jobs/web/layout.h"
#include "jobs/web/web.h"
#include "jobs/widgets/markup.h"
#include "runtime/server/message.h"

namespace trawl {

struct PageCall {
  WebContext& context;
  const ServerRequest& request;
  const StopToken& stop;
  std::vector<std::string> path;  // its segments, decoded: {"hosts", "example.com"}
  NamedValues query;

  // The first value of that name; empty where there is none.
  std::string Query(std::string_view name) const;
  SourceAnswer Get(const std::string& target) { return context.source.Get(target, stop); }
  // What the API says in words: its commands get the root, so that a reader can paste them.
  Markup Said(std::string_view text) const;
  // A value that the page can do without: null where it cannot be had, and then *missing says why.
  Json TryGet(const std::string& target, std::string_view what, Markup* missing);
};

// The first value of that name among a form's fields.
std::string FieldOf(const NamedValues& fields, std::string_view name);

// The page of a failed value: what the API said of it.
ServerAnswer ProblemPage(const PageCall& call, const SourceAnswer& failed);

// 303 to a path of ours.
ServerAnswer GoTo(const std::string& target);

}  // namespace trawl
