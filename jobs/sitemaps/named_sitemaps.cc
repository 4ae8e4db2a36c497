#include "jobs/sitemaps/named_sitemaps.h"

#include <optional>
#include <utility>

#include "formats/robots/robots.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "formats/url/url.h"
#include "runtime/tables/key_lookup.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

NamedSitemaps::NamedSitemaps(const std::shared_ptr<const Table>& robots, std::shared_ptr<const Table> urls,
                             NormalForm form)
    : robots_(robots, Columns<RobotsRow>({"key", "text"}).Flags()), urls_(std::move(urls)), normalizer_(form) {}

Result<bool> NamedSitemaps::MaySpeakFor(RowPlace url, std::string_view sitemap, const std::string* newer) {
  ARROW_RETURN_NOT_OK(GoTo(url, newer));
  if (named_.empty()) return false;
  if (last_sitemap_ == sitemap) return last_answer_;
  last_sitemap_.assign(sitemap);
  last_answer_ = named_.contains(sitemap);
  if (last_answer_) return true;
  ARROW_ASSIGN_OR_RAISE(const std::optional<UrlRow> row, FindRow<UrlRow>(*urls_, sitemap));
  last_answer_ = row && !row->removed && !row->sitemap.empty() && named_.contains(row->sitemap);
  return last_answer_;
}

Status NamedSitemaps::GoTo(RowPlace url, const std::string* newer) {
  const std::string_view origin = OriginPartOfKey(url.key);
  if (origin == origin_) return Status::OK();
  origin_.assign(origin);
  named_.clear();
  last_sitemap_.clear();
  RobotsRow row;
  ARROW_ASSIGN_OR_RAISE(const bool is_known, robots_.Find({url.slot, origin_}, &row));
  if (newer != nullptr) {
    Read(*newer);
  } else if (is_known) {
    Read(row.text);
  }
  return Status::OK();
}

void NamedSitemaps::Read(const std::string& text) {
  const RobotsRules rules = RobotsRules::Parse(text, "");
  Url parsed;
  std::string normalised, key;
  for (const std::string& url : rules.sitemaps()) {
    const bool is_url = parsed.Parse(url) && normalizer_.Normalize(parsed, &normalised) == UrlRefusal::kNone;
    if (is_url && WriteKeyOfUrl(normalised, &key)) named_.insert(key);
  }
}

}  // namespace trawl
