#include "tests/support/crawl/settled_web.h"

#include <algorithm>

#include "formats/digests/simhash.h"
#include "formats/digests/text_sketch.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

namespace {

std::string HostIn(const std::string& url) {
  const size_t begin = url.find("//") + 2;
  return url.substr(begin, url.find('/', begin) - begin);
}

int64_t Count(const std::string& text, char c) { return std::count(text.begin(), text.end(), c); }

// The order as docs/operations.md has it.
auto OrderIn(const UrlRow& row, bool is_named) {
  const std::string url = *UrlOfKey(row.key);
  const size_t path = url.find('/', url.find("//") + 2);
  const size_t query = std::min(url.find('?'), url.size());
  const int64_t parameters = query < url.size() ? 1 + Count(url.substr(query), '&') : 0;
  std::string parts = url.substr(path, query - path);
  if (parts.ends_with('/')) parts.pop_back();
  const bool answers = row.status == 200 || row.status == 304 || row.state == UrlState::kFailing;
  return std::make_tuple(!is_named, !url.starts_with("https:"), !answers, parameters, Count(parts, '/'), url.size(),
                         row.discovered_ms, row.key);
}

// Whether a page of the same content counts as naming the other as canonical.
bool Names(const UrlRow& by, const UrlRow& page) {
  const bool is_same_host = HostIn(*UrlOfKey(by.key)) == HostIn(*UrlOfKey(page.key));
  return by.key != page.key && by.canonical_to == page.key && (is_same_host || page.canonical_to == page.key);
}

bool IsMember(const UrlRow& row) {
  return row.kind == UrlKind::kPage && !row.content_digest.empty() && row.parser >= 2 &&
         (row.state == UrlState::kFetched || row.state == UrlState::kDuplicate || row.state == UrlState::kFailing);
}

}  // namespace

std::map<std::string, std::string> DuplicatesByComparing(const std::vector<UrlRow>& rows) {
  std::map<std::string, std::vector<const UrlRow*>> groups;
  for (const UrlRow& row : rows) {
    if (IsMember(row)) groups[row.content_digest].push_back(&row);
  }
  std::map<std::string, std::string> duplicates;
  for (const auto& [content, members] : groups) {
    const auto is_named = [&members = members](const UrlRow& page) {
      return std::any_of(members.begin(), members.end(), [&page](const UrlRow* by) { return Names(*by, page); });
    };
    const UrlRow* const first = *std::min_element(
        members.begin(), members.end(),
        [&](const UrlRow* a, const UrlRow* b) { return OrderIn(*a, is_named(*a)) < OrderIn(*b, is_named(*b)); });
    for (const UrlRow* const member : members) {
      if (member != first) duplicates[member->key] = first->key;
    }
  }
  return duplicates;
}

bool AreNear(const UrlRow& a, const UrlRow& b) {
  return a.simhash != 0 && b.simhash != 0 &&
         HammingDistance(static_cast<uint64_t>(a.simhash), static_cast<uint64_t>(b.simhash)) <= 3 &&
         MayBeCopies(TextSketch::FromBytes(a.text_sketch), TextSketch::FromBytes(b.text_sketch));
}

std::map<std::string, std::string> NearOnesByComparing(const std::vector<UrlRow>& rows) {
  const auto duplicates = DuplicatesByComparing(rows);
  std::map<std::string, std::vector<const UrlRow*>> groups;
  for (const UrlRow& row : rows) {
    if (IsMember(row)) groups[row.content_digest].push_back(&row);
  }
  std::vector<std::pair<decltype(OrderIn(rows[0], false)), const UrlRow*>> turns;
  for (const UrlRow& row : rows) {
    if (!IsMember(row) || duplicates.contains(row.key)) continue;
    const auto& members = groups.at(row.content_digest);
    const bool is_named =
        std::any_of(members.begin(), members.end(), [&row](const UrlRow* by) { return Names(*by, row); });
    turns.emplace_back(OrderIn(row, is_named), &row);
  }
  std::sort(turns.begin(), turns.end());
  std::vector<const UrlRow*> standing;
  std::map<std::string, std::string> near;
  for (const auto& [order, page] : turns) {
    const UrlRow* best = nullptr;
    int least = 64;
    for (const UrlRow* const other : standing) {
      const int bits = HammingDistance(static_cast<uint64_t>(page->simhash), static_cast<uint64_t>(other->simhash));
      if (bits >= least || !AreNear(*page, *other)) continue;
      best = other;
      least = bits;
    }
    if (best != nullptr) near[page->key] = best->key;
    if (best == nullptr) standing.push_back(page);
  }
  return near;
}

std::vector<UrlRow> AllUrls(Store* store) {
  std::vector<UrlRow> rows;
  const auto table = *Table::Open<UrlRow>(store, ReadPresent(store)->manifest);
  EXPECT_OK(ForEachRow<UrlRow>(table, {}, [&rows](const UrlRow& row) {
    rows.push_back(row);
    return arrow::Status::OK();
  }));
  return rows;
}

namespace {

template <typename Row>
std::string DigestIn(Store* store) {
  DigestSum sum;
  std::string bytes;
  const auto table = *Table::Open<Row>(store, ReadPresent(store)->manifest);
  EXPECT_OK(ForEachRow<Row>(table, {}, [&](const Row& row) {
    EncodeRow(row, &bytes);
    sum.Add(Hash128(bytes));
    return arrow::Status::OK();
  }));
  return sum.ToHex();
}

}  // namespace

std::string DigestOfTable(Store* store, bool of_urls) {
  return of_urls ? DigestIn<UrlRow>(store) : DigestIn<DigestRow>(store);
}

// Seven fingerprints, up to four bits apart, of each thirteen; each content is one of three texts in one template, or one of
// those that have no sketch or no fingerprint.
void AddPrints(const std::string& content, UrlRow* row) {
  const uint64_t hash = Hash64(content);
  if (hash % 11 == 0) return;
  const uint64_t bits[] = {0, 1, 0b11, 0b1100, 0b110000, 0b10001, 0b111};
  const uint64_t family = Hash64(std::to_string(hash / 100 % 13));
  row->simhash = static_cast<int64_t>(family ^ bits[hash % 7]);
  if (hash % 5 == 0) return;
  std::string text;
  for (int line = 0; line < 50; ++line) text += "label " + std::to_string(line) + "\n";
  for (int word = 0; word < 40; ++word) text += std::to_string(hash / 7 % 3 * 1000 + static_cast<uint64_t>(word)) + " ";
  row->text_sketch = TextSketchOf(text).Bytes();
}

ChangingWeb::ChangingWeb(uint32_t seed, int pages, int groups) : random_(seed), pages_(pages), groups_(groups) {}

// Mirrors on other hosts, http and https, www, parameters, deep paths.
std::string ChangingWeb::UrlOf(int page) const {
  const int form = page % 8;
  const int host = page / 8 % 23;
  const std::string scheme = form % 2 == 0 ? "https" : "http";
  const std::string www = form % 4 >= 2 ? "www." : "";
  const std::string path = form < 4 ? "/" : form == 5 ? "/deep/er/" : "/index/";
  const std::string query = page % 5 == 0 ? "?a=1&b=2" : page % 7 == 0 ? "?a" : "";
  return scheme + "://" + www + "h" + std::to_string(host) + ".example" + path + std::to_string(page / 8) + query;
}

void ChangingWeb::Fetch(int page, const UrlRow* before, UrlRow* row) {
  const int group = Draw(groups_);
  // Half of the pages keep to a group of their own kind, so that groups grow; some are alone.
  std::string content = "group " + std::to_string(Draw(2) == 0 ? page % groups_ : group);
  if (Draw(6) == 0) content = "page " + std::to_string(page) + " of round " + std::to_string(round_);
  *row = PageOf(UrlOf(page), content, std::to_string(Draw(3)));
  AddPrints(content, row);
  row->discovered_ms = before != nullptr ? before->discovered_ms : kStartMs + Draw(3) * kDayMs;
  row->fetched_ms = kStartMs + round_ * kDayMs;
  row->due_ms = row->fetched_ms + row->interval_ms;
  row->body_segment = row->parse_segment = "s" + std::to_string(round_);
  row->status = Draw(10) == 0 ? 203 : 200;
  switch (Draw(4)) {
    case 0:  // an honest canonical of the same kind
      row->canonical_to = *KeyOfUrl(UrlOf(page % groups_));
      break;
    case 1:  // any page, a lie most often
      row->canonical_to = *KeyOfUrl(UrlOf(Draw(pages_)));
      break;
    case 2:
      row->canonical_to = row->key;
      break;
    default:
      break;
  }
  bodies_[row->body_segment + "/" + row->body_file] = row->body_digest;
}

std::vector<UrlRow> ChangingWeb::NextRound(const std::map<std::string, UrlRow>& present) {
  ++round_;
  std::map<std::string, UrlRow> changed;
  for (int page = 0; page < pages_; ++page) {
    const auto there = present.find(*KeyOfUrl(UrlOf(page)));
    const UrlRow* const before = there == present.end() ? nullptr : &there->second;
    UrlRow row;
    if (before == nullptr) {
      if (Draw(round_ == 1 ? 4 : 8) == 0) continue;  // it comes later
      Fetch(page, nullptr, &row);
    } else if (Draw(4) > 0) {
      continue;
    } else if (const int what = Draw(12); what < 4) {
      Fetch(page, before, &row);
    } else if (what < 7) {  // asked again, and the same
      row = *before;
      row.fetched_ms = kStartMs + round_ * kDayMs;
      row.status = Draw(2) == 0 ? 304 : row.status;
      if (IsMember(row)) {
        const bool is_duplicate = !row.duplicate_of.empty();
        row.state = is_duplicate ? UrlState::kDuplicate : UrlState::kFetched;
        row.due_ms = row.fetched_ms + (is_duplicate ? 2 : 1) * row.interval_ms;
      }
    } else if (what < 9) {  // it fails for now
      row = *before;
      row.state = UrlState::kFailing;
      row.status = 503;
    } else if (what < 11) {
      row = *before;
      row.state = what == 9 ? UrlState::kGone : UrlState::kRedirected;
      row.duplicate_of.clear();
    } else {
      row.key = before->key;
      row.removed = true;
      row.state = UrlState::kNone;
    }
    changed[row.key] = std::move(row);
  }
  std::vector<UrlRow> rows;
  for (auto& [key, row] : changed) rows.push_back(std::move(row));
  return rows;
}

}  // namespace trawl
