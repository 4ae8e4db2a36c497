// The door of formats/http: fields of an HTTP answer that are small enough to share a file. Start here and at
// header_list.h; see media_type.h, date.h, refresh.h, link_header.h and formats/robots/directives.h for the rest. Pure;
// any thread.
//
// If a field that may come once is repeated, the first one counts. A broken field counts as absent: a server's mistake
// is no reason to lose its page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/http/header_list.h"
#include "formats/http/refresh.h"

namespace trawl {

// Last-Modified and Date (RFC 9110 sections 8.8.2 and 6.6.1). `now_ms` tells the century of a two-digit year.
std::optional<int64_t> LastModifiedMsOf(const HeaderList& headers, int64_t now_ms);
std::optional<int64_t> DateMsOf(const HeaderList& headers, int64_t now_ms);

// How long Retry-After asks to wait (RFC 9110 section 10.2.3): its seconds, or its date minus the answer's own Date,
// because a clock can be compared only with itself. Without a Date, `now_ms` takes its place. Never negative.
std::optional<int64_t> RetryAfterMsOf(const HeaderList& headers, int64_t now_ms);

// The codings of all Content-Encoding fields, in the order in which they were applied. They are in lower case, "x-gzip"
// and "x-compress" become "gzip" and "compress" (RFC 9110 section 8.4.1), and "identity" and empty parts are left out.
std::vector<std::string> ContentEncodingsOf(const HeaderList& headers);

// The bytes of the body as all Content-Length fields together announce them (WHATWG Fetch, "extract a length"; RFC 9110
// section 8.6): one number, however often it is repeated. Nothing where it is missing or not a number; Invalid where
// two values differ, because nobody then knows where the answer ends.
arrow::Result<std::optional<int64_t>> ContentLengthOf(const HeaderList& headers);

// The ETag as it was sent, weak or strong, quoted or not: it is only ever sent back. Empty where the field is missing.
std::string_view ETagOf(const HeaderList& headers);

// The first Refresh field.
std::optional<Refresh> RefreshOf(const HeaderList& headers);

}  // namespace trawl
