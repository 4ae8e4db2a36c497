#include "formats/warc/digest_check.h"

#include "formats/text/ascii.h"
#include "formats/warc/names.h"

namespace trawl {

void DigestCheck::Begin(std::string_view text) {
  sha1_.reset();
  sha256_.reset();
  expected_.clear();
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return;
  const std::string algorithm = AsciiLower(text.substr(0, colon));
  const std::string_view value = text.substr(colon + 1);
  size_t raw_bytes = 0;
  if (algorithm == "sha1" || algorithm == "sha-1") {
    sha1_.emplace();
    raw_bytes = sizeof(Sha1Value);
  } else if (algorithm == "sha256" || algorithm == "sha-256") {
    sha256_.emplace();
    raw_bytes = sizeof(Sha256Value);
  } else {
    return;
  }
  const bool is_read = value.size() == raw_bytes * 2 ? FromHex(value, &expected_) : FromBase32(value, &expected_);
  if (!is_read || expected_.size() != raw_bytes) expected_.clear();
}

void DigestCheck::Update(std::string_view bytes) {
  if (sha1_) sha1_->Update(bytes);
  if (sha256_) sha256_->Update(bytes);
}

bool DigestCheck::Matches() {
  if (sha1_) return Bytes(sha1_->Finish()) == expected_;
  if (sha256_) return Bytes(sha256_->Finish()) == expected_;
  return true;
}

}  // namespace trawl
