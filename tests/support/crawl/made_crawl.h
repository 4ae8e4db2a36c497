// For benchmarks: a crawl of any size in its middle age, which looks like the web. Equal arguments make equal rows.
//
// A host has five pages on average. Few hosts have very many: the share of hosts with at least n pages falls as n^-1.1934, up to
// 20,000 pages. A fifth of the pages are fetched, and half of the front pages. A fetched page has 30 links on average:
// half of them stay on its host, a quarter leads to the front pages of few hosts, the others anywhere. One content in ten is
// that of another page, one in ten is near another.
//
// Memory: 20 bytes for each host. Everything else is made when it is asked for. After construction any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/rows/host_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/times.h"
#include "formats/rows/url_row.h"

namespace trawl {

// What a page shows: contents with equal numbers are equal.
struct MadeContent {
  std::string digest;  // 32 bytes
  int64_t simhash = 0;
  std::string sketch;
};

class MadeCrawl {
 public:
  // The time at which the crawl stands: 2026-09-01.
  static constexpr TimeMs kNowMs = 1'788'220'800'000;

  MadeCrawl(int64_t urls, uint64_t seed);

  int64_t urls() const { return first_pages_.back(); }
  int64_t hosts() const { return static_cast<int64_t>(hosts_.size()); }

  // Hosts and pages by number, in the order of the tables. A page of a host has a number from FirstPage(host) up to
  // FirstPage(host + 1).
  int64_t FirstPage(int64_t host) const { return first_pages_[static_cast<size_t>(host)]; }
  int64_t PagesOf(int64_t host) const { return FirstPage(host + 1) - FirstPage(host); }
  int64_t HostOfPage(int64_t page) const;
  std::string HostPart(int64_t host) const { return PartOf(hosts_[static_cast<size_t>(host)].number); }
  // The number of a host part; -1 where the crawl does not have it.
  int64_t FindHost(std::string_view part) const;
  std::string KeyOf(int64_t host, int64_t page) const;

  bool IsAsked(int64_t host, int64_t page) const;
  // Whether a page of the host was asked for.
  bool IsVisited(int64_t host) const;

  UrlRow UrlRowOf(int64_t host, int64_t page) const;
  HostRow HostRowOf(int64_t host) const;
  // REQUIRES: the host is visited.
  RobotsRow RobotsRowOf(int64_t host) const;

  // Calls `visit(key, text)` for the links of a page of the host, each target once. `random` identifies the page. One link in
  // six leads to a page that the crawl does not have if `finds_new`.
  template <typename Visit>
  void ForEachLink(int64_t host, uint64_t random, bool finds_new, Visit&& visit) const {
    std::vector<uint64_t> seen;
    std::string key, text;
    for (uint64_t i = 0, links = 5 + random % 51; i < links; ++i) {
      if (MakeLink(host, random, i, finds_new, &seen, &key, &text)) visit(key, text);
    }
  }

  MadeContent ContentOf(uint64_t random) const;
  // `count` words with blanks between them.
  static std::string Words(uint64_t random, int count, char between);

 private:
  struct Host {
    uint32_t slot = 0;
    uint32_t number = 0;
  };

  std::string PartOf(uint64_t number) const;
  uint64_t RandomOf(int64_t number, uint64_t what) const;
  void AppendPath(uint64_t host_number, int64_t pages, int64_t nth, std::string* key) const;
  std::string NewKey(int64_t host, uint64_t random) const;
  bool MakeLink(int64_t host, uint64_t page_random, uint64_t nth, bool finds_new, std::vector<uint64_t>* seen,
                std::string* key, std::string* text) const;

  const uint64_t seed_;
  std::vector<Host> hosts_;
  std::vector<int64_t> first_pages_;  // of each host, and the number of all pages
};

}  // namespace trawl
