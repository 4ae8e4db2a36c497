#include "tests/support/web/log.h"

#include <algorithm>
#include <limits>
#include <set>

#include "formats/documents/json.h"

namespace trawl {

namespace {

int64_t EndOf(const TestLogEntry& entry) {
  return entry.end_us < 0 ? std::numeric_limits<int64_t>::max() : entry.end_us;
}

}  // namespace

std::vector<TestLogEntry> EntriesOf(const std::vector<TestLogEntry>& log, const std::string& host) {
  std::vector<TestLogEntry> entries;
  for (const TestLogEntry& entry : log) {
    if (entry.host == host) entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(),
            [](const TestLogEntry& a, const TestLogEntry& b) { return a.start_us < b.start_us; });
  return entries;
}

int MaxConcurrentPerHost(const std::vector<TestLogEntry>& log, const std::string& host) {
  // +1 at each start, −1 at each end. At equal times the end comes before the start.
  std::vector<std::pair<int64_t, int>> changes;
  for (const TestLogEntry& entry : EntriesOf(log, host)) {
    changes.push_back({entry.start_us, 1});
    changes.push_back({EndOf(entry), -1});
  }
  std::sort(changes.begin(), changes.end());
  int now = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return most;
}

double MinGapMs(const std::vector<TestLogEntry>& log, const std::string& host) {
  double least = 1e12;
  int64_t last_end_us = -1;
  for (const TestLogEntry& entry : EntriesOf(log, host)) {
    if (last_end_us >= 0) least = std::min(least, static_cast<double>(entry.start_us - last_end_us) / 1000);
    last_end_us = std::max(last_end_us, EndOf(entry));
  }
  return least;
}

double MinGapMs(const std::vector<TestLogEntry>& log, std::string* host) {
  std::set<std::string> hosts;
  for (const TestLogEntry& entry : log) hosts.insert(entry.host);
  double least = 1e12;
  for (const std::string& one : hosts) {
    const double gap = MinGapMs(log, one);
    if (gap < least && host != nullptr) *host = one;
    least = std::min(least, gap);
  }
  return least;
}

std::string LogAsJsonLines(const std::vector<TestLogEntry>& log) {
  std::string text;
  for (const TestLogEntry& entry : log) {
    Json line = {{"host", entry.host},
                 {"path", entry.path},
                 {"https", entry.https},
                 {"connection", entry.connection},
                 {"start_ms", static_cast<double>(entry.start_us) / 1000},
                 {"end_ms", entry.end_us < 0 ? Json(nullptr) : Json(static_cast<double>(entry.end_us) / 1000)},
                 {"whole", entry.whole}};
    Json headers = Json::object();
    for (const auto& [name, value] : entry.headers) headers[name] = value;
    line["headers"] = std::move(headers);
    text += DumpJson(line) + '\n';
  }
  return text;
}

}  // namespace trawl
