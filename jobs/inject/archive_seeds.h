// What an archive of the web says of its captures, as lines of seeds: the lines of a CDX or CDXJ index (ZipNum is one, too),
// or the records of a WARC file. Any thread.
//
//   https://www.example.com/a	archive_seen=2026-01-01T00:00:00Z	archive_digest=sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ
//
// A SHA-1 that an index has without its name gets it. Both pairs are kept as metadata. No request is made of them: an archive's digest is no ETag.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"
#include "jobs/inject/seed_lines.h"

namespace trawl {

inline constexpr char kArchiveSeen[] = "archive_seen";
inline constexpr char kArchiveDigest[] = "archive_digest";

// A capture, as a line of a seed list. Empty: it is no page that a crawl asks for (a request, a domain's lookup, a
// robots.txt). Invalid, saying what is wrong, for what cannot be read; `shown` is that text.
using ArchiveSeedVisit = std::function<arrow::Status(const std::string& source, int64_t number,
                                                     const arrow::Result<std::string>& line, std::string_view shown)>;

// Calls `visit` for each line or record of a part that has "from". Memory does not grow with the file.
arrow::Status ForEachArchiveSeed(Store* store, const Plan& plan, const Json& part, const ArchiveSeedVisit& visit);

}  // namespace trawl
