#include "runtime/store/file_sealer.h"

#include <gtest/gtest.h>

#include "arrow/io/interfaces.h"
#include "tests/support/store/conformance.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

TEST(FileSealer, HandsOnWholeChunks) {
  const std::string content = NoiseBytes((3 << 20) + 500);
  std::string passed_on;
  std::vector<size_t> sizes;
  FileSealer sealer([&](std::string_view bytes) {
    passed_on += bytes;
    sizes.push_back(bytes.size());
    return arrow::Status::OK();
  });
  ASSERT_OK(sealer.stream()->Write(content.data(), 100));
  ASSERT_OK(sealer.stream()->Write(content.data() + 100, static_cast<int64_t>(content.size()) - 100));
  ASSERT_OK_AND_ASSIGN(const FileSeal seal, sealer.Finish());
  EXPECT_EQ(seal, SealOf(content));
  EXPECT_EQ(passed_on, content);
  EXPECT_EQ(sizes, (std::vector<size_t>{1 << 20, 1 << 20, 1 << 20, 500}));
}

TEST(FileSealer, WholeChunksAreNotCopied) {
  const std::string content = NoiseBytes(2 << 20);
  std::vector<const char*> places;
  FileSealer sealer([&](std::string_view bytes) {
    places.push_back(bytes.data());
    return arrow::Status::OK();
  });
  ASSERT_OK(sealer.stream()->Write(content));
  EXPECT_EQ(places, (std::vector<const char*>{content.data(), content.data() + (1 << 20)}));
}

TEST(FileSealer, FirstErrorStays) {
  int calls = 0;
  FileSealer sealer(
      [&](std::string_view) { return ++calls == 1 ? arrow::Status::IOError("disk full") : arrow::Status::OK(); });
  EXPECT_FALSE(sealer.stream()->Write(NoiseBytes(1 << 20)).ok());
  EXPECT_FALSE(sealer.stream()->Write("more").ok());
  EXPECT_FALSE(sealer.stream()->Flush().ok());
  EXPECT_FALSE(sealer.stream()->Close().ok());
  EXPECT_EQ(sealer.Finish().status().message(), "disk full");
  EXPECT_EQ(calls, 1);
}

TEST(FileSealer, IsFinishedOnce) {
  FileSealer sealer([](std::string_view) { return arrow::Status::OK(); });
  ASSERT_OK(sealer.Finish());
  EXPECT_FALSE(sealer.Finish().ok());
  EXPECT_FALSE(sealer.stream()->Write("x").ok());
}

}  // namespace trawl
