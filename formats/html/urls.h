// The URLs of a page's links. Pure.
#pragma once

#include <string_view>

#include "arrow/result.h"
#include "formats/html/html.h"
#include "formats/url/url.h"

namespace trawl {

// The document base URL (HTML Standard 2.4.3): the page's <base>, resolved against the page's own URL. If that leads
// nowhere, it is the page's own URL. `encoding` is the encoding from which the page was decoded. Returns Invalid if
// `page_url` is not a URL.
arrow::Result<BaseUrl> BaseOfPage(const HtmlPage& page, std::string_view page_url, std::string_view encoding);

}  // namespace trawl
