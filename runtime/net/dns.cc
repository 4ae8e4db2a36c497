#include "runtime/net/dns.h"

#include <ares.h>
#include <arpa/nameser.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "runtime/net/dns_cache.h"
#include "runtime/net/dns_records.h"
#include "runtime/net/poller.h"
#include "runtime/process/read_file.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxHostsFileBytes = 16 << 20;
// A message of this size passes every path without being cut into fragments (DNS flag day 2020).
constexpr int kEdnsBytes = 1232;

Status StartLibrary() {
  static std::once_flag once;
  static int code = ARES_SUCCESS;
  std::call_once(once, [] { code = ares_library_init(ARES_LIB_INIT_ALL); });
  return code == ARES_SUCCESS ? Status::OK() : Status::IOError("c-ares: ", ares_strerror(code));
}

// RFC 1035 2.3.4: labels of 63 bytes, names of 255 with their length bytes.
bool IsAskable(std::string_view host) {
  if (host.empty() || host.size() > 253) return false;
  size_t label = 0;
  for (const char c : host) {
    label = c == '.' ? 0 : label + 1;
    if (label > 63 || c <= ' ' || c == '\\' || c == 0x7f) return false;
  }
  return host.front() != '.' && host.find("..") == std::string_view::npos;
}

// "a.test." is the full form of "a.test": no question is completed by search domains here.
std::string WithoutRootDot(const std::string& host) {
  return host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
}

bool IsLocalhost(std::string_view host) { return host == "localhost" || host.ends_with(".localhost"); }

// RFC 6761 section 6.4: "always return NXDOMAIN", without a question.
bool IsInvalid(std::string_view host) { return host == "invalid" || host.ends_with(".invalid"); }

// A question in flight about one name: its two halves, and those who wait for it.
struct Question {
  std::vector<DnsClient::Callback> waiting;
  DnsHalf v4, v6;
  bool done_v4 = false, done_v6 = false;
  int64_t done_v4_ms = 0;
  uint64_t number = 0;
};

class AresClient;

// The argument that c-ares carries for one half. `number` tells a late half from a newer question about the same name.
struct Half {
  AresClient* client;
  std::string host;
  uint64_t number;
  bool v6;
};

class AresClient : public DnsClient {
 public:
  AresClient(const DnsOptions& options, const Clock& clock, Poller& poller, uint32_t owner)
      : options_(options), clock_(clock), poller_(poller), owner_(owner), cache_(options.max_entries) {}

  ~AresClient() override {
    closing_ = true;
    if (channel_ != nullptr) ares_destroy(channel_);
  }

  Status Start() {
    ARROW_RETURN_NOT_OK(ReadHostsFile());
    ares_options ares = {};
    ares.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES | ARES_FLAG_EDNS;
    ares.timeout = options_.timeout_ms;
    ares.tries = options_.tries;
    ares.ednspsz = kEdnsBytes;
    char lookups[] = "b";
    ares.lookups = lookups;
    ares.sock_state_cb = [](void* self, ares_socket_t fd, int readable, int writable) {
      static_cast<AresClient*>(self)->OnSocketState(fd, readable != 0, writable != 0);
    };
    ares.sock_state_cb_data = this;
    const int mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_EDNSPSZ | ARES_OPT_LOOKUPS |
                     ARES_OPT_SOCK_STATE_CB;
    int code = ares_init_options(&channel_, &ares, mask);
    if (code != ARES_SUCCESS) return Status::IOError("c-ares: ", ares_strerror(code));
    if (options_.servers.empty()) return Status::OK();
    code = ares_set_servers_ports_csv(channel_, options_.servers.c_str());
    if (code != ARES_SUCCESS)
      return Status::Invalid("fetch.dns_servers '", options_.servers, "': ", ares_strerror(code));
    return Status::OK();
  }

  void Lookup(const std::string& given, Callback callback) override {
    ++counters_.lookups;
    const std::string host = WithoutRootDot(given);
    DnsAnswer known;
    if (FindKnown(host, &known)) {
      ++counters_.cached;
      known.cached = true;
      callback(known);
      return;
    }
    Ask(host).waiting.push_back(std::move(callback));
    StartQueued();
  }

  void ReportFailure(const std::string& given, const IpAddress& address) override {
    const std::string host = WithoutRootDot(given);
    cache_.Demote(host, address);
    const auto fixed = options_.fixed.find(host);
    if (fixed == options_.fixed.end()) return;
    std::vector<IpAddress>& addresses = fixed->second.addresses;
    if (!addresses.empty() && addresses.front() == address) {
      std::rotate(addresses.begin(), addresses.begin() + 1, addresses.end());
    }
  }

  void OnSocket(int fd, bool readable, bool writable) override {
    ares_process_fd(channel_, readable ? fd : ARES_SOCKET_BAD, writable ? fd : ARES_SOCKET_BAD);
    Settle();
  }

  void OnTick() override {
    if (under_way_ > 0) ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    EndGrace();
    Settle();
  }

  bool busy() const override { return !questions_.empty() || under_way_ > 0; }
  const DnsCounters& counters() const override { return counters_; }

 private:
  Status ReadHostsFile() {
    if (options_.hosts_file.empty()) return Status::OK();
    std::error_code error;
    if (!std::filesystem::exists(options_.hosts_file, error)) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadLocalFile(options_.hosts_file, kMaxHostsFileBytes));
    FixedHosts hosts;
    AddHostsFile(text, &hosts);
    for (auto& [name, host] : hosts) options_.fixed.emplace(name, std::move(host));
    return Status::OK();
  }

  bool FindKnown(const std::string& host, DnsAnswer* answer) {
    if (const auto numeric = IpAddress::Parse(host)) {
      answer->addresses = {*numeric};
    } else if (const auto fixed = options_.fixed.find(host); fixed != options_.fixed.end()) {
      answer->addresses = fixed->second.addresses;
      answer->http_port = fixed->second.http_port;
      answer->https_port = fixed->second.https_port;
    } else if (IsLocalhost(host)) {
      answer->addresses = {*IpAddress::Parse("127.0.0.1"), *IpAddress::Parse("::1")};
    } else if (IsInvalid(host)) {
      answer->failure = DnsFailure::kNoSuchName;
    } else if (!IsAskable(host)) {
      answer->failure = DnsFailure::kBadName;
    } else if (const DnsAnswer* cached = cache_.Find(host, clock_.MonotonicMs())) {
      *answer = *cached;
    } else {
      return false;
    }
    return true;
  }

  Question& Ask(const std::string& host) {
    const auto [place, is_new] = questions_.try_emplace(host);
    if (is_new) queue_.push_back(host);
    return place->second;
  }

  void StartQueued() {
    while (!queue_.empty() && under_way_ + 2 <= options_.max_under_way) {
      const std::string host = std::move(queue_.front());
      queue_.pop_front();
      ++counters_.asked;
      under_way_ += 2;
      const uint64_t number = ++last_number_;
      questions_[host].number = number;
      // Each may call back immediately, where nothing can be sent.
      ares_query(channel_, host.c_str(), ns_c_in, ns_t_a, OnHalf, new Half{this, host, number, false});
      ares_query(channel_, host.c_str(), ns_c_in, ns_t_aaaa, OnHalf, new Half{this, host, number, true});
    }
  }

  static void OnHalf(void* arg, int status, int, unsigned char* bytes, int size) {
    const std::unique_ptr<Half> half(static_cast<Half*>(arg));
    half->client->TakeHalf(*half, status, bytes, size);
  }

  void TakeHalf(const Half& half, int status, const unsigned char* bytes, int size) {
    --under_way_;
    if (closing_) return;
    const auto found = questions_.find(half.host);
    if (found == questions_.end() || found->second.number != half.number) return;
    Question& question = found->second;
    const std::string_view message(reinterpret_cast<const char*>(bytes),
                                   bytes == nullptr ? 0 : static_cast<size_t>(size));
    (half.v6 ? question.v6 : question.v4) = ReadDnsHalf(status, message, half.v6);
    (half.v6 ? question.done_v6 : question.done_v4) = true;
    if (!half.v6) question.done_v4_ms = clock_.MonotonicMs();
    if (question.done_v4 && question.done_v6) {
      settled_.push_back(half.host);
    } else if (question.done_v4 && !question.v4.addresses.empty()) {
      in_grace_.push_back({half.host, half.number});
    }
  }

  void EndGrace() {
    const int64_t now_ms = clock_.MonotonicMs();
    std::erase_if(in_grace_, [&](const std::pair<std::string, uint64_t>& waiting) {
      const auto found = questions_.find(waiting.first);
      if (found == questions_.end() || found->second.number != waiting.second) return true;
      if (found->second.done_v4_ms + options_.ipv6_grace_ms > now_ms) return false;
      settled_.push_back(waiting.first);
      return true;
    });
  }

  // Hands out the decided answers. It does so here, not inside c-ares' callback, so that a caller's callback may look
  // up the next name.
  void Settle() {
    while (!settled_.empty()) {
      const std::string host = std::move(settled_.back());
      settled_.pop_back();
      auto node = questions_.extract(host);
      if (node.empty()) continue;
      Question& question = node.mapped();
      const DnsAnswer answer = JoinDnsHalves(question.v4, question.v6);
      if (cache_.Put(host, answer, clock_.MonotonicMs() + TtlOf(answer, question))) ++counters_.evicted;
      if (answer.addresses.empty()) ++counters_.failed;
      for (Callback& callback : question.waiting) callback(answer);
    }
    StartQueued();
  }

  int64_t TtlOf(const DnsAnswer& answer, const Question& question) const {
    const int64_t ttl_ms = std::min(question.v4.ttl_ms, question.v6.ttl_ms);
    if (!answer.addresses.empty()) return std::clamp(ttl_ms, options_.min_ttl_ms, options_.max_ttl_ms);
    const bool absent = answer.failure == DnsFailure::kNoSuchName || answer.failure == DnsFailure::kNoAddress;
    return absent ? options_.negative_ttl_ms : options_.failure_ttl_ms;
  }

  void OnSocketState(int fd, bool readable, bool writable) {
    if (readable || writable) {
      poller_.Watch(fd, owner_, readable, writable);
    } else {
      poller_.Forget(fd);
    }
  }

  DnsOptions options_;
  const Clock& clock_;
  Poller& poller_;
  const uint32_t owner_;
  ares_channel channel_ = nullptr;
  DnsCache cache_;
  std::unordered_map<std::string, Question> questions_;
  std::deque<std::string> queue_;
  std::vector<std::string> settled_;
  std::vector<std::pair<std::string, uint64_t>> in_grace_;
  DnsCounters counters_;
  uint64_t last_number_ = 0;
  int under_way_ = 0;
  bool closing_ = false;
};

}  // namespace

Result<std::unique_ptr<DnsClient>> DnsClient::Make(const DnsOptions& options, const Clock& clock, Poller& poller,
                                                   uint32_t owner) {
  ARROW_RETURN_NOT_OK(StartLibrary());
  auto client = std::make_unique<AresClient>(options, clock, poller, owner);
  ARROW_RETURN_NOT_OK(client->Start());
  return client;
}

}  // namespace trawl
