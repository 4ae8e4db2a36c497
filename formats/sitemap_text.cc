// The plain text sitemap: one URL a line.
#include <string>

#include "formats/ascii.h"
#include "formats/sitemap_body.h"

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

}  // namespace

std::unique_ptr<SitemapBody> MakeSitemapText(SitemapOutput* output) { return std::make_unique<SitemapText>(output); }

}  // namespace trawl
