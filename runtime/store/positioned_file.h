// The base of every file that we give to Arrow's readers: a size known from the start, a position, bounds.
//
// Any number of threads may read at a position at once; the file's own position is guarded too. Only sources include
// this header: it brings in Arrow's file interface, which a derived class needs whole.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "arrow/io/interfaces.h"
#include "arrow/result.h"

namespace trawl {

class PositionedFile : public arrow::io::RandomAccessFile {
 public:
  // `name` is the file's name in errors.
  PositionedFile(std::string name, int64_t size_bytes);
  ~PositionedFile() override;

  const std::string& name() const { return name_; }
  int64_t size_bytes() const { return size_bytes_; }

  arrow::Status Close() override;
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> GetSize() override { return size_bytes_; }
  arrow::Result<int64_t> Tell() const override;
  arrow::Status Seek(int64_t position) override;
  arrow::Result<int64_t> Read(int64_t size, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t size) override;
  // All four read at most up to the end; with allow_short_read false, less than `size` is an error.
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t size, void* out) override;
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t size, bool allow_short_read, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t size) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t size, bool allow_short_read) override;

 protected:
  // Fills `out`; the range lies inside the file. Several threads may call it at once. Fails where the file turns out
  // shorter.
  virtual arrow::Status ReadRange(int64_t position, int64_t size, void* out) = 0;

 private:
  arrow::Result<int64_t> SizeWithin(int64_t position, int64_t size, bool allow_short_read) const;

  const std::string name_;
  const int64_t size_bytes_;
  std::atomic<bool> closed_ = false;
  mutable std::mutex position_mutex_;
  int64_t position_ = 0;
};

}  // namespace trawl
