#include "tests/support/crawl/crawled_rows.h"

#include <algorithm>
#include <cstdio>

#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "formats/url/slot_range.h"
#include "tests/support/values/mix.h"

namespace trawl {

std::vector<std::string> HostPartsInOrder(int64_t hosts) {
  std::vector<std::pair<uint32_t, std::string>> keys;  // slot, host part with its ')'
  for (int64_t host = 0; host < hosts; ++host) {
    const std::string number = std::to_string(Mix(static_cast<uint64_t>(host)) % 1'000'000'000);
    std::string key = (host % 2 == 0 ? "com,site" : "org,site") + number + (host % 3 == 0 ? ")" : ",www)");
    const uint32_t slot = SlotOfKey(key);
    keys.emplace_back(slot, std::move(key));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<std::string> parts;
  for (auto& [slot, key] : keys) parts.push_back(key.substr(0, key.size() - 1));
  return parts;
}

bool CrawledRows::Next(UrlRow* row) {
  const int64_t host = at_ / kPagesAHost;
  if (host >= static_cast<int64_t>(hosts_.size())) return false;
  const auto page = static_cast<int>(at_ % kPagesAHost);
  char path[64];
  const int size = std::snprintf(path, sizeof path, ")/section/%02d/article-%06d.html", page / 10, page * 37);
  row->key.assign(hosts_[static_cast<size_t>(host)]).append(path, static_cast<size_t>(size));
  Fill(Mix(static_cast<uint64_t>(at_)), row);
  at_ += step_;
  return true;
}

void CrawledRows::Fill(uint64_t random, UrlRow* row) const {
  const auto bits = [random](int shift, uint64_t below) { return static_cast<int64_t>((random >> shift) % below); };
  const bool fetched = random % 10 < 7;
  row->state = fetched ? UrlState::kFetched : UrlState::kUnfetched;
  row->outcome = fetched ? Outcome::kFetched : Outcome::kNone;
  row->due_ms = 1'790'000'000'000 + bits(3, 5'000'000'000) + step_;
  row->interval_ms = fetched ? kDayMs * (1 + bits(7, 30)) : 0;
  row->discovered_ms = 1'780'000'000'000 + bits(5, 10'000'000'000);
  row->via.assign(row->key, 0, row->key.size() - 20);
  row->depth = static_cast<int32_t>(bits(11, 6));
  row->score = static_cast<int32_t>(bits(13, kScoreOne));
  row->inlinks = static_cast<int32_t>(bits(17, 50));
  row->fetched_ms = fetched ? row->discovered_ms + kDayMs : 0;
  row->changed_ms = row->fetched_ms;
  row->status = fetched ? 200 : 0;
  row->fetches = fetched ? static_cast<int32_t>(1 + bits(19, 9)) : 0;
  row->response_ms = fetched ? static_cast<int32_t>(bits(23, 900)) : 0;
  row->content_type = fetched ? "text/html" : "";
  row->bytes = fetched ? 5000 + bits(29, 90'000) : 0;
  row->body_segment = fetched ? "20261118T125139Z-7b1d3f02" : "";
  row->body_file = fetched ? "m3-0-1.orc" : "";
  row->body_row = fetched ? bits(31, 100'000) : 0;
  row->etag.clear();
  row->body_digest.clear();
  row->content_digest.clear();
  if (!fetched) return;
  for (uint64_t word = 0; word < 4; ++word) {
    const uint64_t piece = Mix(random + word);
    row->body_digest.append(reinterpret_cast<const char*>(&piece), sizeof piece);
    row->content_digest.append(reinterpret_cast<const char*>(&piece), sizeof piece);
  }
  if (random % 5 == 0) row->etag.assign("\"").append(std::to_string(random)).append("\"");
}

}  // namespace trawl
