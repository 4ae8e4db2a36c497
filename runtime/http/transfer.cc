#include "runtime/http/transfer.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trawl {

namespace {

// A body that nobody wants is still read to its end up to this size, where that keeps the connection.
constexpr int64_t kMaxDropBytes = 64 << 10;
// Up to this size, memory for a body is reserved by its announced length; beyond, it grows as bytes come.
constexpr int64_t kMaxReserveBytes = 256 << 10;
constexpr size_t kMaxAddressesTried = 4;

std::optional<IpAddress> AddressOf(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    std::array<uint8_t, 4> bytes;
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return IpAddress::V4(bytes);
  }
  if (address.sa_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    std::array<uint8_t, 16> bytes;
    std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
    return IpAddress::V6(bytes);
  }
  return std::nullopt;
}

HttpHeadLimits HeadLimits(const HttpLimits& limits) {
  return {.max_bytes = limits.max_header_bytes, .max_fields = limits.max_header_fields};
}

bool MayConnect(const HttpClientOptions& options, const IpAddress& address) {
  return CheckAddress(address).allowed ? options.allow_public : options.allow_private;
}

std::string Refusal(const IpAddress& address) {
  return std::string(AddressClassName(ClassifyAddress(address))) + " address " + address.ToString();
}

}  // namespace

void HttpTransfer::Begin(HttpRequest request, HttpTarget target) {
  request_ = std::move(request);
  target_ = std::move(target);
  url_ = target_.Origin() + '/';
  answer_ = HttpAnswer();
  answer_.id = request_.id;
  submitted_ms_ = shared_->now_ms;
  deadline_.emplace(request_.limits, submitted_ms_);
  head_.emplace(HeadLimits(request_.limits));
  decoder_.reset();
  addresses_.clear();
  next_address_ = 0;
  host_ = nullptr;
  received_ = dropped_ = buffered_ = 0;
  socket_error_ = 0;
  decided_ = finished_ = dropping_ = body_begun_ = paused_ = sink_full_ = length_misread_ = may_buffer = false;
  // A body may end before its connection does only where the connection is not needed again.
  counts_length_ = !request_.keep_connection;
}

bool HttpTransfer::TakeAddresses(const DnsAnswer& dns) {
  answer_.timings.dns_ms = shared_->now_ms - submitted_ms_;
  if (dns.addresses.empty()) {
    answer_.nobody_there = dns.failure == DnsFailure::kNoSuchName || dns.failure == DnsFailure::kNoAddress ||
                           dns.failure == DnsFailure::kBadName;
    Decide(HttpOutcome::kDnsFailed, std::string(DnsFailureName(dns.failure)));
    return false;
  }
  const uint16_t fixed_port = target_.https ? dns.https_port : dns.http_port;
  port_ = fixed_port != 0 && target_.has_default_port() ? fixed_port : target_.port;
  for (const IpAddress& address : dns.addresses) {
    if (MayConnect(shared_->options, address) && addresses_.size() < kMaxAddressesTried) addresses_.push_back(address);
  }
  if (addresses_.empty()) {
    Decide(HttpOutcome::kAddressRefused, Refusal(dns.addresses.front()));
    return false;
  }
  deadline_->ConnectBegins(shared_->now_ms);
  return true;
}

int HttpTransfer::OnOpenSocket(const void* given) {
  const auto& address = *static_cast<const curl_sockaddr*>(given);
  const auto parsed = AddressOf(address.addr);
  if (!parsed || *parsed != answer_.address || !MayConnect(shared_->options, *parsed)) {
    Decide(HttpOutcome::kAddressRefused, parsed ? Refusal(*parsed) : "not an IP address");
    return CURL_SOCKET_BAD;
  }
  const int fd = shared_->pool->OpenSocket(host_, address.family, address.socktype, address.protocol);
  if (fd < 0) {
    socket_error_ = errno;
    return CURL_SOCKET_BAD;
  }
  ++shared_->counters.connections;
  socket_ = fd;
  return fd;
}

// libcurl 7.88 reports a connection only when TLS is established, too.
bool HttpTransfer::HasTcp() const {
  sockaddr_storage peer;
  socklen_t size = sizeof peer;
  return socket_ >= 0 && getpeername(socket_, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
}

// Called before every request that libcurl sends, also where libcurl wants to repeat one by itself.
bool HttpTransfer::OnRequest(const char* connected_to) {
  if (answer_.sent) {
    answer_.stale_connection = true;
    Decide(HttpOutcome::kConnectionReset, "the kept connection was closed");
    return false;
  }
  if (shared_->options.may_ask && !shared_->options.may_ask()) {
    Decide(HttpOutcome::kCancelled, "stopped");
    return false;
  }
  if (IpAddress::Parse(connected_to) != answer_.address) {
    Decide(HttpOutcome::kAddressRefused, "connected to another address: " + std::string(connected_to));
    return false;
  }
  long new_connections = 0;
  curl_easy_getinfo(easy_, CURLINFO_NUM_CONNECTS, &new_connections);
  answer_.reused_connection = new_connections == 0;
  if (answer_.reused_connection) ++shared_->counters.reused;
  answer_.sent = true;
  deadline_->Sent(shared_->now_ms);
  return true;
}

size_t HttpTransfer::OnHeaderLine(std::string_view line) {
  constexpr size_t kStop = 0;
  if (answer_.timings.first_byte_ms < 0) {
    answer_.timings.first_byte_ms = shared_->now_ms - submitted_ms_;
    deadline_->FirstByte(shared_->now_ms);
  }
  received_ += static_cast<int64_t>(line.size());
  switch (head_->Take(line)) {
    case HttpHeadReader::Step::kMore:
    case HttpHeadReader::Step::kInterimEnd:
      return line.size();
    case HttpHeadReader::Step::kTooLarge:
      if (knows_all()) {
        Decide(HttpOutcome::kAnswered, "");
      } else {
        Decide(HttpOutcome::kHeaderLimit, head_->Excess());
      }
      return kStop;
    case HttpHeadReader::Step::kConflict:
      Decide(HttpOutcome::kProtocolError, "contradictory Content-Length");
      return kStop;
    case HttpHeadReader::Step::kEnd:
      return OnHeadEnd() ? line.size() : kStop;
  }
  return kStop;
}

void HttpTransfer::ReadProtocol() {
  long version = CURL_HTTP_VERSION_NONE;
  curl_easy_getinfo(easy_, CURLINFO_HTTP_VERSION, &version);
  answer_.http_version = version == CURL_HTTP_VERSION_1_0   ? "1.0"
                         : version == CURL_HTTP_VERSION_1_1 ? "1.1"
                         : version == CURL_HTTP_VERSION_2_0 ? "2"
                                                            : "";
  curl_tlssessioninfo* session = nullptr;
  curl_easy_getinfo(easy_, CURLINFO_TLS_SSL_PTR, &session);
  if (session != nullptr && session->internals != nullptr) answer_.tls_version = TlsVersionOf(session->internals);
}

// Returns false where we want nothing more of the connection.
bool HttpTransfer::OnHeadEnd() {
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  answer_.status = static_cast<int>(status);
  ReadProtocol();
  if (!counts_length_ && head_->has_unreadable_length()) {
    length_misread_ = true;
    Decide(HttpOutcome::kProtocolError, "unreadable Content-Length");
    return false;
  }
  const HttpHead head = {answer_.status, head_->content_type()};
  const BodyWish wish = request_.on_head ? request_.on_head(head) : BodyWish::kKeep;
  if (wish == BodyWish::kRefuse) {
    Decide(HttpOutcome::kTypeRefused, head_->content_type().empty() ? "no content type" : head_->content_type());
    return false;
  }
  dropping_ = wish == BodyWish::kDrop;
  const int64_t length = head_->content_length();
  const bool nothing_follows = length == 0 || (dropping_ && length > kMaxDropBytes);
  finished_ = counts_length_ ? nothing_follows || dropping_ : dropping_ && length > kMaxDropBytes;
  if (finished_) return false;
  decoder_.emplace(head_->codings(), DecodeLimits{.max_decoded_bytes = request_.limits.max_body_bytes,
                                                  .max_ratio = request_.limits.max_ratio});
  if (request_.sink == nullptr && !dropping_ && length > 0 && !decoder_->decodes()) {
    answer_.body.reserve(static_cast<size_t>(std::min({length, kMaxReserveBytes, request_.limits.max_body_bytes})));
  }
  return true;
}

size_t HttpTransfer::OnBody(std::string_view bytes) {
  constexpr size_t kStop = 0;
  const bool crowded = request_.sink == nullptr && shared_->IsFull();
  if (sink_full_ || (crowded && !may_buffer)) {
    paused_ = true;
    shared_->crowded |= crowded;
    ++shared_->counters.paused;
    deadline_->Pause(shared_->now_ms);
    return CURL_WRITEFUNC_PAUSE;
  }
  body_begun_ = true;
  received_ += static_cast<int64_t>(bytes.size());
  if (dropping_) {
    dropped_ += static_cast<int64_t>(bytes.size());
    finished_ = dropped_ > kMaxDropBytes;
    return finished_ ? kStop : bytes.size();
  }
  return TakeBody(bytes) ? bytes.size() : kStop;
}

bool HttpTransfer::TakeBody(std::string_view bytes) {
  const int64_t length = counts_length_ ? head_->content_length() : -1;
  if (length >= 0) bytes = bytes.substr(0, static_cast<size_t>(std::max<int64_t>(length - decoder_->wire_bytes(), 0)));
  if (!decoder_->Write(bytes, [this](std::string_view decoded) { KeepBody(decoded); })) return false;
  finished_ = length >= 0 && decoder_->wire_bytes() == length;
  return !finished_;
}

void HttpTransfer::KeepBody(std::string_view decoded) {
  digest_.Update(decoded);
  sha1_.Update(decoded);
  if (request_.sink != nullptr) {
    if (!request_.sink->Write(decoded)) sink_full_ = true;
    return;
  }
  answer_.body += decoded;
  CountBuffer();
}

// Counts the allocated memory, not the used part: a body grows by doubling.
void HttpTransfer::CountBuffer() {
  const auto held = static_cast<int64_t>(answer_.body.capacity());
  shared_->buffered_bytes += held - buffered_;
  buffered_ = held;
}

int HttpTransfer::Unpause() {
  sink_full_ = false;
  if (!paused_) return CURLE_OK;
  paused_ = false;
  deadline_->Resume(shared_->now_ms);
  // libcurl hands out at once what it held back; if we stop there, only the caller learns of it.
  return curl_easy_pause(easy_, CURLPAUSE_CONT);
}

HttpDeadline::Breach HttpTransfer::CheckDeadline(int64_t now_ms) {
  return deadline_->Check(now_ms, received_, [this] { return HasTcp(); });
}

void HttpTransfer::NoteLateLoop(int64_t late_ms) {
  answer_.own_fault = true;
  deadline_->GiveBack(late_ms);
}

}  // namespace trawl
