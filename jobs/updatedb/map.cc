#include "jobs/updatedb/map.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/robots/robots.h"
#include "formats/rows/catalog.h"
#include "formats/url/normal.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/segment/held_domains.h"
#include "jobs/segment/outlink_pieces.h"
#include "jobs/signals/signals.h"
#include "jobs/sums/guessed_sitemap.h"
#include "jobs/updatedb/event.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/table.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kPartBytes = int64_t{32} << 20;
// What an entry states, as UrlRow has it.
int32_t StatedPriority(const LinkRow& row) { return row.has_priority ? std::max(row.priority, 1) : 0; }

constexpr Columns<FetchRow> kFetchColumns = {"key",
                                             "url",
                                             "listed",
                                             "kind",
                                             "outcome",
                                             "reason",
                                             "status",
                                             "fetched_ms",
                                             "requests",
                                             "blameless",
                                             "total_ms",
                                             "content_type",
                                             "bytes",
                                             "truncated",
                                             "etag",
                                             "last_modified",
                                             "body_digest",
                                             "content_file",
                                             "content_row",
                                             "redirect_to",
                                             "redirect_url",
                                             "hop_of",
                                             "retry_after_ms",
                                             "robots_line",
                                             "robots_rule",
                                             "depth",
                                             "response_headers",
                                             "shares_body"};
constexpr Columns<ParseRow> kParseColumns = {
    "key",     "fetched_ms", "parser",    "failed",      "reason",  "canonical_to", "content_digest",  "body_digest",
    "noindex", "nofollow",   "noarchive", "nosnippet",   "noai",    "noimageai",    "tdm_reservation", "content_signal",
    "policy",  "links",      "entries",   "has_simhash", "simhash", "text_sketch"};
constexpr Columns<LinkRow> kLinkColumns = {"key",        "to",       "url",          "how",        "text",
                                           "nofollow",   "enters",   "counts",       "kind",       "depth",
                                           "lastmod_ms", "priority", "has_priority", "interval_ms"};

int64_t BytesOf(const StepRecord& record, const std::string& dataset) {
  int64_t bytes = 0;
  for (const FileReceipt& file : record.FilesOf(dataset)) bytes += file.seal.size_bytes;
  return bytes;
}

// Sends the rows of one part.
class SegmentMapper {
 public:
  SegmentMapper(TaskContext& context, RowSink& sink) : context_(context), sink_(sink) {}

  // `before`: the dataset's rows in the files before this one.
  Status MapFile(const std::string& dataset, const FileReceipt& file, int64_t before) {
    if (dataset == FetchRow::kTable)
      return ForEach<FetchRow>(dataset, file, kFetchColumns, [this](const FetchRow& row) { return Send(row); });
    if (dataset == ParseRow::kTable) return MapParse(file);
    if (dataset == LinkRow::kTable) {
      link_place_ = before;
      ARROW_RETURN_NOT_OK(
          ForEach<LinkRow>(dataset, file, kLinkColumns, [this](const LinkRow& row) { return Send(row); }));
      return SendOutlinks();
    }
    if (dataset == HostRow::kTable)
      return ForEach<HostRow>(dataset, file, {}, [this](const HostRow& row) { return Send(row); });
    if (dataset == RobotsRow::kTable)
      return ForEach<RobotsRow>(dataset, file, {}, [this](const RobotsRow& row) { return Send(row); });
    return Status::Invalid("updatedb does not read the dataset ", dataset);
  }

  // After the last file of the part.
  Status Finish() {
    for (const auto& [host, stated] : stated_) {
      EncodeStatedEvent(stated, &event_);
      ARROW_RETURN_NOT_OK(sink_.Emit(host, event_));
    }
    return Status::OK();
  }

 private:
  // The place of the row goes along.
  Status MapParse(const FileReceipt& file) {
    const bool is_reread = ReadsAgain(context_.plan());
    int64_t number = 0;
    return ForEach<ParseRow>(ParseRow::kTable, file, kParseColumns, [&](const ParseRow& row) -> Status {
      EncodeRow(row, &row_bytes_);
      EncodeParseEvent({is_reread, number++, file.name, row_bytes_}, &event_);
      return sink_.Emit(row.key, event_);
    });
  }

  template <typename Row, typename Visit>
  Status ForEach(const std::string& dataset, const FileReceipt& file, const Columns<Row>& columns, Visit&& visit) {
    int64_t rows = 0;
    const auto each = [&](const Row& row) -> Status {
      if (++rows % 1024 == 0) ARROW_RETURN_NOT_OK(context_.CheckStop());
      return visit(row);
    };
    return ForEachDatasetRow<Row>(context_.store(), context_.plan().segment(), dataset, file, each,
                                  {.columns = columns, .batch_rows = kNarrowBatchRows});
  }

  template <typename Row>
  Status SendRow(UpdateTag tag, const Row& row) {
    EncodeRow(row, &row_bytes_);
    event_.assign(1, static_cast<char>(tag)).append(row_bytes_);
    return sink_.Emit(row.key, event_);
  }

  Status Send(const HostRow& row) {
    ARROW_RETURN_NOT_OK(SendRow(UpdateTag::kHost, row));
    if (row.round_pages == 0) return Status::OK();
    const PageNews news = {row.day_start_ms, row.round_pages_today, row.round_pages};
    EncodeDomainEvent({Hash64(row.key), news}, &event_);
    return sink_.Emit(HoldingDomainOf(row.key), event_);
  }

  Status Send(const FetchRow& row) {
    fetch_ = row;
    ARROW_ASSIGN_OR_RAISE(fetch_.response_headers, HeaderSignalsText(row));
    ARROW_RETURN_NOT_OK(SendRow(UpdateTag::kFetch, fetch_));
    if (row.outcome != Outcome::kRedirect || row.redirect_to.empty() || row.redirect_to == row.key) return Status::OK();
    // A redirect's target replaces its source, so it is as near to the seeds.
    return SendLink(row.redirect_to, row.redirect_url, {.kind = row.kind, .depth = row.depth, .via = row.key});
  }

  // The links of a page, once all of them that are in this file have been seen.
  Status SendOutlinks() {
    if (outlinks_.empty()) return Status::OK();
    outlinks_.Encode(&row_bytes_);
    event_.assign(1, static_cast<char>(UpdateTag::kOutlinks)).append(row_bytes_);
    ARROW_RETURN_NOT_OK(sink_.Emit(outlinks_of_, event_));
    outlinks_.Begin(link_place_);
    return Status::OK();
  }

  // Headers stay here: only what they ask for goes on its way.
  Result<std::string> HeaderSignalsText(const FetchRow& row) {
    if (row.response_headers.empty()) return std::string();
    if (agent_.empty()) {
      ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context_.Read(FetchOptionGroup()));
      agent_ = fetch.agent;
    }
    const int32_t signals = SignalsOfRawHeaders(row.response_headers, agent_, row.fetched_ms);
    return signals == 0 ? std::string() : std::to_string(signals);
  }

  Status Send(const LinkRow& row) {
    if (row.key != outlinks_of_ || outlinks_.empty()) {
      ARROW_RETURN_NOT_OK(SendOutlinks());
      outlinks_of_ = row.key;
      outlinks_.Begin(link_place_);
    }
    ++link_place_;
    outlinks_.Add(row);
    if (!row.enters || row.nofollow) return Status::OK();
    // A link of a page has a depth of at least 1.
    const bool is_entry = row.depth == 0;
    LinkEvent link = {.counts = row.counts, .is_entry = is_entry, .kind = row.kind, .depth = row.depth, .via = row.key};
    const bool is_own = HostPartOfKey(row.key) == HostPartOfKey(row.to);
    // A feed knows when the pages of its own host changed.
    if (is_entry || is_own) link.words.lastmod_ms = row.lastmod_ms;
    if (is_entry) {
      link.words.priority = StatedPriority(row);
      link.words.interval_ms = row.interval_ms;
    }
    if (is_entry && is_own && row.has_priority) CountPriority(row);
    return SendLink(row.to, row.url, link);
  }

  void CountPriority(const LinkRow& row) {
    StatedEvent& stated = stated_[std::string(HostPartOfKey(row.to))];
    ++stated.priorities;
    if (row.priority >= kTopPriority) ++stated.top;
  }

  Status Send(const RobotsRow& row) {
    ARROW_RETURN_NOT_OK(SendRow(UpdateTag::kRobots, row));
    // No rules, no robots.txt at all: only one that could not be had says nothing.
    if (row.failures > 0 || row.is_dead || row.key.empty()) return Status::OK();
    ARROW_RETURN_NOT_OK(Prepare());
    if (!sitemaps_enter_) return Status::OK();
    const RobotsRules rules = RobotsRules::Parse(row.text, agent_);
    if (rules.sitemaps().empty()) {
      const bool may_guess = sitemaps_.guess && rules.Check(kGuessedSitemapPath).allowed;
      return may_guess ? SendGuess(row.key) : Status::OK();
    }
    const std::string robots_key = row.key + "/robots.txt";
    int32_t taken = 0;
    for (const std::string& sitemap : rules.sitemaps()) {
      if (taken++ == sitemaps_.most) break;
      ARROW_RETURN_NOT_OK(SendSitemap(sitemap, {.is_named = true, .kind = UrlKind::kSitemap, .via = robots_key}));
    }
    return Status::OK();
  }

  // Whether the robots.txt of an origin named that sitemap before the round. It is asked for sitemaps of other hosts alone,
  // which are few.
  Result<bool> WasNamed(const std::string& origin, std::string_view sitemap) {
    if (origin != known_origin_) {
      if (robots_ == nullptr) {
        ARROW_ASSIGN_OR_RAISE(robots_, Table::Open<RobotsRow>(context_.store(), context_.snapshot()));
      }
      ARROW_ASSIGN_OR_RAISE(const auto known, FindRow<RobotsRow>(*robots_, origin));
      known_origin_ = origin;
      known_sitemaps_.clear();
      if (known && !known->removed) known_sitemaps_ = RobotsRules::Parse(known->text, agent_).sitemaps();
    }
    return std::find(known_sitemaps_.begin(), known_sitemaps_.end(), sitemap) != known_sitemaps_.end();
  }

  Status SendGuess(const std::string& origin) {
    std::string url;
    if (!WriteUrlOfKey(origin + std::string(kGuessedSitemapPath), &url)) return Status::OK();
    return SendSitemap(url, {.is_guess = true, .kind = UrlKind::kSitemap});
  }

  // A sitemap has depth 0, as its entries. But a crawl of the seeds alone takes neither.
  Status SendSitemap(const std::string& url, const LinkEvent& link) {
    Url parsed;
    std::string normalised, key;
    if (!parsed.Parse(url) || normalizer_->Normalize(parsed, &normalised) != UrlRefusal::kNone) return Status::OK();
    if (!scope_->Check(normalised, 1).accepted || !WriteKeyOfUrl(normalised, &key)) return Status::OK();
    LinkEvent sent = link;
    if (link.is_named && HostPartOfKey(key) != HostPartOfKey(link.via)) {
      ARROW_ASSIGN_OR_RAISE(const bool was_named, WasNamed(std::string(OriginPartOfKey(link.via)), url));
      sent.is_newly_named = !was_named;
    }
    return SendLink(key, RequestSpelling(parsed), sent);
  }

  // Fills in the link's source host and spelling.
  Status SendLink(const std::string& to, const std::string& url, LinkEvent link) {
    link.source_host = Hash64(HostPartOfKey(link.via));
    // Most links are spelled as the URL that their key stands for. Then the key is enough.
    if (!url.empty() && (!WriteUrlOfKey(to, &url_of_key_) || url != url_of_key_)) link.spelling = url;
    EncodeLinkEvent(link, &event_);
    return sink_.Emit(to, event_);
  }

  // Needed for robots.txt only.
  Status Prepare() {
    if (scope_ != nullptr) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context_.Read(FetchOptionGroup()));
    ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(context_.snapshot().normal_form));
    ARROW_ASSIGN_OR_RAISE(CrawlScope scope, ScopeOfPlan(context_.store(), context_.snapshot(), context_.plan()));
    ARROW_ASSIGN_OR_RAISE(sitemaps_, context_.Read(SitemapOptionGroup()));
    sitemaps_enter_ = fetch.sitemaps;
    agent_ = fetch.agent;
    normalizer_ = std::make_unique<UrlNormalizer>(form);
    scope_ = std::make_unique<CrawlScope>(std::move(scope));
    return Status::OK();
  }

  TaskContext& context_;
  RowSink& sink_;
  std::string agent_;
  FetchRow fetch_;
  bool sitemaps_enter_ = false;
  SitemapOptions sitemaps_;
  std::map<std::string, StatedEvent> stated_;  // by host part
  std::unique_ptr<UrlNormalizer> normalizer_;
  std::unique_ptr<CrawlScope> scope_;
  std::shared_ptr<const Table> robots_;  // before the round
  std::string known_origin_;             // the last one of WasNamed, and its sitemaps
  std::vector<std::string> known_sitemaps_;
  std::string row_bytes_;
  std::string event_;
  std::string url_of_key_;
  OutlinkPieceMaker outlinks_;
  std::string outlinks_of_;  // key of the page that has them
  int64_t link_place_ = 0;   // number of the next link in the whole dataset
};

}  // namespace

std::vector<Json> UpdatedbParts(const StepRecord& fetch, const StepRecord& parse) {
  std::vector<Json> parts = {{{"files", Json::array()}}};
  int64_t bytes = 0;
  ForEachDataset([&](const auto& entry) {
    if (entry.read_by != ReadBy::kUpdatedb) return;
    int64_t before = 0;
    for (const StepRecord* record : {&fetch, &parse}) {
      for (const FileReceipt& file : record->FilesOf(entry.name)) {
        if (bytes > 0 && bytes + file.seal.size_bytes > kPartBytes) {
          parts.push_back({{"files", Json::array()}});
          bytes = 0;
        }
        parts.back()["files"].push_back({{"dataset", entry.name}, {"file", ToJson(file)}, {"before", before}});
        before += file.rows;
        bytes += file.seal.size_bytes;
      }
    }
  });
  return parts;
}

bool ReadsAgain(const Plan& plan) { return HasMember(plan.facts, kReadsAgain); }

int64_t UpdatedbShuffleBytes(const StepRecord& fetch, const StepRecord& parse) {
  // A fetch row carries its listed row; a link's event is shorter than its row, but compresses less.
  constexpr int64_t kFetchEventBytes = 800;
  constexpr int64_t kLinkEventBytes = 150;
  constexpr int64_t kListedLinkBytes = 40;
  return fetch.RowsOf(FetchRow::kTable) * kFetchEventBytes + BytesOf(fetch, RobotsRow::kTable) +
         parse.RowsOf(LinkRow::kTable) * (kLinkEventBytes + kListedLinkBytes);
}

Status MapSegment(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(part, "files"));
  SegmentMapper mapper(context, sink);
  for (const Json& element : *files) {
    ARROW_ASSIGN_OR_RAISE(const std::string dataset, GetString(element, "dataset"));
    ARROW_ASSIGN_OR_RAISE(const Json* receipt, GetObject(element, "file"));
    ARROW_ASSIGN_OR_RAISE(const FileReceipt file, FileReceiptFromJson(*receipt));
    ARROW_ASSIGN_OR_RAISE(const int64_t before, GetInt(element, "before"));
    ARROW_RETURN_NOT_OK(mapper.MapFile(dataset, file, before));
  }
  return mapper.Finish();
}

}  // namespace trawl
