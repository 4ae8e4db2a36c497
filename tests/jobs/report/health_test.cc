// trawl health: every check can fail, and what is not known fails nothing.
#include "jobs/report/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr TimeMs kNow = 1'767'268'800'000;

const Json& SoundRound() {
  static const Json round = {
      {"fetch",
       {{"fetched", 100}, {"success_rate", 0.9}, {"answered", {{"median_ms", 1}}}, {"response_ms", {{"p99", 1000}}}}},
      {"refreshed", 100},
      {"within_window", 99}};
  return round;
}

struct Case {
  Json round = SoundRound();
  Manifest manifest;
  TimeMs applied_ms = kNow - kMinuteMs;
  int64_t due = 0;
  int64_t silent = 0;
  double disk_days = 100;
  double false_positives = 0.01;

  std::vector<HealthCheck> Check(const HealthOptions& options = {}) const {
    return CheckHealth({.round = round,
                        .manifest = manifest,
                        .now_ms = kNow,
                        .applied_ms = applied_ms,
                        .due = due,
                        .silent_workers = silent,
                        .disk_days = disk_days,
                        .filter_false_positives = false_positives,
                        .filter_rate = 0.01},
                       options);
  }
};

std::set<std::string> Failed(const std::vector<HealthCheck>& checks) {
  std::set<std::string> failed;
  for (const HealthCheck& check : checks) {
    if (!check.ok()) failed.insert(check.name);
  }
  return failed;
}

using Names = std::set<std::string>;

TEST(Health, ASoundCrawlFailsNothing) {
  EXPECT_EQ(Failed(Case().Check()), Names{});
  EXPECT_EQ(Case().Check().size(), 9u);
}

TEST(Health, EveryCheckCanFail) {
  Names failed;
  const auto expect_only = [&failed](const Case& ill, const std::string& name) {
    EXPECT_EQ(Failed(ill.Check()), Names{name});
    failed.insert(name);
  };
  Case errors;
  errors.round["fetch"]["success_rate"] = 0.79;
  expect_only(errors, "error_rate");
  Case old;
  old.applied_ms = kNow - kDayMs - 1;
  expect_only(old, "round_age");
  Case late;
  late.round["within_window"] = 94;
  expect_only(late, "in_time");
  Case slow;
  slow.round["fetch"]["response_ms"]["p99"] = 5001;
  expect_only(slow, "p99");
  Case silent;
  silent.silent = 1;
  expect_only(silent, "silent_workers");
  Case held;
  held.manifest.open_segments = {{.id = "s", .opened_ms = kNow - 81, .until_ms = kNow + 19}};
  expect_only(held, "segment_hold");
  Case full;
  full.disk_days = 6.9;
  expect_only(full, "disk_days");
  Case filters;
  filters.false_positives = 0.021;
  expect_only(filters, "filter_false_positives");
  Case waiting;
  waiting.due = 1;
  waiting.applied_ms = kNow - kHourMs - 1;
  expect_only(waiting, "due_wait");
  for (const HealthCheck& check : Case().Check()) EXPECT_TRUE(failed.contains(check.name)) << check.name;
}

TEST(Health, AnOpenSegmentServesWhatIsDue) {
  Case running;
  running.due = 1000;
  running.applied_ms = kNow - 2 * kHourMs;
  running.manifest.open_segments = {{.id = "s", .opened_ms = kNow - 1, .until_ms = kNow + 99}};
  EXPECT_EQ(Failed(running.Check()), Names{});
}

TEST(Health, LimitsAreOptions) {
  Case ill;
  ill.round["fetch"]["success_rate"] = 0.5;
  ill.false_positives = 0.5;
  EXPECT_EQ(Failed(ill.Check({.max_error_rate = 0.6, .max_filter_false_positives = 0.5})), Names{});
  EXPECT_EQ(
      Failed(Case().Check({.max_error_rate = 0.05, .min_in_time = 0.995, .max_p99_ms = 999, .min_disk_days = 101})),
      (Names{"error_rate", "in_time", "p99", "disk_days"}));
}

TEST(Health, WhatIsNotKnownHasNoValueAndFailsNothing) {
  const Json nothing;
  const Manifest manifest;
  const auto checks = CheckHealth({.round = nothing, .manifest = manifest, .now_ms = kNow, .filter_rate = 0.01}, {});
  EXPECT_EQ(Failed(checks), Names{});
  Names unknown;
  const Json json = ToJson(checks);
  for (const Json& check : json["checks"]) {
    if (check["value"].is_null()) unknown.insert(check["name"].get<std::string>());
  }
  EXPECT_EQ(unknown, (Names{"error_rate", "round_age", "in_time", "p99", "silent_workers", "disk_days",
                            "filter_false_positives"}));
  EXPECT_THAT(ReadableHealth(checks), HasSubstr("unknown  in_time                 not known (at least 95 %)\n"));
}

TEST(Health, AFetchWithoutAnAnswerHasNoResponseTime) {
  Case silent;
  silent.round["fetch"]["answered"] = nullptr;
  silent.round["fetch"]["response_ms"]["p99"] = 0;
  EXPECT_FALSE(silent.Check()[3].value.has_value());
}

TEST(Health, ADiskThatNeverFillsUpIsSound) {
  Case idle;
  idle.disk_days = std::numeric_limits<double>::infinity();
  const auto checks = idle.Check();
  EXPECT_EQ(Failed(checks), Names{});
  EXPECT_THAT(ReadableHealth(checks), HasSubstr("for ever (at least 7 d)"));
  EXPECT_NO_THROW(DumpJson(ToJson(checks)));
}

TEST(Health, TheVerbHasAnExitCodeAndALinePerCheck) {
  CrawledWeb web(LinkGraph{.hosts = 2, .pages = 4});
  web.Crawl("a", {web.seed()});
  const auto soon = web.Run(web.Arguments("health", "a", {"--now", "2026-01-01T00:10:00Z", "--min_disk_days", "0"}));
  EXPECT_EQ(soon.exit_code, 0) << soon.out << soon.err;
  const Json health = *ParseJson(soon.out);
  EXPECT_EQ(health["ok"], true);
  EXPECT_EQ(health["checks"].size(), 9u);
  for (const Json& check : health["checks"]) {
    for (const char* name : {"name", "ok", "value", "limit"}) EXPECT_TRUE(check.contains(name)) << name;
  }
  const auto late = web.Run(web.Arguments("health", "a", {"--now", "2026-02-01T00:00:00Z"}));
  EXPECT_EQ(late.exit_code, 3);
  EXPECT_EQ((*ParseJson(late.out))["ok"], false);
  const BinaryResult text = Trawl({"health", "--root", web.root("a"), "--now", "2026-02-01T00:00:00Z"});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_THAT(text.out, HasSubstr("FAILED   round_age"));
  EXPECT_THAT(text.out, HasSubstr("FAILED   due_wait"));
}

TEST(Health, KnowsOlderRoots) {
  for (const char* name : {"root-1", "root-2", "root-3", "root-4", "root-5"}) {
    const BinaryResult result = Trawl({"health", "--root", TestDataPath(name), "--json"});
    EXPECT_EQ(result.exit_code, 3) << name << ": its rounds are old; " << result.err;
    EXPECT_FALSE((*ParseJson(result.out))["ok"].get<bool>()) << name;
  }
}

}  // namespace
}  // namespace trawl
