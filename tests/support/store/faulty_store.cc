#include "tests/support/store/faulty_store.h"

#include <string_view>
#include <utility>

#include "arrow/io/interfaces.h"
#include "runtime/store/path.h"
#include "runtime/store/positioned_file.h"

namespace trawl {

const char* NameOf(StoreOperation operation) {
  switch (operation) {
    case StoreOperation::kOpenWriter:
      return "open writer";
    case StoreOperation::kWrite:
      return "write";
    case StoreOperation::kCommit:
      return "commit";
    case StoreOperation::kOpen:
      return "open";
    case StoreOperation::kRead:
      return "read";
    case StoreOperation::kCreate:
      return "create";
    case StoreOperation::kList:
      return "list";
    case StoreOperation::kExists:
      return "exists";
    case StoreOperation::kRemove:
      return "remove";
  }
  return "unknown";
}

// Counts operations and decides the fault of each.
class FaultyStore::Injector {
 public:
  explicit Injector(const FaultPlan& plan) : plan_(plan) {}

  // The fault for this operation; an error where it must fail without being done. kTear is returned only for a write,
  // which must then be done half-way.
  arrow::Result<Fault> Begin(StoreOperation operation, const std::string& path) {
    const std::lock_guard lock(mutex_);
    if (dead_) return Failure(operation, path);
    if (plan_.only.has_value() && *plan_.only != operation) return Fault::kNone;
    if (++operations_ != plan_.at) return Fault::kNone;
    fault_point_ = "operation " + std::to_string(operations_) + ": " + trawl::NameOf(operation) + " " + path;
    dead_ = plan_.fault == Fault::kTear;
    if (plan_.fault == Fault::kFail) return Failure(operation, path);
    if (plan_.fault == Fault::kTear && operation != StoreOperation::kWrite) return Failure(operation, path);
    return plan_.fault;
  }

  // The result that the caller gets for an operation that was done.
  template <typename T>
  T End(Fault fault, StoreOperation operation, const std::string& path, T result) {
    if (fault == Fault::kLoseReply || fault == Fault::kTear) return Failure(operation, path);
    return result;
  }

  bool is_dead() const {
    const std::lock_guard lock(mutex_);
    return dead_;
  }
  int64_t operations() const {
    const std::lock_guard lock(mutex_);
    return operations_;
  }
  std::string fault_point() const {
    const std::lock_guard lock(mutex_);
    return fault_point_;
  }

 private:
  static arrow::Status Failure(StoreOperation operation, const std::string& path) {
    return arrow::Status::IOError("injected fault: ", trawl::NameOf(operation), " ", path);
  }

  const FaultPlan plan_;
  mutable std::mutex mutex_;
  int64_t operations_ = 0;
  bool dead_ = false;
  std::string fault_point_;
};

// A writer is also its own stream.
class FaultyStore::Writer : public StoreWriter {
 public:
  Writer(std::string path, std::unique_ptr<StoreWriter> writer, std::shared_ptr<Store> inner,
         std::shared_ptr<Injector> injector)
      : path_(std::move(path)),
        writer_(std::move(writer)),
        inner_(std::move(inner)),
        injector_(std::move(injector)),
        stream_(std::make_shared<Stream>(this)) {}

  // After its process "died", a writer's bytes lie under a temporary name.
  ~Writer() override {
    if (!injector_->is_dead() || committed_) return;
    const auto left_behind = inner_->CreateExclusive(TemporaryPathFor(path_), written_);
    (void)left_behind;
  }

  arrow::io::OutputStream* stream() override { return stream_.get(); }

  arrow::Result<FileSeal> Commit() override {
    ARROW_RETURN_NOT_OK(status_);
    ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kCommit, path_));
    ARROW_ASSIGN_OR_RAISE(FileSeal seal, writer_->Commit());
    committed_ = true;
    if (fault == Fault::kForget) ARROW_RETURN_NOT_OK(inner_->Remove(path_));
    return injector_->End<arrow::Result<FileSeal>>(fault, StoreOperation::kCommit, path_, std::move(seal));
  }

 private:
  class Stream : public arrow::io::OutputStream {
   public:
    explicit Stream(Writer* writer) : writer_(writer) {}
    using arrow::io::OutputStream::Write;
    arrow::Status Write(const void* data, int64_t size) override {
      return writer_->Write({static_cast<const char*>(data), static_cast<size_t>(size)});
    }
    arrow::Status Flush() override { return writer_->status_; }
    arrow::Status Close() override { return writer_->writer_->stream()->Close(); }
    arrow::Status Abort() override { return writer_->writer_->stream()->Abort(); }
    arrow::Result<int64_t> Tell() const override { return writer_->writer_->stream()->Tell(); }
    bool closed() const override { return writer_->writer_->stream()->closed(); }

   private:
    Writer* const writer_;
  };

  // An injected error stays, as a store's own error does.
  arrow::Status Write(std::string_view bytes) {
    ARROW_RETURN_NOT_OK(status_);
    const auto begun = injector_->Begin(StoreOperation::kWrite, path_);
    status_ = begun.status();
    ARROW_RETURN_NOT_OK(status_);
    if (*begun == Fault::kTear) bytes = bytes.substr(0, bytes.size() / 2);
    if (written_.size() < kKeptBytes) written_.append(bytes.substr(0, kKeptBytes - written_.size()));
    ARROW_RETURN_NOT_OK(writer_->stream()->Write(bytes));
    status_ = injector_->End(*begun, StoreOperation::kWrite, path_, arrow::Status::OK());
    return status_;
  }

  static constexpr size_t kKeptBytes = size_t{1} << 20;  // a longer part of a torn file tells a reader nothing new

  const std::string path_;
  const std::unique_ptr<StoreWriter> writer_;
  const std::shared_ptr<Store> inner_;
  const std::shared_ptr<Injector> injector_;
  const std::shared_ptr<Stream> stream_;
  arrow::Status status_;
  std::string written_;
  bool committed_ = false;
};

class FaultyStore::File : public PositionedFile {
 public:
  File(std::string path, int64_t size_bytes, std::shared_ptr<arrow::io::RandomAccessFile> file,
       std::shared_ptr<Injector> injector)
      : PositionedFile(std::move(path), size_bytes), file_(std::move(file)), injector_(std::move(injector)) {}

 protected:
  arrow::Status ReadRange(int64_t position, int64_t size, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kRead, name()));
    ARROW_RETURN_NOT_OK(file_->ReadAt(position, size, /*allow_short_read=*/false, out));
    return injector_->End(fault, StoreOperation::kRead, name(), arrow::Status::OK());
  }

 private:
  const std::shared_ptr<arrow::io::RandomAccessFile> file_;
  const std::shared_ptr<Injector> injector_;
};

FaultyStore::FaultyStore(std::shared_ptr<Store> inner, const FaultPlan& plan)
    : inner_(std::move(inner)), injector_(std::make_shared<Injector>(plan)) {}

FaultyStore::~FaultyStore() = default;

int64_t FaultyStore::operations() const { return injector_->operations(); }

bool FaultyStore::reached() const { return !injector_->fault_point().empty(); }

std::string FaultyStore::fault_point() const { return injector_->fault_point(); }

std::string FaultyStore::Describe() const { return inner_->Describe(); }

arrow::Result<std::unique_ptr<StoreWriter>> FaultyStore::OpenWriter(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kOpenWriter, path));
  ARROW_ASSIGN_OR_RAISE(auto writer, inner_->OpenWriter(path));
  return injector_->End<arrow::Result<std::unique_ptr<StoreWriter>>>(
      fault, StoreOperation::kOpenWriter, path, std::make_unique<Writer>(path, std::move(writer), inner_, injector_));
}

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> FaultyStore::OpenUnverified(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kOpen, path));
  ARROW_ASSIGN_OR_RAISE(auto file, inner_->OpenUnverified(path));
  ARROW_ASSIGN_OR_RAISE(const int64_t size, file->GetSize());
  return injector_->End<arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>>>(
      fault, StoreOperation::kOpen, path, std::make_shared<File>(path, size, std::move(file), injector_));
}

arrow::Result<CreateOutcome> FaultyStore::CreateExclusive(const std::string& path, const std::string& content) {
  ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kCreate, path));
  ARROW_ASSIGN_OR_RAISE(const CreateOutcome outcome, inner_->CreateExclusive(path, content));
  if (fault == Fault::kForget && outcome == CreateOutcome::kCreated) ARROW_RETURN_NOT_OK(inner_->Remove(path));
  return injector_->End<arrow::Result<CreateOutcome>>(fault, StoreOperation::kCreate, path, outcome);
}

arrow::Result<std::vector<StoreEntry>> FaultyStore::List(const std::string& folder, bool recursive) {
  ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kList, folder));
  return injector_->End(fault, StoreOperation::kList, folder, inner_->List(folder, recursive));
}

arrow::Result<bool> FaultyStore::Exists(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kExists, path));
  return injector_->End(fault, StoreOperation::kExists, path, inner_->Exists(path));
}

arrow::Status FaultyStore::Remove(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kRemove, path));
  if (fault == Fault::kForget) return arrow::Status::OK();
  return injector_->End(fault, StoreOperation::kRemove, path, inner_->Remove(path));
}

arrow::Status FaultyStore::RemoveFolder(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const Fault fault, injector_->Begin(StoreOperation::kRemove, path));
  if (fault == Fault::kForget) return arrow::Status::OK();
  return injector_->End(fault, StoreOperation::kRemove, path, inner_->RemoveFolder(path));
}

}  // namespace trawl
