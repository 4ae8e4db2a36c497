#include "jobs/fetch/shared_bodies.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/http/raw_headers.h"

namespace trawl {

namespace {

// Whatever parse takes from an answer's header section (jobs/parse/page_parser.cc, jobs/signals/signals.h).
constexpr std::string_view kReadFields[] = {"x-robots-tag",    "link",       "refresh",        "content-language",
                                            "tdm-reservation", "tdm-policy", "content-signal", "content-type"};

// Memory for places, over all tasks; a place takes some 100 bytes.
constexpr size_t kPlaces = 512 << 10;
constexpr size_t kLeastPlaces = 32 << 10;

uint64_t FactsOf(const FetchRow& row) {
  std::string facts =
      row.content_type + '\0' + row.kept_codings + '\0' + std::to_string(static_cast<int>(row.truncated));
  const HeaderList headers = ParseRawHeaders(row.response_headers);
  for (const std::string_view name : kReadFields) {
    facts += '\0';
    for (const std::string_view value : headers.All(name)) facts.append(value).append(1, '\n');
  }
  return Hash64(facts);
}

}  // namespace

size_t MostSharedBodies(int tasks) { return std::max(kPlaces / static_cast<size_t>(std::max(tasks, 1)), kLeastPlaces); }

std::optional<SharedBodies::Key> SharedBodies::KeyOf(const FetchRow& row) {
  Key key;
  if (row.body_digest.size() != sizeof key.body) return std::nullopt;
  std::memcpy(key.body.data(), row.body_digest.data(), sizeof key.body);
  key.facts = FactsOf(row);
  return key;
}

bool SharedBodies::Share(FetchRow* row) {
  const std::optional<Key> key = KeyOf(*row);
  if (!key) return false;
  auto found = newer_.find(*key);
  if (found == newer_.end()) {
    const auto old = older_.find(*key);
    if (old == older_.end()) return false;
    const Place place = old->second;
    Remember(*key, place);
    found = newer_.find(*key);
  }
  row->content_file = files_[found->second.file];
  row->content_row = found->second.row;
  row->shares_body = true;
  return true;
}

void SharedBodies::Add(const FetchRow& row) {
  const std::optional<Key> key = KeyOf(row);
  if (!key) return;
  if (files_.empty() || files_.back() != row.content_file) files_.push_back(row.content_file);
  Remember(*key, {files_.size() - 1, row.content_row});
}

void SharedBodies::Remember(const Key& key, Place place) {
  if (newer_.size() >= most_ / 2) {
    older_ = std::move(newer_);
    newer_.clear();
  }
  newer_.insert_or_assign(key, place);
}

}  // namespace trawl
