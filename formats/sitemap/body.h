// The kinds of sitemap that SitemapReader reads: XML, plain text and JSON Feed. Only sitemap.cc uses it.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "formats/sitemap/sitemap.h"

namespace trawl {

// A URL that a crawl would take is never longer, nor is a date or a number.
inline constexpr size_t kMaxSitemapFieldBytes = 8192;

// Receives entries, counts them, and takes no more than the limit.
class SitemapOutput {
 public:
  SitemapOutput(SitemapReader::Sink sink, uint64_t max_entries) : sink_(std::move(sink)), max_entries_(max_entries) {}

  void Emit(SitemapEntry&& entry) {
    if (summary.entries == max_entries_) {
      summary.too_many_entries = true;
    } else {
      ++summary.entries;
      sink_(std::move(entry));
    }
  }
  void Refuse() { ++summary.refused; }

  SitemapSummary summary;

 private:
  SitemapReader::Sink sink_;
  uint64_t max_entries_;
};

class SitemapBody {
 public:
  virtual ~SitemapBody() = default;
  // False where nothing more can come.
  virtual bool Feed(std::string_view piece) = 0;
  virtual void Finish() = 0;
};

// `output` must outlive the body. `encoding` is as for XmlStream.
std::unique_ptr<SitemapBody> MakeSitemapXml(SitemapOutput* output, std::string_view encoding, int64_t now_ms);
std::unique_ptr<SitemapBody> MakeJsonFeed(SitemapOutput* output, int64_t now_ms);
std::unique_ptr<SitemapBody> MakeSitemapText(SitemapOutput* output);
std::unique_ptr<SitemapBody> MakeSitemapUtf16Text(SitemapOutput* output, bool is_big_endian);

}  // namespace trawl
