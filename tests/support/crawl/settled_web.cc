#include "tests/support/crawl/settled_web.h"

#include <algorithm>

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
      return std::any_of(members.begin(), members.end(), [&page](const UrlRow* by) {
        const bool is_same_host = HostIn(*UrlOfKey(by->key)) == HostIn(*UrlOfKey(page.key));
        return by != &page && by->canonical_to == page.key && (is_same_host || page.canonical_to == page.key);
      });
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
