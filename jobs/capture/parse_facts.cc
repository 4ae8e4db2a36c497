#include "jobs/capture/parse_facts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<ParseFacts> ParseFacts::Open(Store* store, const std::string& segment, Columns<ParseRow> columns,
                                    int64_t batch_rows) {
  ParseFacts facts(store, segment, columns, batch_rows);
  ARROW_ASSIGN_OR_RAISE(facts.pages_, SegmentPages::Open(store, segment));
  if (facts.pages_ == nullptr) return facts;
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> parsed, ReadStep(store, segment, kParseStep));
  if (parsed) facts.files_ = parsed->FilesOf(ParseRow::kTable);
  return facts;
}

Status ParseFacts::OpenFile(const std::string& file) {
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&file](const FileReceipt& one) { return one.name == file; });
  if (found == files_.end()) return Status::IndexError(segment_, ": parse has no file ", file);
  reader_.reset();
  ARROW_ASSIGN_OR_RAISE(reader_, OpenDatasetFile(store_, segment_, ParseRow::kTable, *found, ColumnsOf<ParseRow>()));
  file_ = file;
  batch_ = {};
  return reader_->Scan(0, columns_.Flags(), batch_rows_);
}

Result<bool> ParseFacts::Find(const std::string& content_file, int64_t content_row, const std::string& body_digest,
                              ParseRow* row) {
  if (pages_ == nullptr) return false;
  const auto place = pages_->ParsePlaceOf(content_file, content_row);
  if (!place) return false;
  const auto& [file, number] = *place;
  if (reader_ == nullptr || file != file_) ARROW_RETURN_NOT_OK(OpenFile(file));
  if (number < batch_.first_row || number >= batch_.first_row + batch_.rows + kOrcStride) {
    ARROW_RETURN_NOT_OK(reader_->Scan(number, columns_.Flags(), batch_rows_));
    batch_ = {};
  }
  while (number >= batch_.first_row + batch_.rows) {
    ARROW_ASSIGN_OR_RAISE(const bool more, reader_->Next(&batch_));
    if (!more) {
      reader_.reset();
      return false;
    }
  }
  ReadFromBatch(batch_, number - batch_.first_row, row);
  return row->body_digest == body_digest;
}

}  // namespace trawl
