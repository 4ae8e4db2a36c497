// Makes an HtmlPage from elements and texts in the order of the document, whoever reads them: the scan (formats/scan),
// the walk of a tree (walk.h) or the flat scan (scan.h). Use one builder per page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/html/html.h"
#include "formats/html/links.h"
#include "formats/html/text.h"
#include "formats/scan/element.h"
#include "formats/structured/reader.h"

namespace trawl {

class HtmlPageBuilder final : public HtmlEvents {
 public:
  using Shown = HtmlShown;

  // `options` and `page` must outlive the builder.
  HtmlPageBuilder(const HtmlOptions& options, HtmlPage* page);

  Shown Open(const HtmlElement& element) override;
  void More(const HtmlElement& attributes) override { TakeHints(attributes); }
  void Close(const HtmlTagTraits& traits, Shown shown) override;
  void Gone(size_t above) override {
    if (options_.structured) structured_.Gone(above);
  }
  void Text(std::string_view utf8) override;

  // The flat scan comes next: it does not know which elements hold which.
  void ReadFlat() {
    structured_.ReadFlat();
    DropOutline();
  }

  // REQUIRES: no element is open, and no event comes after this.
  void Finish();

 private:
  void DropOutline() {
    page_->outline.Drop();
    page_->log = ContentLog();
  }
  void TakeElement(const HtmlElement& element);
  void TakeHints(const HtmlElement& element);
  void OpenLink(size_t link);
  void CloseLink();

  const HtmlOptions& options_;
  HtmlPage* page_;
  LinkCollector links_;
  StructuredReader structured_;
  CollapsedText text_;
  CollapsedText link_text_;
  CollapsedText title_;
  size_t open_link_ = LinkCollector::kNoLink;
  // The number of hidden elements that are open now, and that number when the link was opened. A link's text is the
  // text that the link alone would show.
  uint32_t hidden_ = 0;
  uint32_t hidden_at_link_ = 0;
  uint32_t noscript_ = 0;
  uint32_t pre_ = 0;
  bool in_title_ = false;
  bool has_title_ = false;
  bool has_html_language_ = false;
};

}  // namespace trawl
