// For benchmarks: any number of rows of a crawl in its middle age, made one after the other in the order of the urls
// table. Equal arguments make equal rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/rows/url_row.h"

namespace trawl {

// The host parts of keys, in the order of the table. They are a few less than `hosts`, since some coincide.
std::vector<std::string> HostPartsInOrder(int64_t hosts);

class CrawledRows {
 public:
  static constexpr int kPagesAHost = 100;

  // Makes every `step`th of the hosts' rows. Their due times depend on `step`, so another step makes newer versions.
  CrawledRows(std::span<const std::string> hosts, int64_t step) : hosts_(hosts), step_(step) {}

  // The next row; false at the end. Seven of ten rows are fetched, the others wait. `row` is used again.
  bool Next(UrlRow* row);

 private:
  void Fill(uint64_t random, UrlRow* row) const;

  const std::span<const std::string> hosts_;
  const int64_t step_;
  int64_t at_ = 0;
};

}  // namespace trawl
