// Every table and dataset of formats/rows/catalog.h: its golden files, its place in the documentation.
#include "formats/rows/catalog.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <type_traits>

#include "arrow/io/file.h"
#include "formats/tables/orc.h"
#include "runtime/tables/run_writer.h"
#include "tests/support/store/stored_files.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/full_row.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

namespace fs = std::filesystem;

template <typename Row>
std::vector<Row> CatalogRows() {
  Row full, plain;
  if constexpr (requires { full.key; }) {
    full = FullRow<Row>("com,example,www");
    plain.key = "org,example";
  } else {
    Row::VisitFields(full, [](const char* name, auto& field, auto...) {
      if constexpr (requires { field = name; }) {
        field = name;
      } else {
        field = 77;
      }
    });
  }
  return {full, plain};
}

// tables/urls/golden-0.orc: rows as a job writes them; tables/urls/rows.bin: their codec bytes.
template <typename Row>
void WriteCatalogRows(const TemporaryFolder& folder, Store* store, const std::string& name) {
  RunWriter<Row> writer(store, name, "golden", {.sorted = false});
  std::string all, bytes;
  for (const Row& row : CatalogRows<Row>()) {
    ASSERT_OK(writer.Append(row));
    EncodeRow(row, &bytes);
    const auto size = static_cast<uint32_t>(bytes.size());
    all.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes);
  }
  ASSERT_OK(writer.Finish().status());
  std::ofstream(folder.path() + "/" + name + "/rows.bin", std::ios::binary) << all;
}

// A new table or dataset fails here until its golden files are there: TRAWL_TEST_WRITE_GOLDEN=1 writes them.
TEST(Catalog, RowsOfEveryTableAndDatasetAreTheSameBytes) {
  const TemporaryFolder folder;
  const auto store = *OpenStore(folder.path(), {.sync = false});
  const auto write = [&](const std::string& kind) {
    return [&, kind](const auto& entry) {
      using Row = typename std::decay_t<decltype(entry)>::Row;
      WriteCatalogRows<Row>(folder, store.get(), kind + entry.name);
    };
  };
  ForEachTable(write("tables/"));
  ForEachDataset(write("datasets/"));
  const std::string golden = TestDataPath("golden_rows");
  if (std::getenv("TRAWL_TEST_WRITE_GOLDEN") != nullptr) {
    fs::remove_all(golden);
    fs::copy(folder.path(), golden, fs::copy_options::recursive);
  }
  const auto written = FilesIn(folder.path());
  const auto stored = FilesIn(golden);
  EXPECT_EQ(written.size(), 2 * (std::tuple_size_v<decltype(kTables)> + std::tuple_size_v<decltype(kDatasets)>));
  for (const auto& [name, bytes] : written) {
    ASSERT_TRUE(stored.contains(name)) << name << " has no golden file";
    EXPECT_TRUE(stored.at(name) == bytes) << name << " is written otherwise than it was";
  }
  EXPECT_EQ(written.size(), stored.size());
}

TEST(Catalog, RowsOfEveryTableAndDatasetAreRead) {
  const auto read = [](const std::string& kind) {
    return [kind](const auto& entry) {
      using Row = typename std::decay_t<decltype(entry)>::Row;
      const std::string folder = "golden_rows/" + kind + entry.name;
      const std::string stored = ReadTestData(folder + "/rows.bin");
      std::string_view bytes = stored;
      for (const Row& expected : CatalogRows<Row>()) {
        uint32_t size = 0;
        ASSERT_GE(bytes.size(), sizeof size);
        std::memcpy(&size, bytes.data(), sizeof size);
        Row row;
        ASSERT_OK(DecodeRow(bytes.substr(sizeof size, size), &row));
        EXPECT_EQ(row, expected) << folder;
        bytes.remove_prefix(sizeof size + size);
      }
      EXPECT_TRUE(bytes.empty()) << folder;
      const auto file = *arrow::io::ReadableFile::Open(TestDataPath(folder + "/golden-0.orc"));
      const auto reader = *OrcReader::Open(file, folder, ColumnsOf<Row>());
      ASSERT_OK(reader->Scan(0, {}, 2));
      ColumnBatch batch;
      ASSERT_TRUE(*reader->Next(&batch)) << folder;
      std::vector<Row> rows(static_cast<size_t>(batch.rows));
      for (size_t i = 0; i < rows.size(); ++i) ReadFromBatch(batch, static_cast<int64_t>(i), &rows[i]);
      EXPECT_EQ(rows, CatalogRows<Row>()) << folder;
    };
  };
  ForEachTable(read("tables/"));
  ForEachDataset(read("datasets/"));
}

TEST(Catalog, EveryTableAndDatasetIsInTheDocs) {
  const std::string docs = ReadTestData("../../docs/storage.md");
  const auto look = [&docs](const auto& entry) {
    EXPECT_NE(docs.find(entry.name), std::string::npos) << "docs/storage.md does not name " << entry.name;
    EXPECT_NE(docs.find(entry.header), std::string::npos) << "docs/storage.md does not name " << entry.header;
  };
  ForEachTable(look);
  ForEachDataset(look);
}

TEST(Catalog, NamesStepAndVersionOfADataset) {
  static_assert(FindDataset(kFetchlistHosts)->step == std::string_view(kGenerateStep));
  static_assert(FindDataset(HostRow::kTable)->step == std::string_view(kFetchStep));
  static_assert(FindDataset(LinkRow::kTable)->step == std::string_view(kParseStep));
  static_assert(FindDataset(ParseRow::kTable)->version == ParseRow::kVersion);
  static_assert(!FindDataset("of a newer program"));
  std::set<std::string> names;
  ForEachDataset([&names](const auto& entry) { names.insert(entry.name); });
  EXPECT_EQ(names.size(), std::tuple_size_v<decltype(kDatasets)>) << "two datasets have one name";
}

}  // namespace
}  // namespace trawl
