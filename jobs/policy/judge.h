// A door of jobs/policy, the operator's wishes: what the crawl's scope makes of one URL, in words. inject, check url and
// readdb get --explain say the same about a URL because all of them ask here. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/scope/crawl_scope.h"
#include "formats/url/normal.h"

namespace trawl {

struct JudgedUrl {
  UrlRefusal no_form = UrlRefusal::kNone;  // why it has no normalised form; then url, key and host are empty
  std::string url;                         // normalised: the one that its key stands for
  std::string key;
  std::string host;
  std::string domain;  // the registrable domain; empty where the host has none
  // What the checks of the scope measure.
  size_t parameters = 0;
  std::string repeated;  // the part of its path that runs in a circle: "/a/b/a/b/a/b"
  UrlVerdict verdict;    // its views live as long as the scope

  bool accepted() const { return no_form == UrlRefusal::kNone && verdict.accepted; }
  // "refused: path segments that repeat 3 times or more: /a/b/a/b/a/b (--urls.repeated_segments)".
  std::string text;
};

// `url` is as people type it. `depth` is the number of links between a seed and it; where it is not known, no depth is
// too deep.
JudgedUrl JudgeUrl(const CrawlScope& scope, std::string_view url, NormalForm form, std::optional<uint32_t> depth);

// The option that sets the limit of a check: "urls.max_parameters"; empty where no single option does.
std::string_view OptionOf(UrlCheck check);

}  // namespace trawl
