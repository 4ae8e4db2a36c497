// JSON Feed (https://www.jsonfeed.org/version/1.1/). Defines MakeJsonFeed, which body.h declares.
//
// The text is read once, token by token: no tree of it is made, however large it is. An item counts with its `url`, or
// its `id` where that is a URL, and with the later of its dates.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "formats/documents/json.h"
#include "formats/http/date.h"
#include "formats/sitemap/body.h"
#include "formats/text/ascii.h"

namespace trawl {

namespace {

// Feeds are some hundred KiB; a longer text is not read at all, for a cut one is no JSON.
constexpr size_t kMaxFeedBytes = 16 << 20;
// {"items": [{"attachments": [{…}]}]}, and room for extensions.
constexpr int kMaxDepth = 64;

bool IsWebUrl(std::string_view text) {
  return EqualsIgnoringAsciiCase(text.substr(0, 7), "http://") ||
         EqualsIgnoringAsciiCase(text.substr(0, 8), "https://");
}

// Receives the library's tokens. A function that returns false ends the reading.
class FeedTokens {
 public:
  FeedTokens(SitemapOutput* output, int64_t now_ms) : output_(output), now_ms_(now_ms) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(Json::number_integer_t) { return true; }
  bool number_unsigned(Json::number_unsigned_t) { return true; }
  bool number_float(Json::number_float_t, const std::string&) { return true; }
  bool binary(Json::binary_t&) { return true; }

  bool string(std::string& text) {
    // A version that says what this is, though it has no item yet.
    if (depth_ == 1 && name_ == "version" && text.find("jsonfeed.org/version/") != std::string::npos) {
      output_->summary.type = SitemapType::kJson;
    }
    if (depth_ != kItemDepth || !in_items_ || text.size() > kMaxSitemapFieldBytes) return true;
    const std::string_view value = TrimBytes(text, " \t\r\n");
    if (name_ == "url" && !value.empty()) {
      entry_.loc = value;
    } else if (name_ == "id" && IsWebUrl(value)) {
      id_ = value;
    } else if (name_ == "date_published" || name_ == "date_modified") {
      entry_.lastmod_ms = std::max(entry_.lastmod_ms, ParseAnyDateMs(value, now_ms_));
    }
    return true;
  }
  bool key(std::string& name) {
    name_ = std::move(name);
    return true;
  }

  bool start_object(size_t) {
    if (++depth_ == kItemDepth && in_items_) {
      entry_ = SitemapEntry();
      id_.clear();
    }
    name_.clear();
    return depth_ <= kMaxDepth;
  }
  bool end_object() {
    if (depth_-- == kItemDepth && in_items_) EndItem();
    name_.clear();
    return !output_->summary.too_many_entries;
  }
  bool start_array(size_t) {
    if (++depth_ == 2 && name_ == "items") {
      in_items_ = true;
      output_->summary.type = SitemapType::kJson;
    }
    return depth_ <= kMaxDepth;
  }
  bool end_array() {
    if (depth_-- == 2) in_items_ = false;
    name_.clear();
    return true;
  }

  bool parse_error(size_t position, const std::string&, const Json::exception&) {
    output_->summary.problem = "no JSON at byte " + std::to_string(position);
    return false;
  }

 private:
  // Of the members of an item: the feed, its list, the item.
  static constexpr int kItemDepth = 3;

  void EndItem() {
    if (entry_.loc.empty()) entry_.loc = id_;
    entry_.loc.empty() ? output_->Refuse() : output_->Emit(std::move(entry_));
  }

  SitemapOutput* const output_;
  const int64_t now_ms_;
  int depth_ = 0;
  bool in_items_ = false;
  std::string name_;
  std::string id_;
  SitemapEntry entry_;
};

class JsonFeed : public SitemapBody {
 public:
  JsonFeed(SitemapOutput* output, int64_t now_ms) : output_(output), now_ms_(now_ms) {}

  bool Feed(std::string_view piece) override {
    if (is_too_long_ || text_.size() + piece.size() > kMaxFeedBytes) {
      is_too_long_ = true;
      return false;
    }
    text_ += piece;
    return true;
  }

  void Finish() override {
    if (is_too_long_) {
      output_->summary.problem = "a feed of JSON over 16 MiB is not read";
      return;
    }
    FeedTokens tokens(output_, now_ms_);
    Json::sax_parse(text_, &tokens);
    if (output_->summary.type == SitemapType::kInvalid && output_->summary.problem.empty()) {
      output_->summary.problem = "JSON without \"items\" is no feed";
    }
  }

 private:
  SitemapOutput* const output_;
  const int64_t now_ms_;
  std::string text_;
  bool is_too_long_ = false;
};

}  // namespace

std::unique_ptr<SitemapBody> MakeJsonFeed(SitemapOutput* output, int64_t now_ms) {
  return std::make_unique<JsonFeed>(output, now_ms);
}

}  // namespace trawl
