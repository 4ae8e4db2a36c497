// Reads an answer's header section as it came over the wire, from the status line on. Pure; any thread.
#pragma once

#include <string_view>

#include "formats/http/header_list.h"

namespace trawl {

// Views into `raw`, which must outlive the list. A line without a colon is skipped. Only the first line of a folded
// field counts (RFC 9112 section 5.2), since folding is obsolete.
HeaderList ParseRawHeaders(std::string_view raw);

}  // namespace trawl
