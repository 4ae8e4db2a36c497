#include "runtime/root/planned_bytes.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

RunReference RunOf(int64_t bytes) {
  RunReference run;
  run.bytes = bytes;
  return run;
}

TEST(PlannedBytes, TablesAndDatasetsAreSummedUp) {
  Manifest manifest;
  manifest.tables["urls"] = {RunOf(1), RunOf(20)};
  manifest.tables["hosts"] = {RunOf(300)};
  manifest.tables["robots"] = {RunOf(4000)};
  EXPECT_EQ(BytesOfTables(manifest), 4321);
  EXPECT_EQ(BytesOfTables(manifest, {"urls", "robots", "patterns"}), 4021);
  StepRecord record;
  FileReceipt file;
  file.seal.size_bytes = 7;
  record.tasks = {{.files = {{"content", {file, file}}, {"fetch", {file}}}}, {.files = {{"content", {file}}}}};
  EXPECT_EQ(BytesOfDataset(record, "content"), 21);
  EXPECT_EQ(BytesOfDataset(record, "links"), 0);
}

}  // namespace
}  // namespace trawl
