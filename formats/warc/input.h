// The text of a WARC file, plain or in gzip members: looked at and consumed, with the places of members. For reader.cc; one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/text/gzip.h"

namespace trawl {

class WarcInput {
 public:
  using Source = std::function<arrow::Result<std::string_view>()>;

  explicit WarcInput(Source source) : source_(std::move(source)) {}

  // Goes to the next record: in a gzip file to the next member, once the text of the last one is consumed. False at the
  // end of the file, and where something else than a record follows: then damage() says what.
  arrow::Result<bool> Begin();
  // The place where the record or its member begins.
  int64_t offset() const { return begin_; }
  // The place after all that was consumed; within a member it is not exact.
  int64_t end() const { return is_gzip_ ? raw_offset_ : text_offset_; }
  bool is_gzip() const { return is_gzip_; }

  // At least so many bytes of text, if the member or the plain file has them; usually more. They live until the next call.
  arrow::Result<std::string_view> Peek(size_t least);
  // REQUIRES: Peek gave that many.
  void Consume(size_t bytes);

  // Why the file cannot be read on; empty where nothing is wrong.
  const std::string& damage() const { return damage_; }

 private:
  // Gets the next piece if the last one is used up; false at the end of the file.
  arrow::Result<bool> FillRaw();
  // Appends more text; false where there is no more of it.
  arrow::Result<bool> FillText();
  arrow::Result<bool> Inflate();

  const Source source_;
  std::string_view raw_;  // the rest of the last piece
  bool source_ended_ = false;
  int64_t raw_offset_ = 0;   // of the begin of raw_ in the file
  int64_t text_offset_ = 0;  // of the text that is not consumed, in the whole text
  int64_t begin_ = 0;
  bool is_gzip_ = false;
  bool in_member_ = false;
  std::unique_ptr<GunzipMembers> gunzip_;
  std::string text_;  // consumed up to at_
  size_t at_ = 0;
  std::string damage_;
};

}  // namespace trawl
