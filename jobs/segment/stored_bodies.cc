#include "jobs/segment/stored_bodies.h"

#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;

void TakeFactsOf(const UrlRow& row, ContentRow* body) {
  if (body->key == row.key) return;
  body->key = row.key;
  body->url = RequestUrl(row);
  body->kind = row.kind;
  body->fetched_ms = body->began_ms = row.fetched_ms;
  body->content_type = row.content_type;
  body->truncated = row.truncated;
  body->body_digest = row.body_digest;
  body->depth = row.depth;
  body->score = row.score;
  body->first_parse = row.parser == 0;
}

namespace {

std::string PlaceKey(const std::string& segment, const std::string& file, int64_t row) {
  std::string key = segment + '\0' + file + '\0';
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>((static_cast<uint64_t>(row) >> shift) & 0xFF);
  return key;
}

}  // namespace

std::string BodyPlaceKey(const UrlRow& row) { return PlaceKey(row.body_segment, row.body_file, row.body_row); }

std::string ParsePlaceKey(const UrlRow& row) {
  return row.parse_segment.empty() ? BodyPlaceKey(row) : PlaceKey(row.parse_segment, row.parse_file, row.parse_row);
}

std::string ReadingKey(const UrlRow& row) { return row.shares_body ? ParsePlaceKey(row) : BodyPlaceKey(row); }

Result<bool> StoredBodies::HasBodyOf(const UrlRow& row) {
  if (row.body_file.empty() || !IsValidId(row.body_segment)) return false;
  return Has(row.body_segment, row.body_file);
}

Result<bool> StoredBodies::Has(const std::string& segment, const std::string& file) {
  const auto [known, is_new] = files_.try_emplace(segment);
  if (is_new) {
    ARROW_ASSIGN_OR_RAISE(const std::vector<StoreEntry> entries,
                          store_->List(DatasetFolder(segment, ContentRow::kTable), /*recursive=*/false));
    for (const StoreEntry& entry : entries) known->second.insert(entry.path.substr(entry.path.rfind('/') + 1));
  }
  return known->second.contains(file);
}

}  // namespace trawl
