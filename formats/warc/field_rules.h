// What ISO 28500 asks of the fields of a record, and of an HTTP head in its block. For the reader. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "formats/warc/reader.h"

namespace trawl {

// What is wrong with the fields, in words; empty where nothing is. REQUIRES: the version and all fields are read.
std::string FaultOfFields(const WarcRecord& record);

}  // namespace trawl
