#include "runtime/process/child_process.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(ChildProcess, PrintsAndEnds) {
  const auto result = RunChild({.command = {"sh", "-c", "echo out; echo err >&2; exit 7"}});
  ASSERT_OK(result.status());
  EXPECT_EQ(result->out, "out\n");
  EXPECT_EQ(result->err, "err\n");
  EXPECT_EQ(result->exit_code, 7);
}

TEST(ChildProcess, HasNoInput) {
  const auto result = RunChild({.command = {"cat"}});
  ASSERT_OK(result.status());
  EXPECT_EQ(result->exit_code, 0);
}

TEST(ChildProcess, WhatCannotStartEndsWith127) {
  const auto result = RunChild({.command = {"/no/such/program"}});
  ASSERT_OK(result.status());
  EXPECT_EQ(result->exit_code, 127);
}

TEST(ChildProcess, TheEndOfMuchOutputIsKept) {
  const auto result = RunChild({.command = {"sh", "-c", "seq 1 200000"}});
  ASSERT_OK(result.status());
  EXPECT_TRUE(result->out.ends_with("\n200000\n"));
  EXPECT_LT(result->out.size(), 1u << 20);
}

TEST(ChildProcess, AskedToStopItIsEnded) {
  const StopSource stop = *StopSource::Make();
  stop.Stop();
  const auto result = RunChild({.command = {"sleep", "600"}, .stop = stop.token()});
  ASSERT_OK(result.status());
  EXPECT_EQ(result->exit_code, 128 + 15);
}

}  // namespace
}  // namespace trawl
