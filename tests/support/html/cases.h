// Short pages in the manner of html5lib's tree-construction tests, by what they are about. For scan_test.cc.
#pragma once

#include <string_view>
#include <vector>

namespace trawl {

struct ScanTopic {
  std::string_view name;
  // How many of the pages are tame: no more and no fewer.
  size_t tame;
  std::vector<std::string_view> pages;
};

const std::vector<ScanTopic>& ScanTopicsOfBody();
const std::vector<ScanTopic>& ScanTopicsOfTokens();
const std::vector<ScanTopic>& ScanTopicsOfTables();

}  // namespace trawl
