#include "jobs/views/failure.h"

#include <cstring>
#include <memory>
#include <optional>

#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr char kTypeId[] = "trawl::Problem";
constexpr int kRetryAfterS = 5;

class ProblemDetail : public arrow::StatusDetail {
 public:
  explicit ProblemDetail(Problem problem) : problem_(std::move(problem)) {}
  const char* type_id() const override { return kTypeId; }
  std::string ToString() const override { return "HTTP status " + std::to_string(problem_.status); }
  const Problem& problem() const { return problem_; }

 private:
  Problem problem_;
};

Problem WithStatus(int status, const Status& failure) {
  Problem problem = {.status = status, .detail = failure.message()};
  if (status == 503) problem.retry_after_s = kRetryAfterS;
  return problem;
}

}  // namespace

Status ProblemStatus(Problem problem) {
  std::string message = problem.detail;
  return Status(arrow::StatusCode::Invalid, std::move(message), std::make_shared<ProblemDetail>(std::move(problem)));
}

Status BadRequest(std::string detail, std::vector<ProblemField> fields) {
  return ProblemStatus({.status = 400, .detail = std::move(detail), .fields = std::move(fields)});
}
Status Unknown(std::string detail) { return ProblemStatus({.status = 404, .detail = std::move(detail)}); }
Status Gone(std::string detail) { return ProblemStatus({.status = 410, .detail = std::move(detail)}); }
Status Conflict(std::string detail) { return ProblemStatus({.status = 409, .detail = std::move(detail)}); }
Status Unprocessable(std::string detail, std::vector<ProblemField> fields) {
  return ProblemStatus({.status = 422, .detail = std::move(detail), .fields = std::move(fields)});
}
Status StoreAway(std::string detail) {
  return ProblemStatus({.status = 503, .detail = std::move(detail), .retry_after_s = kRetryAfterS});
}

bool HasProblem(const Status& status) {
  return status.detail() != nullptr && std::strcmp(status.detail()->type_id(), kTypeId) == 0;
}

Problem ProblemOf(const Status& status) {
  if (HasProblem(status)) return static_cast<const ProblemDetail&>(*status.detail()).problem();
  const std::optional<StatusKind> kind = KindOf(status);
  if (kind == StatusKind::kUsage) return WithStatus(400, status);
  if (kind == StatusKind::kConflict) return WithStatus(409, status);
  if (kind == StatusKind::kStopped) {
    return {.status = 503, .detail = "the answer took too long, or the server ends", .retry_after_s = kRetryAfterS};
  }
  return WithStatus(500, status);
}

}  // namespace trawl
