// The log of a test web, with one entry per request, and the questions about politeness that tests ask it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trawl {

struct TestLogEntry {
  std::string host;
  std::string path;
  bool https = false;
  uint64_t connection = 0;
  // Microseconds since the web began. `start_us`: the first byte of the request was read. `end_us`: just before the
  // last byte of the answer went to the kernel.
  int64_t start_us = 0;
  int64_t end_us = -1;  // -1 while the answer lasts
  // Whether the whole answer was sent. Otherwise the client went, or the script cut the answer.
  bool whole = false;
  std::vector<std::pair<std::string, std::string>> headers;
  // The request's header section as it came.
  std::string raw;
};

// The functions below read a finished log in any order.
std::vector<TestLogEntry> EntriesOf(const std::vector<TestLogEntry>& log, const std::string& host);
// The largest number of requests to one host that were in progress at the same time.
int MaxConcurrentPerHost(const std::vector<TestLogEntry>& log, const std::string& host);
// The shortest time in milliseconds from the end of an answer to the next request to that host. A negative time is an
// overlap; with fewer than two requests it is a very large number.
double MinGapMs(const std::vector<TestLogEntry>& log, const std::string& host);
// The shortest such time over all hosts, and its host.
double MinGapMs(const std::vector<TestLogEntry>& log, std::string* host = nullptr);
// One JSON object per line.
std::string LogAsJsonLines(const std::vector<TestLogEntry>& log);

}  // namespace trawl
