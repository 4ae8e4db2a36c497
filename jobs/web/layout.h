// The frame of every page: head, navigation, the box that looks up a URL or a host, footer. Pure.
#pragma once

#include <string>
#include <string_view>

#include "jobs/web/web.h"
#include "jobs/widgets/markup.h"

namespace trawl {

struct PageFrame {
  std::string title;      // for the window; foreign text may be in it
  std::string_view here;  // the path of the navigation's entry that the page belongs to
  bool is_live = false;   // reads itself again every few seconds, where scripts run
  int64_t snapshot = -1;  // that the values are of; -1: of none
  Markup heading;         // within <h1>
  Markup body;
};

ServerAnswer PageAnswer(const WebContext& context, const PageFrame& frame, int status = 200);

// Headers that stand with every answer of ours, also with downloads.
void AddSafeHeaders(ServerAnswer* answer);

// A form's hidden field with the visitor's token.
Markup TokenField(const WebContext& context);

}  // namespace trawl
