#include "jobs/settle/representative.h"

#include <algorithm>

#include "formats/digests/digest.h"
#include "formats/html/content_digest.h"
#include "formats/url/key.h"

namespace trawl {

namespace {

void AppendBigEndian(uint64_t number, int bytes, std::string* out) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) *out += static_cast<char>((number >> shift) & 0xFF);
}

uint64_t ReadBigEndian(std::string_view bytes) {
  uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<uint8_t>(c);
  return number;
}

struct Shape {
  bool is_https = false;
  uint64_t parameters = 0, path_parts = 0;
};

Shape ShapeOf(std::string_view url) {
  Shape shape = {.is_https = url.starts_with("https:")};
  const size_t begin = url.find("//");
  const size_t path = begin == std::string_view::npos ? std::string_view::npos : url.find('/', begin + 2);
  if (path == std::string_view::npos) return shape;
  const size_t query = std::min(url.find('?', path), url.size());
  const auto count = [url](size_t from, size_t to, char between) {
    uint64_t parts = 0;
    for (size_t at = from; at < to; ++at) {
      if (url[at] != between && (at == from || url[at - 1] == between)) ++parts;
    }
    return parts;
  };
  shape.path_parts = count(path + 1, query, '/');
  if (query < url.size()) shape.parameters = count(query + 1, url.size(), '&');
  return shape;
}

// A vote of a page of the same host, and one of another host, which counts only where the page names itself, too.
uint64_t VoteFor(std::string_view page, bool is_same_host) {
  return Hash64(std::string(is_same_host ? "own " : "other ") + std::string(page));
}

}  // namespace

bool TakesPart(const UrlRow& row) {
  const bool is_there =
      row.state == UrlState::kFetched || row.state == UrlState::kDuplicate || row.state == UrlState::kFailing;
  return !row.removed && row.kind == UrlKind::kPage && is_there && !row.content_digest.empty() &&
         row.truncated == Truncation::kNone && row.parser >= kLeastSettledParser;
}

std::string ContentOfPage(const UrlRow& row) {
  static const Sha256Value nothing = ContentDigest(HtmlPage(), "");
  const bool is_nothing =
      row.content_digest == std::string_view(reinterpret_cast<const char*>(nothing.data()), nothing.size());
  return ToHex(is_nothing ? row.body_digest : row.content_digest);
}

std::string OrderOfPage(const UrlRow& row) {
  std::string url;
  if (!WriteUrlOfKey(row.key, &url)) url = row.key;
  const Shape shape = ShapeOf(url);
  const bool answers = row.status == 200 || row.status == 304 || row.state == UrlState::kFailing;
  std::string order;
  order += shape.is_https ? '\0' : '\1';
  order += answers ? '\0' : '\1';
  AppendBigEndian(shape.parameters, 2, &order);
  AppendBigEndian(shape.path_parts, 2, &order);
  AppendBigEndian(url.size(), 2, &order);
  AppendBigEndian(static_cast<uint64_t>(row.discovered_ms) ^ (uint64_t{1} << 63), 8, &order);
  return order + row.key;
}

std::string WholeOrder(bool is_named, std::string_view order) {
  return std::string(1, is_named ? '\0' : '\1').append(order);
}

std::optional<uint64_t> VoteOfPage(std::string_view page, std::string_view canonical_to) {
  if (canonical_to.empty() || canonical_to == page) return std::nullopt;
  return VoteFor(canonical_to, HostPartOfKey(page) == HostPartOfKey(canonical_to));
}

NamedPages::NamedPages(std::string_view bytes) {
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) votes_.push_back(ReadBigEndian(bytes.substr(at, 8)));
}

std::string NamedPages::Bytes() const {
  std::string bytes;
  for (const uint64_t vote : votes_) AppendBigEndian(vote, 8, &bytes);
  return bytes;
}

void NamedPages::Add(uint64_t vote) {
  if (!WouldChange(vote)) return;
  votes_.insert(std::lower_bound(votes_.begin(), votes_.end(), vote), vote);
  if (votes_.size() > kMost) votes_.pop_back();
}

bool NamedPages::WouldChange(uint64_t vote) const {
  if (votes_.size() >= kMost && vote > votes_.back()) return false;
  return !std::binary_search(votes_.begin(), votes_.end(), vote);
}

bool NamedPages::Names(std::string_view page, std::string_view canonical_to) const {
  if (votes_.empty()) return false;
  const auto has = [this](uint64_t vote) { return std::binary_search(votes_.begin(), votes_.end(), vote); };
  return has(VoteFor(page, true)) || (canonical_to == page && has(VoteFor(page, false)));
}

}  // namespace trawl
