// For the reader of web archives (formats/warc/reader.h): whether a payload is coded as its head says. One thread.
#pragma once

#include <string_view>

#include "formats/warc/reader.h"

namespace trawl {

// Undoes the codings of a Content-Encoding value and forgets what comes out. Codings that are not known stay as they are. Of
// what is longer than a gibibyte the beginning counts.
PayloadDecoder MakePayloadDecoder(std::string_view codings);

// A strict reading with this decoder.
WarcReading StrictWarcReading();

}  // namespace trawl
