// Lines of CDXJ, the index of a web archive: "urlkey timestamp {json}". Pure; any thread.
//
//   com,example)/a 20261119200000 {"url": "https://example.com/a", "mime": "text/html", …, "filename": "crawl-data/…"}
//
// Lines sort by their bytes (LC_ALL=C). All values are texts, in the order that Common Crawl has; those that are unknown are
// left out. Non-ASCII characters are escaped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/cdx/capture_row.h"

namespace trawl {

// "20261119200000": the second in which that time lies. Never rounded.
std::string CdxTimestamp(int64_t time_ms);

// A digest as indexes have it: a SHA-1 without its "sha1:", any other as it is.
std::string_view CdxDigest(std::string_view payload_digest);

// The media type as indexes have it: "warc/revisit" for a revisit, "unk" where none was sent.
std::string_view CdxMime(const CaptureRow& capture);
// The one that was found in the body; never that of a revisit.
std::string_view CdxDetectedMime(const CaptureRow& capture);

// Appends the line of a capture, with its line feed. REQUIRES: a key, URL and filename.
void AppendCdxjLine(const CaptureRow& capture, std::string* out);

// What a line of anybody's index says.
struct CdxLine {
  std::string url;
  int64_t time_ms = 0;
  std::string digest;  // as the line has it; empty: none
};

// Reads a line: CDXJ, or the older CDX with its fields in blanks, of which the first three are known. False for a line
// that is no capture: an empty one, a header (" CDX N b a…", "!meta…"). Invalid, saying what is wrong, for any other text.
// `*line` keeps its memory.
arrow::Result<bool> ReadCdxLine(std::string_view text, CdxLine* line);

}  // namespace trawl
