#include "formats/scan/scan.h"

#include <string>

#include "formats/scan/bytes.h"
#include "formats/scan/reader.h"

namespace trawl {

struct HtmlScanner::Memory {
  // A page whose carriage returns and control characters were replaced.
  std::string bytes;
};

HtmlScanner::HtmlScanner() : memory_(std::make_unique<Memory>()) {}
HtmlScanner::~HtmlScanner() = default;
HtmlScanner::HtmlScanner(HtmlScanner&&) noexcept = default;
HtmlScanner& HtmlScanner::operator=(HtmlScanner&&) noexcept = default;

HtmlWild HtmlScanner::Read(std::string_view utf8, HtmlEvents* events) {
  constexpr size_t kMostKept = 1 << 20;
  const HtmlBytes bytes = PreparedHtml(utf8, &memory_->bytes);
  const HtmlWild wild = bytes.has_nul ? HtmlWild::kNul : HtmlReader(bytes.text, bytes.is_mended, events).Run();
  if (memory_->bytes.capacity() > kMostKept) memory_->bytes = {};
  return wild;
}

}  // namespace trawl
