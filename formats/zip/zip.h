// The door of formats/zip: ZIP files whose entries are stored as they are (PKWARE's APPNOTE 6.3), with the 64-bit forms where
// something does not fit into 32. One thread.
//
// The file is written from its beginning to its end; nothing is read back. So an entry that comes in pieces has its CRC-32
// after its bytes, in a data descriptor. Equal entries and times give equal files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/status.h"

namespace trawl {

class ZipWriter {
 public:
  using Sink = std::function<arrow::Status(std::string_view)>;

  // All entries bear that time, in UTC; it is cut to even seconds, from 1980 to 2107.
  ZipWriter(Sink sink, int64_t time_ms);

  // An entry that is in memory.
  arrow::Status AddWhole(const std::string& name, std::string_view bytes);

  // An entry of so many bytes, in pieces: Begin, Add …, End. Invalid where the pieces have another size.
  arrow::Status Begin(const std::string& name, int64_t size_bytes);
  arrow::Status Add(std::string_view piece);
  arrow::Status End();

  // Writes the central directory. Nothing may be added afterwards.
  arrow::Status Finish();

  // Bytes written so far.
  int64_t bytes() const { return offset_; }

 private:
  struct Entry {
    std::string name;
    int64_t offset = 0;
    int64_t size_bytes = 0;
    uint32_t crc = 0;
    bool in_pieces = false;
  };

  arrow::Status Write(std::string_view bytes);
  arrow::Status WriteHead(const Entry& entry);
  void AppendCommon(const Entry& entry, bool is_large, std::string* out) const;
  void AppendDirectoryEntry(const Entry& entry, std::string* out) const;

  const Sink sink_;
  uint16_t dos_time_ = 0, dos_date_ = 0;
  int64_t offset_ = 0;
  int64_t left_ = 0;  // of the entry that is being added
  std::vector<Entry> entries_;
};

}  // namespace trawl
