// inject and compact on a store that goes wrong at each of their operations in turn: run again, nothing is lost.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "formats/url_row.h"
#include "jobs/compact.h"
#include "jobs/inject.h"
#include "runtime/local_runner.h"
#include "runtime/merge_scan.h"
#include "tests/support/assert_ok.h"
#include "tests/support/faulty_store.h"
#include "tests/support/temporary_folder.h"

namespace trawl {
namespace {

using arrow::Status;

JobEnvironment EnvironmentOn(Store* store, Runner* runner) {
  JobEnvironment environment;
  environment.store = store;
  environment.runner = runner;
  environment.clock = &SystemClock();
  environment.now_ms = 1'767'225'600'000;
  environment.version = "test";
  environment.options = InjectOptionTexts();
  return environment;
}

Status Inject(Store* store, int first) {
  Manifest constants;
  constants.url_policy = "standard";
  ARROW_RETURN_NOT_OK(CreateCrawl(store, constants).status());
  std::vector<std::string> urls;
  for (int i = 0; i < 40; ++i)
    urls.push_back("https://h" + std::to_string(i % 7) + ".example/" + std::to_string(first + i));
  const SeedParts seeds = *CutSeeds({.urls = urls}, 1 << 20);
  const JobOptions job = {.partitions = 2};
  LocalRunner runner({.threads = 1, .memory_bytes = 16 << 20, .attempts = 1});
  return RunJob(EnvironmentOn(store, &runner), InjectRequest(seeds, job)).status();
}

Status InjectSome(Store* store) { return Inject(store, 0); }
Status InjectMore(Store* store) { return Inject(store, 20); }
Status Compact(Store* store) {
  LocalRunner runner({.threads = 1, .attempts = 1});
  return RunJob(EnvironmentOn(store, &runner), CompactRequest(false, 1)).status();
}

std::string RowsOf(Store* store) {
  const Snapshot present = *ReadPresent(store);
  const auto table = *Table::Open<UrlRow>(store, present.manifest);
  DigestSum digest;
  std::string bytes;
  const Status status = ForEachRow<UrlRow>(table, {}, [&](const UrlRow& row) {
    EncodeRow(row, &bytes);
    digest.Add(Hash128(bytes));
    return Status::OK();
  });
  return status.ok() ? digest.ToHex() : status.ToString();
}

// A job and the root that it finds.
struct Step {
  const char* name;
  std::vector<Status (*)(Store*)> before;
  Status (*job)(Store*);
};

// Nothing of a root is ever changed in place, so names for the same files are a copy.
void CopyRoot(const std::string& from, const std::string& to) {
  using std::filesystem::copy_options;
  std::filesystem::copy(from, to, copy_options::recursive | copy_options::create_hard_links);
}

class FaultyJobTest : public ::testing::TestWithParam<Step> {};

TEST_P(FaultyJobTest, EveryFaultAtEveryOperationLosesNothing) {
  const Step& step = GetParam();
  const TemporaryFolder folder;
  const std::string before = folder.path() + "/before";
  std::filesystem::create_directory(before);
  const std::shared_ptr<Store> prepared = *OpenStore(before, {.sync = false});
  for (const auto& job : step.before) ASSERT_OK(job(prepared.get()));
  const std::string undisturbed = folder.path() + "/undisturbed";
  CopyRoot(before, undisturbed);
  const std::shared_ptr<Store> clean = *OpenStore(undisturbed, {.sync = false});
  ASSERT_OK(step.job(clean.get()));
  const std::string expected = RowsOf(clean.get());

  // Every operation in a soak (TRAWL_TEST_SOAK); else every so many, each fault beginning elsewhere.
  const int64_t stride = std::getenv("TRAWL_TEST_SOAK") != nullptr ? 1 : 19;
  int64_t begin = 1;
  int64_t cases = 0;
  for (const Fault fault : {Fault::kFail, Fault::kTear, Fault::kForget, Fault::kLoseReply}) {
    for (int64_t n = begin;; n += stride) {
      const std::string root = folder.path() + "/root";
      std::filesystem::remove_all(root);
      CopyRoot(before, root);
      const std::shared_ptr<Store> inner = *OpenStore(root, {.sync = false});
      FaultyStore faulty(inner, {.fault = fault, .at = n});
      const Status first = step.job(&faulty);
      if (!faulty.reached()) break;
      ++cases;
      ASSERT_OK(step.job(inner.get())) << faulty.fault_point() << "; first: " << first;
      ASSERT_EQ(RowsOf(inner.get()), expected) << faulty.fault_point();
    }
    begin = begin * 2 % stride + 1;
  }
  EXPECT_GT(cases, 4);
  std::printf("Faults at operations of %s, run again, same rows: %lld\n", step.name, static_cast<long long>(cases));
}

INSTANTIATE_TEST_SUITE_P(Jobs, FaultyJobTest,
                         ::testing::Values(Step{"FirstInject", {}, InjectSome},
                                           Step{"SecondInject", {InjectSome}, InjectMore},
                                           Step{"Compact", {InjectSome, InjectMore}, Compact}),
                         [](const auto& step) { return std::string(step.param.name); });

}  // namespace
}  // namespace trawl
