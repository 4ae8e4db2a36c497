// The door of jobs/sitemaps: which sitemaps of other hosts may speak for the URLs of a host. Those that its own robots.txt
// names, and the sitemaps that a sitemap index lists which it names (https://www.sitemaps.org/protocol.html, "Sitemaps & Cross Submits"). One thread.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/rows/robots_row.h"
#include "formats/url/normal.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/table.h"

namespace trawl {

class NamedSitemaps {
 public:
  // The tables before the round.
  NamedSitemaps(const std::shared_ptr<const Table>& robots, std::shared_ptr<const Table> urls, NormalForm form);

  // Whether the robots.txt of the URL's origin names that sitemap. `newer`: its text if the round brought one; else null,
  // and the table's counts. REQUIRES: URLs come in the order of the table.
  arrow::Result<bool> MaySpeakFor(RowPlace url, std::string_view sitemap, const std::string* newer);

 private:
  arrow::Status GoTo(RowPlace url, const std::string* newer);
  void Read(const std::string& text);

  KnownRows<RobotsRow> robots_;
  const std::shared_ptr<const Table> urls_;
  UrlNormalizer normalizer_;
  std::string origin_;
  std::set<std::string, std::less<>> named_;  // keys
  // The last answer, for a sitemap has many entries.
  std::string last_sitemap_;
  bool last_answer_ = false;
};

}  // namespace trawl
