// `trawl check sitemap`: the URLs that a sitemap offers.
#include "formats/sitemap/sitemap.h"

#include <ostream>
#include <utility>
#include <vector>

#include "formats/sitemap/gzip.h"
#include "formats/url/url.h"
#include "jobs/check/check.h"
#include "jobs/check/page.h"
#include "runtime/process/clock.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A reference as written where it is a whole URL, else resolved against the sitemap's URL.
std::string Absolute(const std::string& loc, const std::string& sitemap_url) {
  if (ParseUrl(loc).ok()) return loc;
  const Result<Url> url = ParseUrlIn(loc, sitemap_url, "UTF-8");
  return url.ok() ? std::string(url->href()) : loc;
}

std::string LocOf(const SitemapEntry& entry, const std::string& sitemap_url) {
  std::string base = sitemap_url;
  for (const std::string& text : entry.bases) base = Absolute(text, base);
  return Absolute(entry.loc, base);
}

Json EntryJson(const SitemapEntry& entry, const std::string& sitemap_url) {
  Json json = {{"loc", LocOf(entry, sitemap_url)}};
  if (entry.lastmod_ms) json["lastmod_ms"] = *entry.lastmod_ms;
  if (entry.frequency != ChangeFrequency::kUnknown) json["changefreq"] = NameOf(entry.frequency);
  if (entry.priority_millionths) json["priority"] = *entry.priority_millionths / 1e6;
  if (!entry.details.empty()) json["details"] = ParseJson(entry.details).ValueOr(Json());
  for (const SitemapAlternate& alternate : entry.alternates) {
    json["alternates"].push_back({{"hreflang", alternate.language}, {"loc", Absolute(alternate.loc, sitemap_url)}});
  }
  return json;
}

struct CheckedSitemap {
  std::vector<SitemapEntry> entries;
  SitemapSummary summary;
};

CheckedSitemap ReadSitemap(const std::string& body) {
  CheckedSitemap checked;
  SitemapReader reader([&](SitemapEntry&& entry) { checked.entries.push_back(std::move(entry)); },
                       SystemClock().NowMs());
  if (IsGzip(body)) {
    Gunzip(body, [&](std::string_view piece) { return reader.Feed(piece); });
  } else {
    reader.Feed(body);
  }
  checked.summary = reader.Finish();
  return checked;
}

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string body, CheckBytes(input, "body"));
  ARROW_ASSIGN_OR_RAISE(const std::string url, CheckBytes(input, "url"));
  const CheckedSitemap checked = ReadSitemap(body);
  Json urls = Json::array();
  Json sitemaps = Json::array();
  for (const SitemapEntry& entry : checked.entries) {
    (entry.is_sitemap ? sitemaps : urls).push_back(EntryJson(entry, url));
  }
  const SitemapSummary& summary = checked.summary;
  Json answer;
  answer["type"] = NameOf(summary.type);
  answer["urls"] = std::move(urls);
  answer["sitemaps"] = std::move(sitemaps);
  answer["refused"] = summary.refused;
  answer["truncated"] = summary.too_many_bytes || summary.too_many_entries;
  if (!summary.problem.empty()) answer["problem"] = summary.problem;
  return answer;
}

void PrintEntry(const SitemapEntry& entry, const std::string& sitemap_url, std::ostream& out) {
  out << (entry.is_sitemap ? "  sitemap " : "  ") << LocOf(entry, sitemap_url);
  if (entry.lastmod_ms) out << "  lastmod " << FormatTimestamp(*entry.lastmod_ms);
  if (entry.frequency != ChangeFrequency::kUnknown) out << "  " << NameOf(entry.frequency);
  if (entry.priority_millionths) out << "  priority " << *entry.priority_millionths / 1e6;
  out << '\n';
  for (const SitemapAlternate& alternate : entry.alternates) {
    out << "    " << (alternate.language.empty() ? "alternate" : alternate.language) << ' '
        << Absolute(alternate.loc, sitemap_url) << '\n';
  }
}

Status Print(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.empty() || arguments.size() > 2) return Status::Invalid("usage: trawl check sitemap FILE [URL]");
  ARROW_ASSIGN_OR_RAISE(const std::string body, ReadCheckedFile(arguments[0]));
  const CheckedSitemap checked = ReadSitemap(body);
  const SitemapSummary& summary = checked.summary;
  out << arguments[0] << ": " << NameOf(summary.type) << ", " << summary.entries << " entries, " << summary.refused
      << " without a usable URL\n";
  if (!summary.problem.empty()) out << "  broken: " << summary.problem << '\n';
  if (summary.too_many_bytes) out << "  over 50 MiB: the rest was left out\n";
  if (summary.too_many_entries) out << "  over 50,000 entries: the rest was left out\n";
  for (const SitemapEntry& entry : checked.entries) {
    PrintEntry(entry, arguments.size() > 1 ? arguments[1] : std::string(), out);
  }
  return Status::OK();
}

}  // namespace

CheckKind SitemapCheck() { return {"sitemap", "FILE [URL]", Answer, Print}; }

}  // namespace trawl
