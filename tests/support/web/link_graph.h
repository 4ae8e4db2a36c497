// Hosts whose pages link to each other by a rule, so that a crawl of them has a known end. Host i of n serves "/" and
// /p/1.html … /p/<pages−1>.html. Page j links to pages j·k+1 … j·k+k of its own host, so that each page is reached from
// "/", and to one page of the next host.
#pragma once

#include <string>

#include "tests/support/web/answer.h"
#include "tests/support/web/test_web.h"

namespace trawl {

struct LinkGraph {
  int hosts = 10;
  int pages = 20;  // per host, "/" included
  int links = 4;   // to other pages of the same host
  size_t page_bytes = 2'000;
  std::string robots;  // every host serves it where it is not empty; else 404
  int64_t delay_ms = 0;
  bool https = false;  // for the links between hosts
  std::string coding;
};

// "h12.test"
std::string LinkGraphHost(int host);
// "/" for page 0, else "/p/7.html".
std::string LinkGraphPath(int page);
std::string LinkGraphUrl(const LinkGraph& graph, int host, int page);
// The HTML of one page.
std::string LinkGraphBody(const LinkGraph& graph, int host, int page);
// The handler of one host.
TestHandler ServeLinkGraph(const LinkGraph& graph, int host);
void AddLinkGraph(const LinkGraph& graph, TestWeb* web);

}  // namespace trawl
