// The HTTP head of an archived answer: what the server sent, made true for the payload that follows it in the record.
//
// The payload of a record is the decoded body, so fields that speak of the body on the wire are masked, neither deleted nor
// left to lie: "Transfer-Encoding: chunked" becomes "X-Crawler-Transfer-Encoding: chunked". Common Crawl and StormCrawler use
// the same prefix. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

struct WarcHttpHead {
  // From the status line to the one empty line, every line ended by CRLF.
  std::string text;
  // Lines that were no field (no colon, or a name that is not a token) and are left out.
  int32_t dropped_lines = 0;
};

struct WarcHttpAnswer {
  std::string_view raw;  // the head as it came
  int32_t status = 0;    // for a status line that has no code
  // Content codings that the payload still has, the last applied one last.
  std::string_view kept_codings;
  int64_t payload_bytes = 0;
};

// 1. Lines end at LF; a CR before it belongs to the end. The first blank line ends the head.
// 2. A folded field becomes one line. Control characters become blanks; bytes from 0x80 on stay.
// 3. A status line that is not "HTTP/1.0 NNN …" or "HTTP/1.1 NNN …" becomes "HTTP/1.1 NNN reason"; so does HTTP/2's. A
//    reason in UTF-8 beyond Latin-1 gets "?" for its bytes.
// 4. Transfer-Encoding is masked.
// 5. Content-Encoding stays where the payload has exactly these codings. Else it is masked, and at the end stands one with
//    the codings that were kept, if any.
// 6. There is exactly one Content-Length, and it is true: in the place of the first, else at the end. Others are masked.
WarcHttpHead WarcHttpHeadOf(const WarcHttpAnswer& answer);

}  // namespace trawl
