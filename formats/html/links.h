// The links that an element makes: for page_builder.cc.
#pragma once

#include <cstddef>
#include <string_view>

#include "formats/html/html.h"
#include "formats/scan/element.h"

namespace trawl {

// Puts links on a page within its limits. Belongs to the builder of that page.
class LinkCollector {
 public:
  static constexpr size_t kNoLink = static_cast<size_t>(-1);

  // `options` and `page` must outlive the collector.
  LinkCollector(const HtmlOptions& options, HtmlPage* page) : options_(options), page_(page) {}

  // Takes every link of the element, but not the text between its tags. Returns the index in page->links of the link
  // whose text follows (<a>), or kNoLink.
  size_t Take(const HtmlElement& element);
  void TakeRefresh(const Refresh& refresh);

 private:
  size_t TakeAnchor(const HtmlElement& element);
  void TakeLinkElement(const HtmlElement& element);
  void TakeResource(LinkKind kind, const std::string_view* href);
  void TakeSourceSet(LinkKind kind, const std::string_view* set);
  // Returns null if the link does not go on the page.
  HtmlLink* Add(LinkKind kind, std::string_view href);

  const HtmlOptions& options_;
  HtmlPage* page_;
};

}  // namespace trawl
