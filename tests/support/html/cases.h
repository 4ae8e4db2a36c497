// Short pages in the manner of html5lib's tree-construction tests, sorted by topic. For scan_test.cc.
#pragma once

#include <string_view>
#include <vector>

namespace trawl {

struct ScanTopic {
  std::string_view name;
  // The exact number of tame pages among `pages`.
  size_t tame;
  std::vector<std::string_view> pages;
};

const std::vector<ScanTopic>& ScanTopicsOfBody();
const std::vector<ScanTopic>& ScanTopicsOfTokens();
const std::vector<ScanTopic>& ScanTopicsOfTables();

}  // namespace trawl
