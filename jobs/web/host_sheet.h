// What to send to a webmaster who asks about our visits, as Markdown. Pure.
#pragma once

#include <string>

#include "jobs/web/host_values.h"
#include "jobs/web/web.h"

namespace trawl {

// Plain text: nothing of the host's own can become markup of the sheet.
std::string SheetText(const WebContext& context, const HostValues& values);

}  // namespace trawl
