#include "runtime/process/whole_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace trawl {

using arrow::Status;

Status WriteWholeFile(const std::string& path, std::string_view bytes) {
  std::error_code error;
  const auto there = std::filesystem::status(path, error);
  const bool is_replaced = !std::filesystem::exists(there) || std::filesystem::is_regular_file(there);
  const std::string written = is_replaced ? path + ".part" : path;
  errno = 0;
  std::ofstream file(written, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  const int why = errno;
  if (!file) {
    if (is_replaced) std::filesystem::remove(written, error);
    return Status::IOError(path, ": cannot be written", why == 0 ? "" : ": ", why == 0 ? "" : std::strerror(why));
  }
  if (is_replaced) std::filesystem::rename(written, path, error);
  return is_replaced && error ? Status::IOError(path, ": cannot be written: ", error.message()) : Status::OK();
}

}  // namespace trawl
