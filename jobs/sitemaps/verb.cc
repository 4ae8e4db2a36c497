// trawl sitemaps: the sitemaps and feeds of a host as the crawl knows them. Reads one snapshot and writes nothing.
#include <map>
#include <memory>
#include <optional>

#include "formats/rows/host_row.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/list/listing.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/segment/pages.h"
#include "jobs/sitemaps/known_sitemaps.h"
#include "jobs/sums/guessed_sitemap.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// What parse found of stored bodies. One thread.
class ListTypes {
 public:
  explicit ListTypes(Store* store) : pages_(store) {}

  // "urlset", "rss"; empty where it was never read, or what was read is gone.
  Result<std::string> TypeOf(const UrlRow& row) {
    if (row.body_segment.empty()) return std::string();
    ParseRow parsed;
    ARROW_ASSIGN_OR_RAISE(const bool found, pages_.Find(row, &parsed));
    return found ? parsed.sitemap : std::string();
  }

 private:
  NewestPages pages_;
};

// Who named it: robots.txt, an index, a page.
Json NamedBy(const UrlRow& row) {
  if (row.is_seed) return "a seed";
  return IsGuessedSitemap(row) ? Json("nobody: a guess") : UrlOrNull(row.via);
}

Json ListJson(const UrlRow& row, const std::string& type, const HostRow& host) {
  return {{"url", UrlOrNull(row.key)},
          {"kind", TextOf(row.kind)},
          {"type", TextOrNull(type)},
          {"state", TextOf(row.state)},
          {"status", row.status == 0 ? Json() : Json(row.status)},
          {"entries", row.fetched_ms == 0 ? Json() : Json(row.entries)},
          {"read", TimeJson(row.fetched_ms)},
          {"changed", TimeJson(row.changed_ms)},
          {"interval_ms", row.interval_ms == 0 ? Json() : Json(row.interval_ms)},
          {"next", TimeJson(row.due_ms)},
          {"named_by", NamedBy(row)},
          {"lastmod", TimeJson(row.stated_lastmod_ms)},
          {"believed", BelievesLastmods(host) && BelievesPriorities(host)},
          {"trust", SitemapTrustText(host)}};
}

// A URL of the host without scheme and host, for a table in which all are alike.
Json PathOf(const Json& url, const std::string& host) {
  if (!url.is_string()) return url;
  const std::string text = url.get<std::string>();
  const size_t at = text.find("://" + host + "/");
  return at == std::string::npos ? text : text.substr(at + 3 + host.size());
}

// "3 d ago", "in 3 d"; null where there is no time.
Json TimeFromNow(const Json& time, TimeMs now_ms) {
  if (!time.is_string()) return nullptr;
  const Result<TimeMs> at_ms = ParseTimestamp(time.get<std::string>());
  if (!at_ms.ok()) return nullptr;
  return *at_ms < now_ms ? ReadableDuration(now_ms - *at_ms) + " ago" : "in " + ReadableDuration(*at_ms - now_ms);
}

ListShape ListsShape(const std::string& host, TimeMs now_ms) {
  const auto path = [host](const char* member) {
    return [host, member](const Json& row) { return PathOf(row[member], host); };
  };
  const auto since = [now_ms](const Json& row) { return TimeFromNow(row["read"], now_ms); };
  const auto until = [now_ms](const Json& row) -> Json {
    const Json next = TimeFromNow(row["next"], now_ms);
    return next.is_string() && next.get<std::string>().ends_with("ago") ? Json("now") : next;
  };
  // Whatever was never read has a state, and no type.
  const auto type = [](const Json& row) { return row["type"].is_null() ? row["state"] : row["type"]; };
  return {.columns = {{.member = "url", .title = host, .gives_way = true, .value = path("url")},
                      {.member = "type", .value = type},
                      {.member = "entries", .kind = CellKind::kCount},
                      {.member = "read", .value = since},
                      {.member = "interval_ms", .title = "interval", .kind = CellKind::kDuration},
                      {.member = "next", .value = until},
                      {.member = "named_by", .title = "named by", .gives_way = true, .value = path("named_by")}},
          .empty = ListJson({}, "", {})};
}

Result<HostRow> HostOf(Store* store, const Manifest& snapshot, const std::string& host_part) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<HostRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(std::optional<HostRow> row, FindRow<HostRow>(*table, host_part));
  return row && !row->removed ? *std::move(row) : HostRow();
}

// The host of a name, or of a URL.
Result<std::string> HostPartOfArgument(const std::string& argument, NormalForm form) {
  const bool is_url = argument.find("://") != std::string::npos;
  ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfArgument(is_url ? argument : "https://" + argument + "/", form));
  return std::string(HostPartOfKey(key));
}

// Only of the few rows that are sitemaps or feeds more than the kind is read.
template <typename Visit>
Status ForEachList(Store* store, const Manifest& snapshot, const std::string& host, const StopToken& stop,
                   Visit&& visit) {
  ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<UrlRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const KeyRange range, KeyRangeOfHost(host));
  const uint32_t slot = SlotOfKey(range.from);
  const auto wanted = Columns<UrlRow>({"key", "kind", "state", "due_ms", "interval_ms", "via", "is_seed", "fetched_ms",
                                       "changed_ms", "status", "body_segment", "body_file", "body_row", "parse_segment",
                                       "parse_file", "parse_row", "stated_lastmod_ms", "entries"});
  const ScanOptions options = {
      .slots = {slot, slot + 1}, .from_key = range.from, .to_key = range.to, .wanted = wanted.Flags()};
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(table), options));
  RowSpan span;
  UrlRow row;
  while (true) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return Status::OK();
    const auto& kinds = span.batch->columns[ColumnIndex<UrlRow>("kind")];
    for (int64_t i = span.begin; i < span.end; ++i) {
      if (static_cast<UrlKind>(kinds.Get<int8_t>(i)) == UrlKind::kPage) continue;
      ReadFromBatch(*span.batch, i, &row);
      ARROW_RETURN_NOT_OK(visit(row));
    }
  }
}

}  // namespace

Status ForEachSitemap(Store* store, const Manifest& snapshot, const std::string& host_part, const StopToken& stop,
                      const std::function<Status(const Json& row)>& visit) {
  ARROW_ASSIGN_OR_RAISE(const HostRow host, HostOf(store, snapshot, host_part));
  ListTypes types(store);
  return ForEachList(store, snapshot, HostOfKey(host_part), stop, [&](const UrlRow& row) -> Status {
    ARROW_ASSIGN_OR_RAISE(const std::string type, types.TypeOf(row));
    return visit(ListJson(row, type, host));
  });
}

namespace {

std::string HostText(const std::string& host, const HostRow& row, int64_t lists) {
  std::string text =
      lists == 0 ? "no sitemap or feed of " + host + " is known\n" : host + ": " + SitemapTrustText(row) + "\n";
  if (row.default_sitemap_ms > 0) {
    text += "/sitemap.xml, which nothing named, was last tried at " +
            TimeJson(row.default_sitemap_ms).get<std::string>() + " (--sitemaps.guess)\n";
  }
  return text;
}

Result<int> RunSitemaps(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  ARROW_ASSIGN_OR_RAISE(const std::string host_part,
                        HostPartOfArgument(context.arguments.front(), crawl->normal_form()));
  ARROW_ASSIGN_OR_RAISE(const HostRow host, HostOf(crawl->store(), crawl->manifest(), host_part));
  const std::string name = HostOfKey(host_part);
  Listing listing(context, format, ListsShape(name, context.global.now_ms));
  ARROW_RETURN_NOT_OK(ForEachSitemap(crawl->store(), crawl->manifest(), host_part, context.process.stop,
                                     [&](const Json& row) { return listing.Add(row); }));
  ARROW_RETURN_NOT_OK(listing.Finish());
  if (format == ListFormat::kTable) context.process.out << HostText(name, host, listing.rows());
  return listing.rows() > 0 ? kExitDone : kExitNothingDue;
}

}  // namespace

Verb SitemapsVerb() {
  return {
      .name = "sitemaps",
      .summary = "show the sitemaps and feeds of a host",
      .purpose = VerbPurpose::kLook,
      .arguments = "HOST",
      .least_arguments = 1,
      .most_arguments = 1,
      .description =
          "HOST is a host name, or a URL on that host. Each sitemap and feed with its type, its entries, when it was "
          "read, its interval, when it is due, and who named it; and how far the host's sitemaps are believed. The "
          "exit code is 1 where none is known; --json, an object for each, then prints nothing.",
      .examples = {{"Those of one host", "trawl sitemaps www.example.com"},
                   {"For a program", "trawl sitemaps www.example.com --json"}},
      .groups = {&FormatOptionGroup(), &ReadingOptionGroup()},
      .run = RunSitemaps};
}

}  // namespace trawl
