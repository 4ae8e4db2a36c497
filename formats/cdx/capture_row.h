// A door of formats/cdx: the rows that the jobs of `trawl archive` hand to each other. They lie in the archive's folder,
// below _trawl/NAME/, and belong to this program; what others read is made of them. docs/storage.md shows an example.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"

namespace trawl {

// A record of an archive that indexes name: a response, revisit or resource.
struct CaptureRow {
  static constexpr char kTable[] = "captures";
  static constexpr uint8_t kVersion = 1;

  std::string key;          // the URL as indexes sort it: com,example)/path?query
  std::string url;          // WARC-Target-URI
  int64_t began_ms = 0;     // WARC-Date
  std::string record_type;  // "response", "revisit", "resource"
  std::string record_id;    // "<urn:uuid:…>"
  std::string subset;       // "warc", "crawldiagnostics", "robotstxt"
  std::string segment;
  int32_t status = -1;        // -1: the record has none
  std::string mime;           // the essence of Content-Type as it was sent; empty: none was sent
  std::string mime_detected;  // empty: nobody looked
  std::string digest;         // of the payload, as WARC-Payload-Digest has it: "sha1:…"; empty: no payload
  std::string charset;
  std::string languages;  // ISO 639-3, with commas
  std::string truncated;  // as WARC-Truncated
  std::string redirect;   // absolute
  std::string title;      // for lists of pages; without line ends
  std::string filename;   // below the archive's folder
  int64_t offset = 0;     // of the record's gzip member in that file
  int64_t length = 0;     // of that member

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("url", row.url);
    visit("began_ms", row.began_ms);
    visit("record_type", row.record_type);
    visit("record_id", row.record_id);
    visit("subset", row.subset);
    visit("segment", row.segment);
    visit("status", row.status);
    visit("mime", row.mime);
    visit("mime_detected", row.mime_detected);
    visit("digest", row.digest);
    visit("charset", row.charset);
    visit("languages", row.languages);
    visit("truncated", row.truncated);
    visit("redirect", row.redirect);
    visit("title", row.title);
    visit("filename", row.filename);
    visit("offset", row.offset);
    visit("length", row.length);
  }

  bool operator==(const CaptureRow&) const = default;
};

// The record that holds a body, to which revisits point. Its key is "<SHA-256 of the body in hex>)".
struct OriginalRow {
  static constexpr char kTable[] = "originals";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  std::string url;  // WARC-Target-URI
  int64_t began_ms = 0;
  std::string record_id;
  std::string digest;  // as WARC-Payload-Digest has it, to the letter
  int64_t bytes = 0;   // of the payload

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("url", row.url);
    visit("began_ms", row.began_ms);
    visit("record_id", row.record_id);
    visit("digest", row.digest);
    visit("bytes", row.bytes);
  }

  bool operator==(const OriginalRow&) const = default;
};

}  // namespace trawl
