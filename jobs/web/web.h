// The door of jobs/web: the pages of trawl serve, for people with a browser. They are whole without a script.
//
// A page is made of the API's values (page_source.h) and of nothing else. Every text of the crawl is hostile and stands
// escaped. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "jobs/web/page_source.h"
#include "jobs/web/visitor.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"

namespace trawl {

struct ServerRequest;
struct ServerAnswer;

// What one request needs. All that it refers to must outlive the answer.
struct WebContext {
  PageSource& source;
  std::string crawl;  // its name, for headings
  std::string root;   // as it was typed, for the commands that pages show
  TimeMs now_ms = 0;
  Visitor visitor;
};

// The Content-Security-Policy of every page: no script or style but our own files.
extern const char* const kPagePolicy;

// Answers every path of a page, of an asset (`/assets/…`), and GET /login. An unknown path is a page with 404. A form that
// changes the crawl (POST) is answered by 303 to the page that shows the change.
// REQUIRES: of a POST the server has checked the session, the origin and the form's token.
ServerAnswer WebAnswer(WebContext& context, const ServerRequest& request, const StopToken& stop);

// A page that says what went wrong, and what to do.
ServerAnswer WebError(WebContext& context, int status, std::string_view title, std::string_view detail);

// The form with one field `token`, which POSTs to /login with `next`, the page to go to afterwards (a path of ours, or
// empty). `fault` says why the last try failed.
ServerAnswer WebLogin(WebContext& context, std::string_view next, std::string_view fault);

}  // namespace trawl
