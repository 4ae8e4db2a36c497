#include "formats/sitemap/sitemap.h"

#include <algorithm>
#include <utility>

#include "formats/charset/labels.h"
#include "formats/sitemap/body.h"
#include "formats/text/ascii.h"

namespace trawl {

namespace {

// Enough to tell the kind of a file, and to see past anything before the document.
constexpr size_t kHeadBytes = 1024;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view SkipMarkAndSpace(std::string_view text) {
  while (true) {
    if (text.starts_with(kByteOrderMark)) {
      text.remove_prefix(kByteOrderMark.size());
    } else if (!text.empty() && IsAsciiWhitespace(text.front())) {
      text.remove_prefix(1);
    } else {
      return text;
    }
  }
}

// UTF-16 by its first bytes, which count more than the XML declaration; empty where it is not UTF-16.
std::string_view Utf16Encoding(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("\xFE\xFF"sv) || head.starts_with("\xFF\xFE"sv)) return "UTF-16";
  if (head.starts_with("<\0"sv)) return "UTF-16LE";
  if (head.starts_with("\0<"sv)) return "UTF-16BE";
  return {};
}

// Whether the first character in UTF-16 after a mark and white space is a "<".
bool IsUtf16Xml(std::string_view head) {
  std::string ascii;
  for (const char c : head) {
    if (c != '\0' && static_cast<unsigned char>(c) < 0xFE) ascii.push_back(c);
  }
  return SkipMarkAndSpace(ascii).starts_with('<');
}

// The place where the XML begins: at its declaration, which a parser needs as the first thing; otherwise at the first
// "<"; or, after words before the document, at a known root. Nothing where this is not XML.
std::optional<size_t> FindXml(std::string_view head) {
  const size_t declaration = head.find("<?xml");
  if (declaration != std::string_view::npos) return declaration;
  if (head.starts_with('<')) return 0;
  size_t first = std::string_view::npos;
  for (const std::string_view root : {"<urlset", "<sitemapindex", "<rss", "<feed", "<rdf:RDF"}) {
    first = std::min(first, head.find(root));
  }
  return first == std::string_view::npos ? std::nullopt : std::optional(first);
}

// The value of encoding="…" in the XML declaration at the front of `text`; else empty.
std::string_view DeclaredEncoding(std::string_view text) {
  if (!text.starts_with("<?xml")) return {};
  const std::string_view declaration = text.substr(0, text.find("?>"));
  size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  at = declaration.find_first_of("\"'", at);
  if (at == std::string_view::npos) return {};
  const std::string_view value = declaration.substr(at + 1);
  return value.substr(0, value.find(declaration[at]));
}

// The encoding for XML whose bytes are like ASCII: the one that it declares, or UTF-8 where it declares an unknown one
// or UTF-16, which it cannot be.
std::string_view EncodingOfXml(std::string_view text) {
  const std::string_view label = DeclaredEncoding(text);
  if (label.empty()) return {};
  const std::string_view name = EncodingForLabel(label);
  return name.empty() || name.starts_with("UTF-16") || name == "replacement" ? "UTF-8" : name;
}

}  // namespace

std::string_view NameOf(SitemapType type) {
  constexpr std::string_view kNames[] = {"invalid", "urlset", "index", "text", "rss", "atom", "json"};
  return kNames[static_cast<size_t>(type)];
}

std::string_view NameOf(ChangeFrequency frequency) {
  constexpr std::string_view kNames[] = {"", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"};
  return kNames[static_cast<size_t>(frequency)];
}

SitemapReader::SitemapReader(Sink sink, int64_t now_ms, SitemapLimits limits)
    : output_(std::make_unique<SitemapOutput>(std::move(sink), limits.max_entries)),
      now_ms_(now_ms),
      bytes_left_(limits.max_bytes) {}

SitemapReader::~SitemapReader() = default;

void SitemapReader::Start() {
  const std::string head = std::move(head_);
  const std::string_view utf16 = Utf16Encoding(head);
  if (!utf16.empty() && !IsUtf16Xml(head)) {
    body_ = MakeSitemapUtf16Text(output_.get(), head.starts_with('\xFE'));
    body_->Feed(head);
    return;
  }
  if (!utf16.empty()) {
    body_ = MakeSitemapXml(output_.get(), utf16, now_ms_);
    body_->Feed(head);
    return;
  }
  std::string_view text = SkipMarkAndSpace(head);
  const std::optional<size_t> xml = FindXml(text);
  if (text.starts_with('{')) {
    body_ = MakeJsonFeed(output_.get(), now_ms_);
  } else if (xml) {
    text.remove_prefix(*xml);
    body_ = MakeSitemapXml(output_.get(), EncodingOfXml(text), now_ms_);
  } else {
    body_ = MakeSitemapText(output_.get());
  }
  body_->Feed(text);
}

bool SitemapReader::Feed(std::string_view piece) {
  if (piece.size() > bytes_left_) {
    output_->summary.too_many_bytes = true;
    piece = piece.substr(0, bytes_left_);
  }
  bytes_left_ -= piece.size();
  while (!body_ && !piece.empty()) {
    const std::string_view part = piece.substr(0, kHeadBytes);
    piece.remove_prefix(part.size());
    head_ += part;
    // White space at the front may be longer than the head, so it is not kept.
    if (Utf16Encoding(head_).empty()) head_.erase(0, head_.size() - SkipMarkAndSpace(head_).size());
    if (head_.size() >= kHeadBytes) Start();
  }
  const bool goes_on = !body_ || body_->Feed(piece);
  return goes_on && !output_->summary.too_many_bytes;
}

SitemapSummary SitemapReader::Finish() {
  if (!body_) Start();
  body_->Finish();
  return std::move(output_->summary);
}

}  // namespace trawl
