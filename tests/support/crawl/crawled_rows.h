// Rows of a crawl in its middle age, any number of them, made one after the other in the order of the urls table: for
// benchmarks. Equal arguments make equal rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/rows/url_row.h"

namespace trawl {

// Host parts of keys, in the order of the table; a few less than `hosts`, since some coincide.
std::vector<std::string> HostPartsInOrder(int64_t hosts);

class CrawledRows {
 public:
  static constexpr int kPagesAHost = 100;

  // Every `step`th of the hosts' rows; their due times say which step it was, so that another one makes newer versions.
  CrawledRows(std::span<const std::string> hosts, int64_t step) : hosts_(hosts), step_(step) {}

  // The next row; false at the end. Seven of ten are fetched, the others are waiting. `row` is used again.
  bool Next(UrlRow* row);

 private:
  void Fill(uint64_t random, UrlRow* row) const;

  const std::span<const std::string> hosts_;
  const int64_t step_;
  int64_t at_ = 0;
};

}  // namespace trawl
