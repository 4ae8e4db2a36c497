// Compares the shuffle with GNU sort, from file to file: lines of 100 bytes with a random key of 10 in front, on two
// threads with the same memory, in memory and spilling, side by side in one run. Both results must be the same bytes.
//
// Usage: shuffle_bench [RECORDS [FOLDER]]. The target is stated for 10,000,000 records: they take 4 GB in FOLDER. Every
// run is a process of its own, so that its peak memory is its own.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "runtime/shuffle/shuffle.h"

namespace trawl {
namespace {

constexpr size_t kLineBytes = 100;
constexpr size_t kKeyBytes = 10;
constexpr int kThreads = 2;
constexpr int kPartitions = 8;
constexpr int kParts = 16;
constexpr size_t kIoBytes = 1 << 20;
constexpr int kRounds = 3;

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "shuffle_bench: %s\n", what.c_str());
  std::exit(1);
}

void Check(const arrow::Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

template <typename T>
T Check(arrow::Result<T> result) {
  Check(result.status());
  return std::move(result).ValueUnsafe();
}

int OpenFile(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0) Fail(path + ": " + std::strerror(errno));
  return fd;
}

void WriteAt(int fd, std::string_view bytes, size_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count <= 0) Fail(std::string("write: ") + std::strerror(errno));
    bytes.remove_prefix(static_cast<size_t>(count));
    offset += static_cast<size_t>(count);
  }
}

void MakeInput(const std::string& path, size_t records) {
  const char kLetters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
  const int fd = OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC);
  std::mt19937_64 random(1);
  std::string lines;
  size_t offset = 0;
  for (size_t record = 0; record < records; ++record) {
    uint64_t bits = 0;
    for (size_t i = 0; i + 1 < kLineBytes; ++i, bits >>= 6) {
      if (i % 10 == 0) bits = random();
      lines.push_back(kLetters[bits % 64]);
    }
    lines.push_back('\n');
    if (lines.size() < kIoBytes && record + 1 < records) continue;
    WriteAt(fd, lines, offset);
    offset += lines.size();
    lines.clear();
  }
  close(fd);
}

// Partitions are ranges of the first two bytes, so that one after the other they are the sorted file.
int PartitionOfKey(std::string_view key) {
  static const std::array<uint8_t, 256> ranks = [] {
    std::array<uint8_t, 256> table{};
    uint8_t rank = 0;
    for (int byte = 0; byte < 256; ++byte) {
      table[static_cast<size_t>(byte)] = rank;
      if (std::isalnum(byte) != 0 || byte == '+' || byte == '/') ++rank;
    }
    return table;
  }();
  const int rank = ranks[static_cast<uint8_t>(key[0])] * 64 + ranks[static_cast<uint8_t>(key[1])];
  return rank * kPartitions / (64 * 64);
}

using Sizes = std::array<size_t, kPartitions>;

// Sends the lines that begin in [begin, end) of the file.
void MapPart(int input, size_t begin, size_t end, size_t file_size, ShuffleMapOutput* output, Sizes* sizes) {
  std::vector<char> buffer(kIoBytes);
  size_t filled = 0;
  size_t at = begin;  // the offset in the file of the buffer's first byte
  bool skip_to_line = begin > 0;
  if (skip_to_line) --at;
  while (at < end) {
    const ssize_t count =
        pread(input, buffer.data() + filled, std::min(buffer.size() - filled, file_size - at - filled),
              static_cast<off_t>(at + filled));
    if (count < 0) Fail("read");
    filled += static_cast<size_t>(count);
    size_t line = 0;
    while (at + line < end) {
      const void* newline = std::memchr(buffer.data() + line, '\n', filled - line);
      if (newline == nullptr) break;
      const auto next = static_cast<size_t>(static_cast<const char*>(newline) - buffer.data()) + 1;
      if (!skip_to_line) {
        const std::string_view key(buffer.data() + line, kKeyBytes);
        const int partition = PartitionOfKey(key);
        Check(output->Emit(partition, key, {key.data() + kKeyBytes, next - 1 - line - kKeyBytes}));
        (*sizes)[static_cast<size_t>(partition)] += next - line;
      }
      skip_to_line = false;
      line = next;
    }
    if (line == 0) return;
    std::memmove(buffer.data(), buffer.data() + line, filled - line);
    filled -= line;
    at += line;
  }
}

void ReducePartition(GroupStream* groups, int output, size_t offset) {
  std::vector<char> buffer(kIoBytes);
  size_t filled = 0;
  const auto flush = [&] {
    WriteAt(output, {buffer.data(), filled}, offset);
    offset += filled;
    filled = 0;
  };
  while (Check(groups->NextGroup())) {
    std::string_view value;
    while (Check(groups->NextValue(&value))) {
      if (buffer.size() - filled < kKeyBytes + value.size() + 1) flush();
      char* out = buffer.data() + filled;
      std::memcpy(out, groups->key().data(), kKeyBytes);
      std::memcpy(out + kKeyBytes, value.data(), value.size());
      out[kKeyBytes + value.size()] = '\n';
      filled += kKeyBytes + value.size() + 1;
    }
  }
  flush();
}

void OnThreads(const std::function<void(int)>& work, int items) {
  std::atomic<int> next{0};
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int item = next++; item < items; item = next++) work(item);
    });
  }
}

// The work of one run's process.
void SortWithShuffle(const std::string& input_path, const std::string& output_path, const std::string& folder,
                     int64_t memory_bytes, SpillCodec codec) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  ShuffleOptions options;
  options.shape = {.partitions = kPartitions, .map_slots = kThreads, .reduce_slots = kThreads, .codec = codec};
  options.memory_bytes = memory_bytes - static_cast<int64_t>(kThreads * kIoBytes);
  options.temp_folder = folder;
  const auto shuffle = Check(Shuffle::Make(options));
  const int input = OpenFile(input_path, O_RDONLY);
  const size_t size = std::filesystem::file_size(input_path);
  std::array<std::atomic<size_t>, kPartitions> totals{};
  OnThreads(
      [&](int part) {
        const auto map_output = Check(shuffle->StartMap());
        Sizes sizes{};
        const auto number = static_cast<size_t>(part);
        MapPart(input, size / kParts * number, part + 1 == kParts ? size : size / kParts * (number + 1), size,
                map_output.get(), &sizes);
        Check(map_output->Commit());
        for (size_t p = 0; p < sizes.size(); ++p) totals[p] += sizes[p];
      },
      kParts);
  const double mapped = seconds();
  Check(shuffle->Seal());
  const double sealed = seconds();
  const int output = OpenFile(output_path, O_WRONLY | O_CREAT | O_TRUNC);
  std::array<size_t, kPartitions> offsets{};
  for (size_t p = 1; p < offsets.size(); ++p) offsets[p] = offsets[p - 1] + totals[p - 1];
  OnThreads(
      [&](int partition) {
        const auto groups = Check(shuffle->OpenPartition(partition));
        ReducePartition(groups.get(), output, offsets[static_cast<size_t>(partition)]);
      },
      kPartitions);
  const ShuffleStats stats = shuffle->stats();
  std::printf("  phases: map %.2f, seal %.2f, reduce %.2f s; %lld spills, %.0f MB\n", mapped, sealed - mapped,
              seconds() - sealed, static_cast<long long>(stats.spills), static_cast<double>(stats.spilled_bytes) / 1e6);
}

struct Cost {
  double seconds = 1e9;
  double cpu_seconds = 0;
  double peak_mib = 0;
};

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Cost RunProcess(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0) Fail("cannot run " + arguments[0]);
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0) Fail(arguments[0] + " failed");
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          SecondsOf(usage.ru_utime) + SecondsOf(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

// Compares by reading: memory that this process maps would count in the peak of the processes it starts.
bool SameBytes(const std::string& a, const std::string& b) {
  const size_t size = std::filesystem::file_size(a);
  if (size != std::filesystem::file_size(b)) return false;
  const int fds[] = {OpenFile(a, O_RDONLY), OpenFile(b, O_RDONLY)};
  std::vector<char> blocks[] = {std::vector<char>(kIoBytes), std::vector<char>(kIoBytes)};
  bool same = true;
  for (size_t at = 0; same && at < size; at += kIoBytes) {
    ssize_t counts[2];
    for (int i = 0; i < 2; ++i) counts[i] = pread(fds[i], blocks[i].data(), kIoBytes, static_cast<off_t>(at));
    same = counts[0] == counts[1] && counts[0] == static_cast<ssize_t>(std::min(kIoBytes, size - at)) &&
           std::memcmp(blocks[0].data(), blocks[1].data(), static_cast<size_t>(counts[0])) == 0;
  }
  for (const int fd : fds) close(fd);
  return same;
}

void Print(const std::string& name, const Cost& cost) {
  std::printf("%s: %.2f s (%.2f s CPU, peak %.0f MiB)\n", name.c_str(), cost.seconds, cost.cpu_seconds, cost.peak_mib);
}

void Compare(const std::string& self, const std::filesystem::path& folder, const std::string& name, size_t memory_mib,
             size_t limit_mib) {
  const std::string input = folder / "input";
  const std::string ours = folder / "ours";
  const std::string theirs = folder / "theirs";
  const std::string mib = std::to_string(memory_mib);
  const struct {
    std::string codec;
    std::string name;
  } kCodecs[] = {{"none", "uncompressed"}, {"lz4", "lz4"}, {"zstd", "zstd"}};
  Cost sort;
  Cost best[3];
  std::printf("%s, %s MiB, %d threads:\n", name.c_str(), mib.c_str(), kThreads);
  for (int round = 0; round < kRounds; ++round) {
    std::filesystem::remove(theirs);
    const Cost cost = RunProcess(
        {"sort", "--parallel=" + std::to_string(kThreads), "-S", mib + "M", "-T", folder, "-o", theirs, input});
    if (cost.seconds < sort.seconds) sort = cost;
    for (size_t codec = 0; codec < 3; ++codec) {
      // In memory there is nothing to compress.
      if (codec != 1 && memory_mib > limit_mib) continue;
      std::filesystem::remove(ours);
      const Cost our_cost = RunProcess({self, "--run", input, ours, folder, mib, kCodecs[codec].codec});
      if (our_cost.seconds < best[codec].seconds) best[codec] = our_cost;
      if (!SameBytes(ours, theirs)) Fail("the results differ");
    }
  }
  Print("GNU sort " + name, sort);
  for (size_t codec = 0; codec < 3; ++codec) {
    if (best[codec].peak_mib == 0) continue;
    Print("shuffle " + name + " (" + kCodecs[codec].name + ")", best[codec]);
    std::printf("ratio shuffle %s (%s): %.2f (target >= 1.0); by CPU %.2f\n", name.c_str(), kCodecs[codec].name.c_str(),
                sort.seconds / best[codec].seconds, sort.cpu_seconds / best[codec].cpu_seconds);
  }
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "2000000";
  if (first == "--run" && argc == 7) {
    const std::string codec = argv[6];
    trawl::SortWithShuffle(argv[2], argv[3], argv[4], std::atoll(argv[5]) << 20,
                           codec == "none"  ? trawl::SpillCodec::kNone
                           : codec == "lz4" ? trawl::SpillCodec::kLz4
                                            : trawl::SpillCodec::kZstd);
    return 0;
  }
  const size_t records = std::strtoull(first.c_str(), nullptr, 10);
  if (records == 0) trawl::Fail("usage: shuffle_bench [RECORDS [FOLDER]]");
  setenv("LC_ALL", "C", 1);
  std::string folder = std::string(argc > 2 ? argv[2] : std::filesystem::temp_directory_path()) + "/trawl_bench_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) trawl::Fail("no folder to work in");
  trawl::MakeInput(folder + "/input", records);
  std::printf("records: %zu of %zu bytes\n", records, trawl::kLineBytes);
  const size_t spilling_mib = std::max<size_t>(16, (records * 27) >> 20);
  const size_t in_memory_mib = std::max<size_t>(64, (records * 320) >> 20);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  trawl::Compare(self, folder, "in memory", in_memory_mib, spilling_mib);
  trawl::Compare(self, folder, "spilling", spilling_mib, spilling_mib);
  std::filesystem::remove_all(folder);
  return 0;
}
