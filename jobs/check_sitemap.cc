// The sitemap kind: what a sitemap offers.
#include "formats/gzip.h"
#include "formats/sitemap.h"
#include "formats/url.h"
#include "jobs/check.h"
#include "runtime/clock.h"

namespace trawl {

using arrow::Result;

namespace {

// As written where that is a whole URL, else seen from the sitemap's own.
std::string Absolute(const std::string& loc, const std::string& sitemap_url) {
  if (ParseUrl(loc).ok()) return loc;
  const Result<Url> url = ParseUrlIn(loc, sitemap_url, "UTF-8");
  return url.ok() ? std::string(url->href()) : loc;
}

Json EntryJson(const SitemapEntry& entry, const std::string& sitemap_url) {
  Json json = {{"loc", Absolute(entry.loc, sitemap_url)}};
  if (entry.lastmod_ms) json["lastmod_ms"] = *entry.lastmod_ms;
  if (entry.frequency != ChangeFrequency::kUnknown) json["changefreq"] = NameOf(entry.frequency);
  if (entry.priority_millionths) json["priority"] = *entry.priority_millionths / 1e6;
  for (const SitemapAlternate& alternate : entry.alternates) {
    json["alternates"].push_back({{"hreflang", alternate.language}, {"loc", Absolute(alternate.loc, sitemap_url)}});
  }
  return json;
}

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string body, CheckBytes(input, "body"));
  ARROW_ASSIGN_OR_RAISE(const std::string url, CheckBytes(input, "url"));
  Json urls = Json::array();
  Json sitemaps = Json::array();
  SitemapReader reader(
      [&](SitemapEntry&& entry) { (entry.is_sitemap ? sitemaps : urls).push_back(EntryJson(entry, url)); },
      SystemClock().NowMs());
  if (IsGzip(body)) {
    Gunzip(body, [&](std::string_view piece) { return reader.Feed(piece); });
  } else {
    reader.Feed(body);
  }
  const SitemapSummary summary = reader.Finish();
  Json answer;
  answer["type"] = NameOf(summary.type);
  answer["urls"] = std::move(urls);
  answer["sitemaps"] = std::move(sitemaps);
  answer["refused"] = summary.refused;
  answer["truncated"] = summary.too_many_bytes || summary.too_many_entries;
  if (!summary.problem.empty()) answer["problem"] = summary.problem;
  return answer;
}

}  // namespace

CheckKind SitemapCheck() { return {"sitemap", "", Answer, nullptr}; }

}  // namespace trawl
