// Where a redirect leads: resolved, normalised, judged. One thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/scope/policy.h"
#include "formats/url/normal.h"

namespace trawl {

struct RedirectTarget {
  std::string key;
  std::string url;     // as it was found, without fragment: what a request asks for
  std::string reason;  // why it is not to be asked; empty: it may
};

class RedirectReader {
 public:
  // `policy` must outlive it.
  RedirectReader(NormalForm form, const UrlPolicy& policy) : normalizer_(form), policy_(policy) {}

  // `location` as the answer to `url` has it; `depth` is the page's.
  RedirectTarget Read(const std::string& url, const std::string& location, int32_t depth);

 private:
  UrlNormalizer normalizer_;
  const UrlPolicy& policy_;
};

}  // namespace trawl
