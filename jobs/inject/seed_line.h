// A line of a seed list: a URL and, behind tabs, `key=value` pairs.
//
//   https://www.example.com/	score=0.9	interval=1d	team=news
//
// `score` (from 0 on, in any decimal form, rounded to millionths; over 1 is 1), `interval` (a time: how often to fetch
// it) and `kind` (page, sitemap or feed) are understood; other pairs are kept as the row's metadata. Empty lines and
// lines that begin with '#' are nothing. One thread per SeedReader.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/rows/url_row.h"
#include "formats/url/normal.h"

namespace trawl {

// What a seed has that says nothing of its own.
struct SeedDefaults {
  int32_t score = kScoreOne;
  int64_t now_ms = 0;
};

class SeedReader {
 public:
  SeedReader(NormalForm form, SeedDefaults defaults) : normalizer_(form), defaults_(defaults) {}

  // Fills the row of a seed. False for a line that holds none; Invalid, saying what is wrong, for a bad one.
  arrow::Result<bool> Read(std::string_view line, UrlRow* row);

 private:
  arrow::Status ReadUrl(std::string_view text, UrlRow* row);

  UrlNormalizer normalizer_;
  const SeedDefaults defaults_;
  Url url_;
  std::string normalised_;
};

}  // namespace trawl
