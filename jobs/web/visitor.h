// Who looks at a page: what the server knows of the visitor, for the forms and links that a page shows. A value.
#pragma once

#include <string>

namespace trawl {

struct Visitor {
  // Forms that change the crawl are shown, and work.
  bool may_write = false;
  bool is_logged_in = false;
  // The server has a token, so that logging in makes sense.
  bool can_log_in = false;
  // Stands in every form as `form_token`, and comes back with it. The server compares it before a form gets here.
  std::string form_token;
};

}  // namespace trawl
