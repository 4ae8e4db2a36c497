// Input: classes of refresh, a NUL, a URL. Whatever can be read must name a class of a line of the text, with intervals
// that make sense, for any page.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/rows/url_row.h"
#include "jobs/refresh/refresh_rules.h"

namespace trawl {
namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = input.find('\0');
  const std::string_view text = input.substr(0, end);
  const std::string_view url = end == std::string_view::npos ? "https://www.e.example/news/a?b" : input.substr(end + 1);
  const auto rules = RefreshRules::Parse(text, "classes");
  if (!rules.ok()) {
    Check(rules.status().message().starts_with("classes:"));
    return 0;
  }
  const auto lines =
      static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }));
  UrlRow row;
  row.content_type = "text/html; charset=utf-8";
  row.sitemap = "example,e,www)/news.xml";
  for (const std::string& key : {std::string(url), std::string("example,e,www)/news/a?b")}) {
    row.key = key;
    const RefreshClass& found = rules->ClassOf(row);
    Check(found.line <= lines + 1 && !found.name.empty());
    Check((found.line == 0) == (found.longest_ms == 0));
    Check(found.first_ms >= 0 && found.first_ms <= found.longest_ms);
  }
  return 0;
}

}  // namespace trawl
