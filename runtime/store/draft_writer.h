// A store's writer over a draft: a file that is written under another name and published under its own at the end.
// Local disk and HDFS have one draft class each; a Draft has Write and Publish.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "arrow/result.h"
#include "runtime/store/file_sealer.h"
#include "runtime/store/store.h"

namespace trawl {

template <typename Draft>
class DraftWriter : public StoreWriter {
 public:
  explicit DraftWriter(std::unique_ptr<Draft> draft)
      : draft_(std::move(draft)), sealer_([this](std::string_view bytes) { return draft_->Write(bytes); }) {}

  arrow::io::OutputStream* stream() override { return sealer_.stream(); }

  arrow::Result<FileSeal> Commit() override {
    ARROW_ASSIGN_OR_RAISE(FileSeal seal, sealer_.Finish());
    ARROW_RETURN_NOT_OK(draft_->Publish());
    return seal;
  }

 private:
  const std::unique_ptr<Draft> draft_;
  FileSealer sealer_;
};

}  // namespace trawl
