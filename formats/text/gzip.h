// Text as gzip (RFC 1952), piece by piece. One thread.
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

}  // namespace trawl
