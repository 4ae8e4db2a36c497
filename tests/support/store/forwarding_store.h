// A store that passes every call on to another. A test's own store derives from it and changes what the test is about.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/store/store.h"

namespace trawl {

class ForwardingStore : public Store {
 public:
  // `inner` must outlive it.
  explicit ForwardingStore(Store* inner) : inner_(inner) {}

  arrow::Result<std::unique_ptr<StoreWriter>> OpenWriter(const std::string& path) override {
    return inner_->OpenWriter(path);
  }
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override {
    return inner_->OpenUnverified(path);
  }
  arrow::Result<CreateOutcome> CreateExclusive(const std::string& path, const std::string& content) override {
    return inner_->CreateExclusive(path, content);
  }
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override {
    return inner_->List(folder, recursive);
  }
  arrow::Result<bool> Exists(const std::string& path) override { return inner_->Exists(path); }
  arrow::Status Remove(const std::string& path) override { return inner_->Remove(path); }
  arrow::Status RemoveFolder(const std::string& path) override { return inner_->RemoveFolder(path); }
  std::string Describe() const override { return inner_->Describe(); }

 private:
  Store* const inner_;
};

}  // namespace trawl
