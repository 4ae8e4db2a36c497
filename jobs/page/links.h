// The links of a page, judged by the crawl's present scope. Pure; any thread.
//
// parse keeps only the links that the scope took on the day when the page was parsed. Where the body is still stored, it
// is read again, so that the links outside the scope are there, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/rows/content_row.h"
#include "formats/rows/link_row.h"
#include "formats/scope/crawl_scope.h"
#include "formats/url/normal.h"

namespace trawl {

struct PageParserOptions;

struct PageLink {
  LinkRow row;
  // Why the target does not enter the crawl by this link; empty where it does.
  std::string reason;
};

struct BodyLinks {
  std::vector<LinkRow> links;
  int64_t left_out = 0;    // beyond the limits of the options
  std::string unreadable;  // why there are none; empty where the body could be read
};

// Every link of the body, in or out of scope.
BodyLinks AllLinksOf(const ContentRow& body, const PageParserOptions& options, NormalForm form);

// What the scope makes of the links of a page of that depth. Without a scope no target enters, for an unknown reason.
std::vector<PageLink> JudgeLinks(std::vector<LinkRow> links, int32_t page_depth, NormalForm form,
                                 const CrawlScope* scope);

}  // namespace trawl
