// Measures the cost of verification: a file read through the block cache against the bare file, in the order in which
// ORC reads.
//
//   store_bench [FOLDER]        by default a folder below TMPDIR; the file stays in the page cache
//   store_bench hdfs://…|s3://…   measures a server: writing, reading with and without reading ahead, creating
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arrow/io/file.h"
#include "runtime/store/block_cache.h"
#include "runtime/store/positioned_file.h"
#include "runtime/store/store.h"
#include "tests/support/store/conformance.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

constexpr int64_t kFileBytes = int64_t{256} << 20;
constexpr int64_t kStripeBytes = int64_t{16} << 20;
constexpr int64_t kSliceBytes = int64_t{128} << 10;
constexpr int kRounds = 7;

double Seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// The slices of a file in the order of a reader of `columns` streams per stripe that wants every `step`th stream.
std::vector<int64_t> SlicesInOrcOrder(int columns, int step) {
  std::vector<int64_t> slices;
  const int64_t stream_slices = kStripeBytes / kSliceBytes / columns;
  for (int64_t stripe = 0; stripe < kFileBytes; stripe += kStripeBytes) {
    for (int64_t slice = 0; slice < stream_slices; ++slice) {
      for (int column = 0; column < columns; column += step) {
        slices.push_back(stripe + (column * stream_slices + slice) * kSliceBytes);
      }
    }
  }
  return slices;
}

double ReadSeconds(arrow::io::RandomAccessFile& file, const std::vector<int64_t>& slices) {
  std::vector<char> buffer(kSliceBytes);
  const double begin = Seconds();
  for (const int64_t at : slices) {
    if (!file.ReadAt(at, kSliceBytes, buffer.data()).ok()) std::abort();
  }
  return Seconds() - begin;
}

// Prints the best of some rounds, taken in turns so that a busy machine slows both alike.
void Compare(const char* name, const std::function<std::shared_ptr<arrow::io::RandomAccessFile>()>& verified,
             const std::function<std::shared_ptr<arrow::io::RandomAccessFile>()>& bare,
             const std::vector<int64_t>& slices) {
  double best_verified = 1e9;
  double best_bare = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    best_bare = std::min(best_bare, ReadSeconds(*bare(), slices));
    best_verified = std::min(best_verified, ReadSeconds(*verified(), slices));
  }
  const double mib = static_cast<double>(slices.size()) * kSliceBytes / (1 << 20);
  std::printf("%s, bare: %.0f MiB/s\n", name, mib / best_bare);
  std::printf("%s, verified: %.0f MiB/s\n", name, mib / best_verified);
  std::printf("%s, verification: %.3f ms/MiB\n", name, (best_verified - best_bare) / mib * 1e3);
  std::printf("ratio %s: %.2f\n", name, best_bare / best_verified);
}

double WriteSealedSeconds(Store& store, const std::string& content) {
  if (!store.Remove("file").ok()) std::abort();
  const double begin = Seconds();
  const auto writer = store.OpenWriter("file").ValueOrDie();
  for (int64_t at = 0; at < kFileBytes; at += kSliceBytes) {
    if (!writer->stream()->Write(content.data() + at, kSliceBytes).ok()) std::abort();
  }
  if (!writer->Commit().ok()) std::abort();
  return Seconds() - begin;
}

double WriteBareSeconds(const std::string& path, const std::string& content) {
  std::remove(path.c_str());
  const double begin = Seconds();
  const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  for (int64_t at = 0; at < kFileBytes; at += kSliceBytes) {
    if (!out->Write(content.data() + at, kSliceBytes).ok()) std::abort();
  }
  if (!out->Close().ok()) std::abort();
  return Seconds() - begin;
}

void CompareWrites(Store& store, const std::string& bare_path, const std::string& content) {
  double best_sealed = 1e9;
  double best_bare = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    best_bare = std::min(best_bare, WriteBareSeconds(bare_path, content));
    best_sealed = std::min(best_sealed, WriteSealedSeconds(store, content));
  }
  std::printf("write in 128 KiB pieces, bare: %.0f MiB/s\n", (kFileBytes >> 20) / best_bare);
  std::printf("write in 128 KiB pieces, sealed: %.0f MiB/s\n", (kFileBytes >> 20) / best_sealed);
  std::printf("ratio sealed write: %.2f\n", best_bare / best_sealed);
}

// A file whose reads each take as long as a request to a distant store, and are counted.
class DistantFile : public PositionedFile {
 public:
  DistantFile(std::shared_ptr<arrow::io::RandomAccessFile> file, std::chrono::milliseconds delay)
      : PositionedFile("distant", kFileBytes), file_(std::move(file)), delay_(delay) {}

  int64_t requests() const { return requests_; }
  int64_t bytes_read() const { return bytes_read_; }

 protected:
  arrow::Status ReadRange(int64_t position, int64_t size, void* out) override {
    std::this_thread::sleep_for(delay_);
    ++requests_;
    bytes_read_ += size;
    return file_->ReadAt(position, size, out).status();
  }

 private:
  const std::shared_ptr<arrow::io::RandomAccessFile> file_;
  const std::chrono::milliseconds delay_;
  std::atomic<int64_t> requests_ = 0;
  std::atomic<int64_t> bytes_read_ = 0;
};

void CountRequests(const std::shared_ptr<arrow::io::RandomAccessFile>& bare, const FileSeal& seal, int step) {
  const std::vector<int64_t> slices = SlicesInOrcOrder(32, step);
  for (const int64_t chunks : {1, 4}) {
    const auto distant = std::make_shared<DistantFile>(bare, std::chrono::milliseconds(0));
    const auto file = OpenBlockCache("distant", distant, seal, {.block_bytes = chunks * kChunkBytes}).ValueOrDie();
    ReadSeconds(*file, slices);
    const double asked = static_cast<double>(slices.size()) * kSliceBytes;
    std::printf("%d of 32 streams, blocks of %ld MiB: %zu slices by %ld requests\n", 32 / step,
                static_cast<long>(chunks), slices.size(), static_cast<long>(distant->requests()));
    std::printf("%d of 32 streams, blocks of %ld MiB: %.2f bytes read a byte asked\n", 32 / step,
                static_cast<long>(chunks), static_cast<double>(distant->bytes_read()) / asked);
  }
}

void MeasureReadingAhead(const std::shared_ptr<arrow::io::RandomAccessFile>& bare, const FileSeal& seal) {
  for (const int ahead : {0, 1, 2, 4}) {
    const auto file = OpenBlockCache("distant", std::make_shared<DistantFile>(bare, std::chrono::milliseconds(30)),
                                     seal, {.block_bytes = 4 * kChunkBytes, .read_ahead_blocks = ahead})
                          .ValueOrDie();
    const double seconds = ReadSeconds(*file, SlicesInOrcOrder(32, 1));
    std::printf("read at 30 ms a request, %d blocks of 4 MiB ahead: %.0f MiB/s\n", ahead, (kFileBytes >> 20) / seconds);
  }
}

void MeasureCreates(Store& store, const char* name) {
  constexpr int kCreates = 300;
  const double begin = Seconds();
  for (int i = 0; i < kCreates; ++i) {
    if (!store.CreateExclusive("creates/" + std::to_string(i), "{}").ok()) std::abort();
  }
  std::printf("exclusive create, %s: %.3f ms\n", name, (Seconds() - begin) / kCreates * 1e3);
}

int Run(const std::string& parent) {
  const TemporaryFolder folder(parent);
  const auto store = OpenStore(folder.path() + "/quick", {.sync = false}).ValueOrDie();
  const auto synced = OpenStore(folder.path() + "/synced").ValueOrDie();
  const std::string content = NoiseBytes(kFileBytes);
  const FileSeal seal = SealOf(content);
  CompareWrites(*store, folder.path() + "/bare", content);
  const auto bare = [&] { return arrow::io::ReadableFile::Open(folder.path() + "/quick/file").ValueOrDie(); };
  const auto verified = [&] { return store->OpenVerified("file", seal).ValueOrDie(); };
  Compare("sequential read", verified, bare, SlicesInOrcOrder(1, 1));
  Compare("read of 32 interleaved streams", verified, bare, SlicesInOrcOrder(32, 1));
  Compare("read of 8 of 32 streams", verified, bare, SlicesInOrcOrder(32, 4));
  for (const int step : {1, 4, 16}) CountRequests(bare(), seal, step);
  MeasureReadingAhead(bare(), seal);
  MeasureCreates(*store, "not synced");
  MeasureCreates(*synced, "synced");
  return 0;
}

void MeasureDistantRead(Store& store, const FileSeal& seal, int read_ahead_blocks) {
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto file = store.OpenVerified("file", seal, {.read_ahead_blocks = read_ahead_blocks}).ValueOrDie();
    best = std::min(best, ReadSeconds(*file, SlicesInOrcOrder(32, 1)));
  }
  std::printf("read of 32 interleaved streams, %d blocks ahead: %.0f MiB/s\n", read_ahead_blocks,
              (kFileBytes >> 20) / best);
}

int RunDistant(const std::string& root) {
  const auto store = OpenStore(root).ValueOrDie();
  if (!store->RemoveFolder("creates").ok()) std::abort();
  const std::string content = NoiseBytes(kFileBytes);
  std::printf("write in 128 KiB pieces, sealed: %.0f MiB/s\n",
              (kFileBytes >> 20) / WriteSealedSeconds(*store, content));
  for (const int ahead : {0, 1, 2, 4}) MeasureDistantRead(*store, SealOf(content), ahead);
  MeasureCreates(*store, "at the server");
  return store->RemoveFolder("creates").ok() && store->Remove("file").ok() ? 0 : 1;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  const std::string where = argc > 1 ? argv[1] : "";
  const int exit_code = where.find("://") == std::string::npos ? trawl::Run(where) : trawl::RunDistant(where);
  trawl::ShutDownStores();
  return exit_code;
}
