// Compares a digest that a record names with its bytes. For the reader; one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/digests/digest.h"

namespace trawl {

class DigestCheck {
 public:
  // Takes a field's value, "sha1:…". Algorithms other than SHA-1 and SHA-256 are not checked. Whoever wrote it may have
  // written Base32 or hex.
  void Begin(std::string_view text);
  void Update(std::string_view bytes);
  // Whether the digest is that of the bytes, or nobody can say.
  bool Matches();
  bool is_wanted() const { return sha1_.has_value() || sha256_.has_value(); }

 private:
  std::string expected_;  // raw; empty: the text is no digest of its algorithm
  std::optional<Sha1> sha1_;
  std::optional<Sha256> sha256_;
};

}  // namespace trawl
