// The door of jobs/parse: the parse job as a value, for the verb and for the crawl's loop.
#pragma once

#include <cstdint>
#include <string>

#include "formats/documents/step_record.h"
#include "runtime/job/job.h"
#include "runtime/options/options.h"

namespace trawl {

enum class HtmlReading : uint8_t;

struct ParseOptions {
  bool resources = false;
  int32_t max_links = 10'000;
  int64_t max_text_bytes = 4 << 20;
  HtmlReading reader{};  // kAuto
  bool main_text = true;
  bool markdown = false;
};
const OptionGroup<ParseOptions>& ParseOptionGroup();

// Parses the bodies of a segment that was fetched.
JobRequest ParseRequest(Store* store, const std::string& segment);

JobSpec ParseSpec();

}  // namespace trawl
