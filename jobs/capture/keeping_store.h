// A store for files whose bytes depend on the plan alone, under names that do not depend on the attempt. Where a file is
// there already, it has these bytes: it stays, and its writer only seals what it would have written. So no attempt removes
// what another one has named. Everything else goes to the store below. Any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/store/store.h"

namespace trawl {

class KeepingStore : public Store {
 public:
  // `below` outlives the object.
  explicit KeepingStore(Store* below) : below_(*below) {}

  arrow::Result<std::unique_ptr<StoreWriter>> OpenWriter(const std::string& path) override;
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override {
    return below_.OpenUnverified(path);
  }
  arrow::Result<CreateOutcome> CreateExclusive(const std::string& path, const std::string& content) override {
    return below_.CreateExclusive(path, content);
  }
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override {
    return below_.List(folder, recursive);
  }
  arrow::Result<bool> Exists(const std::string& path) override { return below_.Exists(path); }
  arrow::Status Remove(const std::string& path) override { return below_.Remove(path); }
  arrow::Status RemoveFolder(const std::string& path) override { return below_.RemoveFolder(path); }
  std::string Describe() const override { return below_.Describe(); }

 private:
  Store& below_;
};

}  // namespace trawl
