// Measures near duplicates: new contents against a table of fingerprints, and the search in memory.
//
// Usage: settle_bench [FINGERPRINTS [FOLDER]]. Tables that are in FOLDER are used again. The targets are stated for 10,000,000 fingerprints that stand: 100,000 new
// contents, a tenth of them near another, within 30 seconds and 1 GiB; 1,000 new ones at most twice as dear as against a
// tenth of the table. Every measurement is a process of its own, so that its peak memory is its own. Two threads.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "formats/digests/text_sketch.h"
#include "formats/rows/settle_rows.h"
#include "jobs/near/near.h"
#include "jobs/near/rows.h"
#include "runtime/root/snapshot.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/near_scene.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/mix.h"

namespace trawl {
namespace {

constexpr int kThreads = 2;

// Contents by number.
std::string ContentAt(uint64_t number) {
  char content[65];
  std::snprintf(content, sizeof content, "%016llx%016llx%016llx%016llx", static_cast<unsigned long long>(Mix(number)),
                static_cast<unsigned long long>(Mix(~number)), static_cast<unsigned long long>(Mix(number * 3)),
                static_cast<unsigned long long>(Mix(number * 5)));
  return content;
}
uint64_t FingerprintAt(uint64_t number) { return Mix(number << 20 | 7); }
std::string PageAt(uint64_t number) {
  return "com,host" + std::to_string(number % 9973) + ",www)/a/path/of/usual/length/" + std::to_string(number);
}
std::string OrderAt(uint64_t number) {
  return "11" + std::to_string(1'000'000'000 + Mix(number) % 1'000'000'000) + PageAt(number);
}

// Of a text of 500 words that has next to nothing in common with the others.
std::string SketchAt(uint64_t number) {
  const TextSketch sketch = {
      .tokens = 500, .words = {Mix(number * 7), Mix(number * 11)}, .lines = {Mix(number * 13), Mix(number * 17)}};
  return sketch.Bytes();
}

// Writes the rows of a range of slots for fingerprints 0 to `count`, all of which stand.
std::vector<FileReceipt> WriteSlots(Store* store, const std::string& run, uint64_t count, SlotRange range) {
  // What lies in each slot: numbers, with the quarter in the uppermost bits; 4: the standing.
  std::vector<uint32_t> slot_of_value(size_t{kQuarters} << 16);
  char key[8];
  for (uint32_t value = 0; value < slot_of_value.size(); ++value) {
    std::snprintf(key, sizeof key, "%u%04x)", value >> 16 & 3, value & 0xFFFF);
    slot_of_value[value] = SlotOfKey(key);
  }
  const auto for_each = [&](const std::function<void(uint32_t slot, uint32_t entry)>& visit) {
    for (uint64_t number = 0; number < count; ++number) {
      for (uint32_t quarter = 0; quarter < 5; ++quarter) {
        const uint32_t slot =
            quarter == 4 ? SlotOfKey(StandingKey(ContentAt(number)))
                         : slot_of_value[quarter << 16 | QuarterOf(FingerprintAt(number), static_cast<int>(quarter))];
        if (range.Contains(slot)) visit(slot, static_cast<uint32_t>(number) | quarter << 28);
      }
    }
  };
  std::vector<uint64_t> starts(kSlots + 1);
  for_each([&](uint32_t slot, uint32_t) { ++starts[slot + 1]; });
  for (size_t slot = 0; slot < kSlots; ++slot) starts[slot + 1] += starts[slot];
  std::vector<uint32_t> entries(starts.back());
  {
    std::vector<uint64_t> at(starts.begin(), starts.end() - 1);
    for_each([&](uint32_t slot, uint32_t entry) { entries[at[slot]++] = entry; });
  }
  RunWriter<FingerprintRow> writer(store, RunFolder(FingerprintRow::kTable, run),
                                   "r" + std::to_string(range.begin) + "-0", {.slots = range});
  std::vector<FingerprintRow> rows;
  for (uint32_t slot = range.begin; slot < range.end; ++slot) {
    rows.clear();
    for (uint64_t i = starts[slot]; i < starts[slot + 1]; ++i) {
      const uint64_t number = entries[i] & 0x0FFFFFFF;
      const int quarter = static_cast<int>(entries[i] >> 28);
      const std::string content = ContentAt(number);
      uint64_t digest = 0;
      Check(BeginningOf(content, &digest));
      FingerprintRow& row = rows.emplace_back();
      if (quarter == 4) {
        row = {.key = StandingKey(content), .simhash = static_cast<int64_t>(FingerprintAt(number))};
      } else {
        row.key = QuarterKey(FingerprintAt(number), quarter, digest);
        if (quarter == 0) row.content = content;
      }
      if (quarter == 0 || quarter == 4) {
        row.page = PageAt(number);
        row.order = OrderAt(number);
        row.text_sketch = SketchAt(number);
      }
    }
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    for (const FingerprintRow& row : rows) Check(writer.Append(row));
  }
  return Check(writer.Finish());
}

void MakeTable(Store* store, uint64_t count) {
  Manifest first;
  first.normal_form = "standard";
  Check(CreateCrawl(store, first).status());
  RunRecord record = {.table = FingerprintRow::kTable, .schema = FingerprintRow::kVersion, .job = "bench-table"};
  std::vector<std::vector<FileReceipt>> files(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      files[static_cast<size_t>(i)] = WriteSlots(store, record.job, count, RangeOfPartition(i, kThreads));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& some : files) record.files.insert(record.files.end(), some.begin(), some.end());
  Manifest next = NextManifest(Check(ReadPresent(store)), "bench-0", "bench", 0);
  next.tables[FingerprintRow::kTable] = {Check(WriteRunRecord(store, record.job, record))};
  Check(PublishSnapshot(store, next));
}

// New contents, a tenth of them up to the distance from one of the table.
std::vector<SettledContentRow> NewContents(uint64_t count, uint64_t table, int distance) {
  std::vector<SettledContentRow> rows;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t number = (uint64_t{1} << 40) + i;
    uint64_t fingerprint = FingerprintAt(number);
    std::string sketch = SketchAt(number);
    if (i % 10 == 0) {
      sketch = SketchAt(Mix(i) % table);
      fingerprint = FingerprintAt(Mix(i) % table);
      for (uint64_t bit = 0; bit < i / 10 % static_cast<uint64_t>(distance + 1); ++bit) {
        fingerprint ^= uint64_t{1} << (Mix(i + bit) % 64);
      }
    }
    rows.push_back(ContentRowOf(ContentAt(number), fingerprint, OrderAt(number), PageAt(number)));
    rows.back().text_sketch = std::move(sketch);
  }
  return rows;
}

struct Cost {
  double wall = 0;
  double cpu = 0;
  int64_t near = 0;
  int64_t peak_bytes = 0;
};

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Runs the measurement in a child, and returns what it wrote down with the child's peak memory.
Cost InChild(const std::function<Cost()>& run) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) std::exit(1);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const Cost cost = run();
    const bool wrote = write(pipe_ends[1], &cost, sizeof cost) == sizeof cost;
    std::fflush(stdout);
    _exit(wrote ? 0 : 1);
  }
  Cost cost;
  close(pipe_ends[1]);
  const bool has_read = read(pipe_ends[0], &cost, sizeof cost) == sizeof cost;
  close(pipe_ends[0]);
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  if (!has_read || status != 0) std::exit(1);
  cost.peak_bytes = int64_t{usage.ru_maxrss} * 1024;
  return cost;
}

template <typename Work>
Cost Measure(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = CpuSeconds();
  const int64_t near = work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), CpuSeconds() - cpu, near};
}

void Print(const std::string& what, const Cost& cost) {
  std::printf("%s: %.2f s, %.2f s of CPU, %lld near, peak memory %lld MiB\n", what.c_str(), cost.wall, cost.cpu,
              static_cast<long long>(cost.near), static_cast<long long>(cost.peak_bytes >> 20));
  std::fflush(stdout);
}

Cost Settle(const std::string& folder, uint64_t table, uint64_t count, int distance) {
  const Cost cost = InChild([&] {
    const auto store = Check(OpenStore(folder, {.sync = false}));
    NearScene scene(store.get(), folder);
    scene.distance = distance;
    scene.threads = kThreads;
    const std::string run = "new-" + std::to_string(getpid());
    const RunReference news = Check(scene.WriteContents(NewContents(count, table, distance), run));
    return Measure([&] { return Check(scene.Compare(news, false)).output.counters.Get("near_found"); });
  });
  Print(std::to_string(count) + " new against " + std::to_string(table) + ", distance " + std::to_string(distance),
        cost);
  return cost;
}

// In memory: each fingerprint near the nearest that stands, as settling does; then a sample is compared with all.
void Greedy(uint64_t count, int distance) {
  const Cost cost = InChild([&] {
    FingerprintIndex standing(distance);
    const auto at = [](uint64_t number) {
      uint64_t fingerprint = FingerprintAt(number % 3 == 0 ? number : number / 2);  // clusters
      for (uint64_t bit = 0; bit < number % 8; ++bit) fingerprint ^= uint64_t{1} << (Mix(number * 8 + bit) % 64);
      return fingerprint;
    };
    const Cost measured = Measure([&] {
      int64_t near = 0;
      for (uint64_t number = 0; number < count; ++number) {
        bool is_near = false;
        standing.ForEachNear(at(number), [&is_near](uint32_t, int) { is_near = true; });
        if (is_near) {
          ++near;
        } else {
          standing.Add(at(number));
        }
      }
      return near;
    });
    for (uint64_t number = 0; number < count; number += count / 200) {
      int64_t found = 0, expected = 0;
      standing.ForEachNear(at(number), [&found](uint32_t other, int) { found += other; });
      for (uint32_t other = 0; other < standing.size(); ++other) {
        if (std::popcount(standing.at(other) ^ at(number)) <= distance) expected += other;
      }
      if (found != expected) {
        std::fprintf(stderr, "distance %d: comparing all finds others\n", distance);
        std::exit(1);
      }
    }
    return measured;
  });
  Print("in memory, " + std::to_string(count) + " one after the other, distance " + std::to_string(distance), cost);
}

void Run(uint64_t count, const std::string& folder) {
  const bool is_target_size = count >= 10'000'000;
  const std::string large = folder + "/large", small = folder + "/small";
  for (const auto& [root, size] : {std::pair(small, count / 10), std::pair(large, count)}) {
    if (std::filesystem::exists(root)) continue;
    InChild([&root, &size] {
      MakeTable(Check(OpenStore(root, {.sync = false})).get(), size);
      return Cost();
    });
  }
  const Cost few_small = Settle(small, count / 10, 1'000, 3), few = Settle(large, count, 1'000, 3);
  std::printf("ratio 1000 new, cost against ten times as many fingerprints: %.2f%s\n", few.cpu / few_small.cpu,
              is_target_size ? " (target <= 2)" : "");
  const Cost many = Settle(large, count, count / 100, 3);
  std::printf("ratio %llu new, share of 30 s: %.2f%s\n", static_cast<unsigned long long>(count / 100), many.wall / 30,
              is_target_size ? " (target <= 1)" : "");
  std::printf("ratio %llu new, share of 1 GiB: %.2f%s\n", static_cast<unsigned long long>(count / 100),
              static_cast<double>(many.peak_bytes) / (1 << 30), is_target_size ? " (target <= 1)" : "");
  Settle(large, count, 1'000, 6);
  Settle(large, count, 1'000, 10);
  for (const int distance : {3, 6, 10}) Greedy(std::min<uint64_t>(count, 1'000'000), distance);
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  const trawl::TemporaryFolder folder;
  const long long count = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
  trawl::Run(static_cast<uint64_t>(count), argc > 2 ? argv[2] : folder.path());
  return 0;
}
