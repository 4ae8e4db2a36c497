// Where a redirect leads: resolved, normalised, judged. One thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/scope/crawl_scope.h"
#include "formats/url/normal.h"

namespace trawl {

struct RedirectTarget {
  std::string key;
  std::string url;     // as it was found, without fragment: what a request asks for
  std::string reason;  // why it is not to be asked; empty: it may
};

class RedirectReader {
 public:
  // `scope` must outlive it.
  RedirectReader(NormalForm form, const CrawlScope& scope) : normalizer_(form), scope_(scope) {}

  // `location` as the answer to `url` has it; `depth` is the page's.
  RedirectTarget Read(const std::string& url, const std::string& location, int32_t depth);

 private:
  UrlNormalizer normalizer_;
  const CrawlScope& scope_;
};

}  // namespace trawl
