// Reads records of an archive where its index says that they are. It reads ahead, so records that come in the order of
// their places cost few requests. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"
#include "arrow/type_fwd.h"
#include "formats/warc/reader.h"
#include "runtime/store/store.h"

namespace trawl {

// A record's gzip member.
struct MemberPlace {
  std::string filename;  // below the archive's folder
  int64_t offset = 0;
  int64_t length = 0;
};

class RecordFiles {
 public:
  // `from` is the archive's folder; it outlives the object.
  explicit RecordFiles(Store* from) : from_(from) {}

  // Passes the member on in pieces and reads it strictly meanwhile. An IOError, which names file and offset, where it is
  // not one sound record; pieces may have been passed on by then.
  arrow::Result<WarcRecord> Copy(const MemberPlace& place, const std::function<arrow::Status(std::string_view)>& take);
  // The record's fields.
  arrow::Result<WarcRecord> Read(const MemberPlace& place);
  // The first record of a file, which is its warcinfo.
  arrow::Result<MemberPlace> First(const std::string& filename);

 private:
  arrow::Status Open(const std::string& filename);
  // Bytes of the open file from there on, up to so many; none at its end. They live until the next call.
  arrow::Result<std::string_view> ReadAt(int64_t offset, int64_t most);
  // Of [offset, end) of the open file.
  WarcReader::Source PiecesOf(int64_t offset, int64_t end);
  // The next record, which begins at `offset` of the open file. An IOError where it has a fault.
  arrow::Result<WarcRecord> ReadRecord(WarcReader* reader, int64_t offset) const;

  Store* const from_;
  std::string open_;  // the file that was read last
  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  int64_t size_ = 0;                      // of that file
  std::shared_ptr<arrow::Buffer> ahead_;  // what was read of it last, from ahead_begin_ on
  int64_t ahead_begin_ = 0;
};

}  // namespace trawl
