#include "jobs/updatedb/event.h"

#include <algorithm>

#include "jobs/segment/fixed_bytes.h"

namespace trawl {

namespace {

// The size of the fixed part of a link, which follows the tag.
constexpr size_t kFixedBytes = 1 + 1 + 4 + 8 + 4;
// Nearly all links have no words, and then the event has no room for them.
constexpr size_t kWordsBytes = 4 + 8 + 8;
// Those that stand for several links say how many, and of which hosts.
constexpr size_t kFoldBytes = 8 + 4;
constexpr uint8_t kCounts = 1, kIsEntry = 2, kIsGuess = 4, kHasWords = 8, kIsNamed = 16, kIsNewlyNamed = 32,
                  kIsFold = 64;

}  // namespace

KeyClass ClassOfKey(std::string_view key) {
  const size_t host_end = key.find(')');
  if (host_end == std::string_view::npos) return KeyClass::kHost;
  return key.find('/', host_end) == std::string_view::npos ? KeyClass::kRobots : KeyClass::kUrl;
}

void EncodeDomainEvent(const DomainEvent& event, std::string* out) {
  out->assign(1, static_cast<char>(UpdateTag::kDomain));
  PutFixed(event.host, out);
  PutFixed(event.news.day_start_ms, out);
  PutFixed(event.news.today, out);
  PutFixed(event.news.pages, out);
}

arrow::Status DecodeDomainEvent(std::string_view bytes, DomainEvent* event) {
  constexpr size_t kBytes = 1 + 4 * 8;
  if (bytes.size() != kBytes) return arrow::Status::Invalid("a domain's event of ", bytes.size(), " bytes");
  bytes.remove_prefix(1);
  event->host = TakeFixed<uint64_t>(&bytes);
  event->news.day_start_ms = TakeFixed<int64_t>(&bytes);
  event->news.today = TakeFixed<int64_t>(&bytes);
  event->news.pages = TakeFixed<int64_t>(&bytes);
  return arrow::Status::OK();
}

void EncodeParseEvent(const ParseEvent& event, std::string* out) {
  out->assign(1, static_cast<char>(event.is_reread ? UpdateTag::kReread : UpdateTag::kParse));
  PutFixed(event.number, out);
  PutFixed(static_cast<uint32_t>(event.file.size()), out);
  out->append(event.file).append(event.row);
}

arrow::Status DecodeParseEvent(std::string_view bytes, ParseEvent* event) {
  constexpr size_t kBytes = 1 + 8 + 4;
  if (bytes.size() < kBytes) return arrow::Status::Invalid("a parse event of ", bytes.size(), " bytes is cut off");
  event->is_reread = bytes.front() == static_cast<char>(UpdateTag::kReread);
  bytes.remove_prefix(1);
  event->number = TakeFixed<int64_t>(&bytes);
  const auto file_bytes = TakeFixed<uint32_t>(&bytes);
  if (file_bytes > bytes.size()) return arrow::Status::Invalid("a parse event does not fit its length");
  event->file = bytes.substr(0, file_bytes);
  event->row = bytes.substr(file_bytes);
  return arrow::Status::OK();
}

void EncodeStatedEvent(const StatedEvent& event, std::string* out) {
  out->assign(1, static_cast<char>(UpdateTag::kStated));
  PutFixed(event.priorities, out);
  PutFixed(event.top, out);
}

arrow::Status DecodeStatedEvent(std::string_view bytes, StatedEvent* event) {
  constexpr size_t kBytes = 1 + 2 * 8;
  if (bytes.size() != kBytes) return arrow::Status::Invalid("an event of stated words of ", bytes.size(), " bytes");
  bytes.remove_prefix(1);
  event->priorities = TakeFixed<int64_t>(&bytes);
  event->top = TakeFixed<int64_t>(&bytes);
  return arrow::Status::OK();
}

void EncodeLinkEvent(const LinkEvent& link, std::string* out) {
  out->assign(1, static_cast<char>(UpdateTag::kLink));
  const bool has_words = !(link.words == StatedWords());
  PutFixed(static_cast<uint8_t>((link.counts ? kCounts : 0) | (link.is_entry ? kIsEntry : 0) |
                                (link.is_guess ? kIsGuess : 0) | (has_words ? kHasWords : 0) |
                                (link.is_named ? kIsNamed : 0) | (link.is_newly_named ? kIsNewlyNamed : 0) |
                                (link.links > 1 ? kIsFold : 0)),
           out);
  PutFixed(static_cast<int8_t>(link.kind), out);
  PutFixed(link.depth, out);
  PutFixed(link.source_host, out);
  PutFixed(static_cast<uint32_t>(link.via.size()), out);
  if (has_words) {
    PutFixed(link.words.priority, out);
    PutFixed(link.words.interval_ms, out);
    PutFixed(link.words.lastmod_ms, out);
  }
  if (link.links > 1) {
    PutFixed(link.links, out);
    PutFixed(static_cast<uint32_t>(link.hosts.size()), out);
    out->append(link.hosts);
  }
  out->append(link.via).append(link.spelling);
}

arrow::Status DecodeLinkEvent(std::string_view bytes, LinkEvent* link) {
  if (bytes.size() < 1 + kFixedBytes)
    return arrow::Status::Invalid("a link event of ", bytes.size(), " bytes is cut off");
  bytes.remove_prefix(1);
  const auto flags = TakeFixed<uint8_t>(&bytes);
  link->counts = (flags & kCounts) != 0;
  link->is_entry = (flags & kIsEntry) != 0;
  link->is_guess = (flags & kIsGuess) != 0;
  link->is_named = (flags & kIsNamed) != 0;
  link->is_newly_named = (flags & kIsNewlyNamed) != 0;
  link->kind = static_cast<UrlKind>(TakeFixed<int8_t>(&bytes));
  link->depth = TakeFixed<int32_t>(&bytes);
  link->source_host = TakeFixed<uint64_t>(&bytes);
  const auto via_bytes = TakeFixed<uint32_t>(&bytes);
  const bool has_words = (flags & kHasWords) != 0;
  if (has_words && bytes.size() < kWordsBytes) return arrow::Status::Invalid("a link event's words are cut off");
  link->words = StatedWords();
  if (has_words) {
    link->words.priority = TakeFixed<int32_t>(&bytes);
    link->words.interval_ms = TakeFixed<int64_t>(&bytes);
    link->words.lastmod_ms = TakeFixed<int64_t>(&bytes);
  }
  link->links = 1;
  link->hosts = {};
  if ((flags & kIsFold) != 0) {
    if (bytes.size() < kFoldBytes) return arrow::Status::Invalid("the event of several links is cut off");
    link->links = TakeFixed<int64_t>(&bytes);
    const auto host_bytes = TakeFixed<uint32_t>(&bytes);
    if (host_bytes > bytes.size()) return arrow::Status::Invalid("the event of several links does not fit its length");
    link->hosts = bytes.substr(0, host_bytes);
    bytes.remove_prefix(host_bytes);
  }
  if (via_bytes > bytes.size()) return arrow::Status::Invalid("a link event does not fit its length");
  link->via = bytes.substr(0, via_bytes);
  link->spelling = bytes.substr(via_bytes);
  return arrow::Status::OK();
}

}  // namespace trawl
