// The token of the server: a secret in a file that nobody else can read.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
namespace trawl {

// Keeps the digest of a secret alone. Any thread.
class Token {
 public:
  explicit Token(std::string_view secret);
  // Takes the same time wherever the texts differ, and whether their lengths do.
  bool Is(std::string_view text) const;

 private:
  std::string digest_;
};

// The first line of `file`. A UsageError that says what to type where it cannot be read, others than its owner can read
// it, or the line is no token. `may_group_read`: its group may read it, too.
arrow::Result<Token> LoadToken(const std::string& file, bool may_group_read);

// 256 random bits, as 64 hexadecimal digits. IOError where the system gives none.
arrow::Result<std::string> MakeSecret();

}  // namespace trawl
