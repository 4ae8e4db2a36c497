#include "formats/url/key.h"

#include <algorithm>

#include "arrow/status.h"
#include "formats/digests/digest.h"
#include "formats/url/pieces.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kHostEnd = ')';
// The bytes just after the keys of a host, and of a domain: see ORDER in the header.
constexpr char kAfterHost = kHostEnd + 1;
constexpr char kAfterDomain = ',' + 1;

bool IsAddress(std::string_view host_part) {
  return host_part.starts_with('[') || host_part.find('.') != std::string_view::npos;
}

// Appends the parts of `from` between `separator` in reverse order, joined by `joiner`.
void AppendReversed(std::string_view from, char separator, char joiner, std::string* out) {
  for (;;) {
    const size_t at = from.rfind(separator);
    if (at == std::string_view::npos) break;
    out->append(from.substr(at + 1));
    out->push_back(joiner);
    from = from.substr(0, at);
  }
  out->append(from);
}

void AppendHostPart(std::string_view host, HostForm form, std::string* out) {
  if (form == HostForm::kName) {
    AppendReversed(host, '.', ',', out);
  } else {
    out->append(host);
  }
}

void AppendHost(std::string_view host_part, std::string* out) {
  if (IsAddress(host_part)) {
    out->append(host_part);
  } else {
    AppendReversed(host_part, ',', '.', out);
  }
}

}  // namespace

void WriteKeyOfPieces(const UrlPieces& pieces, std::string* key) {
  key->clear();
  AppendHostPart(pieces.host, pieces.host_form, key);
  key->push_back(kHostEnd);
  const bool usual = pieces.port.empty() && pieces.scheme.size() == 5;
  if (!usual) key->append(pieces.scheme);
  if (!pieces.port.empty()) key->append(":").append(pieces.port);
  key->append(pieces.path);
  if (pieces.has_query) key->append("?").append(pieces.query);
}

bool WriteKeyOfUrl(std::string_view url, std::string* key) {
  key->clear();
  UrlPieces pieces;
  if (!SplitWebUrl(url, &pieces)) return false;
  WriteKeyOfPieces(pieces, key);
  return key->size() <= kMaxKeyBytes;
}

Result<std::string> KeyOfUrl(std::string_view url) {
  std::string key;
  if (WriteKeyOfUrl(url, &key)) return key;
  if (key.empty())
    return Status::Invalid("\"", url.substr(0, 200), "\" is not a normalised URL with a host that a key can hold");
  return Status::Invalid("a key of ", key.size(), " bytes is over ", kMaxKeyBytes);
}

bool WriteUrlOfKey(std::string_view key, std::string* url) {
  url->clear();
  const std::string_view host_part = HostPartOfKey(key);
  const std::string_view origin = OriginPartOfKey(key);
  if (key.size() > kMaxKeyBytes || origin.size() == key.size()) return false;
  const std::string_view scheme_and_port = origin.substr(host_part.size() + 1);
  const std::string_view scheme = scheme_and_port.substr(0, scheme_and_port.find(':'));
  // Each URL has one key: the scheme is left out exactly where it is https without a port.
  if (scheme_and_port == "https" || (scheme.empty() && !scheme_and_port.empty())) return false;
  url->append(scheme.empty() ? "https" : scheme).append("://");
  const size_t host_start = url->size();
  AppendHost(host_part, url);
  const HostForm form = FormOfHost(std::string_view(*url).substr(host_start));
  if (form == HostForm::kRefused || (form != HostForm::kName) != IsAddress(host_part)) return false;
  url->append(scheme_and_port.substr(scheme.size())).append(key.substr(origin.size()));
  UrlPieces pieces;
  return SplitWebUrl(*url, &pieces);
}

Result<std::string> UrlOfKey(std::string_view key) {
  std::string url;
  if (!WriteUrlOfKey(key, &url)) return Status::Invalid("\"", key.substr(0, 200), "\" is not a key of a URL");
  return url;
}

std::string_view HostPartOfKey(std::string_view key) { return key.substr(0, key.find(kHostEnd)); }

Result<std::string> HostPartOfHost(std::string_view host) {
  const HostForm form = FormOfHost(host);
  if (form == HostForm::kRefused)
    return Status::Invalid("\"", host.substr(0, 200), "\" is not a host that a key can hold");
  std::string part;
  AppendHostPart(host, form, &part);
  return part;
}

std::string_view OriginPartOfKey(std::string_view key) {
  const size_t end = key.find(kHostEnd);
  return end == std::string_view::npos ? key : key.substr(0, key.find('/', end));
}

std::string HostOfKey(std::string_view key) {
  std::string host;
  AppendHost(HostPartOfKey(key), &host);
  return host;
}

uint16_t SlotOfHost(std::string_view host) { return static_cast<uint16_t>(Hash64(host) >> 48); }

uint16_t SlotOfKey(std::string_view key) { return SlotOfHost(HostOfKey(key)); }

uint16_t SlotOfKeys::operator()(std::string_view key) {
  if (host_part_.empty() || !key.starts_with(host_part_)) {
    slot_ = SlotOfKey(key);
    const std::string_view host_part = HostPartOfKey(key);
    // The key of a hosts row ends with the host part, so it does not help to recognise the next key.
    host_part_.assign(host_part.size() < key.size() ? key.substr(0, host_part.size() + 1) : std::string_view());
  }
  return slot_;
}

Result<KeyRange> KeyRangeOfHost(std::string_view host) {
  ARROW_ASSIGN_OR_RAISE(const std::string part, HostPartOfHost(host));
  return KeyRange{part, part + kAfterHost};
}

Result<KeyRange> KeyRangeOfDomain(std::string_view domain) {
  ARROW_ASSIGN_OR_RAISE(const std::string part, HostPartOfHost(domain));
  return KeyRange{part, part + (IsAddress(part) ? kAfterHost : kAfterDomain)};
}

Result<KeyRange> KeyRangeOfUrlPrefix(std::string_view prefix) {
  ARROW_ASSIGN_OR_RAISE(std::string from, KeyOfUrl(prefix));
  std::string to = from;
  // The least string after all strings with this beginning.
  while (to.back() == '\xff') to.pop_back();
  to.back() = static_cast<char>(static_cast<unsigned char>(to.back()) + 1);
  return KeyRange{std::move(from), std::move(to)};
}

}  // namespace trawl
