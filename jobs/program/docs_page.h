// A page of the docs that `trawl docs` makes, for every kind of page.
#pragma once

#include <string>

namespace trawl {

struct DocsPage {
  std::string file;  // its name in the folder: "trawl-fetch.1"
  std::string text;
};

}  // namespace trawl
