// A store that fails at a chosen operation, which every job must withstand.
//
// A test runs its job with the fault at operation 1, 2, 3, … until `reached()` says that the job ended before that
// operation:
//
//   for (int64_t n = 1;; ++n) {
//     auto store = std::make_shared<FaultyStore>(inner, FaultPlan{Fault::kLoseReply, n});
//     …run the job on it, run it again on `inner`, compare…
//     if (!store->reached()) break;
//   }
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/store/store.h"

namespace trawl {

enum class Fault {
  kNone,
  kFail,       // the operation does nothing and returns an error; later operations work
  kTear,       // a write ends half-way and the process "dies": this and all later operations fail. The written part of
               // an unfinished file lies under a temporary name, as after a kill on a store with named temporaries
  kForget,     // a commit, create or remove reports success but was not done; other operations work
  kLoseReply,  // the operation is done and returns an error
};

enum class StoreOperation { kOpenWriter, kWrite, kCommit, kOpen, kRead, kCreate, kList, kExists, kRemove };
inline constexpr StoreOperation kStoreOperations[] = {
    StoreOperation::kOpenWriter, StoreOperation::kWrite,  StoreOperation::kCommit,
    StoreOperation::kOpen,       StoreOperation::kRead,   StoreOperation::kCreate,
    StoreOperation::kList,       StoreOperation::kExists, StoreOperation::kRemove};
const char* NameOf(StoreOperation operation);

struct FaultPlan {
  Fault fault = Fault::kNone;
  int64_t at = 0;                      // the n-th operation, from 1; 0: never
  std::optional<StoreOperation> only;  // count only operations of this kind
};

// For any thread. Every Write to a writer's stream and every read from a file is an operation, too.
class FaultyStore : public Store {
 public:
  FaultyStore(std::shared_ptr<Store> inner, const FaultPlan& plan);
  ~FaultyStore() override;

  // The number of operations so far (of the kind that the plan counts).
  int64_t operations() const;
  // Whether the plan's operation came.
  bool reached() const;
  // Names the operation, for messages: "operation 7: commit crawldb/urls/…".
  std::string fault_point() const;

  arrow::Result<std::unique_ptr<StoreWriter>> OpenWriter(const std::string& path) override;
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override;
  arrow::Result<CreateOutcome> CreateExclusive(const std::string& path, const std::string& content) override;
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override;
  arrow::Result<bool> Exists(const std::string& path) override;
  arrow::Status Remove(const std::string& path) override;
  arrow::Status RemoveFolder(const std::string& path) override;
  std::string Describe() const override;

 private:
  // Shared with the writers and files that outlive a call.
  class Injector;
  class Writer;
  class File;

  const std::shared_ptr<Store> inner_;
  const std::shared_ptr<Injector> injector_;
};

}  // namespace trawl
