// What a test web saw: one entry a request, and the questions about politeness that tests put to it.
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
  // Microseconds since the web began: first byte of the request read, last byte of the answer about to be handed to
  // the kernel.
  int64_t start_us = 0;
  int64_t end_us = -1;  // -1 while it lasts
  // Whether the whole answer was sent; else the client went, or the script cut it.
  bool whole = false;
  std::vector<std::pair<std::string, std::string>> headers;
  // The request's header section as it came.
  std::string raw;
};

// All below read a finished log in any order.
std::vector<TestLogEntry> EntriesOf(const std::vector<TestLogEntry>& log, const std::string& host);
// How many requests of the host were under way at one time, at most.
int MaxConcurrentPerHost(const std::vector<TestLogEntry>& log, const std::string& host);
// The shortest time from the end of an answer to the next request of that host, in milliseconds; a negative one is an
// overlap. A very large number where there were fewer than two requests.
double MinGapMs(const std::vector<TestLogEntry>& log, const std::string& host);
// The shortest over all hosts, and whose it was.
double MinGapMs(const std::vector<TestLogEntry>& log, std::string* host = nullptr);
// A JSON object a line.
std::string LogAsJsonLines(const std::vector<TestLogEntry>& log);

}  // namespace trawl
