// A door of jobs/signals: which pages are left out of what is handed on (exports and archives) because of what they ask
// for. The crawl itself stores and reads them all the same. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/directives.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/url_row.h"
#include "runtime/options/options.h"

namespace trawl {

struct RespectOptions {
  // Names of signals; "none" alone: nothing is left out.
  std::vector<std::string> respect = {"noarchive"};
};
const OptionGroup<RespectOptions>& RespectOptionGroup();

class Respect {
 public:
  static Respect Of(const RespectOptions& options);

  // Why a page is left out: the first of the signals that it has and that are respected, by the order of kSignalNames;
  // null where it is not left out. `signals` are those of PageSignals.
  const char* LeftOutBy(int32_t signals) const;
  // "noarchive,noai", in the order of kSignalNames; "none".
  std::string Text() const;

 private:
  int32_t respected_ = 0;
};

// What holds for a page at `now_ms`: the row's signals, or parse's where an older version wrote the row; what its host's
// robots.txt says (SignalsOf its Content-Signal lines); and noindex once its unavailable_after has passed. `parsed` may
// be null.
int32_t PageSignals(const UrlRow& row, const ParseRow* parsed, int32_t of_robots, int64_t now_ms);

}  // namespace trawl
