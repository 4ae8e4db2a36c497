#include "tests/support/crawl/made_crawl.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

#include "formats/digests/text_sketch.h"
#include "formats/url/key.h"
#include "tests/support/values/mix.h"

namespace trawl {

namespace {

// With these two a host has five pages on average: the sum of n^-kTail for n from 1 to kMostPages.
constexpr double kTail = 1.1934;
constexpr double kMostPages = 20'000;
constexpr char kBodySegment[] = "20260831T000000Z-00000000";

// What a random number is for: equal numbers of pages and hosts must not give equal numbers.
enum Purpose : uint64_t { kPages = 1, kName, kPath, kAsked, kRow, kHost, kContent, kLinks };

const std::vector<std::string>& Vocabulary() {
  static const std::vector<std::string> words = [] {
    constexpr std::string_view kConsonants = "bcdfghklmnprstvw", kVowels = "aeiou";
    std::vector<std::string> made;
    for (uint64_t i = 0; i < 512; ++i) {
      std::string word;
      uint64_t random = Mix(i);
      for (uint64_t part = 0; part < 2 + i % 3; ++part, random >>= 8) {
        word += kConsonants[random % kConsonants.size()];
        word += kVowels[(random >> 4) % kVowels.size()];
      }
      made.push_back(std::move(word));
    }
    return made;
  }();
  return words;
}

int64_t PagesByChance(uint64_t random) {
  const double unit = (static_cast<double>(random >> 11) + 1) / static_cast<double>(uint64_t{1} << 53);
  return static_cast<int64_t>(std::min(std::pow(unit, -1 / kTail), kMostPages));
}

std::string Base36(uint64_t number) {
  std::string text;
  do {
    text += "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
    number /= 36;
  } while (number > 0);
  return text;
}

bool IsSecure(uint64_t host_number) { return host_number % 8 != 0; }

std::string Bytes32(uint64_t number) {
  std::string bytes;
  for (uint64_t word = 0; word < 4; ++word) {
    const uint64_t piece = Mix(number * 4 + word);
    bytes.append(reinterpret_cast<const char*>(&piece), sizeof piece);
  }
  return bytes;
}

}  // namespace

MadeCrawl::MadeCrawl(int64_t urls, uint64_t seed) : seed_(Mix(seed)) {
  std::vector<std::pair<Host, int64_t>> hosts;  // with their pages
  for (int64_t pages = 0, number = 0; pages < urls; ++number) {
    const int64_t here = std::min(PagesByChance(RandomOf(number, kPages)), urls - pages);
    const uint32_t slot = SlotOfKey(PartOf(static_cast<uint64_t>(number)));
    hosts.push_back({{slot, static_cast<uint32_t>(number)}, here});
    pages += here;
  }
  std::sort(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) { return a.first.slot < b.first.slot; });
  // Names are made once for each slot, not for each comparison.
  std::vector<std::pair<std::string, std::pair<Host, int64_t>>> named;
  first_pages_.push_back(0);
  for (size_t begin = 0, end = 0; begin < hosts.size(); begin = end) {
    named.clear();
    for (end = begin; end < hosts.size() && hosts[end].first.slot == hosts[begin].first.slot; ++end) {
      named.emplace_back(PartOf(hosts[end].first.number), hosts[end]);
    }
    std::sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [name, host] : named) {
      hosts_.push_back(host.first);
      first_pages_.push_back(first_pages_.back() + host.second);
    }
  }
}

uint64_t MadeCrawl::RandomOf(int64_t number, uint64_t what) const {
  return Mix(seed_ + static_cast<uint64_t>(number) * 16 + what);
}

int64_t MadeCrawl::HostOfPage(int64_t page) const {
  return std::upper_bound(first_pages_.begin(), first_pages_.end(), page) - first_pages_.begin() - 1;
}

int64_t MadeCrawl::FindHost(std::string_view part) const {
  const uint32_t slot = SlotOfKey(part);
  const auto before = [&](const Host& host, uint32_t wanted) {
    return host.slot != wanted ? host.slot < wanted : PartOf(host.number) < part;
  };
  const auto found = std::lower_bound(hosts_.begin(), hosts_.end(), slot, before);
  return found != hosts_.end() && PartOf(found->number) == part ? found - hosts_.begin() : -1;
}

std::string MadeCrawl::PartOf(uint64_t number) const {
  static constexpr std::array kEndings = {"com", "com", "com", "com", "org", "net", "de", "fr", "jp", "info"};
  const uint64_t random = RandomOf(static_cast<int64_t>(number), kName);
  const std::string& word = Vocabulary()[(random >> 8) % Vocabulary().size()];
  // One host in ten is a name of a platform that has 50 of them.
  if (random % 10 == 0) return "com,platform" + Base36(number / 500) + "," + word + Base36(number);
  const std::string ending = kEndings[(random >> 20) % kEndings.size()];
  return ending + "," + word + Base36(number) + ((random >> 24) % 2 == 0 ? ",www" : "");
}

void MadeCrawl::AppendPath(uint64_t host_number, int64_t pages, int64_t nth, std::string* key) const {
  static constexpr std::array kSections = {"articles", "blog", "news", "shop"};
  if (nth == 0) {
    *key += '/';
    return;
  }
  const uint64_t random = Mix(RandomOf(static_cast<int64_t>(host_number), kPath) + static_cast<uint64_t>(nth));
  // Sections and numbers ascend, so that keys come in order. What links find later stands after all others.
  const int64_t section = nth * 4 / pages;
  char begin[48];
  std::snprintf(begin, sizeof begin, "/%s/%06lld-", nth < pages ? kSections[static_cast<size_t>(section)] : "topics",
                static_cast<long long>(nth));
  *key += begin + Words(random, 2 + static_cast<int>(random % 5), '-') + ".html";
  if (section == 3 && random % 4 == 0) *key += "?color=" + std::to_string(random % 9) + "&size=" + Base36(random % 999);
}

std::string MadeCrawl::KeyOf(int64_t host, int64_t page) const {
  const uint64_t number = hosts_[static_cast<size_t>(host)].number;
  std::string key = PartOf(number) + (IsSecure(number) ? ")" : ")http");
  AppendPath(number, PagesOf(host), page - FirstPage(host), &key);
  return key;
}

bool MadeCrawl::IsAsked(int64_t host, int64_t page) const {
  // A fifth of the pages are front pages: half of these, and an eighth of the others, make a fifth of all.
  return RandomOf(page, kAsked) % 8 < (page == FirstPage(host) ? 4 : 1);
}

bool MadeCrawl::IsVisited(int64_t host) const {
  for (int64_t page = FirstPage(host); page < FirstPage(host + 1); ++page) {
    if (IsAsked(host, page)) return true;
  }
  return false;
}

MadeContent MadeCrawl::ContentOf(uint64_t random) const {
  // Contents and texts that several pages have come from a small set of numbers, the others from pages themselves.
  const auto shared = [&] { return Mix(random) % static_cast<uint64_t>(urls() / 50 + 1); };
  const uint64_t content = random % 10 == 0 ? shared() : random | uint64_t{1} << 62;
  const uint64_t text = random % 10 == 1 ? shared() : content;
  uint64_t fingerprint = Mix(text + 7);
  if (text != content) fingerprint ^= uint64_t{1} << (random >> 8) % 64 | uint64_t{1} << (random >> 16) % 64;
  const TextSketch sketch = {
      .tokens = 500, .words = {Mix(text + 11), Mix(text + 13)}, .lines = {Mix(text + 17), Mix(text + 19)}};
  return {Bytes32(content), static_cast<int64_t>(fingerprint == 0 ? 1 : fingerprint), sketch.Bytes()};
}

UrlRow MadeCrawl::UrlRowOf(int64_t host, int64_t page) const {
  const uint64_t random = RandomOf(page, kRow);
  const auto bits = [random](int shift, uint64_t below) { return static_cast<int64_t>((random >> shift) % below); };
  UrlRow row;
  row.key = KeyOf(host, page);
  row.discovered_ms = kNowMs - kDayMs - bits(5, 20'000'000'000);
  row.due_ms = row.discovered_ms;
  row.via = KeyOf(host, FirstPage(host));
  row.depth = 1 + static_cast<int32_t>(bits(11, 6));
  row.score = static_cast<int32_t>(bits(13, kScoreOne));
  row.inlinks = static_cast<int32_t>(std::min<int64_t>(PagesByChance(Mix(random)), 10'000));
  if (random % 11 == 0)
    row.spelling =
        UrlOfKey(row.key).ValueOrDie() + (row.key.find('?') == std::string::npos ? "?" : "&") + "utm_source=x";
  if (!IsAsked(host, page)) return row;
  row.fetched_ms = row.changed_ms = row.discovered_ms + kDayMs;
  row.interval_ms = kDayMs * (7 + bits(7, 60));
  row.due_ms = row.fetched_ms + row.interval_ms;
  row.fetches = 1 + static_cast<int32_t>(bits(19, 9));
  row.response_ms = 20 + static_cast<int32_t>(bits(23, 900));
  const uint64_t chance = random % 100;
  if (chance >= 88) {
    row.state = chance < 93 ? UrlState::kRedirected : chance < 97 ? UrlState::kGone : UrlState::kFailing;
    row.outcome = chance < 93 ? Outcome::kRedirect : chance < 97 ? Outcome::kGone : Outcome::kServerError;
    row.status = chance < 93 ? 301 : chance < 97 ? 404 : 503;
    if (chance < 93) row.redirect_to = KeyOf(host, FirstPage(host));
    return row;
  }
  row.state = UrlState::kFetched;
  row.outcome = Outcome::kFetched;
  row.status = 200;
  row.content_type = "text/html; charset=utf-8";
  row.bytes = 5'000 + bits(29, 90'000);
  row.parser = kParserVersion;
  row.body_segment = kBodySegment;
  char file[48];
  std::snprintf(file, sizeof file, "20260831T000000Z-fetch-00000000-m%d-0-0-0-0.orc", static_cast<int>(page / 100'000));
  row.body_file = file;
  row.body_row = page % 100'000;
  row.body_digest = Bytes32(random);
  const MadeContent content = ContentOf(RandomOf(page, kContent));
  row.content_digest = content.digest;
  row.simhash = content.simhash;
  row.text_sketch = content.sketch;
  if (random % 3 == 0) row.etag = "\"" + Base36(random) + "\"";
  if (random % 3 == 1) row.last_modified = "Tue, 18 Aug 2026 08:00:00 GMT";
  return row;
}

HostRow MadeCrawl::HostRowOf(int64_t host) const {
  HostRow row;
  row.key = HostPart(host);
  row.discovered = PagesOf(host);
  row.discovered_ms = kNowMs - 30 * kDayMs;
  row.linking_hosts = static_cast<int64_t>(RandomOf(host, kHost) % 20);
  for (int64_t page = FirstPage(host); page < FirstPage(host + 1); ++page) row.fetched += IsAsked(host, page) ? 1 : 0;
  if (row.fetched == 0) return row;
  row.pages = row.fetched;
  row.bytes = row.pages * 50'000;
  row.answered_ms = kNowMs - kDayMs - static_cast<int64_t>(RandomOf(host, kHost) % 1'000'000'000);
  row.response_ms = 20 + static_cast<int32_t>(RandomOf(host, kHost) % 900);
  row.delay_ms = 1'000;
  row.addresses = "192.0.2." + std::to_string(RandomOf(host, kHost) % 255);
  return row;
}

RobotsRow MadeCrawl::RobotsRowOf(int64_t host) const {
  const uint64_t random = RandomOf(host, kHost + 8);
  RobotsRow row;
  row.key = HostPart(host) + (IsSecure(hosts_[static_cast<size_t>(host)].number) ? ")" : ")http");
  row.fetched_ms = kNowMs - kDayMs;
  row.due_ms = kNowMs + kDayMs;
  row.outcome = random % 3 == 0 ? Outcome::kGone : Outcome::kFetched;
  row.status = random % 3 == 0 ? 404 : 200;
  row.history =
      "2026-08-31T00:00:00.000Z " + std::string(random % 3 == 0 ? "gone 404 no rules\n" : "fetched 200 rules\n");
  if (random % 3 == 0) return row;
  row.text_ms = row.fetched_ms;
  row.text = "User-agent: *\n";
  for (uint64_t rule = 0; rule < random % 20; ++rule)
    row.text += "Disallow: /" + Words(Mix(random + rule), 2, '/') + "/\n";
  return row;
}

std::string MadeCrawl::Words(uint64_t random, int count, char between) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += between;
    text += Vocabulary()[(random >> (i % 7 * 9)) % Vocabulary().size()];
  }
  return text;
}

std::string MadeCrawl::NewKey(int64_t host, uint64_t random) const {
  // One new page in ten stands on a new host.
  if (random % 10 == 0) {
    const uint64_t number = static_cast<uint64_t>(hosts()) + Mix(random) % static_cast<uint64_t>(hosts() / 10 + 1);
    return PartOf(number) + (IsSecure(number) ? ")/" : ")http/");
  }
  const int64_t at =
      random % 2 == 0 ? host : HostOfPage(static_cast<int64_t>(Mix(random) % static_cast<uint64_t>(urls())));
  const int64_t pages = PagesOf(at);
  const uint64_t number = hosts_[static_cast<size_t>(at)].number;
  std::string key = PartOf(number) + (IsSecure(number) ? ")" : ")http");
  AppendPath(number, pages, pages + static_cast<int64_t>((random >> 16) % static_cast<uint64_t>(pages + 5)), &key);
  return key;
}

bool MadeCrawl::MakeLink(int64_t host, uint64_t page_random, uint64_t nth, bool finds_new, std::vector<uint64_t>* seen,
                         std::string* key, std::string* text) const {
  const uint64_t random = Mix(page_random + kLinks + nth * 64);
  const auto all = static_cast<uint64_t>(urls());
  int64_t to_host = host, page = 0;
  if (finds_new && nth % 6 == 5) {
    *key = NewKey(host, random);
    page = -1 - static_cast<int64_t>(random >> 1);
  } else if (nth % 2 == 0 && PagesOf(host) > 1) {
    // Half of a host's own links are those of its navigation.
    const auto pages = static_cast<uint64_t>(PagesOf(host));
    page = FirstPage(host) +
           static_cast<int64_t>((random >> 8) % (random % 2 == 0 ? std::min<uint64_t>(pages, 20) : pages));
  } else if (nth % 4 == 1) {
    const double unit = static_cast<double>(random >> 11) / static_cast<double>(uint64_t{1} << 53);
    to_host = static_cast<int64_t>(Mix(static_cast<uint64_t>(std::pow(unit, 4) * static_cast<double>(hosts()))) %
                                   static_cast<uint64_t>(hosts()));
    page = FirstPage(to_host);
  } else {
    page = static_cast<int64_t>(random % all);
    to_host = HostOfPage(page);
  }
  if (std::find(seen->begin(), seen->end(), static_cast<uint64_t>(page)) != seen->end()) return false;
  seen->push_back(static_cast<uint64_t>(page));
  if (page >= 0) *key = KeyOf(to_host, page);
  *text = Words(random, 1 + static_cast<int>(random % 4), ' ');
  return true;
}

}  // namespace trawl
