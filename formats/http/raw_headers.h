// The fields of an answer's header section as it came over the wire, from the status line on. Pure; any thread.
#pragma once

#include <string_view>

#include "formats/http/header_list.h"

namespace trawl {

// Views into `raw`, which must outlive the list. A line without a colon is passed over; of a folded field (RFC 9112
// section 5.2) only its first line counts, as it is obsolete.
HeaderList ParseRawHeaders(std::string_view raw);

}  // namespace trawl
