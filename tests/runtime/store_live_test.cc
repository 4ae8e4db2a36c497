// The suite against a real HDFS and a real S3 server, where TRAWL_TEST_HDFS and TRAWL_TEST_S3 name roots that may be
// written below; cluster/up starts both and says so in its env file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "runtime/store_path.h"
#include "tests/support/assert_ok.h"
#include "tests/support/store_conformance.h"

namespace trawl {

namespace {

// The root of one test below the one that the environment names: a name of its own, before the query.
std::string RootBelow(const char* variable, const std::string& folder, const std::string& test) {
  const std::string root = std::getenv(variable);
  const size_t query = std::min(root.find('?'), root.size());
  return root.substr(0, query) + "/conformance/" + NameOf(folder) + "/" + test + root.substr(query);
}

StoreUnderTest Live(const char* name, const char* variable, const StoreDeviations& deviations) {
  return {name,
          [variable](const std::string& folder, const std::string& test) { return RootBelow(variable, folder, test); },
          [](const std::string& root) -> arrow::Result<std::shared_ptr<Store>> { return OpenStore(root); }, deviations,
          variable};
}

class ShutDown : public testing::Environment {
 public:
  void TearDown() override { ShutDownStores(); }
};
const testing::Environment* const kShutDown = testing::AddGlobalTestEnvironment(new ShutDown);

}  // namespace

INSTANTIATE_TEST_SUITE_P(Live, StoreConformance,
                         testing::Values(Live("Hdfs", "TRAWL_TEST_HDFS", {}),
                                         Live("S3", "TRAWL_TEST_S3",
                                              {.commits_may_race = true, .folders_are_prefixes = true})),
                         StoreName);

}  // namespace trawl
