#include "jobs/updatedb/map.h"

#include <memory>
#include <string>

#include "formats/digests/digest.h"
#include "formats/robots/robots.h"
#include "formats/rows/catalog.h"
#include "formats/url/normal.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/scope.h"
#include "jobs/segment/held_domains.h"
#include "jobs/updatedb/event.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr int64_t kPartBytes = int64_t{32} << 20;
// The most sitemaps that one robots.txt may name. A site with more lists them in a sitemap of sitemaps.
constexpr size_t kMostSitemaps = 1000;

constexpr Columns<FetchRow> kFetchColumns = {
    "key",         "url",         "listed",       "kind",          "outcome",        "reason",
    "status",      "fetched_ms",  "requests",     "blameless",     "total_ms",       "content_type",
    "bytes",       "truncated",   "etag",         "last_modified", "body_digest",    "content_file",
    "content_row", "redirect_to", "redirect_url", "hop_of",        "retry_after_ms", "robots_line",
    "robots_rule", "depth"};
constexpr Columns<ParseRow> kParseColumns = {"key",    "fetched_ms",   "parser",         "failed",
                                             "reason", "canonical_to", "content_digest", "body_digest"};
constexpr Columns<LinkRow> kLinkColumns = {"key", "to", "url", "nofollow", "enters", "counts", "kind", "depth"};

int64_t BytesOf(const StepRecord& record, const std::string& dataset) {
  int64_t bytes = 0;
  for (const FileReceipt& file : record.FilesOf(dataset)) bytes += file.seal.size_bytes;
  return bytes;
}

// Sends the rows of one part.
class SegmentMapper {
 public:
  SegmentMapper(TaskContext& context, RowSink& sink) : context_(context), sink_(sink) {}

  Status MapFile(const std::string& dataset, const FileReceipt& file) {
    if (dataset == FetchRow::kTable)
      return ForEach<FetchRow>(dataset, file, kFetchColumns, [this](const FetchRow& row) { return Send(row); });
    if (dataset == ParseRow::kTable)
      return ForEach<ParseRow>(dataset, file, kParseColumns, [this](const ParseRow& row) { return Send(row); });
    if (dataset == LinkRow::kTable)
      return ForEach<LinkRow>(dataset, file, kLinkColumns, [this](const LinkRow& row) { return Send(row); });
    if (dataset == HostRow::kTable)
      return ForEach<HostRow>(dataset, file, {}, [this](const HostRow& row) { return Send(row); });
    if (dataset == RobotsRow::kTable)
      return ForEach<RobotsRow>(dataset, file, {}, [this](const RobotsRow& row) { return Send(row); });
    return Status::Invalid("updatedb does not read the dataset ", dataset);
  }

 private:
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
  Status Send(const ParseRow& row) { return SendRow(UpdateTag::kParse, row); }

  Status Send(const FetchRow& row) {
    ARROW_RETURN_NOT_OK(SendRow(UpdateTag::kFetch, row));
    if (row.outcome != Outcome::kRedirect || row.redirect_to.empty() || row.redirect_to == row.key) return Status::OK();
    // A redirect's target replaces its source, so it is as near to the seeds.
    return SendLink(row.redirect_to, row.redirect_url, {.kind = row.kind, .depth = row.depth, .via = row.key});
  }

  Status Send(const LinkRow& row) {
    if (!row.enters || row.nofollow) return Status::OK();
    return SendLink(row.to, row.url, {.counts = row.counts, .kind = row.kind, .depth = row.depth, .via = row.key});
  }

  Status Send(const RobotsRow& row) {
    ARROW_RETURN_NOT_OK(SendRow(UpdateTag::kRobots, row));
    if (row.outcome != Outcome::kFetched || row.text.empty()) return Status::OK();
    ARROW_RETURN_NOT_OK(Prepare());
    if (!sitemaps_enter_) return Status::OK();
    const RobotsRules rules = RobotsRules::Parse(row.text, "");
    size_t taken = 0;
    for (const std::string& sitemap : rules.sitemaps()) {
      if (taken++ == kMostSitemaps) break;
      ARROW_RETURN_NOT_OK(SendSitemap(sitemap));
    }
    return Status::OK();
  }

  Status SendSitemap(const std::string& url) {
    constexpr int32_t kDepth = 1;
    Url parsed;
    std::string normalised, key;
    if (!parsed.Parse(url) || normalizer_->Normalize(parsed, &normalised) != UrlRefusal::kNone) return Status::OK();
    if (!scope_->Check(normalised, kDepth).accepted || !WriteKeyOfUrl(normalised, &key)) return Status::OK();
    return SendLink(key, RequestSpelling(parsed), {.kind = UrlKind::kSitemap, .depth = kDepth});
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
    sitemaps_enter_ = fetch.sitemaps;
    normalizer_ = std::make_unique<UrlNormalizer>(form);
    scope_ = std::make_unique<CrawlScope>(std::move(scope));
    return Status::OK();
  }

  TaskContext& context_;
  RowSink& sink_;
  bool sitemaps_enter_ = false;
  std::unique_ptr<UrlNormalizer> normalizer_;
  std::unique_ptr<CrawlScope> scope_;
  std::string row_bytes_;
  std::string event_;
  std::string url_of_key_;
};

}  // namespace

std::vector<Json> UpdatedbParts(const StepRecord& fetch, const StepRecord& parse) {
  std::vector<Json> parts = {{{"files", Json::array()}}};
  int64_t bytes = 0;
  ForEachDataset([&](const auto& entry) {
    if (entry.read_by != ReadBy::kUpdatedb) return;
    for (const StepRecord* record : {&fetch, &parse}) {
      for (const FileReceipt& file : record->FilesOf(entry.name)) {
        if (bytes > 0 && bytes + file.seal.size_bytes > kPartBytes) {
          parts.push_back({{"files", Json::array()}});
          bytes = 0;
        }
        parts.back()["files"].push_back({{"dataset", entry.name}, {"file", ToJson(file)}});
        bytes += file.seal.size_bytes;
      }
    }
  });
  return parts;
}

int64_t UpdatedbShuffleBytes(const StepRecord& fetch, const StepRecord& parse) {
  // A fetch row carries its listed row; a link's event is shorter than its row, but compresses less.
  constexpr int64_t kFetchEventBytes = 800;
  constexpr int64_t kLinkEventBytes = 150;
  return fetch.RowsOf(FetchRow::kTable) * kFetchEventBytes + BytesOf(fetch, RobotsRow::kTable) +
         parse.RowsOf(LinkRow::kTable) * kLinkEventBytes;
}

Status MapSegment(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(part, "files"));
  SegmentMapper mapper(context, sink);
  for (const Json& element : *files) {
    ARROW_ASSIGN_OR_RAISE(const std::string dataset, GetString(element, "dataset"));
    ARROW_ASSIGN_OR_RAISE(const Json* receipt, GetObject(element, "file"));
    ARROW_ASSIGN_OR_RAISE(const FileReceipt file, FileReceiptFromJson(*receipt));
    ARROW_RETURN_NOT_OK(mapper.MapFile(dataset, file));
  }
  return Status::OK();
}

}  // namespace trawl
