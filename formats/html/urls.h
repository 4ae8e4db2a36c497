// The URLs of a page's links. Pure.
#pragma once

#include <string_view>

#include "arrow/result.h"
#include "formats/html/html.h"
#include "formats/url/url.h"

namespace trawl {

// The document base URL (HTML Standard 2.4.3): what the page's <base> says, resolved against the page's own URL, unless
// that leads nowhere. `encoding` is the one that the page was decoded from. Invalid where `page_url` is no URL.
arrow::Result<BaseUrl> BaseOfPage(const HtmlPage& page, std::string_view page_url, std::string_view encoding);

}  // namespace trawl
