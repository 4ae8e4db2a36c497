// A line of a seed list: a URL and, after tabs, `key=value` pairs. One thread per SeedReader.
//
//   https://www.example.com/	score=0.9	interval=1d	team=news
//
//   score      0 or more, in any decimal form, rounded to millionths; more than 1 counts as 1
//   interval   how often to fetch the page, as a time
//   kind       page, sitemap or feed
//
// Other pairs are kept as the row's metadata. Empty lines and lines that begin with '#' are skipped.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/rows/url_row.h"
#include "formats/url/normal.h"

namespace trawl {

// The fields of a seed whose line does not set them.
struct SeedDefaults {
  int32_t score = kScoreOne;
  int64_t now_ms = 0;
};

class SeedReader {
 public:
  SeedReader(NormalForm form, SeedDefaults defaults) : normalizer_(form), defaults_(defaults) {}

  // Fills the row of a seed. False for a line that is skipped; Invalid, saying what is wrong, for a bad one.
  arrow::Result<bool> Read(std::string_view line, UrlRow* row);

 private:
  arrow::Status ReadUrl(std::string_view text, UrlRow* row);

  UrlNormalizer normalizer_;
  const SeedDefaults defaults_;
  Url url_;
  std::string normalised_;
};

}  // namespace trawl
