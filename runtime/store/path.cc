#include "runtime/store/path.h"

#include <sys/random.h>

#include "arrow/util/logging.h"
#include "arrow/util/utf8.h"
#include "formats/digests/digest.h"

namespace trawl {

namespace {

constexpr std::string_view kTemporaryPrefix = "_tmp-";
constexpr size_t kMaxPartBytes = 255;
constexpr size_t kMaxPathBytes = 1000;

const char* WhyPartIsInvalid(std::string_view part) {
  if (part.empty()) return "has an empty part";
  if (part == "." || part == "..") return "has a part that is . or ..";
  if (part.size() > kMaxPartBytes) return "has a part of more than 255 bytes";
  return nullptr;
}

const char* WhyInvalid(std::string_view path) {
  if (path.empty()) return "is empty";
  if (path.size() > kMaxPathBytes) return "has more than 1000 bytes";
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "has a control character";
    if (c == ':' || c == '\\') return "has a character that not every store takes, ':' or '\\'";
  }
  arrow::util::InitializeUTF8();
  if (!arrow::util::ValidateUTF8(path)) return "is not UTF-8";
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (const char* why = WhyPartIsInvalid(path.substr(begin, end - begin))) return why;
    begin = end + 1;
  }
  return nullptr;
}

}  // namespace

arrow::Status CheckStorePath(std::string_view path) {
  const char* why = WhyInvalid(path);
  if (why == nullptr) return arrow::Status::OK();
  return arrow::Status::Invalid("path '", path, "' ", why);
}

arrow::Status CheckStoreFolder(std::string_view folder) {
  return folder.empty() ? arrow::Status::OK() : CheckStorePath(folder);
}

std::string ParentOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

std::string NameOf(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::string JoinPath(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.empty()) path += '/';
  return path.append(name);
}

std::string TemporaryPathFor(std::string_view path) {
  char random[16];
  ARROW_CHECK(getrandom(random, sizeof random, 0) == sizeof random);
  return JoinPath(ParentOf(path), std::string(kTemporaryPrefix) + ToHex(std::string_view(random, sizeof random)));
}

bool IsTemporaryPath(std::string_view path) { return NameOf(path).starts_with(kTemporaryPrefix); }

}  // namespace trawl
