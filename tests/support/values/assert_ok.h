// Assertions on arrow::Status and arrow::Result that print the message of what failed.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

inline const arrow::Status& StatusOf(const arrow::Status& status) { return status; }
template <typename T>
const arrow::Status& StatusOf(const arrow::Result<T>& result) {
  return result.status();
}

inline testing::AssertionResult IsOk(const arrow::Status& status) {
  if (status.ok()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << status;
}

}  // namespace trawl

#define ASSERT_OK(expression) ASSERT_TRUE(::trawl::IsOk(::trawl::StatusOf(expression)))
#define EXPECT_OK(expression) EXPECT_TRUE(::trawl::IsOk(::trawl::StatusOf(expression)))

#define TRAWL_JOIN_(a, b) a##b
#define TRAWL_JOIN(a, b) TRAWL_JOIN_(a, b)
#define TRAWL_ASSERT_OK_AND_ASSIGN(result, left, expression) \
  auto result = (expression);                                \
  ASSERT_OK(result);                                         \
  left = std::move(result).ValueUnsafe()
// ASSERT_OK_AND_ASSIGN(auto value, FunctionThatReturnsResult());
#define ASSERT_OK_AND_ASSIGN(left, expression) \
  TRAWL_ASSERT_OK_AND_ASSIGN(TRAWL_JOIN(result_at_line_, __LINE__), left, expression)
