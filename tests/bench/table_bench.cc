// Compares tables with the bare ORC adapter and hand-written builders, on the same rows, side by side in one run:
// writing and reading whole rows, generate's columns over a base with small runs on top, lookups of single keys, and
// the memory of each.
//
// Usage: table_bench [ROWS [FOLDER]]. The targets are stated for 5,000,000 rows: they take 2 GB in FOLDER. Every
// measurement is a process of its own, so that its peak memory is its own. It is counted in CPU seconds of one thread,
// so that a busy machine matters little; the best of two rounds taken in turns counts.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arrow/adapters/orc/adapter.h"
#include "arrow/adapters/orc/options.h"
#include "arrow/api.h"
#include "arrow/io/file.h"
#include "formats/digests/digest.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/tables/arrow_columns.h"
#include "formats/url/key.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/run_writer.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/crawled_rows.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

namespace orc = arrow::adapters::orc;

constexpr int kRounds = 2;
constexpr int kPagesAHost = CrawledRows::kPagesAHost;
constexpr int64_t kBatchRows = 4096;
constexpr int64_t kSmallRuns = 3;

// Sums that keep the reading from being optimised away.
struct Sums {
  uint64_t rows = 0;
  uint64_t sum = 0;
  void Add(uint64_t value) { sum += value; }
};

void AddRow(const UrlRow& row, Sums* sums) {
  ++sums->rows;
  sums->Add(row.key.size() + row.body_digest.size() + row.etag.size() + static_cast<uint64_t>(row.due_ms) +
            static_cast<uint64_t>(row.score) + static_cast<uint64_t>(row.body_row));
}

// -- the bare adapter -------------------------------------------------------------------------------------------------

// A column's builder as one writes it by hand: the type is known, room is reserved, appending checks nothing.
template <typename T>
struct BuilderOf;
template <>
struct BuilderOf<std::string> {
  using Type = arrow::BinaryBuilder;
};
template <>
struct BuilderOf<int8_t> {
  using Type = arrow::Int8Builder;
};
template <>
struct BuilderOf<int32_t> {
  using Type = arrow::Int32Builder;
};
template <>
struct BuilderOf<int64_t> {
  using Type = arrow::Int64Builder;
};
template <typename T>
using StoredType = std::conditional_t<sizeof(T) == 1, int8_t, T>;

void WriteBare(const std::vector<std::string>& hosts, const std::string& path) {
  // The same types: ORC keeps statistics of texts but not of binaries.
  const auto schema = ArrowSchemaOf(ColumnsOf<UrlRow>());
  const auto sink = Check(arrow::io::FileOutputStream::Open(path));
  orc::WriteOptions options;
  options.compression = arrow::Compression::ZSTD;
  options.stripe_size = OrcWriteOptions().stripe_bytes;
  options.compression_block_size = OrcWriteOptions().block_bytes;
  options.row_index_stride = kOrcStride;
  options.dictionary_key_size_threshold = 0;
  const auto writer = Check(orc::ORCFileWriter::Open(sink.get(), options));
  const auto batch = Check(arrow::RecordBatchBuilder::Make(schema, arrow::default_memory_pool(), kBatchRows));
  CrawledRows maker(hosts, 1);
  UrlRow row;
  int64_t rows = 0;
  const auto flush = [&] {
    Check(writer->Write(*Check(batch->Flush())));
    for (int i = 0; i < batch->num_fields(); ++i) Check(batch->GetField(i)->Reserve(kBatchRows));
    rows = 0;
  };
  for (int i = 0; i < batch->num_fields(); ++i) Check(batch->GetField(i)->Reserve(kBatchRows));
  while (maker.Next(&row)) {
    int column = 0;
    UrlRow::VisitFields(row, [&](const char*, auto& field, auto...) {
      using T = StoredType<std::remove_reference_t<decltype(field)>>;
      auto* builder = static_cast<typename BuilderOf<T>::Type*>(batch->GetField(column++));
      if constexpr (std::is_same_v<T, std::string>) {
        Check(builder->Append(field));
      } else {
        builder->UnsafeAppend(static_cast<T>(field));
      }
    });
    if (++rows == kBatchRows) flush();
  }
  flush();
  Check(writer->Close());
  Check(sink->Close());
}

// Calls `visit(const arrow::RecordBatch&)` for the file's batches; all columns where `columns` is empty.
template <typename Visit>
void ReadBareBatches(const std::string& path, const std::vector<std::string>& columns, Visit&& visit) {
  const auto file = Check(arrow::io::ReadableFile::Open(path));
  const auto reader = Check(orc::ORCFileReader::Open(file, arrow::default_memory_pool()));
  const auto schema = Check(reader->ReadSchema());
  std::vector<int> include;
  for (int i = 0; i < schema->num_fields(); ++i) {
    const bool wanted = std::find(columns.begin(), columns.end(), schema->field(i)->name()) != columns.end();
    if (columns.empty() || wanted) include.push_back(i);
  }
  while (const auto stripe = Check(reader->NextStripeReader(kBatchRows, include))) {
    std::shared_ptr<arrow::RecordBatch> batch;
    while (true) {
      Check(stripe->ReadNext(&batch));
      if (batch == nullptr) break;
      visit(*batch);
    }
  }
}

Sums ReadBareRows(const std::string& path) {
  Sums sums;
  UrlRow row;
  ReadBareBatches(path, {}, [&](const arrow::RecordBatch& batch) {
    std::vector<const arrow::Array*> arrays;
    for (const auto& column : batch.columns()) arrays.push_back(column.get());
    for (int64_t i = 0; i < batch.num_rows(); ++i) {
      size_t column = 0;
      UrlRow::VisitFields(row, [&](const char*, auto& field, auto...) {
        using T = std::remove_reference_t<decltype(field)>;
        using Stored = StoredType<T>;
        const arrow::Array& array = *arrays[column++];
        if constexpr (std::is_same_v<T, std::string>) {
          field.assign(static_cast<const arrow::BinaryArray&>(array).GetView(i));
        } else {
          field = static_cast<T>(
              static_cast<const arrow::NumericArray<typename arrow::CTypeTraits<Stored>::ArrowType>&>(array).Value(i));
        }
      });
      AddRow(row, &sums);
    }
  });
  return sums;
}

const std::vector<std::string> kGenerateColumns = {"key",     "state",   "due_ms", "score",  "depth",
                                                   "is_seed", "retries", "kind",   "removed"};

Sums ScanBare(const std::string& path) {
  Sums sums;
  ReadBareBatches(path, kGenerateColumns, [&](const arrow::RecordBatch& batch) {
    const auto number = [&batch](const char* name) { return batch.GetColumnByName(name); };
    const auto key = std::static_pointer_cast<arrow::BinaryArray>(number("key"));
    const auto due = std::static_pointer_cast<arrow::Int64Array>(number("due_ms"));
    const auto score = std::static_pointer_cast<arrow::Int32Array>(number("score"));
    const auto depth = std::static_pointer_cast<arrow::Int32Array>(number("depth"));
    const auto retries = std::static_pointer_cast<arrow::Int32Array>(number("retries"));
    const auto state = std::static_pointer_cast<arrow::Int8Array>(number("state"));
    const auto is_seed = std::static_pointer_cast<arrow::Int8Array>(number("is_seed"));
    const auto kind = std::static_pointer_cast<arrow::Int8Array>(number("kind"));
    const auto removed = std::static_pointer_cast<arrow::Int8Array>(number("removed"));
    for (int64_t i = 0; i < batch.num_rows(); ++i) {
      if (removed->Value(i) != 0) continue;
      ++sums.rows;
      sums.Add(key->GetView(i).size() +
               static_cast<uint64_t>(due->Value(i) + score->Value(i) + depth->Value(i) + retries->Value(i) +
                                     state->Value(i) + is_seed->Value(i) + kind->Value(i)));
    }
  });
  return sums;
}

// -- ours -------------------------------------------------------------------------------------------------------------

// Writes a run and publishes it as the table's newest, since it is written in a process of its own.
Sums WriteRun(Store* store, const std::vector<std::string>& hosts, const std::string& run, int64_t step) {
  RunWriter<UrlRow> writer(store, RunFolder(UrlRow::kTable, run), "r0-0", {});
  CrawledRows maker(hosts, step);
  UrlRow row;
  while (maker.Next(&row)) Check(writer.Append(row));
  RunRecord record = {.table = UrlRow::kTable, .schema = UrlRow::kVersion, .job = run};
  record.files = Check(writer.Finish());
  const RunReference reference = Check(WriteRunRecord(store, run, record));
  Manifest next = NextManifest(Check(ReadPresent(store)), run, "bench", 0);
  next.tables[UrlRow::kTable].push_back(reference);
  Check(PublishSnapshot(store, next).status());
  return {.rows = static_cast<uint64_t>(writer.rows())};
}

Sums ReadRows(const std::shared_ptr<const Table>& table) {
  Sums sums;
  Check(ForEachRow<UrlRow>(table, {}, [&sums](const UrlRow& row) {
    AddRow(row, &sums);
    return arrow::Status::OK();
  }));
  return sums;
}

Sums Scan(const std::shared_ptr<const Table>& table) {
  Sums sums;
  ScanOptions options;
  options.wanted =
      Columns<UrlRow>({"key", "state", "due_ms", "score", "depth", "is_seed", "retries", "kind", "removed"}).Flags();
  const auto scan = Check(MergeScan::Open(table, options));
  const size_t key = ColumnIndex<UrlRow>("key"), due = ColumnIndex<UrlRow>("due_ms"),
               score = ColumnIndex<UrlRow>("score"), depth = ColumnIndex<UrlRow>("depth"),
               retries = ColumnIndex<UrlRow>("retries"), state = ColumnIndex<UrlRow>("state"),
               is_seed = ColumnIndex<UrlRow>("is_seed"), kind = ColumnIndex<UrlRow>("kind");
  RowSpan span;
  while (Check(scan->Next(&span))) {
    const std::vector<ColumnView>& columns = span.batch->columns;
    sums.rows += static_cast<uint64_t>(span.end - span.begin);
    for (int64_t i = span.begin; i < span.end; ++i) {
      sums.Add(columns[key].GetBytes(i).size() +
               static_cast<uint64_t>(columns[due].Get<int64_t>(i) + columns[score].Get<int32_t>(i) +
                                     columns[depth].Get<int32_t>(i) + columns[retries].Get<int32_t>(i) +
                                     columns[state].Get<int8_t>(i) + columns[is_seed].Get<int8_t>(i) +
                                     columns[kind].Get<int8_t>(i)));
    }
  }
  return sums;
}

// Looks up `count` keys spread over the table, each as a verb would: nothing is kept open between them.
Sums LookUp(const std::shared_ptr<const Table>& table, const std::vector<std::string>& hosts, int count, bool present) {
  Sums sums;
  CrawledRows maker(hosts, std::max<int64_t>(static_cast<int64_t>(hosts.size()) * kPagesAHost / count, 1));
  UrlRow row;
  while (maker.Next(&row)) {
    const std::string key = present ? row.key : row.key + "x";
    const auto found = Check(FindRow<UrlRow>(*table, key));
    if (found.has_value() != present) std::abort();
    ++sums.rows;
  }
  return sums;
}

// -- measuring --------------------------------------------------------------------------------------------------------

struct Cost {
  double seconds = 1e9;
  double wall_seconds = 1e9;
  double peak_mib = 0;
  Sums sums;

  double MillionRowsASecond() const { return static_cast<double>(sums.rows) / seconds / 1e6; }
};

double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Runs `work` in a process of its own.
Cost Measure(const std::function<Sums()>& work) {
  struct {
    double seconds, wall_seconds;
    Sums sums;
  } told{};
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) std::abort();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const auto begin = std::chrono::steady_clock::now();
    const double cpu = CpuSeconds();
    told.sums = work();
    told.seconds = CpuSeconds() - cpu;
    told.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    _exit(write(pipe_ends[1], &told, sizeof told) == sizeof told ? 0 : 1);
  }
  close(pipe_ends[1]);
  const bool whole = read(pipe_ends[0], &told, sizeof told) == sizeof told;
  close(pipe_ends[0]);
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0 || !whole) {
    std::fprintf(stderr, "table_bench: a measurement failed\n");
    std::exit(1);
  }
  return {told.seconds, told.wall_seconds, static_cast<double>(usage.ru_maxrss) / 1024, told.sums};
}

struct Measurement {
  const char* name;
  std::function<Sums()> work;
};

// The best of some rounds of each, taken in turns.
std::vector<Cost> MeasureInTurns(const std::vector<Measurement>& measurements) {
  std::vector<Cost> best(measurements.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < measurements.size(); ++i) {
      const Cost cost = Measure(measurements[i].work);
      if (cost.seconds < best[i].seconds) best[i] = cost;
    }
  }
  return best;
}

void Print(const char* name, const Cost& cost) {
  std::printf("table %s: %.2f M rows/s\n", name, cost.MillionRowsASecond());
  std::printf("table %s, peak memory: %.0f MiB\n", name, cost.peak_mib);
}

void Compare(const Measurement& ours, const Measurement& bare, double less_seconds, double target) {
  std::vector<Cost> costs = MeasureInTurns({ours, bare});
  for (Cost& cost : costs) cost.seconds -= less_seconds;
  if (costs[0].sums.rows != costs[1].sums.rows || costs[0].sums.sum != costs[1].sums.sum) {
    std::fprintf(stderr, "table_bench: %s and %s disagree\n", ours.name, bare.name);
    std::exit(1);
  }
  Print(ours.name, costs[0]);
  Print(bare.name, costs[1]);
  std::printf("ratio table %s: %.2f", ours.name, costs[1].seconds / costs[0].seconds);
  if (target > 0) std::printf(" (target >= %.2f)", target);
  std::printf("\n");
}

// The time of making the rows does not count for the writers.
double SecondsToMakeRows(const std::vector<std::string>& hosts) {
  const auto make = [&hosts] {
    CrawledRows maker(hosts, 1);
    UrlRow row;
    Sums sums;
    while (maker.Next(&row)) AddRow(row, &sums);
    return sums;
  };
  return MeasureInTurns({{"", make}})[0].seconds;
}

void MeasureLookups(const std::shared_ptr<const Table>& table, const std::vector<std::string>& hosts) {
  for (const bool present : {true, false}) {
    const int lookups = present ? 200 : 2000;
    const Cost cost = MeasureInTurns({{"", [&] { return LookUp(table, hosts, lookups, present); }}})[0];
    const char* name = present ? "lookup, found" : "lookup, not found";
    std::printf("table %s: %.2f ms\n", name, cost.wall_seconds / static_cast<double>(cost.sums.rows) * 1e3);
    std::printf("table %s, peak memory: %.0f MiB\n", name, cost.peak_mib);
  }
}

int Run(int64_t rows, const std::string& parent) {
  const TemporaryFolder folder(parent);
  const std::vector<std::string> hosts = HostPartsInOrder(rows / kPagesAHost);
  const std::string bare = folder.path() + "/bare.orc";
  const auto store = Check(OpenStore(folder.path() + "/crawl", {.sync = false}));
  const auto open = [&store] {
    return Check(Table::Open<UrlRow>(store.get(), Check(ReadPresent(store.get())).manifest));
  };
  const auto write = [&](const std::string& run, int64_t step) { return WriteRun(store.get(), hosts, run, step); };
  Manifest constants;
  constants.normal_form = "standard";
  std::printf("table, rows: %.2f M\n", static_cast<double>(hosts.size()) * kPagesAHost / 1e6);

  const auto write_base = [&] {
    Check(store->RemoveFolder("snapshots"));
    Check(store->RemoveFolder("crawldb"));
    Check(CreateCrawl(store.get(), constants).status());
    return write("base", 1);
  };
  const auto write_bare = [&] {
    WriteBare(hosts, bare);
    return Sums{.rows = hosts.size() * kPagesAHost};
  };
  Compare({"write", write_base}, {"write, bare adapter", write_bare}, SecondsToMakeRows(hosts), 0.85);
  const auto base = open();
  Compare({"read", [&] { return ReadRows(base); }}, {"read, bare adapter", [&] { return ReadBareRows(bare); }}, 0,
          0.85);
  Compare({"scan of generate's columns, base alone", [&] { return Scan(base); }},
          {"scan of generate's columns, bare adapter", [&] { return ScanBare(bare); }}, 0, 0);

  for (int64_t run = 0; run < kSmallRuns; ++run) {
    Measure([&] { return write("small" + std::to_string(run), 101 + run * 16); });
  }
  const auto table = open();
  const std::vector<Cost> merged =
      MeasureInTurns({{"", [&] { return Scan(table); }}, {"", [&] { return ScanBare(bare); }}});
  Print("merging scan of generate's columns", merged[0]);
  std::printf("ratio table merging scan, M rows/s a core: %.2f (target >= 3.00)\n", merged[0].MillionRowsASecond());
  std::printf("ratio table merging scan to the bare adapter: %.2f\n", merged[1].seconds / merged[0].seconds);
  MeasureLookups(table, hosts);
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  const int64_t rows = argc > 1 ? std::atoll(argv[1]) : 5'000'000;
  if (rows < 10'000) {
    std::fprintf(stderr, "usage: table_bench [ROWS [FOLDER]]\n");
    return 2;
  }
  return trawl::Run(rows, argc > 2 ? argv[2] : "");
}
