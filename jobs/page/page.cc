#include "jobs/page/page.h"

#include <memory>
#include <utility>

#include "formats/url/key.h"
#include "jobs/graph/graph.h"
#include "jobs/parse/page_parser.h"
#include "jobs/parse/parse.h"
#include "jobs/policy/advice.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/scope.h"
#include "jobs/segment/pages.h"
#include "jobs/segment/stored_bodies.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/store/status.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/table.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Segments that are searched for an answer that did not bring the body, and for the history.
constexpr size_t kMostSegments = 1000;
constexpr size_t kMostFetches = 1000;
// The bodies before the wanted one in its stripe are read past, and one at a time that takes 150 ms. A batch is in memory
// whole, so it is small: 80 MiB of pages of 10 MiB.
constexpr int64_t kBodyBatchRows = 8;

// Puts a page together, part by part.
class PageReader {
 public:
  explicit PageReader(const PageContext& context)
      : store_(context.store),
        snapshot_(*context.snapshot),
        options_(context.options),
        now_ms_(context.now_ms),
        pages_(context.store) {}

  Result<Page> Read(const std::string& key, const PageParts& parts) {
    page_.key = key;
    ARROW_ASSIGN_OR_RAISE(page_.url, UrlOfKey(key));
    ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store_, snapshot_));
    ARROW_ASSIGN_OR_RAISE(page_.row, FindRow<UrlRow>(*urls, key));
    if (page_.row && page_.row->removed) {
      page_.was_removed = true;
      page_.row.reset();
    }
    if (page_.row && !page_.row->body_file.empty()) {
      ARROW_ASSIGN_OR_RAISE(stored_, ReadStep(store_, page_.row->body_segment, kFetchStep));
    }
    if (parts.answer) ARROW_RETURN_NOT_OK(ReadAnswer());
    if (parts.body || parts.links) ARROW_RETURN_NOT_OK(ReadBody());
    if (parts.text || (parts.links && !page_.body)) ARROW_RETURN_NOT_OK(ReadText());
    if (parts.items && page_.parsed) {
      ARROW_ASSIGN_OR_RAISE(page_.items, pages_.Items(*page_.parsed));
    }
    if (parts.links) ARROW_RETURN_NOT_OK(ReadLinks());
    if (parts.history) {
      ARROW_ASSIGN_OR_RAISE(page_.history, ReadFetchHistory(store_, snapshot_, key, kMostSegments, kMostFetches));
    }
    if (parts.inlinks) ARROW_RETURN_NOT_OK(ReadInlinks());
    return std::move(page_);
  }

 private:
  // A page that is not in the crawl may have inlinks, too.
  Status ReadInlinks() {
    const auto made = snapshot_.read_to.find(kGraphJob);
    if (made == snapshot_.read_to.end()) {
      page_.advice = "trawl graph finds them";
      return Status::OK();
    }
    page_.graph_snapshot = made->second;
    ARROW_ASSIGN_OR_RAISE(const auto inlinks, Table::Open<InlinksRow>(store_, snapshot_));
    ARROW_ASSIGN_OR_RAISE(const auto row, FindRow<InlinksRow>(*inlinks, page_.key));
    if (row && !row->removed) page_.inlinks = *row;
    return Status::OK();
  }

  // A page that answered "not modified" has its body in an older segment, and its last answer in a newer one.
  Status ReadAnswer() {
    if (!page_.row || page_.row->fetches == 0) return Status::OK();
    const UrlRow& row = *page_.row;
    if (stored_) {
      ARROW_ASSIGN_OR_RAISE(auto of_body, FindFetchOfBody(store_, snapshot_, *stored_, row.body_file, row.body_row));
      if (of_body && of_body->row.key == row.key) {
        const bool is_last = of_body->row.fetched_ms == row.fetched_ms;
        if (is_last) page_.answer_segment = of_body->segment;
        (is_last ? page_.answer : page_.body_answer) = std::move(of_body->row);
      }
    }
    if (page_.answer) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto last, FindFetchAt(store_, snapshot_, row.key, row.fetched_ms, kMostSegments));
    if (!last) return Status::OK();
    page_.answer_segment = last->segment;
    ARROW_ASSIGN_OR_RAISE(page_.answer, ReadWholeFetch(store_, *last));
    return Status::OK();
  }

  Status ReadBody() {
    if (SayWhyNothingIsStored(&page_.no_body)) return Status::OK();
    const UrlRow& row = *page_.row;
    const std::vector<FileReceipt> files = stored_->FilesOf(ContentRow::kTable);
    DatasetRows<ContentRow> bodies(store_, row.body_segment, ContentRow::kTable, files, kBodyBatchRows);
    ContentRow body;
    const Status read = bodies.Read(row.body_file, row.body_row, &body);
    if (IsNotFound(read)) {
      page_.no_body = "its body of " + FormatTimestamp(row.changed_ms) + " was removed by trawl gc --bodies_older_than";
      page_.advice = "the next fetch of the page stores it again; it is due " + DueText();
      return Status::OK();
    }
    ARROW_RETURN_NOT_OK(read);
    if (!IsBodyOf(row, body))
      return Status::IOError(row.body_segment, ": the body of ", page_.url, " is not where its row says");
    if (body.key != row.key) page_.body_of = body.url;
    TakeFactsOf(row, &body);
    page_.body = std::move(body);
    return Status::OK();
  }

  Status ReadText() {
    if (SayWhyNothingIsStored(&page_.no_text)) return Status::OK();
    const UrlRow& row = *page_.row;
    ParseRow parsed;
    ARROW_ASSIGN_OR_RAISE(const bool was_parsed, pages_.Find(row, &parsed));
    if (!was_parsed) {
      page_.no_text = "its body was never parsed";
      page_.advice = "trawl page " + ShellWord(page_.url) + " --body shows it";
      return Status::OK();
    }
    if (parsed.failed) {
      page_.no_text = "its body could not be read: " + parsed.reason;
      page_.advice = "trawl page " + ShellWord(page_.url) + " --body shows it";
    } else if (parsed.text.empty()) {
      page_.no_text = !parsed.sitemap.empty() ? "it is a sitemap or feed, which has links and no text"
                      : parsed.needs_js       ? "it has no text without JavaScript"
                                              : "it has no text";
      page_.advice = !parsed.sitemap.empty() ? "trawl page " + ShellWord(page_.url) + " --links shows them" : "";
    }
    PageFactsRow facts;
    ARROW_ASSIGN_OR_RAISE(const bool has_facts, pages_.Facts(parsed, &facts));
    if (has_facts) page_.facts = std::move(facts);
    page_.parsed = std::move(parsed);
    return Status::OK();
  }

  // All links of the body; without it, those that parse kept. The scope that judges them is the present one: it may
  // have been changed since the page was parsed.
  Status ReadLinks() {
    if (!page_.body && !page_.parsed) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(snapshot_.normal_form));
    const Result<CrawlScope> scope = ScopeOfOptions(store_, snapshot_, options_);
    // A file of rules that is not here does not hide the links; damage of the crawl is an error.
    if (scope.status().IsIOError()) return scope.status();
    std::vector<LinkRow> links;
    if (page_.body) {
      ARROW_ASSIGN_OR_RAISE(links, LinksOfBody(form));
    } else {
      ARROW_ASSIGN_OR_RAISE(links, pages_.Links(*page_.parsed));
      page_.links_note = "only those that were in scope when the page was parsed, since " + page_.no_body;
    }
    if (!scope.ok()) page_.links_note = "what enters is not known: " + scope.status().message();
    page_.links = JudgeLinks(std::move(links), page_.row->depth, form, scope.ok() ? &*scope : nullptr);
    return Status::OK();
  }

  Result<std::vector<LinkRow>> LinksOfBody(NormalForm form) {
    ARROW_ASSIGN_OR_RAISE(const ParseOptions parse, ParseOptionGroup().Read(options_));
    ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, FetchOptionGroup().Read(options_));
    BodyLinks found = AllLinksOf(*page_.body,
                                 {.agent = fetch.agent,
                                  .now_ms = now_ms_,
                                  .resources = parse.resources,
                                  .max_links = parse.max_links,
                                  .max_text_bytes = parse.max_text_bytes,
                                  .reader = parse.reader,
                                  .main_text = false,
                                  .structured = false},
                                 form);
    if (!found.unreadable.empty()) page_.links_note = "its body could not be read: " + found.unreadable;
    if (found.left_out > 0) {
      page_.links_note = ReadableCount(found.left_out, "more link") + " left out (--parse.max_links)";
    }
    return std::move(found.links);
  }

  // What brings the URL back, or who explains it.
  std::string AdviceOn(const UrlRow& row) const {
    const std::string advice = WithRootAndUrl(AdviceFor(row), "", page_.url);
    return advice.empty() ? "trawl readdb get --explain " + ShellWord(page_.url) + " says why" : advice;
  }

  std::string DueText() const {
    const TimeMs due_ms = page_.row->due_ms;
    return due_ms == kNever ? "never by itself" : due_ms <= now_ms_ ? "now" : "at " + FormatTimestamp(due_ms);
  }

  // True where no body is stored; says why.
  bool SayWhyNothingIsStored(std::string* why) {
    if (!page_.row) {
      *why = page_.was_removed ? "not in the crawl: it was removed" : "not in the crawl";
      page_.advice = "trawl inject " + ShellWord(page_.url) + " adds it";
      return true;
    }
    const UrlRow& row = *page_.row;
    if (!row.body_file.empty()) {
      if (stored_) return false;
      *why = "its body lies in segment " + row.body_segment + ", whose data are gone";
      page_.advice = "the next fetch of the page stores it again; it is due " + DueText();
      return true;
    }
    page_.advice = AdviceOn(row);
    const std::string reason = row.reason.empty() ? "" : ": " + row.reason;
    switch (row.state) {
      case UrlState::kUnfetched:
        *why = "not fetched yet; it is due " + DueText();
        break;
      case UrlState::kRedirected: {
        const std::string to = UrlOfKey(row.redirect_to).ValueOr(row.redirect_to);
        *why = "it redirects to " + to;
        page_.advice = "trawl page " + ShellWord(to);
        break;
      }
      case UrlState::kFailing:
        *why = "it could not be fetched so far (" + TextOf(row.outcome) + reason + "); it is due " + DueText();
        break;
      case UrlState::kGone:
        *why = "it is gone (" + TextOf(row.outcome) + reason + ")";
        break;
      case UrlState::kDenied:
        *why = "robots.txt denies it" + reason;
        break;
      case UrlState::kRefused:
        *why = "it is refused (" + (row.outcome == Outcome::kNone ? row.reason : TextOf(row.outcome) + reason) + ")";
        break;
      default:
        *why = "no body of it is stored (" + TextOf(row.state) + ")";
    }
    return true;
  }

  Store* const store_;
  const Manifest& snapshot_;
  const OptionTexts& options_;
  const TimeMs now_ms_;
  std::optional<StepRecord> stored_;  // of the segment that has the body; nothing where it is gone
  NewestPages pages_;
  Page page_;
};

}  // namespace

OptionGroups PageLinkGroups() { return {&ScopeOptionGroup(), &ParseOptionGroup(), &FetchOptionGroup()}; }

Result<Page> ReadPage(const PageContext& context, const std::string& key, const PageParts& parts) {
  return PageReader(context).Read(key, parts);
}

}  // namespace trawl
