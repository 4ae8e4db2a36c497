// Makes an HtmlPage of elements and texts in the order of the document, whoever reads them: the walk of a tree
// (html_walk.h) or the flat scan (html_scan.h). One builder a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/html/html.h"
#include "formats/html/links.h"
#include "formats/html/text.h"
#include "formats/scan/element.h"

namespace trawl {

class HtmlPageBuilder final : public HtmlEvents {
 public:
  using Shown = HtmlShown;

  // `options` and `page` live as long as the builder.
  HtmlPageBuilder(const HtmlOptions& options, HtmlPage* page);

  Shown Open(const HtmlElement& element) override;
  void More(const HtmlElement& attributes) override { TakeHints(attributes); }
  void Close(const HtmlTagTraits& traits, Shown shown) override;
  void Text(std::string_view utf8) override;

  // REQUIRES: nothing is open, and nothing comes after.
  void Finish();

 private:
  void TakeElement(const HtmlElement& element);
  void TakeHints(const HtmlElement& element);
  void OpenLink(size_t link);
  void CloseLink();

  const HtmlOptions& options_;
  HtmlPage* page_;
  LinkCollector links_;
  CollapsedText text_;
  CollapsedText link_text_;
  CollapsedText title_;
  size_t open_link_ = LinkCollector::kNoLink;
  // How many hidden elements are open, and how many were when the link was opened: its text is what it alone would
  // show.
  uint32_t hidden_ = 0;
  uint32_t hidden_at_link_ = 0;
  uint32_t noscript_ = 0;
  uint32_t pre_ = 0;
  bool in_title_ = false;
  bool has_title_ = false;
  bool has_html_language_ = false;
};

}  // namespace trawl
