#include "jobs/parse/body_reader.h"

#include <iterator>
#include <string>
#include <utility>

#include "formats/url/normal.h"
#include "jobs/parse/parse.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/signals/signals.h"
#include "runtime/process/free_memory.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

void CountLinks(const SiftCounts& links, Counters* counters) {
  (*counters)["links"] += links.in_scope;
  (*counters)["links_no_url"] += links.no_url;
  (*counters)["links_nofollow"] += links.nofollow;
  for (size_t check = 0; check < std::size(links.refused); ++check) {
    if (links.refused[check] == 0) continue;
    (*counters)["links_out_of_scope"] += links.refused[check];
    (*counters)["links_refused." + std::string(NameOf(static_cast<UrlCheck>(check)))] += links.refused[check];
  }
}

void CountSignals(int32_t signals, Counters* counters) {
  for (size_t bit = 0; bit < std::size(kSignalNames); ++bit) {
    if (signals >> bit & 1) ++(*counters)[std::string("signal.") + kSignalNames[bit]];
  }
}

void CountReaders(const ReaderCounts& readers, Counters* counters) {
  (*counters)["read_by_scan"] += readers.scan;
  (*counters)["read_by_tree"] += readers.tree;
  for (int i = 1; i < kHtmlWildReasons; ++i) {
    if (readers.wild[static_cast<size_t>(i)] == 0) continue;
    (*counters)["wild." + std::string(HtmlWildName(static_cast<HtmlWild>(i)))] += readers.wild[static_cast<size_t>(i)];
  }
}

}  // namespace

BodyReader::BodyReader(TaskContext* context, HugeBodies* huge_bodies, CrawlScope scope, const ReadPolicy& policy)
    : context_(*context), turn_(huge_bodies), scope_(std::move(scope)), policy_(policy) {}

Result<std::unique_ptr<BodyReader>> BodyReader::Open(TaskContext* context, HugeBodies* huge_bodies) {
  ARROW_ASSIGN_OR_RAISE(const ParseOptions options, context->Read(ParseOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context->Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SitemapOptions sitemaps, context->Read(SitemapOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context->Read(SettleOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(context->snapshot().normal_form));
  ARROW_ASSIGN_OR_RAISE(CrawlScope scope, ScopeOfPlan(context->store(), context->snapshot(), context->plan()));
  ARROW_ASSIGN_OR_RAISE(const ReadPolicy policy, ReadPolicyOfPlan(context->plan()));
  std::unique_ptr<BodyReader> reader(new BodyReader(context, huge_bodies, std::move(scope), policy));
  HugeTurn& turn = reader->turn_;
  reader->parser_ =
      std::make_unique<PageParser>(PageParserOptions{.agent = fetch.agent,
                                                     .now_ms = context->plan().now_ms,
                                                     .resources = options.resources,
                                                     .max_links = options.max_links,
                                                     .max_text_bytes = options.max_text_bytes,
                                                     .reader = options.reader,
                                                     .main_text = options.main_text,
                                                     .markdown = options.markdown,
                                                     .least_tokens = settle.tokens,
                                                     .feeds = sitemaps.feeds,
                                                     .before_heavy_reading = [&turn] { turn.BecomeHeavy(); }},
                                   form, reader->scope_);
  reader->pages_ = context->OpenDataset<ParseRow>(ParseRow::kTable, {.sorted = false, .batch_rows = 256});
  reader->facts_ = context->OpenDataset<PageFactsRow>(PageFactsRow::kTable, {.sorted = false, .batch_rows = 256});
  reader->items_ = context->OpenDataset<ItemRow>(ItemRow::kTable, {.sorted = false});
  reader->links_ = context->OpenDataset<LinkRow>(LinkRow::kTable, {.sorted = false});
  // Also where there is no body at all.
  for (const char* name : {"pages", "failed"}) context->counters()[name] += 0;
  return reader;
}

Status BodyReader::Read(const ContentRow& content, const std::function<Status(ParsedPage* page)>& change) {
  if (++read_ % 16 == 0) ARROW_RETURN_NOT_OK(context_.CheckStop());
  Counters& counters = context_.counters();
  const bool is_page = content.kind != UrlKind::kProbe;
  counters["pages"] += is_page ? 1 : 0;
  turn_.Begin(content.body.size());
  parser_->Parse(content, &parsed_);
  ParseRow& row = parsed_.row;
  row.policy = policy_.At(content.depth);
  if (change) ARROW_RETURN_NOT_OK(change(&parsed_));
  if (row.failed && is_page) {
    ++counters["failed"];
    context_.samples().Add({content.url, 0, row.reason, ""});
  }
  counters["needs_js"] += is_page && row.needs_js ? 1 : 0;
  if (is_page && !row.language.empty()) ++languages_[row.language];
  counters["noindex"] += is_page && row.noindex ? 1 : 0;
  if (is_page) CountSignals(SignalsOf(row), &counters);
  counters["sitemaps"] += row.sitemap.empty() ? 0 : 1;
  ARROW_RETURN_NOT_OK(pages_->Append(row));
  ARROW_RETURN_NOT_OK(facts_->Append(parsed_.facts));
  for (const ItemRow& item : parsed_.items) ARROW_RETURN_NOT_OK(items_->Append(item));
  counters["items"] += static_cast<int64_t>(parsed_.items.size());
  for (const LinkRow& link : parsed_.links) ARROW_RETURN_NOT_OK(links_->Append(link));
  if (content.body.size() > kHugeBodyBytes) GiveBackFreeMemory();  // Arrow's pool keeps for a while what was freed
  turn_.End();
  return Status::OK();
}

void BodyReader::Finish() {
  CountLinks(parser_->link_counts(), &context_.counters());
  CountReaders(parser_->reader_counts(), &context_.counters());
  context_.facts()["languages"] = languages_;
}

}  // namespace trawl
