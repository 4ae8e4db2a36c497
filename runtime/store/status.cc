#include "runtime/store/status.h"

#include <cerrno>
#include <memory>
#include <system_error>

namespace trawl {

namespace {

constexpr char kTypeId[] = "trawl::FileNotFound";

class NotFoundDetail : public arrow::StatusDetail {
 public:
  const char* type_id() const override { return kTypeId; }
  std::string ToString() const override { return "not found"; }
};

}  // namespace

arrow::Status FileNotFound(const std::string& name) {
  return {arrow::StatusCode::IOError, name + ": no such file", std::make_shared<NotFoundDetail>()};
}

bool IsNotFound(const arrow::Status& status) {
  return status.detail() != nullptr && std::string_view(status.detail()->type_id()) == kTypeId;
}

arrow::Status ErrnoStatus(int error, const char* doing, const std::string& name) {
  if (error == ENOENT) return FileNotFound(name);
  if (error == EEXIST) return arrow::Status::AlreadyExists(name, " exists already");
  return arrow::Status::IOError(doing, " ", name, ": ", std::generic_category().message(error));
}

}  // namespace trawl
