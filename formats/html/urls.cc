#include "formats/html/urls.h"

namespace trawl {

arrow::Result<BaseUrl> BaseOfPage(const HtmlPage& page, std::string_view page_url, std::string_view encoding) {
  ARROW_ASSIGN_OR_RAISE(BaseUrl own, BaseUrl::Make(page_url, encoding));
  if (!page.has_base) return own;
  Url declared;
  if (!declared.Resolve(page.base_href, own)) return own;
  if (declared.scheme() == "data" || declared.scheme() == "javascript") return own;
  arrow::Result<BaseUrl> base = BaseUrl::Make(declared.href(), encoding);
  return base.ok() ? std::move(base) : std::move(own);
}

}  // namespace trawl
