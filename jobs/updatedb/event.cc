#include "jobs/updatedb/event.h"

#include <cstring>

namespace trawl {

namespace {

// The size of the fixed part, which follows the tag.
constexpr size_t kFixedBytes = 1 + 1 + 4 + 8 + 4;

template <typename T>
void Put(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <typename T>
T Take(std::string_view* bytes) {
  T value;
  std::memcpy(&value, bytes->data(), sizeof value);
  bytes->remove_prefix(sizeof value);
  return value;
}

}  // namespace

KeyClass ClassOfKey(std::string_view key) {
  const size_t host_end = key.find(')');
  if (host_end == std::string_view::npos) return KeyClass::kHost;
  return key.find('/', host_end) == std::string_view::npos ? KeyClass::kRobots : KeyClass::kUrl;
}

void EncodeDomainEvent(const DomainEvent& event, std::string* out) {
  out->assign(1, static_cast<char>(UpdateTag::kDomain));
  Put(event.host, out);
  Put(event.news.day_start_ms, out);
  Put(event.news.today, out);
  Put(event.news.pages, out);
}

arrow::Status DecodeDomainEvent(std::string_view bytes, DomainEvent* event) {
  constexpr size_t kBytes = 1 + 4 * 8;
  if (bytes.size() != kBytes) return arrow::Status::Invalid("a domain's event of ", bytes.size(), " bytes");
  bytes.remove_prefix(1);
  event->host = Take<uint64_t>(&bytes);
  event->news.day_start_ms = Take<int64_t>(&bytes);
  event->news.today = Take<int64_t>(&bytes);
  event->news.pages = Take<int64_t>(&bytes);
  return arrow::Status::OK();
}

void EncodeLinkEvent(const LinkEvent& link, std::string* out) {
  out->assign(1, static_cast<char>(UpdateTag::kLink));
  Put(static_cast<uint8_t>(link.counts), out);
  Put(static_cast<int8_t>(link.kind), out);
  Put(link.depth, out);
  Put(link.source_host, out);
  Put(static_cast<uint32_t>(link.via.size()), out);
  out->append(link.via).append(link.spelling);
}

arrow::Status DecodeLinkEvent(std::string_view bytes, LinkEvent* link) {
  if (bytes.size() < 1 + kFixedBytes)
    return arrow::Status::Invalid("a link event of ", bytes.size(), " bytes is cut off");
  bytes.remove_prefix(1);
  link->counts = Take<uint8_t>(&bytes) != 0;
  link->kind = static_cast<UrlKind>(Take<int8_t>(&bytes));
  link->depth = Take<int32_t>(&bytes);
  link->source_host = Take<uint64_t>(&bytes);
  const auto via_bytes = Take<uint32_t>(&bytes);
  if (via_bytes > bytes.size()) return arrow::Status::Invalid("a link event does not fit its length");
  link->via = bytes.substr(0, via_bytes);
  link->spelling = bytes.substr(via_bytes);
  return arrow::Status::OK();
}

}  // namespace trawl
