// Text as gzip (RFC 1952), piece by piece, and back. One thread. deflate.h compresses whole texts.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

class GzipText {
 public:
  static arrow::Result<std::unique_ptr<GzipText>> Make();
  ~GzipText();

  // Appends what is compressed so far to `out`.
  arrow::Status Add(std::string_view text, std::string* out);
  // The same with the end of the file. Nothing may be added afterwards.
  arrow::Status Finish(std::string* out);

 private:
  struct State;
  explicit GzipText(std::unique_ptr<State> state);
  arrow::Status Run(std::string_view text, bool is_last, std::string* out);
  const std::unique_ptr<State> state_;
};

// Reads one gzip member after the other.
class GunzipMembers {
 public:
  enum class Step {
    kMore,       // all of the input is read
    kFull,       // a piece of text was appended, and more may follow
    kMemberEnd,  // the member is over, its length and checksum are right; `in` begins after it
    kDamaged,    // the input is no gzip, or its checksum is wrong
  };

  static arrow::Result<std::unique_ptr<GunzipMembers>> Make();
  ~GunzipMembers();

  // Takes bytes off the front of `in`, and appends at most 64 KiB of text to `out`.
  Step Read(std::string_view* in, std::string* out);

 private:
  struct State;
  explicit GunzipMembers(std::unique_ptr<State> state);
  const std::unique_ptr<State> state_;
};

}  // namespace trawl
