// Counts the sitemaps and feeds of a host, so that no host has more of them than the operator allows. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "arrow/result.h"
#include "formats/rows/url_row.h"
#include "jobs/policy/sitemap_options.h"
#include "runtime/tables/table.h"

namespace trawl {

class HostLists {
 public:
  // `urls` is the table before the round.
  HostLists(std::shared_ptr<const Table> urls, const SitemapOptions& options)
      : urls_(std::move(urls)), options_(options) {}

  // Whether one more sitemap or feed may enter its host, and then counts it. `discovered`: URLs of the host that have ever
  // entered. Only where they might be too many, the kinds of the host's URLs are read, once for each host that comes.
  arrow::Result<bool> Take(RowPlace url, UrlKind kind, int64_t discovered);

 private:
  arrow::Status Count(RowPlace url);

  const std::shared_ptr<const Table> urls_;
  const SitemapOptions options_;
  std::string host_;
  bool is_counted_ = false;
  int64_t sitemaps_ = 0;
  int64_t feeds_ = 0;
};

}  // namespace trawl
