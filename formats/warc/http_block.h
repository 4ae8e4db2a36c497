// The block of a record that holds an HTTP message: its head, and whether head and payload agree. For the reader; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/warc/chunks.h"
#include "formats/warc/digest_check.h"
#include "formats/warc/reader.h"

namespace trawl {

class HttpBlock {
 public:
  // `record` has its fields, and gets the head and the size of the payload. Both arguments outlive this.
  HttpBlock(const WarcReading& reading, WarcRecord* record);

  void Feed(std::string_view bytes);
  // What is wrong, at the end of the block; empty where nothing is.
  std::string Finish();

 private:
  void FeedHead(std::string_view bytes);
  void BeginPayload();
  void FeedPayload(std::string_view bytes);
  // Takes the payload without chunks.
  void FeedContent(std::string_view bytes);
  std::string FaultOfPayload();

  const WarcReading& reading_;
  WarcRecord* const record_;
  const bool is_request_;
  const bool has_payload_;  // that is here: a revisit's is its original's, a segment has a part of it
  const bool is_whole_;     // not truncated
  bool in_head_ = true;
  std::string fault_;
  std::optional<int64_t> announced_;  // Content-Length
  std::string codings_;
  std::optional<ChunkReader> chunks_;
  PayloadDecoder decoder_;
  bool is_decodable_ = true;
  int64_t content_bytes_ = 0;
  // Some writers make the digest of the payload with its chunks, against WARC 1.1 section 5.9.
  DigestCheck digest_, digest_with_chunks_;
};

}  // namespace trawl
