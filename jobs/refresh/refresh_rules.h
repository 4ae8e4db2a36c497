// The classes of pages by when they are fetched again: the file that --refresh.rules names. Any thread.
//
//   # class  interval   pages
//   news                host=news.example.com
//   tail                path=/archive/
//   docs     3d..14d    domain=example.org type=application/pdf
//   wire     1h         sitemap=https://example.com/news.xml
//   ticker   1h         +^https?://[^/]*/(ticker|live)/
//   > docs.example.com
//   manual   14d        path=/manual/
//   <
//
// FIRST..LONGEST is the interval after the first fetch, and the longest one; both alike is one interval, whatever the page
// does. A single one is the longest. The classes news (1d..1d) and tail (30d..30d) are ready-made: their lines need none.
//
// A line's pages are those for which all that it names is true: host=H (this host), domain=D (this host and all below it),
// path=/P (path and query begin so), type=T (the content type of the page as it was fetched last, "text/html", "image/*"),
// sitemap=URL (a sitemap that lists the page begins so), and at the end + and a regular expression (formats/scope/rules.h),
// which may have blanks. A line between "> HOST" and "<" is for that host or registrable domain alone. The first line that
// matches decides. A page that no line names has the class "default", whose longest interval is --refresh.max_interval.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/url_row.h"
#include "formats/scope/rules.h"
#include "jobs/refresh/refresh.h"

namespace trawl {

class RefreshRules {
 public:
  // Has no rules.
  RefreshRules();
  // `file` is the name for messages. Invalid, with file and line, for a line that makes no sense.
  static arrow::Result<RefreshRules> Parse(std::string_view text, std::string file);

  // By key, content type and sitemap of the row.
  const RefreshClass& ClassOf(const UrlRow& row) const;
  bool empty() const { return classes_.size() == 1; }

 private:
  // What a line asks of a page, beside its regular expression; empty: nothing.
  struct Pages {
    std::string host, domain, path, type, sitemap;
  };
  struct PageFacts;
  using Lines = std::vector<uint32_t>;  // ascending

  explicit RefreshRules(UrlRules rules) : rules_(std::move(rules)) {}
  static arrow::Status ReadPages(std::string_view* rest, Pages* pages);
  bool Matches(uint32_t line, const PageFacts& page) const;
  // The first of the lines that matches, if it comes before `best`; else `best`.
  uint32_t FirstOf(const Lines& lines, const PageFacts& page, uint32_t best) const;

  UrlRules rules_;                     // the lines with an expression, and those in a section
  std::vector<RefreshClass> classes_;  // in the order of the file; the first is the default
  std::vector<size_t> class_of_line_;
  std::vector<Pages> pages_;  // by class
  // The other lines, so that a thousand hosts cost no more than one.
  std::map<std::string, Lines, std::less<>> of_host_, of_domain_;
  Lines of_all_;
};

}  // namespace trawl
