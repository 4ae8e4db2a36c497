// A web of many hosts on loopback addresses, for tests of crawls. It runs inside the process, on one thread, with http
// and https, a script per host, and a log of every request.
//
//   TestWeb web;
//   web.AddHost("a.test", ServePages({{"/", {.body = "<a href=/b>b</a>"}}}));
//   ASSERT_OK(web.Start());
//   … a client with web.hosts() and web.ca_file() …
//   EXPECT_GE(MinGapMs(web.Log(), "a.test"), 1000);
//
// Every host has an address of its own in 127.0.0.0/8 (or shares one, where the options say so). Each address is bound,
// never 0.0.0.0.
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

  // Call it before Start.
  void AddHost(const std::string& name, TestHandler handler, TestCertificate certificate = TestCertificate::kGood);
  arrow::Status Start();
  // Ends all connections and the thread. The log stays.
  void Stop();

  // The addresses of the names: for DnsOptions::fixed, and as a file for `fetch.hosts_file`.
  const FixedHosts& hosts() const;
  std::string HostsFileText() const;
  // The address of a host, "127.70.0.1:40001", for clients that connect by address.
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
