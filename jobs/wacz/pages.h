// The list of pages of a WACZ file, pages/pages.jsonl. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/cdx/capture_row.h"

namespace trawl {

struct PageList {
  std::string text;  // JSON, a page per line, in the order of URLs
  int64_t pages = 0;
  // The page that viewers open first: that of the prefix, else the one with the shortest URL; empty: there are no pages.
  std::string main_url;
  int64_t main_ms = 0;
};

// HTML pages with status 200 whose URLs begin with `prefix`, each URL once, as it was captured last. A revisit without a title
// has that of another capture of its payload, so `captures` includes the originals.
PageList PagesOf(const std::vector<CaptureRow>& captures, const std::string& prefix);

// "2026-01-01T00:00:00Z": the second of a capture, as its line in the index has it.
std::string PageTime(int64_t time_ms);

}  // namespace trawl
