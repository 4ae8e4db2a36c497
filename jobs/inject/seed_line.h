// A line of a seed list: a URL and, after tabs, `key=value` pairs. One thread per SeedReader.
//
//   https://www.example.com/	score=0.9	interval=1d	team=news
//
//   score      0 or more, in any decimal form, rounded to millionths; more than 1 counts as 1
//   interval   how often to fetch the page, as a time
//   priority   high, medium or low, or 0, 1, 2: which URLs come first within a round ("tier" is the same)
//   kind       page, sitemap or feed
//
// Other pairs are kept as the row's metadata. Empty lines and lines that begin with '#' are skipped.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/scope/crawl_scope.h"
#include "formats/url/normal.h"
#include "jobs/policy/url_change.h"

namespace trawl {

// The values that lines name, by the names above; equal values have equal texts.
using SeedPairs = std::map<std::string, std::string>;

struct SeedLine {
  std::string key;
  std::string spelling;  // empty: the URL that the key stands for
  SeedPairs pairs;
  std::string warning;  // of a pair that looks like a misspelt one; empty: there is none
};

// What the pairs say of a row. REQUIRES: a SeedReader made them.
arrow::Result<UrlChange> ChangeOf(const SeedPairs& pairs);

class SeedReader {
 public:
  // Seeds that `scope` refuses are bad lines; null: none is. It must outlive the reader.
  explicit SeedReader(NormalForm form, const CrawlScope* scope = nullptr)
      : form_(form), normalizer_(form), scope_(scope) {}

  // Reads the line of a seed. False for a line that is skipped; Invalid, saying what is wrong, for a bad one.
  arrow::Result<bool> Read(std::string_view line, SeedLine* seed);

 private:
  arrow::Status ReadUrl(std::string_view text, SeedLine* seed);

  const NormalForm form_;
  UrlNormalizer normalizer_;
  const CrawlScope* const scope_;
  Url url_;
  std::string normalised_;
};

}  // namespace trawl
