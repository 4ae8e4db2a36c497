// Defines the members of HttpTransfer (transfer.h) that set libcurl's options: those that never change, those of one
// attempt, and the resulting request.
#include <curl/curl.h>

#include <algorithm>

#include "runtime/http/transfer.h"

namespace trawl {

namespace {

constexpr long kReceiveBufferBytes = 32 << 10;
constexpr long kSendBufferBytes = 16 << 10;

// A validator is stored as a server sent it: no byte of it may end the line. libcurl sends no field without a value.
bool IsSendable(const HttpField& field) {
  constexpr std::string_view kEnds("\r\n\0", 3);
  return !field.name.empty() && !field.value.empty() && field.name.find_first_of(kEnds) == std::string::npos &&
         field.value.find_first_of(kEnds) == std::string::npos;
}

}  // namespace

// The lists that libcurl reads during the request; it copies none of them.
struct HttpTransfer::CurlLists {
  std::vector<curl_slist> headers;
  curl_slist connect_to = {};
};

HttpTransfer::HttpTransfer(HttpShared* shared) : shared_(shared), lists_(std::make_unique<CurlLists>()) {}

HttpTransfer::~HttpTransfer() {
  if (easy_ != nullptr) curl_easy_cleanup(easy_);
}

std::unique_ptr<HttpTransfer> HttpTransfer::Make(HttpShared* shared) {
  std::unique_ptr<HttpTransfer> transfer(new HttpTransfer(shared));
  return transfer->Renew() ? std::move(transfer) : nullptr;
}

bool HttpTransfer::Renew() {
  if (easy_ != nullptr) curl_easy_cleanup(easy_);
  easy_ = curl_easy_init();
  if (easy_ == nullptr) return false;
  SetConstantOptions();
  return true;
}

void HttpTransfer::SetConstantOptions() {
  CURL* easy = easy_;
  curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");  // a proxy of the environment would bypass the address check
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, kReceiveBufferBytes);
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, kSendBufferBytes);
  curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
  // libcurl parses the bundle once per multi handle only where no folder of certificates is set.
  curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  if (!shared_->options.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, shared_->options.ca_file.c_str());

  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(
      easy, CURLOPT_HEADERFUNCTION, +[](char* bytes, size_t, size_t size, void* self) {
        return static_cast<HttpTransfer*>(self)->OnHeaderLine({bytes, size});
      });
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(
      easy, CURLOPT_WRITEFUNCTION, +[](char* bytes, size_t, size_t size, void* self) {
        return static_cast<HttpTransfer*>(self)->OnBody({bytes, size});
      });
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, this);
  curl_easy_setopt(
      easy, CURLOPT_PREREQFUNCTION, +[](void* self, char* address, char*, int, int) {
        return static_cast<HttpTransfer*>(self)->OnRequest(address) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
      });
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(
      easy, CURLOPT_OPENSOCKETFUNCTION, +[](void* self, curlsocktype, curl_sockaddr* address) {
        return static_cast<HttpTransfer*>(self)->OnOpenSocket(address);
      });
  // A connection outlives the transfer that opened it.
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, shared_->pool);
  curl_easy_setopt(
      easy, CURLOPT_CLOSESOCKETFUNCTION,
      +[](void* pool, curl_socket_t fd) { return static_cast<HttpPool*>(pool)->CloseSocket(fd); });
  curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, this);
  curl_easy_setopt(
      easy, CURLOPT_SSL_CTX_FUNCTION, +[](CURL*, void* context, void* given) {
        auto* self = static_cast<HttpTransfer*>(given);
        self->witness_.Attach(context);
        // TLS begins once there is a connection. libcurl tells its time only after the handshake, which may never end.
        self->answer_.timings.connect_ms = self->shared_->now_ms - self->submitted_ms_;
        MeterTlsRecords(context, self->socket_, self->shared_->pool);
        return CURLE_OK;
      });
}

void HttpTransfer::PrepareAttempt(HttpPool::Host* host, bool may_reuse) {
  host_ = host;
  HttpPool::Allow(host, MostReceived());
  answer_.address = addresses_[next_address_++];
  answer_.has_address = true;
  attempt_ms_ = shared_->now_ms;
  deadline_->AddressBegins(attempt_ms_);
  witness_.Clear();
  answer_.timings.connect_ms = -1;
  error_[0] = '\0';
  socket_ = -1;
  connect_to_text_ = "::" + answer_.address.ToUrlHost() + ':' + std::to_string(port_);
  lists_->connect_to = {connect_to_text_.data(), nullptr};
  LinkHeaders();

  CURL* easy = easy_;
  curl_easy_setopt(easy, CURLOPT_URL, url_.c_str());
  curl_easy_setopt(easy, CURLOPT_REQUEST_TARGET, target_.path.c_str());
  curl_easy_setopt(easy, CURLOPT_CONNECT_TO, &lists_->connect_to);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lists_->headers.empty() ? nullptr : lists_->headers.data());
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                   request_.http2 ? long{CURL_HTTP_VERSION_2TLS} : long{CURL_HTTP_VERSION_1_1});
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, may_reuse ? 0L : 1L);
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, request_.keep_connection ? 0L : 1L);
  curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, static_cast<long>(1 + request_.reuse_idle_ms / 1000));
  curl_easy_setopt(easy, CURLOPT_IGNORE_CONTENT_LENGTH, counts_length_ ? 1L : 0L);
}

// Far more than any answer within the limits needs, whatever its frames. It includes what an earlier, cut answer still
// had in flight within libcurl's window.
int64_t HttpTransfer::MostReceived() const {
  constexpr int64_t kWindowBytes = 32 << 20;
  const int64_t answer = request_.limits.max_header_bytes + std::min(request_.limits.max_body_bytes, INT64_MAX / 8);
  return 2 * answer + kWindowBytes;
}

// libcurl takes a linked list of lines; these nodes lie in one vector instead of one allocation each.
void HttpTransfer::LinkHeaders() {
  own_lines_.clear();
  for (const auto* fields : {&shared_->options.headers, &request_.headers}) {
    for (const HttpField& field : *fields) {
      if (IsSendable(field)) own_lines_.push_back(field.name + ": " + field.value);
    }
  }
  std::vector<curl_slist>& nodes = lists_->headers;
  nodes.resize(own_lines_.size());
  for (size_t i = 0; i < own_lines_.size(); ++i) {
    nodes[i] = {own_lines_[i].data(), i + 1 < own_lines_.size() ? &nodes[i + 1] : nullptr};
  }
}

// The bytes that libcurl sends for these options over HTTP/1.1; over HTTP/2 the same fields go in its own frames.
void HttpTransfer::ComposeRequest() {
  std::string& text = answer_.raw_request;
  text = "GET " + target_.path + " HTTP/1.1\r\nHost: " + target_.host;
  if (!target_.has_default_port()) text += ':' + std::to_string(target_.port);
  text += "\r\n";
  for (const std::string& line : own_lines_) text += line + "\r\n";
  text += "\r\n";
}

}  // namespace trawl
