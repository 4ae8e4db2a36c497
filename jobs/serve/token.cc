#include "jobs/serve/token.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "formats/digests/digest.h"
#include "formats/text/ascii.h"
#include "runtime/process/file_descriptor.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostBytes = 4096;

std::string HowToMake(const std::string& file) {
  return "; make one with: (umask 077; openssl rand -hex 32 > " + file + ")";
}

}  // namespace

Token::Token(std::string_view secret) : digest_(Sha256Of(secret)) {}

bool Token::Is(std::string_view text) const {
  const std::string digest = Sha256Of(text);
  unsigned difference = 0;
  for (size_t i = 0; i < digest_.size(); ++i) difference |= static_cast<unsigned char>(digest_[i] ^ digest[i]);
  return difference == 0;
}

Result<Token> LoadToken(const std::string& file, bool may_group_read) {
  // A named pipe that nobody writes must not hold the server up.
  const FileDescriptor open_file(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts = {};
  if (!open_file.is_open() || fstat(open_file.get(), &facts) != 0) {
    return UsageError("--serve.token_file ", file, ": ", std::strerror(errno), HowToMake(file));
  }
  if (!S_ISREG(facts.st_mode)) return UsageError("--serve.token_file ", file, ": it is not a file");
  const mode_t of_others = may_group_read ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO;
  if ((facts.st_mode & of_others) != 0) {
    return UsageError("--serve.token_file ", file, ": others can read or change it; type: chmod 600 ", file);
  }
  std::array<char, kMostBytes> space;
  const ssize_t size = read(open_file.get(), space.data(), space.size());
  if (size < 0) return UsageError("--serve.token_file ", file, ": ", std::strerror(errno));
  const std::string_view text(space.data(), static_cast<size_t>(size));
  const std::string_view line = TrimBytes(text.substr(0, text.find('\n')), " \t\r");
  const bool is_token = !line.empty() && line.size() < kMostBytes &&
                        std::all_of(line.begin(), line.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (!is_token) {
    return UsageError("--serve.token_file ", file, ": its first line is no token (printable ASCII, without a space)",
                      HowToMake(file));
  }
  return Token(line);
}

Result<std::string> MakeSecret() {
  std::array<char, 32> random;
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return Status::IOError("the system gives no random bytes: ", std::strerror(errno));
  }
  return ToHex(std::string_view(random.data(), random.size()));
}

}  // namespace trawl
