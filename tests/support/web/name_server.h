// Name servers for tests: one that gives scripted answers, right or wrong, to every question, and the real server
// dnsmasq.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "arrow/result.h"
#include "tests/support/process/run_binary.h"

namespace trawl {

// A question as it came, with parts from which answers are made.
struct DnsQuestion {
  std::string bytes;  // the whole message
  std::string name;   // "a.test"
  uint16_t type = 0;  // 1: A, 28: AAAA

  // A message that answers the question. `code` is NOERROR 0, SERVFAIL 2, NXDOMAIN 3, REFUSED 5.
  std::string Answer(const std::vector<std::string>& records, int code = 0) const;
};
// Resource records about the question's name.
std::string DnsA(std::string_view address, uint32_t ttl_s);
std::string DnsAaaa(std::string_view address, uint32_t ttl_s);
// `encoded_target` is a name in wire form; "\xc0\x0c" is the question's own.
std::string DnsCname(std::string_view encoded_target, uint32_t ttl_s);

// Answers over UDP on 127.0.0.1, on a thread of its own.
class ScriptedNameServer {
 public:
  // The datagrams to send back: none, one or many.
  using Script = std::function<std::vector<std::string>(const DnsQuestion&)>;

  explicit ScriptedNameServer(Script script);
  ~ScriptedNameServer();
  ScriptedNameServer(const ScriptedNameServer&) = delete;
  ScriptedNameServer& operator=(const ScriptedNameServer&) = delete;

  // The value for DnsOptions::servers.
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int questions() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  uint16_t port_ = 0;
  std::thread thread_;
};

class Dnsmasq {
 public:
  // `arguments` are like "--host-record=a.test,192.0.2.1".
  static arrow::Result<std::unique_ptr<Dnsmasq>> Start(std::vector<std::string> arguments);
  ~Dnsmasq();
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  Dnsmasq() = default;
  uint16_t port_ = 0;
  std::unique_ptr<BinaryProcess> process_;
};

}  // namespace trawl
