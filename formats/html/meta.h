// The statements of <meta> elements: for page_builder.cc. Pure; any thread.
#pragma once

#include <string_view>

#include "formats/html/html.h"
#include "formats/scan/element.h"

namespace trawl {

void TakeMeta(const HtmlElement& meta, const HtmlOptions& options, HtmlPage* page);

}  // namespace trawl
