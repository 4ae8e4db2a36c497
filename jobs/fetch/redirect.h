// The target of a redirect: resolved, normalised and judged by the crawl's scope. One thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/scope/crawl_scope.h"
#include "formats/url/normal.h"

namespace trawl {

struct RedirectTarget {
  std::string key;
  std::string url;     // as it was found, without fragment: the URL to ask for
  std::string reason;  // why it may not be asked for; empty where it may
};

class RedirectReader {
 public:
  // `scope` must outlive it.
  RedirectReader(NormalForm form, const CrawlScope& scope) : normalizer_(form), scope_(scope) {}

  // `location` is the field of the answer to `url`; `depth` is the page's.
  RedirectTarget Read(const std::string& url, const std::string& location, int32_t depth);

 private:
  UrlNormalizer normalizer_;
  const CrawlScope& scope_;
};

}  // namespace trawl
