#include "formats/tables/orc.h"

#include <gtest/gtest.h>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "arrow/io/memory.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/row_codec.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "tests/support/process/own_memory.h"

namespace trawl {

using arrow::Status;

namespace {

UrlRow RowNumber(int i) {
  UrlRow row;
  row.key = "com,example,www)/page/" + std::to_string(1000000 + i);
  row.state = i % 3 == 0 ? UrlState::kFetched : UrlState::kUnfetched;
  row.due_ms = int64_t{1} << 40 | i;
  row.depth = i % 11;
  row.is_seed = i % 2 == 0;
  row.etag = std::string("\0\xff", 2) + std::to_string(i);
  row.score = -i;
  return row;
}

std::shared_ptr<arrow::Buffer> WriteRows(int rows, int batch_rows) {
  auto sink = *arrow::io::BufferOutputStream::Create();
  auto writer = *OrcWriter::Make(sink.get(), "test.orc", ColumnsOf<UrlRow>(), {.stripe_bytes = 1 << 20});
  BatchBuilder batch(ColumnsOf<UrlRow>(), batch_rows);
  for (int i = 0; i < rows; ++i) {
    AppendToBatch(RowNumber(i), &batch);
    if (batch.full() || i + 1 == rows) {
      EXPECT_TRUE(writer->Write(batch).ok());
      batch.Clear();
    }
  }
  EXPECT_TRUE(writer->Close().ok());
  return *sink->Finish();
}

std::unique_ptr<OrcReader> Open(const std::shared_ptr<arrow::Buffer>& buffer) {
  auto reader = OrcReader::Open(std::make_shared<arrow::io::BufferReader>(buffer), "test.orc", ColumnsOf<UrlRow>());
  EXPECT_TRUE(reader.ok()) << reader.status();
  return std::move(*reader);
}

// A task writes several tables of many columns at once. With blocks of 256 KiB, two for each stream of a column, this table
// took 37 MiB; it takes 24.
TEST(Orc, AnOpenFileOfManyColumnsTakesLittleMemory) {
  constexpr int kFiles = 4;
  constexpr int64_t kMostBytes = int64_t{30} << 20;
  BatchBuilder batch(ColumnsOf<UrlRow>(), 4096);
  for (int i = 0; i < 4096; ++i) AppendToBatch(RowNumber(i), &batch);
  std::vector<std::shared_ptr<arrow::io::BufferOutputStream>> sinks;
  std::vector<std::unique_ptr<OrcWriter>> writers;
  StartPeak();
  const int64_t before = ResidentBytes();
  for (int file = 0; file < kFiles; ++file) {
    sinks.push_back(*arrow::io::BufferOutputStream::Create());
    writers.push_back(*OrcWriter::Make(sinks.back().get(), "test.orc", ColumnsOf<UrlRow>(), {}));
    for (int times = 0; times < 2; ++times) ASSERT_TRUE(writers.back()->Write(batch).ok());
  }
  const int64_t each = (PeakResidentBytes() - before) / kFiles;
  EXPECT_TRUE(!kMemoryIsMeasured || each <= kMostBytes) << each;
  for (const auto& writer : writers) ASSERT_TRUE(writer->Close().ok());
}

TEST(Orc, RowsComeBackFromAnyStart) {
  constexpr int kRows = 50000;
  auto reader = Open(WriteRows(kRows, 1000));
  ASSERT_EQ(reader->rows(), kRows);
  for (const int64_t start : {0, 1, 8191, 8192, 20000, 49999, 50000, 60000}) {
    ASSERT_TRUE(reader->Scan(start, {}, 1024).ok());
    ColumnBatch batch;
    UrlRow row;
    int64_t expected = -1;
    while (*reader->Next(&batch)) {
      if (expected < 0) {
        EXPECT_LE(batch.first_row, start);
        EXPECT_GT(batch.first_row + kOrcStride, start);
        expected = batch.first_row;
      }
      ASSERT_EQ(batch.first_row, expected);
      for (int64_t i = 0; i < batch.rows; ++i, ++expected) {
        ReadFromBatch(batch, i, &row);
        ASSERT_EQ(row, RowNumber(static_cast<int>(expected)));
      }
    }
    EXPECT_EQ(expected, start >= kRows ? -1 : kRows);
  }
}

TEST(Orc, ColumnsNotWantedAreZero) {
  auto reader = Open(WriteRows(10, 1000));
  std::vector<bool> wanted(ColumnsOf<UrlRow>().size());
  wanted[ColumnIndex<UrlRow>("key")] = true;
  ASSERT_TRUE(reader->Scan(0, wanted, 100).ok());
  ColumnBatch batch;
  ASSERT_TRUE(*reader->Next(&batch));
  UrlRow row;
  ReadFromBatch(batch, 3, &row);
  EXPECT_EQ(row.key, RowNumber(3).key);
  EXPECT_EQ(row.score, 0);
  EXPECT_EQ(row.etag, "");
}

TEST(Orc, FileWithoutRowsIsValid) {
  auto reader = Open(WriteRows(0, 1000));
  EXPECT_EQ(reader->rows(), 0);
  ASSERT_TRUE(reader->Scan(0, {}, 100).ok());
  ColumnBatch batch;
  EXPECT_FALSE(*reader->Next(&batch));
}

// The same row in an older program, with fewer fields.
struct OldRow {
  std::string key;
  int64_t due_ms = 7;
  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("due_ms", row.due_ms);
  }
};

TEST(Orc, ColumnsAFileLacksAreZero) {
  auto sink = *arrow::io::BufferOutputStream::Create();
  auto writer = *OrcWriter::Make(sink.get(), "old.orc", ColumnsOf<OldRow>(), {});
  BatchBuilder batch(ColumnsOf<OldRow>(), 10);
  AppendToBatch(OldRow{"com,a)/"}, &batch);
  ASSERT_TRUE(writer->Write(batch).ok());
  ASSERT_TRUE(writer->Close().ok());
  auto reader = Open(*sink->Finish());
  ASSERT_TRUE(reader->Scan(0, {}, 10).ok());
  ColumnBatch read;
  ASSERT_TRUE(*reader->Next(&read));
  UrlRow row = RowNumber(5);
  ReadFromBatch(read, 0, &row);
  EXPECT_EQ(row.key, "com,a)/");
  EXPECT_EQ(row.due_ms, 7);
  EXPECT_EQ(row.depth, 0);
}

TEST(Orc, ForeignTruncatedAndGarbledFilesAreErrorsThatNameTheFile) {
  const auto good = WriteRows(1000, 100);
  const auto open = [](std::shared_ptr<arrow::Buffer> bytes) {
    return OrcReader::Open(std::make_shared<arrow::io::BufferReader>(std::move(bytes)), "x/y.orc", ColumnsOf<UrlRow>())
        .status();
  };
  for (const Status& status :
       {open(arrow::Buffer::FromString("")), open(arrow::Buffer::FromString(std::string(5000, 'x'))),
        open(arrow::SliceBuffer(good, 0, good->size() / 2)), open(arrow::SliceBuffer(good, 0, good->size() - 1))}) {
    EXPECT_TRUE(status.IsIOError()) << status;
    EXPECT_NE(status.message().find("x/y.orc"), std::string::npos) << status;
  }
  auto foreign =
      OrcReader::Open(std::make_shared<arrow::io::BufferReader>(good), "x/y.orc", {{"nothing", ColumnType::kInt8}});
  EXPECT_NE(foreign.status().message().find("x/y.orc"), std::string::npos);
  auto other_type =
      OrcReader::Open(std::make_shared<arrow::io::BufferReader>(good), "x/y.orc", {{"key", ColumnType::kInt8}});
  EXPECT_NE(other_type.status().message().find("column key"), std::string::npos) << other_type.status();
}

// A sink that is full after a number of bytes.
class FullSink : public arrow::io::OutputStream {
 public:
  explicit FullSink(int64_t room) : room_(room) {}
  Status Close() override { return Status::OK(); }
  bool closed() const override { return false; }
  arrow::Result<int64_t> Tell() const override { return written_; }
  Status Write(const void*, int64_t size) override {
    written_ += size;
    return written_ > room_ ? Status::IOError("no space left") : Status::OK();
  }

 private:
  int64_t room_;
  int64_t written_ = 0;
};

TEST(Orc, FullSinkIsAlwaysReported) {
  for (const int64_t room : {0, 100, 5000, 20000}) {
    FullSink sink(room);
    auto writer = OrcWriter::Make(&sink, "full.orc", ColumnsOf<UrlRow>(), {.stripe_bytes = 1 << 16});
    Status status = writer.status();
    BatchBuilder batch(ColumnsOf<UrlRow>(), 1000);
    for (int i = 0; i < 20000 && status.ok(); ++i) {
      AppendToBatch(RowNumber(i), &batch);
      if (!batch.full()) continue;
      status = (*writer)->Write(batch);
      batch.Clear();
    }
    if (writer.ok()) status = (*writer)->Close();
    EXPECT_TRUE(status.IsIOError()) << room;
    EXPECT_NE(status.message().find("full.orc"), std::string::npos) << status;
  }
}

template <typename Row>
Row Filled() {
  Row row;
  int64_t next = 1;
  Row::VisitFields(row, [&next](const char* name, auto& field, auto...) {
    using T = std::remove_reference_t<decltype(field)>;
    if constexpr (std::is_same_v<T, std::string>) {
      field = std::string(name) + "\n" + std::string(1, '\0') + std::to_string(next++);
    } else if constexpr (std::is_same_v<T, bool>) {
      field = true;
    } else {
      field = static_cast<T>(next++ * (sizeof(T) > 4 ? -0x123456789 : 3));
    }
  });
  return row;
}

template <typename Row>
void ExpectBytesRoundTrip() {
  for (const Row& row : {Row(), Filled<Row>()}) {
    std::string bytes;
    EncodeRow(row, &bytes);
    Row back = Filled<Row>();
    ASSERT_TRUE(DecodeRow(bytes, &back).ok());
    EXPECT_EQ(back, row);
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(DecodeRow(std::string_view(bytes).substr(0, size), &back).ok()) << size;
    }
    EXPECT_FALSE(DecodeRow(bytes + "x", &back).ok());
    bytes[0] = static_cast<char>(Row::kVersion + 1);
    EXPECT_NE(DecodeRow(bytes, &back).message().find("version"), std::string::npos);
  }
}

TEST(RowCodec, BytesComeBackAndDamageIsSeen) {
  ExpectBytesRoundTrip<UrlRow>();
  ExpectBytesRoundTrip<HostRow>();
  ExpectBytesRoundTrip<RobotsRow>();
}

}  // namespace
}  // namespace trawl
