#include "runtime/process/status_detail.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(StatusDetail, EachKindIsRecognised) {
  const struct {
    arrow::Status status;
    StatusKind kind;
    arrow::StatusCode code;
  } cases[] = {
      {UsageError("--depth ", 3), StatusKind::kUsage, arrow::StatusCode::Invalid},
      {ConflictError("x"), StatusKind::kConflict, arrow::StatusCode::Invalid},
      {StoppedError(), StatusKind::kStopped, arrow::StatusCode::Cancelled},
      {StatusOfKind(StatusKind::kOutputClosed, "x"), StatusKind::kOutputClosed, arrow::StatusCode::IOError},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(KindOf(c.status), c.kind) << c.status.ToString();
    EXPECT_EQ(c.status.code(), c.code);
  }
  EXPECT_EQ(UsageError("--depth ", 3).message(), "--depth 3");
}

TEST(StatusDetail, ContextAddedOnTheWayUpKeepsTheKind) {
  const arrow::Status status = UsageError("inner");
  EXPECT_EQ(KindOf(status.WithMessage("part 7: ", status.message())), StatusKind::kUsage);
}

TEST(StatusDetail, OrdinaryFailuresHaveNone) {
  EXPECT_EQ(KindOf(arrow::Status::OK()), std::nullopt);
  EXPECT_EQ(KindOf(arrow::Status::Invalid("damaged")), std::nullopt);
  EXPECT_EQ(KindOf(arrow::Status::Cancelled("by somebody else")), std::nullopt);
}

}  // namespace
}  // namespace trawl
