// One page of a fetch task: its request, and the rows that its answer makes. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/url_row.h"
#include "jobs/fetch/url_list.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/politeness/robots_gate.h"
#include "jobs/politeness/verdict.h"
#include "runtime/http/http.h"

namespace trawl {

struct FetchPage {
  UrlNumber number = 0;
  std::string url;     // asked for
  UrlRow row;          // the list's row; a hop has only key, depth and score
  std::string listed;  // the row's codec bytes; empty for a hop
  std::string hop_of;
  int32_t hops = 0;
  bool has_body = false;  // the body that the row names is still there
  bool conditional = false;
  // Its redirect to another spelling of itself was followed once.
  bool was_respelled = false;
};

arrow::Result<FetchPage> PageOf(const FetchList& list, UrlNumber number);

// Whether the page is asked for with its validators. It must have some, they must belong to a whole body that is still
// there and that this parser has read, and every tenth fetch is a whole one.
bool MayBeConditional(const FetchPage& page);

// The request for the page. The caller sets its id and how its connection is kept.
HttpRequest RequestFor(const FetchPage& page, const FetchOptions& options);

// The row of a page that was settled without a request.
FetchRow UnaskedRow(const FetchPage& page, Outcome outcome, const std::string& reason, const RobotsDecision& robots,
                    int64_t now_ms);
// The row of an answer, and whether its body is to be stored.
FetchRow AnsweredRow(const FetchPage& page, const HttpAnswer& answer, const PageVerdict& verdict,
                     const RobotsDecision& robots, int64_t ended_ms);
// A body that is stored already is not stored again, unless its header fields ask for something else than before
// (jobs/signals/signals.h).
bool StoresBody(const FetchPage& page, const FetchRow& row, const FetchOptions& options);
ContentRow ContentOf(const FetchPage& page, const FetchRow& row, std::string body);

}  // namespace trawl
