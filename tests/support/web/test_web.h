// A web of many hosts on loopback addresses, inside the process, on one thread: http and https, scripted host by host,
// with a log of every request. What crawls are tested against.
//
//   TestWeb web;
//   web.AddHost("a.test", ServePages({{"/", {.body = "<a href=/b>b</a>"}}}));
//   ASSERT_OK(web.Start());
//   … a client with web.hosts() and web.ca_file() …
//   EXPECT_GE(MinGapMs(web.Log(), "a.test"), 1000);
//
// Every host has an address of its own in 127.0.0.0/8 (or shares one, as told) and each is bound, never 0.0.0.0.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/status.h"
#include "formats/address/hosts_file.h"
#include "tests/support/web/answer.h"
#include "tests/support/web/certificates.h"
#include "tests/support/web/log.h"

namespace trawl {

struct TestWebOptions {
  bool https = false;
  int hosts_per_address = 1;
  // Off where millions of requests are measured.
  bool log = true;
};

class TestWeb {
 public:
  explicit TestWeb(const TestWebOptions& options = {});
  ~TestWeb();
  TestWeb(const TestWeb&) = delete;
  TestWeb& operator=(const TestWeb&) = delete;

  // Before Start.
  void AddHost(const std::string& name, TestHandler handler, TestCertificate certificate = TestCertificate::kGood);
  arrow::Status Start();
  // Ends all connections and the thread; the log stays.
  void Stop();

  // Where the names lie: for DnsOptions::fixed, and as a file for `fetch.hosts_file`.
  const FixedHosts& hosts() const;
  std::string HostsFileText() const;
  // "127.70.0.1:40001" of a host, for those who connect by number.
  std::string HttpAddress(const std::string& host) const;
  // A file with the authority's certificate; it lives as long as the web.
  const std::string& ca_file() const;
  TestAuthority& authority();

  std::vector<TestLogEntry> Log() const;
  void ClearLog();
  int64_t connections_accepted() const;
  int connections_open() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace trawl
