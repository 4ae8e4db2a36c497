// The door of jobs/page: one page of the crawl, put together from the urls row, the last answer, the stored body and
// what parse made of it. trawl page prints it.
//
// A page is a value; jobs/page/page_json.h shows it. Only the blocks that hold its rows are read, however large the crawl
// is. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/item_row.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/page_facts_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/url_row.h"
#include "jobs/page/links.h"
#include "jobs/segment/past_fetches.h"
#include "runtime/options/options.h"
#include "runtime/options/resolve.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// Which parts are read; the urls row always is.
struct PageParts {
  bool answer = false;   // the last answer, with headers
  bool body = false;     // the bytes of the body
  bool text = false;     // what parse wrote
  bool links = false;    // the links of the body, judged by the present scope
  bool history = false;  // every fetch that is still stored
  bool inlinks = false;  // the pages that link to it
  bool items = false;    // with the text: its structured data
};

struct Page {
  std::string key;
  std::string url;
  // Nothing where the crawl does not have the URL, or has removed it.
  std::optional<UrlRow> row;
  bool was_removed = false;

  // The last answer that counted; nothing where the URL was never asked for, or the segment is gone.
  std::optional<FetchRow> answer;
  std::string answer_segment;
  // The answer that brought the stored body, where it is another one: later ones said "not modified", or failed.
  std::optional<FetchRow> body_answer;

  std::optional<ContentRow> body;
  // The URL that the body was stored for, where it is another one: it is the same byte for byte, or with --settle.store
  // content as far as people see.
  std::string body_of;
  std::optional<ParseRow> parsed;
  std::optional<PageFactsRow> facts;  // nothing where a version without them has read the page
  std::vector<ItemRow> items;
  // Nothing where neither the body nor what parse wrote is there.
  std::optional<std::vector<PageLink>> links;
  std::vector<PastFetch> history;  // newest first
  InlinksRow inlinks;              // as trawl graph found them in that snapshot
  int64_t graph_snapshot = -1;     // -1: the crawl has no graph

  // Why there is no body, or no text, in words; empty where there is one or it was not read. `advice` is a command that
  // helps, if there is one.
  std::string no_body;
  std::string no_text;
  std::string advice;
  // Why the links are not all that the page has; empty where they are.
  std::string links_note;

  bool is_known() const { return row.has_value(); }
};

// The crawl to look into, and the verb's options: by those of PageLinkGroups the links are judged.
struct PageContext {
  Store* store = nullptr;
  const Manifest* snapshot = nullptr;
  OptionTexts options;
  TimeMs now_ms = 0;
};
OptionGroups PageLinkGroups();

// Reads the page of the snapshot. Text, body or answer that are not there are no failure: the page says why.
arrow::Result<Page> ReadPage(const PageContext& context, const std::string& key, const PageParts& parts);

}  // namespace trawl
