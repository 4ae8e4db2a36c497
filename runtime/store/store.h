// The door of runtime/store: a crawl's files, on local disk, HDFS or S3, with one behaviour.
//
// The one door to Arrow's filesystems. Start at OpenStore. Every path is relative to the store's root;
// runtime/store/path.h says which paths are valid. Nothing is ever replaced: a writer commits to a name that did not
// exist, and CreateExclusive creates one. Any thread may call any function of Store at once with others; a StoreWriter
// and its stream belong to one thread at a time.
//
// Every failure names the file. IsNotFound (runtime/store/status.h) tells "there is no such file" from every other
// failure. It is true only when the store itself said so: a dead server is an IOError.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/digests/file_seal.h"
#include "runtime/store/block_cache.h"

namespace trawl {

struct StoreEntry {
  std::string path;  // relative to the store's root, also when List was given a folder
  bool is_folder = false;
  int64_t size_bytes = 0;   // 0 for a folder
  int64_t modified_ms = 0;  // milliseconds UTC; whole seconds on HDFS; 0 for a folder on S3
};

enum class CreateOutcome { kCreated, kExists };

// A file being written. It has its name only after Commit; a writer that is dropped before leaves no named file. A
// killed process leaves nothing on a local disk that supports unnamed files; elsewhere at most a name that
// IsTemporaryPath recognises.
class StoreWriter {
 public:
  StoreWriter() = default;
  virtual ~StoreWriter() = default;
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  // Lives as long as the writer. It keeps its first error, which also fails Commit, so that a library which swallows
  // errors (ORC's Close does) cannot commit a torn file. Close ends writing but commits nothing.
  virtual arrow::io::OutputStream* stream() = 0;

  // Gives the written bytes their name, durably, and returns the seal to verify them against. AlreadyExists where the
  // name is taken: that file stays as it is (on S3 a race between two writers of one name is not excluded, so data
  // files carry names unique to their attempt). After any other error the name may or may not exist: use another one.
  // REQUIRES: called at most once.
  virtual arrow::Result<FileSeal> Commit() = 0;
};

class Store {
 public:
  Store() = default;
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Makes the folders above the file as needed. Fails early, with AlreadyExists, where a file of that name is already
  // there and the store can tell so cheaply; Commit decides.
  virtual arrow::Result<std::unique_ptr<StoreWriter>> OpenWriter(const std::string& path) = 0;

  // Reads through a block cache: every loaded chunk is verified against `seal` before a byte of it is given out.
  // Another size or digest is an IOError that names file and chunk. Several threads may read the file at once.
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenVerified(const std::string& path,
                                                                           const FileSeal& seal,
                                                                           const BlockCacheOptions& options = {});

  // Opens the bare file, for files without a seal: every read is a request to the store.
  virtual arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) = 0;

  // Returns the whole content; CapacityError where it is longer than `max_bytes`.
  arrow::Result<std::string> ReadWhole(const std::string& path, int64_t max_bytes);

  // A true compare-and-swap, meant for small files. Of any number of callers with one path at most one gets kCreated,
  // and its content is then stored, whole and durable. After an error the file may or may not exist, with this content
  // or another caller's, because the reply may have been lost. kExists may also mean this very call, where a layer
  // between us and the server sent the request twice. So a caller that does not get kCreated reads the file back to
  // learn whose it is.
  virtual arrow::Result<CreateOutcome> CreateExclusive(const std::string& path, const std::string& content) = 0;

  // Lists the folder ("" is the root), with everything below it if `recursive`, sorted by path, temporary names
  // (IsTemporaryPath) included. A folder that does not exist lists as empty, but only after the store said so. S3 knows
  // no folders: there a folder is listed where something lies in it.
  virtual arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) = 0;

  // Whether there is a file of that name; a folder does not count.
  virtual arrow::Result<bool> Exists(const std::string& path) = 0;

  // Removes a file, or a folder with all that is in it. A missing one is no error.
  virtual arrow::Status Remove(const std::string& path) = 0;
  virtual arrow::Status RemoveFolder(const std::string& path) = 0;

  // The root, for messages; without credentials.
  virtual std::string Describe() const = 0;

 protected:
  // Settings that suit the store, for callers of OpenVerified that did not choose their own.
  virtual BlockCacheOptions preferred_blocks() const { return {.block_bytes = kChunkBytes, .read_ahead_blocks = 0}; }
};

struct StoreOptions {
  // Local disk: wait until files and folders are on the disk. Without it a commit survives kill -9 but not a power
  // failure.
  bool sync = true;
  // HDFS: the file libhdfs.so or its folder. Otherwise ARROW_LIBHDFS_DIR, $HADOOP_HOME/lib/native, then the binary's
  // libraries are tried.
  std::string libhdfs = {};
};

// `root` is a path, file:///path, hdfs://host:port/path, hdfs://nameservice/path or
// s3://bucket/path?endpoint_override=…. The root need not exist: the first write makes it, reading does not.
arrow::Result<std::unique_ptr<Store>> OpenStore(const std::string& root, const StoreOptions& options = {});

// Ends what the stores' libraries run in the background. main calls it before it returns, after every Store is gone; no
// store can be opened afterwards.
void ShutDownStores();

}  // namespace trawl
