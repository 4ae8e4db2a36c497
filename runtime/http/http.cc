#include "runtime/http/http.h"

#include <curl/curl.h>
#include <sys/resource.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "runtime/http/pool.h"
#include "runtime/http/transfer.h"
#include "runtime/net/poller.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr uint32_t kDnsOwner = ~uint32_t{0};
// Interval between checks of time limits.
constexpr int64_t kTickMs = 100;
constexpr int64_t kIdleTickMs = 500;
// A loop that is later than this gives the time back to its transfers and blames nobody.
constexpr int64_t kLateMs = 1'000;
// Number of hosts remembered whose connections are not kept, because connections died or lengths were misread on them;
// beyond it all are forgotten at once.
constexpr size_t kMaxUnreliable = 10'000;

Status StartLibrary() {
  static std::once_flag once;
  static CURLcode code = CURLE_OK;
  std::call_once(once, [] {
    code = curl_global_init(CURL_GLOBAL_ALL);
    // Thousands of hosts at once need as many sockets; on many machines the soft limit is 1,024.
    rlimit files = {};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
      files.rlim_cur = std::min<rlim_t>(files.rlim_max, 65'536);
      setrlimit(RLIMIT_NOFILE, &files);
    }
  });
  return code == CURLE_OK ? Status::OK() : Status::IOError("libcurl: ", curl_easy_strerror(code));
}

class CurlClient : public HttpClient {
 public:
  CurlClient(const HttpClientOptions& options, const Clock& clock, std::unique_ptr<Poller> poller)
      : clock_(clock), poller_(std::move(poller)), pool_(*poller_, options.hosts_per_multi) {
    shared_.options = options;
    shared_.pool = &pool_;
    shared_.now_ms = last_turn_ms_ = clock.MonotonicMs();
  }

  ~CurlClient() override { CurlClient::CancelAll(); }

  Status Start() {
    ARROW_ASSIGN_OR_RAISE(dns_, DnsClient::Make(shared_.options.dns, clock_, *poller_, kDnsOwner));
    return Status::OK();
  }

  void Submit(HttpRequest request) override {
    ++shared_.counters.submitted;
    shared_.now_ms = clock_.MonotonicMs();
    std::optional<HttpTarget> target = HttpTarget::Parse(request.url);
    if (!target) return RefuseUrl(request);
    std::unique_ptr<HttpTransfer> transfer = TakeTransfer();
    if (transfer == nullptr) return RefuseForMemory(request);
    const std::string host = target->host;
    if (!unreliable_.empty() && unreliable_.contains(target->Origin())) request.keep_connection = false;
    transfer->Begin(std::move(request), std::move(*target));
    transfer->place = under_way_.size();
    under_way_.push_back({std::move(transfer), ++last_serial_});
    // The answer may come at once, or long after this request has ended: its serial number tells.
    const size_t place = under_way_.size() - 1;
    HttpTransfer* waiting = under_way_[place].transfer.get();
    dns_->Lookup(host, [this, waiting, serial = last_serial_](const DnsAnswer& answer) {
      if (IsUnderWay(waiting, serial)) OnAddresses(*waiting, answer);
    });
  }

  void Poll(int max_wait_ms, std::vector<HttpAnswer>* done) override {
    NoteTime(0);
    const int64_t wait_ms = WaitMs(max_wait_ms);
    poller_->Wait(static_cast<int>(wait_ms), &events_);
    NoteTime(wait_ms);
    if (shared_.options.may_ask && !shared_.options.may_ask()) {
      CancelAll();
      events_.clear();
    }
    for (const Poller::Event& event : events_) {
      if (event.owner == kDnsOwner) dns_->OnSocket(event.fd, event.readable, event.writable);
    }
    ResumeAsked();
    pool_.Run(events_, shared_.now_ms, [this](void* easy, int code) { OnFinished(easy, code); });
    if (shared_.now_ms >= next_tick_ms_) Tick();
    if (shared_.crowded) ShareBuffers();
    for (HttpAnswer& answer : finished_) done->push_back(std::move(answer));
    finished_.clear();
  }

  void Resume(uint64_t id) override { to_resume_.insert(id); }

  void CancelAll() override {
    shared_.now_ms = clock_.MonotonicMs();
    while (!under_way_.empty()) {
      HttpTransfer& transfer = *under_way_.back().transfer;
      transfer.Decide(HttpOutcome::kCancelled, "stopped");
      Abandon(transfer);
    }
  }

  void EndHost(const std::string& origin) override { pool_.End(origin); }
  void Resolve(const std::string& host, std::function<void(const DnsAnswer&)> callback) override {
    dns_->Lookup(host, std::move(callback));
  }
  void Wake() override { poller_->Wake(); }
  size_t under_way() const override { return under_way_.size(); }
  const HttpCounters& counters() const override { return shared_.counters; }
  const DnsCounters& dns_counters() const override { return dns_->counters(); }

 private:
  struct UnderWay {
    std::unique_ptr<HttpTransfer> transfer;
    uint64_t serial;
  };

  // -- beginning ------------------------------------------------------------------------------------------------------

  std::unique_ptr<HttpTransfer> TakeTransfer() {
    if (spare_.empty()) return HttpTransfer::Make(&shared_);
    std::unique_ptr<HttpTransfer> transfer = std::move(spare_.back());
    spare_.pop_back();
    // A spare one lives on without a handle: a connection may still name it.
    if (transfer->Renew()) return transfer;
    spare_.push_back(std::move(transfer));
    return nullptr;
  }

  void RefuseUrl(const HttpRequest& request) {
    const bool known_scheme = HasHttpScheme(request.url);
    AnswerWithout(request, known_scheme ? HttpOutcome::kProtocolError : HttpOutcome::kSchemeRefused,
                  known_scheme ? "not a URL that can be asked" : "only http and https");
  }

  void RefuseForMemory(const HttpRequest& request) {
    AnswerWithout(request, HttpOutcome::kConnectFailed, "out of memory");
    finished_.back().own_fault = true;
  }

  void AnswerWithout(const HttpRequest& request, HttpOutcome outcome, const char* detail) {
    HttpAnswer answer;
    answer.id = request.id;
    answer.outcome = outcome;
    answer.detail = detail;
    answer.ended_ms = shared_.now_ms;
    finished_.push_back(std::move(answer));
    ++shared_.counters.answered;
  }

  bool IsUnderWay(const HttpTransfer* transfer, uint64_t serial) const {
    // An ended transfer lies among the spare ones, and another transfer has its place.
    return transfer->place < under_way_.size() && under_way_[transfer->place].serial == serial;
  }

  void OnAddresses(HttpTransfer& transfer, const DnsAnswer& answer) {
    shared_.now_ms = clock_.MonotonicMs();
    if (!transfer.TakeAddresses(answer)) return Complete(transfer);
    const std::string origin = transfer.target().Origin();
    const Result<HttpPool::Host*> host = pool_.Enter(origin);
    if (!host.ok()) {
      transfer.Decide(HttpOutcome::kConnectFailed, host.status().message());
      return Complete(transfer);
    }
    Attempt(transfer, *host);
  }

  void Attempt(HttpTransfer& transfer, HttpPool::Host* host) {
    const int64_t idle_ms = shared_.now_ms - host->idle_since_ms;
    bool may_reuse = transfer.request().reuse_idle_ms > 0 && idle_ms <= transfer.request().reuse_idle_ms &&
                     !unreliable_.contains(host->origin);
    if (may_reuse && host->under_way == 1 && !host->is_http2 && HttpPool::EndUnasked(*host)) {
      may_reuse = false;
      // Without TLS the bytes are answers; within TLS they may only be the server's farewell.
      if (!transfer.target().https) Distrust(host);
    }
    transfer.PrepareAttempt(host, may_reuse);
    const Status started = pool_.Start(transfer.easy(), host);
    if (started.ok()) return;
    transfer.Decide(HttpOutcome::kConnectFailed, started.message());
    Complete(transfer);
  }

  // -- ending ---------------------------------------------------------------------------------------------------------

  void OnFinished(void* easy, int code) {
    HttpTransfer* transfer = nullptr;
    curl_easy_getinfo(static_cast<CURL*>(easy), CURLINFO_PRIVATE, &transfer);
    pool_.Stop(easy, transfer->host());
    if (transfer->DecideResult(code)) return Complete(*transfer);
    NextAddress(*transfer);
  }

  // The address tried last does not accept; there is another one.
  void NextAddress(HttpTransfer& transfer) {
    dns_->ReportFailure(transfer.target().host, transfer.address());
    Attempt(transfer, transfer.host());
  }

  // Ends a transfer that libcurl still holds.
  void Abandon(HttpTransfer& transfer) {
    if (!transfer.resolving()) pool_.Stop(transfer.easy(), transfer.host());
    Complete(transfer);
  }

  void Complete(HttpTransfer& transfer) {
    HttpPool::Host* host = transfer.host();
    const HttpRequest& request = transfer.request();
    const int64_t keep_until_ms = request.keep_connection ? shared_.now_ms + request.reuse_idle_ms : 0;
    const bool unreliable = transfer.stale() || transfer.length_misread();
    finished_.push_back(transfer.Finish());
    ++shared_.counters.answered;
    if (transfer.stale()) ++shared_.counters.stale;
    HttpAnswer& answer = finished_.back();
    // On a connection that is not kept we count the length ourselves and can read the answer.
    answer.stale_connection |= transfer.length_misread();
    if (answer.outcome == HttpOutcome::kConnectFailed && answer.has_address) {
      dns_->ReportFailure(transfer.target().host, answer.address);
    }
    if (host != nullptr) {
      host->is_http2 = answer.raw_headers.starts_with("HTTP/2");
      if (unreliable) Distrust(host);
      pool_.Leave(host, shared_.now_ms, keep_until_ms);
    }
    if (&transfer == receiving_) receiving_ = nullptr;
    const size_t place = transfer.place;
    std::swap(under_way_[place], under_way_.back());
    under_way_[place].transfer->place = place;
    spare_.push_back(std::move(under_way_.back().transfer));
    under_way_.pop_back();
  }

  void Distrust(HttpPool::Host* host) {
    if (unreliable_.size() >= kMaxUnreliable) unreliable_.clear();
    unreliable_.insert(host->origin);
    host->ended = true;
  }

  // -- time -----------------------------------------------------------------------------------------------------------

  int64_t WaitMs(int max_wait_ms) const {
    if (!finished_.empty() || !to_resume_.empty()) return 0;
    int64_t wait_ms = std::max(max_wait_ms, 0);
    const int64_t due_ms = pool_.DueInMs(shared_.now_ms);
    if (due_ms >= 0) wait_ms = std::min(wait_ms, due_ms);
    if (!under_way_.empty() || dns_->busy()) {
      wait_ms = std::min(wait_ms, std::max<int64_t>(next_tick_ms_ - shared_.now_ms, 0));
    }
    return wait_ms;
  }

  // Reads the clock; the time passed beyond the expected wait since the last turn is our own delay.
  void NoteTime(int64_t expected_ms) {
    shared_.now_ms = clock_.MonotonicMs();
    const int64_t turn_ms = std::exchange(last_turn_ms_, shared_.now_ms);
    const int64_t late_ms = shared_.now_ms - turn_ms - expected_ms;
    if (late_ms <= kLateMs || under_way_.empty()) return;
    ++shared_.counters.late_loops;
    for (const UnderWay& one : under_way_) {
      if (one.transfer->submitted_ms() <= turn_ms) one.transfer->NoteLateLoop(late_ms);
    }
  }

  void Tick() {
    const bool dns_busy = dns_->busy();
    next_tick_ms_ = shared_.now_ms + (dns_busy ? DnsClient::kTickMs : kTickMs);
    if (dns_busy) dns_->OnTick();
    // From the back: an ended transfer is replaced by the last one, which has been checked already.
    for (size_t i = under_way_.size(); i > 0; --i) {
      if (i > under_way_.size()) continue;
      CheckTime(*under_way_[i - 1].transfer);
    }
    if (shared_.now_ms < next_idle_tick_ms_) return;
    next_idle_tick_ms_ = shared_.now_ms + kIdleTickMs;
    pool_.EndIdle(shared_.now_ms);
  }

  void CheckTime(HttpTransfer& transfer) {
    const HttpDeadline::Breach breach = transfer.CheckDeadline(shared_.now_ms);
    if (breach == HttpDeadline::Breach::kNone) return;
    if (breach == HttpDeadline::Breach::kAddress && transfer.HasNextAddress()) {
      pool_.Stop(transfer.easy(), transfer.host());
      return NextAddress(transfer);
    }
    transfer.DecideBreach(breach);
    Abandon(transfer);
  }

  // -- pausing --------------------------------------------------------------------------------------------------------

  void ResumeAsked() {
    if (to_resume_.empty()) return;
    std::unordered_set<uint64_t> ids;
    ids.swap(to_resume_);
    for (size_t i = under_way_.size(); i > 0; --i) {
      if (i <= under_way_.size() && ids.contains(under_way_[i - 1].transfer->request().id)) Unpause(i - 1);
    }
  }

  // Bounds the total size of collected bodies: beyond the bound only one transfer receives, until there is room again.
  void ShareBuffers() {
    const bool crowded = shared_.IsFull();
    if (crowded && receiving_ != nullptr) return;
    shared_.crowded = false;  // until the next transfer pauses
    for (size_t i = under_way_.size(); i > 0; --i) {
      if (i > under_way_.size()) continue;
      HttpTransfer& transfer = *under_way_[i - 1].transfer;
      if (!transfer.paused() || transfer.request().sink != nullptr) continue;
      if (crowded) {
        receiving_ = &transfer;
        transfer.may_buffer = true;
      }
      Unpause(i - 1);
      shared_.crowded |= crowded;
      if (crowded) return;
    }
  }

  void Unpause(size_t place) {
    HttpTransfer& transfer = *under_way_[place].transfer;
    const int code = transfer.Unpause();
    if (code != CURLE_OK) OnFinished(transfer.easy(), code);
  }

  const Clock& clock_;
  std::unique_ptr<Poller> poller_;
  HttpPool pool_;
  HttpShared shared_;
  std::unique_ptr<DnsClient> dns_;
  std::vector<UnderWay> under_way_;
  std::vector<std::unique_ptr<HttpTransfer>> spare_;
  std::vector<HttpAnswer> finished_;
  std::vector<Poller::Event> events_;
  std::unordered_set<uint64_t> to_resume_;
  std::unordered_set<std::string> unreliable_;
  // The one transfer that receives although bodies pile up.
  HttpTransfer* receiving_ = nullptr;
  uint64_t last_serial_ = 0;
  int64_t last_turn_ms_ = 0;
  int64_t next_tick_ms_ = 0;
  int64_t next_idle_tick_ms_ = 0;
};

}  // namespace

Result<std::unique_ptr<HttpClient>> HttpClient::Make(const HttpClientOptions& options, const Clock& clock) {
  ARROW_RETURN_NOT_OK(StartLibrary());
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<Poller> poller, Poller::Make());
  auto client = std::make_unique<CurlClient>(options, clock, std::move(poller));
  ARROW_RETURN_NOT_OK(client->Start());
  return client;
}

}  // namespace trawl
