// One suite of tests for what every store must do. Where a store differs, its deviation has a name here.
//
// To run it for a store, a test file instantiates it:
//
//   INSTANTIATE_TEST_SUITE_P(Local, StoreConformance, testing::Values(StoreUnderTest{…}), StoreName);
//
// TRAWL_TEST_RACES sets the number of races of creates (100).
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "runtime/store/store.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {

struct StoreDeviations {
  // S3: a commit first checks whether the name is taken, so two commits at the same moment may both succeed.
  bool commits_may_race = false;
  // S3: a folder exists where files exist. A name can be both a file and a folder, and there are no empty folders.
  bool folders_are_prefixes = false;
};

struct StoreUnderTest {
  std::string name;
  // Makes an empty root for the test of that name. `folder` is on local disk and is removed after the test.
  std::function<std::string(const std::string& folder, const std::string& test)> make_root;
  std::function<arrow::Result<std::shared_ptr<Store>>(const std::string& root)> open;
  StoreDeviations deviations = {};
  // The tests are skipped without this environment variable, because there is then no such store.
  const char* needs = nullptr;

  friend std::ostream& operator<<(std::ostream& out, const StoreUnderTest& store) { return out << store.name; }
};

class StoreConformance : public testing::TestWithParam<StoreUnderTest> {
 protected:
  void SetUp() override;
  void TearDown() override;

  Store& store() { return *store_; }
  const StoreDeviations& deviations() const { return GetParam().deviations; }
  // Opens another store on the same root, as another process would.
  std::shared_ptr<Store> OpenAgain();

  // These fail the test where anything goes wrong.
  FileSeal Write(const std::string& path, const std::string& content);
  std::string Read(const std::string& path);
  // All files, temporary ones too.
  std::vector<std::string> Files();

 private:
  TemporaryFolder folder_;
  std::string root_;
  std::shared_ptr<Store> store_;
};

std::string StoreName(const testing::TestParamInfo<StoreUnderTest>& info);

// Pseudo-random bytes, always the same for a seed.
std::string NoiseBytes(size_t size, uint64_t seed = 1);

}  // namespace trawl
