// Plain text sitemaps: one URL per line. Defines MakeSitemapText, which body.h declares.
#include <cstdint>
#include <string>

#include "formats/sitemap/body.h"
#include "formats/text/ascii.h"
#include "formats/text/utf8.h"

namespace trawl {

namespace {

bool IsWebUrl(std::string_view text) {
  return EqualsIgnoringAsciiCase(text.substr(0, 7), "http://") ||
         EqualsIgnoringAsciiCase(text.substr(0, 8), "https://");
}

class SitemapText : public SitemapBody {
 public:
  explicit SitemapText(SitemapOutput* output) : output_(output) {}

  bool Feed(std::string_view piece) override {
    while (!piece.empty() && !output_->summary.too_many_entries) {
      const size_t end = piece.find_first_of("\r\n");
      Keep(piece.substr(0, end));
      if (end == std::string_view::npos) break;
      EndLine();
      piece.remove_prefix(end + 1);
    }
    return !output_->summary.too_many_entries;
  }

  void Finish() override { EndLine(); }

 private:
  void Keep(std::string_view part) {
    if (line_.size() + part.size() > kMaxSitemapFieldBytes) is_too_long_ = true;
    if (!is_too_long_) line_ += part;
  }

  void EndLine() {
    const std::string_view text = TrimBytes(line_, " \t\f");
    if (is_too_long_ || (!text.empty() && !IsWebUrl(text))) {
      output_->Refuse();
    } else if (!text.empty()) {
      output_->summary.type = SitemapType::kText;
      SitemapEntry entry;
      entry.loc = text;
      output_->Emit(std::move(entry));
    }
    line_.clear();
    is_too_long_ = false;
  }

  SitemapOutput* output_;
  std::string line_;
  bool is_too_long_ = false;
};

// The protocol asks for UTF-8, but "Unicode text" saved by a spreadsheet has the same lines.
class SitemapUtf16Text : public SitemapBody {
 public:
  SitemapUtf16Text(SitemapOutput* output, bool is_big_endian) : text_(output), is_big_endian_(is_big_endian) {}

  bool Feed(std::string_view piece) override {
    std::string utf8;
    for (const char c : piece) {
      const auto byte = static_cast<uint8_t>(c);
      if (!has_first_) {
        first_ = byte;
      } else {
        TakeUnit(is_big_endian_ ? static_cast<uint16_t>(first_ << 8 | byte) : static_cast<uint16_t>(byte << 8 | first_),
                 &utf8);
      }
      has_first_ = !has_first_;
    }
    return text_.Feed(utf8);
  }

  void Finish() override { text_.Finish(); }

 private:
  void TakeUnit(uint16_t unit, std::string* utf8) {
    const bool is_trail = (unit & 0xFC00) == 0xDC00;
    if (lead_ != 0 && is_trail) {
      AppendCodePoint(0x10000u + ((lead_ & 0x3FFu) << 10) + (unit & 0x3FFu), utf8);
    } else if ((unit & 0xFC00) != 0xD800 && unit != 0xFEFF) {
      AppendCodePoint(unit, utf8);
    }
    lead_ = (unit & 0xFC00) == 0xD800 ? unit : 0;
  }

  SitemapText text_;
  const bool is_big_endian_;
  bool has_first_ = false;
  uint8_t first_ = 0;
  uint16_t lead_ = 0;
};

}  // namespace

std::unique_ptr<SitemapBody> MakeSitemapText(SitemapOutput* output) { return std::make_unique<SitemapText>(output); }

std::unique_ptr<SitemapBody> MakeSitemapUtf16Text(SitemapOutput* output, bool is_big_endian) {
  return std::make_unique<SitemapUtf16Text>(output, is_big_endian);
}

}  // namespace trawl
