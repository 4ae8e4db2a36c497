#include "jobs/graph/lists.h"

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/link_list.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/graph/graph.h"
#include "jobs/graph/present_links.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/row_json.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The rows of --host, or all.
struct Rows {
  SlotRange slots;
  KeyRange keys;  // within one slot; empty: all
};

Result<Rows> RowsOf(const GraphListOptions& options) {
  if (options.host.empty()) return Rows{};
  const Result<KeyRange> keys = KeyRangeOfHost(options.host);
  if (!keys.ok()) return UsageError("--host '", options.host, "' is no host name; write one like www.example.com");
  const uint32_t slot = SlotOfHost(options.host);
  return Rows{{slot, slot + 1}, *keys};
}

ScanOptions ScanOf(const Rows& rows, std::vector<bool> wanted) {
  return {.slots = rows.slots, .from_key = rows.keys.from, .to_key = rows.keys.to, .wanted = std::move(wanted)};
}

// What became of a URL to which a link leads in vain.
struct DeadUrl {
  UrlState state = UrlState::kGone;
  Outcome outcome = Outcome::kNone;
  int32_t status = 0;
};
using DeadUrls = std::unordered_map<uint64_t, DeadUrl>;  // by the hash of the key

bool IsDead(const UrlRow& row) {
  return (row.state == UrlState::kGone || row.state == UrlState::kFailing) && !IsDropped(row);
}

Result<DeadUrls> ReadDeadUrls(VerbContext& context, const std::shared_ptr<const Table>& urls) {
  DeadUrls dead;
  int64_t rows = 0;
  const auto visit = [&](const UrlRow& row) -> Status {
    if (++rows % 65'536 == 0) ARROW_RETURN_NOT_OK(context.process.stop.Check());
    if (IsDead(row)) dead[Hash64(row.key)] = {row.state, row.outcome, row.status};
    return Status::OK();
  };
  const ScanOptions all = {.wanted = Columns<UrlRow>({"key", "state", "outcome", "status"}).Flags()};
  ARROW_RETURN_NOT_OK(ForEachRow<UrlRow>(urls, all, visit));
  return dead;
}

Json DeadLinkJson(const std::string& source, const ListedLink& link, const DeadUrl& target) {
  return {{"source", UrlOrNull(source)},    {"target", UrlOrNull(std::string(link.key))},
          {"text", std::string(link.text)}, {"how", std::string(link.how)},
          {"nofollow", link.nofollow},      {"status", target.status == 0 ? Json() : Json(target.status)},
          {"state", TextOf(target.state)},  {"outcome", TextOrNull(TextOf(target.outcome))}};
}

ListShape DeadLinksShape() {
  return {.columns = {{.member = "source", .gives_way = true},
                      {.member = "status", .kind = CellKind::kNumber},
                      {.member = "target", .gives_way = true},
                      {.member = "text", .gives_way = true},
                      {.member = "outcome"}},
          .empty = DeadLinkJson("", {}, {})};
}

// Page by page, in the order of the table: each page's own dead links stand together.
Status ListDeadLinks(VerbContext& context, const Crawl& crawl, const Rows& range, Listing* listing) {
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(crawl.store(), crawl.manifest()));
  ARROW_ASSIGN_OR_RAISE(const DeadUrls dead, ReadDeadUrls(context, urls));
  if (dead.empty()) return Status::OK();
  return ForEachPresentPage(crawl.store(), crawl.manifest(), ScanOf(range, {}), context.process.stop,
                            [&](const std::string& source, const OutlinksRow& page) -> Status {
                              if (dead.contains(Hash64(source))) return Status::OK();  // nobody sees its links
                              return ForEachListedLink(page.list, [&](const ListedLink& link) {
                                const auto target = dead.find(Hash64(link.key));
                                return target == dead.end() ? Status::OK()
                                                            : listing->Add(DeadLinkJson(source, link, target->second));
                              });
                            });
}

Json OrphanJson(const UrlRow& row) {
  return {{"url", UrlOrNull(row.key)}, {"via", UrlOrNull(row.via)}, {"fetched_at", TimeJson(row.fetched_ms)}};
}

ListShape OrphansShape() {
  return {.columns = {{.member = "url", .gives_way = true},
                      {.member = "via", .gives_way = true},
                      {.member = "fetched_at", .kind = CellKind::kTime}},
          .empty = OrphanJson({})};
}

bool MayBeOrphan(const UrlRow& row) {
  return row.state == UrlState::kFetched && row.kind == UrlKind::kPage && !row.is_seed;
}

// Sitemaps, and what is known of their entries. An entry is a link, so a page that a sitemap lists has an inlink; but the
// list of a long sitemap is cut, and then nobody knows that an entry has left it.
class SitemapLists {
 public:
  static Result<SitemapLists> Open(const Crawl& crawl) {
    SitemapLists lists;
    ARROW_ASSIGN_OR_RAISE(lists.pages_, Table::Open<OutlinksRow>(crawl.store(), crawl.manifest()));
    return lists;
  }
  Result<bool> IsCut(const std::string& sitemap) {
    const auto known = is_cut_.find(sitemap);
    if (known != is_cut_.end()) return known->second;
    ARROW_ASSIGN_OR_RAISE(const auto page, FindRow<OutlinksRow>(*pages_, sitemap));
    // One that was read before there were lists may have any entry.
    const bool is_cut = !page || page->removed || page->listed < page->links;
    is_cut_.emplace(sitemap, is_cut);
    return is_cut;
  }

 private:
  std::shared_ptr<const Table> pages_;
  std::unordered_map<std::string, bool> is_cut_;  // by key of the sitemap
};

// The links of duplicates, which the graph leaves out (present_links.h): what such a page has found is linked all the same.
class DuplicateLinks {
 public:
  static Result<DuplicateLinks> Open(const Crawl& crawl) {
    DuplicateLinks links;
    ARROW_ASSIGN_OR_RAISE(links.urls_, Table::Open<UrlRow>(crawl.store(), crawl.manifest()));
    ARROW_ASSIGN_OR_RAISE(links.pages_, Table::Open<OutlinksRow>(crawl.store(), crawl.manifest()));
    return links;
  }
  // Whether `via` is a duplicate that links to the URL.
  Result<bool> Lead(const std::string& via, const std::string& to) {
    if (via.empty()) return false;
    if (via != via_) ARROW_RETURN_NOT_OK(Read(via));
    return to_.contains(Hash64(to));
  }

 private:
  Status Read(const std::string& via) {
    to_.clear();
    via_ = via;
    ARROW_ASSIGN_OR_RAISE(const auto url, FindRow<UrlRow>(*urls_, via));
    if (!url || url->removed || url->state != UrlState::kDuplicate) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto page, FindRow<OutlinksRow>(*pages_, via));
    if (!page || page->removed) return Status::OK();
    return ForEachListedLink(page->list, [this](const ListedLink& link) {
      to_.insert(Hash64(link.key));
      return Status::OK();
    });
  }

  std::shared_ptr<const Table> urls_, pages_;
  std::string via_;
  std::unordered_set<uint64_t> to_;  // hashes of the keys to which via_ links, if it is a duplicate
};

Status ListOrphans(VerbContext& context, const Crawl& crawl, const Rows& range, Listing* listing) {
  if (!crawl.manifest().read_to.contains(kGraphJob)) {
    return UsageError("the crawl has no graph yet, so nobody knows what links to a page; type  trawl graph");
  }
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(crawl.store(), crawl.manifest()));
  ARROW_ASSIGN_OR_RAISE(auto inlinks, Table::Open<InlinksRow>(crawl.store(), crawl.manifest()));
  ARROW_ASSIGN_OR_RAISE(RowWalk walk,
                        RowWalk::Open(std::move(inlinks), ScanOf(range, Columns<InlinksRow>({"key"}).Flags())));
  ARROW_ASSIGN_OR_RAISE(SitemapLists sitemaps, SitemapLists::Open(crawl));
  ARROW_ASSIGN_OR_RAISE(DuplicateLinks duplicates, DuplicateLinks::Open(crawl));
  SlotOfKeys slot_of;
  int64_t rows = 0;
  const auto visit = [&](const UrlRow& row) -> Status {
    if (++rows % 65'536 == 0) ARROW_RETURN_NOT_OK(context.process.stop.Check());
    if (!MayBeOrphan(row)) return Status::OK();
    ARROW_RETURN_NOT_OK(walk.SeekTo({slot_of(row.key), row.key}));
    const bool is_linked = !walk.at_end() && walk.key() == row.key;
    if (is_linked) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const bool has_link, duplicates.Lead(row.via, row.key));
    if (has_link) return Status::OK();
    if (!row.sitemap.empty()) {
      ARROW_ASSIGN_OR_RAISE(const bool may_be_listed, sitemaps.IsCut(row.sitemap));
      if (may_be_listed) return Status::OK();
    }
    return listing->Add(OrphanJson(row));
  };
  constexpr auto kColumns = Columns<UrlRow>({"key", "kind", "state", "is_seed", "sitemap", "via", "fetched_ms"});
  return ForEachRow<UrlRow>(urls, ScanOf(range, kColumns.Flags()), visit);
}

}  // namespace

const OptionGroup<GraphListOptions>& GraphListOptionGroup() {
  static const auto group =
      OptionGroup<GraphListOptions>("lists", "What is listed, instead of making the graph")
          .Bool("dead_links", &GraphListOptions::dead_links,
                "list the links of pages to URLs that are gone or failing, page by page")
          .Bool("orphans", &GraphListOptions::orphans,
                "list the fetched pages to which no page links, and which are no seeds and in no sitemap any more")
          .String("host", &GraphListOptions::host, "only pages of this host", "HOST")
          .Must([](const GraphListOptions& options) {
            if (options.dead_links && options.orphans)
              return UsageError("--dead_links and --orphans are one at a time");
            return options.host.empty() || options.dead_links || options.orphans
                       ? Status::OK()
                       : UsageError("--host belongs to --dead_links or --orphans");
          })
          .AllMain();
  return group;
}

Result<int> ListOfGraph(VerbContext& context, const GraphListOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const Rows rows, RowsOf(options));
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  Listing listing(context, format, options.dead_links ? DeadLinksShape() : OrphansShape());
  ARROW_RETURN_NOT_OK(options.dead_links ? ListDeadLinks(context, *crawl, rows, &listing)
                                         : ListOrphans(context, *crawl, rows, &listing));
  ARROW_RETURN_NOT_OK(listing.Finish());
  return kExitDone;
}

}  // namespace trawl
