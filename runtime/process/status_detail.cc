#include "runtime/process/status_detail.h"

#include <cstring>
#include <memory>

namespace trawl {

namespace {

constexpr char kTypeId[] = "trawl::StatusKind";

const char* NameOf(StatusKind kind) {
  switch (kind) {
    case StatusKind::kUsage:
      return "usage";
    case StatusKind::kConflict:
      return "conflict";
    case StatusKind::kStopped:
      return "stopped";
    case StatusKind::kOutputClosed:
      return "output closed";
  }
  return "unknown";
}

class KindDetail : public arrow::StatusDetail {
 public:
  explicit KindDetail(StatusKind kind) : kind_(kind) {}
  const char* type_id() const override { return kTypeId; }
  std::string ToString() const override { return NameOf(kind_); }
  StatusKind kind() const { return kind_; }

 private:
  StatusKind kind_;
};

arrow::StatusCode CodeOf(StatusKind kind) {
  if (kind == StatusKind::kStopped) return arrow::StatusCode::Cancelled;
  if (kind == StatusKind::kOutputClosed) return arrow::StatusCode::IOError;
  return arrow::StatusCode::Invalid;
}

}  // namespace

arrow::Status StatusOfKind(StatusKind kind, std::string message) {
  return arrow::Status(CodeOf(kind), std::move(message), std::make_shared<KindDetail>(kind));
}

std::optional<StatusKind> KindOf(const arrow::Status& status) {
  const auto& detail = status.detail();
  if (detail == nullptr || std::strcmp(detail->type_id(), kTypeId) != 0) return std::nullopt;
  return static_cast<const KindDetail&>(*detail).kind();
}

arrow::Status StoppedError() {
  return StatusOfKind(StatusKind::kStopped, "stopped; run the same command again to go on");
}

}  // namespace trawl
