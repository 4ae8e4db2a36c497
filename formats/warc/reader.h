// Reads WARC files, our own and others': record by record, in bounded memory however long a record is. One thread.
//
// A fault is whatever breaks ISO 28500, the rule of one gzip member per record, or the agreement of a head with its payload: a
// payload that is not coded as its head says replays as rubbish, and other validators do not look. Versions 1.0 and 1.1 are
// read, plain and gzip files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"

namespace trawl {

// One record, without its block.
struct WarcRecord {
  int64_t offset = 0;                                       // in the file; in a gzip file, of its member
  int64_t length = 0;                                       // of the member, or of a plain record with its line ends
  std::string version;                                      // "1.1"
  std::vector<std::pair<std::string, std::string>> fields;  // in order, names as they were written
  int64_t block_bytes = 0;
  // Of an application/http block: its head up to the empty line, as it stands there; empty for others.
  std::string http_head;
  int64_t payload_bytes = 0;  // without the HTTP head
  // The first fault, in words; empty: none.
  std::string fault;
  // Nothing after this record can be read.
  bool is_last = false;

  // The value of a field, the first one; names are compared without case. Empty where there is none.
  std::string_view Get(std::string_view name) const;
  std::string_view type() const { return Get("WARC-Type"); }
  // WARC-Target-URI without the "<" and ">" that some writers put around it.
  std::string_view target_uri() const;
  // The status code of a response or revisit with an HTTP head; -1 where there is none.
  int32_t http_status() const;
};

// Undoes content codings: takes a payload in pieces, and an empty piece at its end, and says whether they are what the codings
// promise.
using PayloadDecoder = std::function<bool(std::string_view)>;

struct WarcReading {
  // Check what a reader of others' archives need not know: digests, field rules, heads of answers, members. Without it only
  // what keeps a record from being read is a fault.
  bool strict = true;
  // Makes the decoder for the value of Content-Encoding: runtime/decode/payload_decoder.h. Without it, payloads that still
  // are coded are not decoded.
  std::function<PayloadDecoder(std::string_view codings)> make_decoder;
  // Gets the block of each record in pieces, in front of Next's return. Digests are not yet known to match.
  std::function<void(std::string_view)> take_block;
};

class WarcReader {
 public:
  // Gives the next piece of the file, empty at its end. The piece must live until the next call.
  using Source = std::function<arrow::Result<std::string_view>()>;

  explicit WarcReader(Source source, WarcReading reading = {});
  ~WarcReader();

  // Reads the next record to its end. False at the end of the file. What is wrong with a record stands in it; only a failure
  // of the source is a failed Status.
  arrow::Result<bool> Next(WarcRecord* record);

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

// A file that is in memory.
WarcReader::Source SourceOf(std::string_view file);

}  // namespace trawl
