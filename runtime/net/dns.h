// The door of runtime/net: names to addresses, and the one door to c-ares.
//
// Asks the system's servers (or given ones) for A and AAAA records, without a thread and without search domains. Fixed
// names come first: /etc/hosts is read once at the start, as every program of the machine honours it; `localhost` and
// names below it are loopback (RFC 6761) without a question, and `invalid` is no name. Numeric hosts are their own answer. Whether an address may
// be asked is decided not here but in formats/address/address.h.
//
// Everything an outside server can send is bounded: addresses per name, time to live, entries of the cache, questions
// in flight. One thread; the loop that owns the poller drives it. Start at Lookup.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/address/address.h"
#include "formats/address/hosts_file.h"
#include "formats/rows/times.h"
#include "runtime/process/clock.h"

namespace trawl {

class Poller;

struct DnsOptions {
  // "9.9.9.9,[2620:fe::fe]:53"; empty: the system's servers.
  std::string servers;
  // Empty: no file. A missing file is no error.
  std::string hosts_file = "/etc/hosts";
  // Names that take precedence over everything else, /etc/hosts included.
  FixedHosts fixed;
  size_t max_entries = 100'000;
  // A server's time to live is limited to this range. Under half a minute a crawl would ask again for every page.
  int64_t min_ttl_ms = 30'000;
  int64_t max_ttl_ms = kDayMs;
  int64_t negative_ttl_ms = 5 * 60'000;  // the name or its addresses do not exist
  int64_t failure_ttl_ms = 30'000;       // the servers failed
  // The answers to a burst of these must fit into the socket buffer of a name server: by default some 160 on Linux.
  // The rest is lost, and asked again only after the first wait.
  int max_under_way = 128;
  // The first wait for a server; it doubles with each of the tries.
  int timeout_ms = 1'500;
  int tries = 3;
  // A name that has IPv4 addresses waits at most this long for a server that does not answer for IPv6.
  int64_t ipv6_grace_ms = 100;
};

enum class DnsFailure : uint8_t { kNone, kBadName, kNoSuchName, kNoAddress, kServerFailure, kTimeout, kMalformed };
// The name used in reports: "no such name".
std::string_view DnsFailureName(DnsFailure failure);

struct DnsAnswer {
  // In the order in which to try them, at most 16. Empty exactly where `failure` is set.
  std::vector<IpAddress> addresses;
  DnsFailure failure = DnsFailure::kNone;
  // Ports that replace 80 and 443; 0: not replaced. Only fixed names have them.
  uint16_t http_port = 0;
  uint16_t https_port = 0;
  // Known without a question.
  bool cached = false;
};

struct DnsCounters {
  int64_t lookups = 0;
  int64_t cached = 0;
  int64_t asked = 0;
  int64_t failed = 0;
  int64_t evicted = 0;
};

class DnsClient {
 public:
  using Callback = std::function<void(const DnsAnswer&)>;

  // `clock` and `poller` must outlive the client. `owner` marks its sockets among the poller's events.
  static arrow::Result<std::unique_ptr<DnsClient>> Make(const DnsOptions& options, const Clock& clock, Poller& poller,
                                                        uint32_t owner);
  virtual ~DnsClient() = default;

  // Calls back exactly once: immediately where the answer is known, otherwise from OnSocket or OnTick. A client that is
  // destroyed does not call back. `host` is in lower case, ASCII.
  virtual void Lookup(const std::string& host, Callback callback) = 0;
  // The first address of `host` failed: from now on the next one comes first.
  virtual void ReportFailure(const std::string& host, const IpAddress& address) = 0;

  // The poller has an event for one of the client's sockets.
  virtual void OnSocket(int fd, bool readable, bool writable) = 0;
  // Call it at least every kTickMs while busy().
  virtual void OnTick() = 0;
  virtual bool busy() const = 0;
  virtual const DnsCounters& counters() const = 0;

  static constexpr int kTickMs = 50;
};

}  // namespace trawl
