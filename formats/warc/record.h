// The door of formats/warc: records of WARC 1.1 (ISO 28500:2017) as text. names.h has ids, dates and digests, http_head.h the
// heads of answers, reader.h reads files back. A record is one gzip member: GzipMembers of formats/text/deflate.h.
//
// Every function replaces `record` with a whole record, from "WARC/1.1" to the two line ends after the block; the memory of
// `record` is used again. No value can forge a field: control characters in values become blanks. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/warc/names.h"

namespace trawl {

// What the records of one capture have in common.
struct WarcCapture {
  std::string place;  // "SEGMENT/FILE#ROW", for ids
  std::string url;    // as it was requested; records have TargetUriOf it
  int64_t began_ms = 0;
  std::string address;       // empty: unknown
  std::string http_version;  // "1.0", "1.1", "2"; empty: unknown
  std::string tls_version;   // "TLSv1.3"; empty: none
  std::string warcinfo_id;   // of the file that the record goes into
  // The record that tells of the answer: kResponse, kRevisit or kResource. The others refer to it.
  WarcType main = WarcType::kResponse;

  std::string MainId() const { return WarcIdOf(place, main); }
};

// The body of an answer, decoded.
struct WarcPayload {
  std::string_view bytes;
  std::string digest;           // WarcDigestOf the bytes, where the caller knows it; empty: it is made here
  std::string_view truncated;   // WarcTruncationOf; empty: whole
  std::string identified_type;  // a media type that somebody found in the bytes; empty: nobody looked
};

// The record that a revisit points to, exactly as it was written.
struct WarcOriginal {
  std::string id;
  std::string url;  // its WARC-Target-URI
  int64_t began_ms = 0;
  std::string digest;  // its WARC-Payload-Digest, to the letter
};

// The first record of a file.
struct WarcFileInfo {
  std::string path;  // below the archive's folder; WARC-Filename is its last part
  int64_t opened_ms = 0;
  // Lines of the block, in order. The record adds "format" and "conformsTo".
  std::vector<std::pair<std::string, std::string>> fields;

  std::string Id() const { return WarcIdOf(path, WarcType::kWarcinfo); }
};

class WarcRecords {
 public:
  explicit WarcRecords(WarcDigest digest) : digest_(digest) {}
  WarcDigest digest() const { return digest_; }

  void Warcinfo(const WarcFileInfo& file, std::string* record) const;
  // `head` is the request as it was sent, to the empty line.
  void Request(const WarcCapture& capture, std::string_view head, std::string* record) const;
  // `head` is WarcHttpHeadOf the answer, for this payload. A 304 gets no WARC-Payload-Digest.
  void Response(const WarcCapture& capture, std::string_view head, const WarcPayload& payload,
                std::string* record) const;
  // The payload is that of the original. `head` is made with the original payload's length.
  void SamePayload(const WarcCapture& capture, std::string_view head, const WarcOriginal& original,
                   std::string* record) const;
  // The server said 304: the block is empty, since readers that replay one with a head answer with an empty page.
  void NotModified(const WarcCapture& capture, const WarcOriginal& original, std::string* record) const;
  // Bytes without an HTTP answer around them.
  void Resource(const WarcCapture& capture, std::string_view content_type, const WarcPayload& payload,
                std::string* record) const;
  // What the crawler knows of the capture: "fetchTimeMs", "via", "charset-detected", "languages", "robots-line".
  void Metadata(const WarcCapture& capture, const std::vector<std::pair<std::string, std::string>>& fields,
                std::string* record) const;
  // The text of a page. `language` is an ISO 639-3 code, or empty.
  void Conversion(const WarcCapture& capture, std::string_view text, std::string_view language,
                  std::string* record) const;

 private:
  const WarcDigest digest_;
};

}  // namespace trawl
