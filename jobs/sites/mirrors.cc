#include "jobs/sites/mirrors.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/text/ascii.h"
#include "formats/url/key.h"
#include "formats/url/parameters.h"
#include "jobs/yields/site_pages.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr size_t kMostPrefixes = 1000;
constexpr char kWwwPart[] = ",www";

// A key in the parts that may differ.
struct KeyParts {
  std::string_view host;    // host part
  std::string_view origin;  // after the ')'
  std::string_view path;
  std::string_view query;  // with '?'
};

KeyParts PartsOf(std::string_view key) {
  const std::string_view host = HostPartOfKey(key), origin = OriginPartOfKey(key);
  const size_t query_at = std::min(key.find('?', origin.size()), key.size());
  return {host, origin.substr(std::min(host.size() + 1, origin.size())),
          key.substr(origin.size(), query_at - origin.size()), key.substr(query_at)};
}

std::string Joined(const KeyParts& parts) {
  std::string key(parts.host);
  key.append(")").append(parts.origin).append(parts.path).append(parts.query);
  return key;
}

// What the URL has in common with its other spelling of this kind; nothing where there can be none.
std::optional<std::string> CommonForm(MirrorKind kind, KeyParts parts) {
  switch (kind) {
    case MirrorKind::kScheme:
      if (!parts.origin.empty() && parts.origin != "http") return std::nullopt;
      parts.origin = {};
      return Joined(parts);
    case MirrorKind::kWww:
      if (parts.host.ends_with(kWwwPart)) parts.host.remove_suffix(sizeof(kWwwPart) - 1);
      return Joined(parts);
    case MirrorKind::kSlash:
      if (parts.path.size() < 2) return std::nullopt;
      if (parts.path.ends_with('/')) parts.path.remove_suffix(1);
      return Joined(parts);
    case MirrorKind::kCase: {
      const std::string lower = AsciiLower(parts.path);
      parts.path = lower;
      return Joined(parts);
    }
    case MirrorKind::kIndex: {
      const size_t name_at = parts.path.rfind('/') + 1;
      const std::string_view name = parts.path.substr(name_at);
      if (!name.empty() && !IsDefaultDocument(name)) return std::nullopt;
      parts.path = parts.path.substr(0, name_at);
      return Joined(parts);
    }
    case MirrorKind::kHost:
      break;
  }
  return std::nullopt;
}

uint64_t HashOrNone(std::string_view text) { return text.empty() ? 0 : Hash64(text); }

std::string UrlOrKey(const std::string& key) { return UrlOfKey(key).ValueOr(key); }

// The origin, and the origin with the first path segment where there is a longer path.
std::vector<std::string> PrefixesOf(std::string_view key) {
  const std::string_view origin = OriginPartOfKey(key);
  std::vector<std::string> prefixes = {UrlOrKey(std::string(origin) + "/")};
  const size_t end = key.find('/', origin.size() + 1);
  const size_t query_at = std::min(key.find('?'), key.size());
  if (end < query_at) prefixes.push_back(UrlOrKey(std::string(key.substr(0, end + 1))));
  return prefixes;
}

std::string_view WithoutScheme(std::string_view url) { return url.substr(std::min(url.find("://"), url.size())); }

std::string TextOf(const Mirror& mirror) {
  const std::string share = ReadableCount(mirror.equal) + " of " + ReadableCount(mirror.pages);
  const std::string pairs = ": equal in " + share + " pairs";
  switch (mirror.kind) {
    case MirrorKind::kScheme:
      return "http and https lead to the same pages" + pairs;
    case MirrorKind::kWww:
      return "the host with and without www has the same pages" + pairs;
    case MirrorKind::kSlash:
      return "a slash at the end changes nothing" + pairs;
    case MirrorKind::kCase:
      return "small and capital letters in the path are the same" + pairs;
    case MirrorKind::kIndex:
      return "a folder and its index page are the same" + pairs;
    case MirrorKind::kHost:
      break;
  }
  return mirror.below + " mirrors " + mirror.of + ": " + share + " pages are duplicates of its pages";
}

}  // namespace

const char* NameOf(MirrorKind kind) {
  constexpr const char* kNames[] = {"scheme", "www", "slash", "case", "index", "host"};
  return kNames[static_cast<size_t>(kind)];
}

bool Mirrors::AreEqual(const Page& a, const Page& b) {
  if (a.content != 0 && a.content == b.content) return true;
  return a.stands_for_it == b.key || b.stands_for_it == a.key || a.redirect == b.key || b.redirect == a.key;
}

void Mirrors::Add(const UrlRow& row) {
  const std::string& standing = row.duplicate_of.empty() ? row.near_duplicate_of : row.duplicate_of;
  const Page page = {Hash64(row.key), HashOrNone(row.content_digest), HashOrNone(standing),
                     HashOrNone(row.redirect_to)};
  const KeyParts parts = PartsOf(row.key);
  const bool is_own = HostOfKey(row.key) == host_;
  for (size_t i = 0; i < kForms; ++i) {
    const auto kind = static_cast<MirrorKind>(i);
    if (!is_own && kind != MirrorKind::kWww) continue;
    std::optional<std::string> form = CommonForm(kind, parts);
    if (!form) continue;
    form->push_back(static_cast<char>('0' + i));
    const auto [first, is_new] = firsts_.try_emplace(Hash64(*form), page);
    if (is_new) continue;
    ++tallies_[i].pages;
    tallies_[i].equal += AreEqual(first->second, page) ? 1 : 0;
  }
  if (is_own) CountStanding(row);
}

// Redirects are no pages: they are not counted here.
void Mirrors::CountStanding(const UrlRow& row) {
  if (row.state == UrlState::kRedirected) return;
  const std::string& standing = row.duplicate_of.empty() ? row.near_duplicate_of : row.duplicate_of;
  const std::vector<std::string> prefixes = PrefixesOf(row.key);
  for (const std::string& prefix : prefixes) {
    const auto found = below_.find(prefix);
    if (found == below_.end() && below_.size() >= kMostPrefixes) continue;
    Below& below = found != below_.end() ? found->second : below_[prefix];
    ++below.pages;
    if (standing.empty()) continue;
    const std::vector<std::string> prefixes_of = PrefixesOf(standing);
    for (const std::string& of : prefixes_of) {
      // Another scheme is no mirror of its own kind, and neither is a part of the host a mirror of the whole.
      const bool is_same = WithoutScheme(of) == WithoutScheme(prefix);
      if (is_same || (HostOfKey(standing) == host_ && (prefix == prefixes[0] || of == prefixes_of[0]))) continue;
      if (below.of.contains(of) || below.of.size() < kMostPrefixes) ++below.of[of];
    }
  }
}

std::vector<Mirror> Mirrors::Find() const {
  std::vector<Mirror> found;
  for (size_t i = 0; i < kForms; ++i) {
    const Tally& tally = tallies_[i];
    if (tally.equal < kEnoughOfRule || tally.equal * 10 < tally.pages * 9) continue;
    found.push_back({static_cast<MirrorKind>(i), "", "", tally.pages, tally.equal});
  }
  const size_t first_prefix = found.size();
  for (const auto& [prefix, below] : below_) {
    const bool is_covered = std::any_of(found.begin() + static_cast<std::ptrdiff_t>(first_prefix), found.end(),
                                        [&](const Mirror& mirror) { return prefix.starts_with(mirror.below); });
    if (is_covered) continue;
    // Of several the narrowest that has as many.
    const std::string* of = nullptr;
    int64_t most = 0;
    for (const auto& [candidate, pages] : below.of) {
      if (pages < most) continue;
      most = pages;
      of = &candidate;
    }
    if (of == nullptr || most < kEnoughOfRule || most * 2 < below.pages) continue;
    found.push_back({MirrorKind::kHost, prefix, *of, below.pages, most});
  }
  return found;
}

Result<Json> MirrorsJson(Store* store, const Manifest& snapshot, const std::string& host, const StopToken& stop) {
  constexpr std::string_view kWww = "www.";
  const std::string sister = host.starts_with(kWww) ? host.substr(kWww.size()) : std::string(kWww) + host;
  Mirrors mirrors(host);
  for (const std::string& one : {host, sister}) {
    if (!HostPartOfHost(one).ok()) continue;
    ARROW_RETURN_NOT_OK(ForEachSitePage(store, snapshot, one, kMostSitePages, stop, [&](const UrlRow& row) {
                          mirrors.Add(row);
                        }).status());
  }
  Json list = Json::array();
  for (const Mirror& mirror : mirrors.Find()) {
    list.push_back({{"kind", NameOf(mirror.kind)},
                    {"below", mirror.below.empty() ? Json() : Json(mirror.below)},
                    {"of", mirror.of.empty() ? Json() : Json(mirror.of)},
                    {"pages", mirror.pages},
                    {"equal", mirror.equal},
                    {"text", TextOf(mirror)}});
  }
  return list;
}

}  // namespace trawl
