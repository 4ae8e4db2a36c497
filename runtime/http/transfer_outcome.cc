// Defines the members of HttpTransfer (transfer.h) that end it: they turn libcurl's codes, our own limits and the bytes
// received into one outcome.
#include <curl/curl.h>

#include <cerrno>
#include <utility>

#include "runtime/http/transfer.h"

namespace trawl {

namespace {

// Memory that a finished body may hold beyond its size.
constexpr size_t kMostSlackBytes = 256 << 10;

bool IsOwnLack(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM || error == EADDRNOTAVAIL;
}

// Outcomes that a late loop or an exhausted machine may have caused itself.
bool MayBeOwnFault(HttpOutcome outcome) {
  return outcome == HttpOutcome::kTimeout || outcome == HttpOutcome::kTooSlow ||
         outcome == HttpOutcome::kConnectFailed || outcome == HttpOutcome::kDnsFailed ||
         outcome == HttpOutcome::kTlsFailed || outcome == HttpOutcome::kConnectionReset;
}

// libcurl reports these as failures to receive, and only the text tells them apart.
bool IsChunkFault(std::string_view text) {
  return text.find("hexadecimal") != std::string_view::npos || text.find("hunk") != std::string_view::npos;
}

}  // namespace

std::string_view HttpOutcomeName(HttpOutcome outcome) {
  static constexpr std::string_view kNames[] = {"answered",     "timeout",         "too_slow",         "connect_failed",
                                                "dns_failed",   "tls_failed",      "connection_reset", "protocol_error",
                                                "header_limit", "address_refused", "scheme_refused",   "decode_error",
                                                "type_refused", "cancelled"};
  return kNames[static_cast<size_t>(outcome)];
}

void HttpTransfer::Decide(HttpOutcome outcome, std::string detail) {
  if (decided_) return;
  decided_ = true;
  answer_.outcome = outcome;
  answer_.detail = std::move(detail);
}

void HttpTransfer::DecideBreach(HttpDeadline::Breach breach) {
  if (breach != HttpDeadline::Breach::kNone && knows_all()) return Decide(HttpOutcome::kAnswered, "");
  switch (breach) {
    case HttpDeadline::Breach::kNone:
      return;
    case HttpDeadline::Breach::kAddress:
    case HttpDeadline::Breach::kConnect:
      return Decide(HttpOutcome::kConnectFailed, "no connection in time");
    case HttpDeadline::Breach::kFirstByte:
      return Decide(HttpOutcome::kTimeout, "no answer in time");
    case HttpDeadline::Breach::kTooSlow:
      return Decide(HttpOutcome::kTooSlow, "the answer comes too slowly");
    case HttpDeadline::Breach::kTotal:
      break;
  }
  if (resolving()) return Decide(HttpOutcome::kDnsFailed, "no answer from the name servers");
  if (!head_->ended() || !decoder_) return Decide(HttpOutcome::kTimeout, "no whole answer in time");
  decoder_->Cut(BodyEnd::kTime, "the time for the request was over");
  Decide(HttpOutcome::kAnswered, "");
}

bool HttpTransfer::DecideResult(int code) {
  if (decided_) return true;
  // Our own count stopped it, or it ended as the protocol says.
  const bool decoder_stopped = decoder_ && code == CURLE_WRITE_ERROR;
  if (finished_ || decoder_stopped || code == CURLE_OK) {
    if (!head_->ended()) {
      Decide(HttpOutcome::kConnectionReset, "closed within the headers");
      return true;
    }
    const int64_t length = counts_length_ ? head_->content_length() : -1;
    const bool has_body = answer_.status != 304 && answer_.status != 204;
    if (decoder_ && !dropping_) decoder_->Finish(!has_body || length < 0 || decoder_->wire_bytes() >= length);
    Decide(HttpOutcome::kAnswered, "");
    return true;
  }
  if (code == CURLE_COULDNT_CONNECT && !answer_.sent && HasNextAddress()) return false;
  DecideTransportFailure(code);
  return true;
}

void HttpTransfer::DecideTransportFailure(int code) {
  if (knows_all()) return Decide(HttpOutcome::kAnswered, "");
  if (host_->is_flooded) return DecideFlood();
  const bool cut_body = decoder_ && (body_begun_ || code == CURLE_PARTIAL_FILE);
  switch (code) {
    case CURLE_COULDNT_CONNECT: {
      long error = socket_error_;
      if (error == 0) curl_easy_getinfo(easy_, CURLINFO_OS_ERRNO, &error);
      if (IsOwnLack(static_cast<int>(error))) answer_.own_fault = true;
      answer_.nobody_there = error == ECONNREFUSED || error == EHOSTUNREACH;
      return Decide(HttpOutcome::kConnectFailed, CurlText(code));
    }
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      // libcurl holds no trailer line of over 4 KiB, and only its text says so.
      if (cut_body && CurlText(code).starts_with("Out of memory")) {
        return Decide(HttpOutcome::kHeaderLimit, "a trailer line that is too long");
      }
      if (cut_body) {
        decoder_->Finish(false);
        return Decide(HttpOutcome::kAnswered, "");
      }
      if (code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM || IsChunkFault(CurlText(code))) break;
      return Decide(HttpOutcome::kConnectionReset, CurlText(code));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return DecideTlsFailure(code);
    case CURLE_OUT_OF_MEMORY:
      // The line is longer than libcurl can hold.
      if (answer_.sent) return Decide(HttpOutcome::kHeaderLimit, "a header line without end");
      answer_.own_fault = true;
      break;
    case CURLE_BAD_FUNCTION_ARGUMENT:
      // Of all that comes from a server, libcurl says so of one thing alone.
      if (answer_.sent) return Decide(HttpOutcome::kProtocolError, "its head begins with a folded line");
      break;
    case CURLE_WEIRD_SERVER_REPLY:
      length_misread_ = !counts_length_ && CurlText(code).find("Content-Length") != std::string::npos;
      break;
    default:
      break;
  }
  Decide(HttpOutcome::kProtocolError, CurlText(code));
}

void HttpTransfer::DecideFlood() {
  if (!body_begun_) return Decide(HttpOutcome::kProtocolError, "far more bytes than an answer");
  decoder_->Cut(BodyEnd::kSize, "received bytes over the limit");
  Decide(HttpOutcome::kAnswered, "");
}

void HttpTransfer::DecideTlsFailure(int code) {
  answer_.tls_fault = code == CURLE_SSL_CACERT_BADFILE ? TlsFault::kBadCertificate
                                                       : witness_.Judge(code == CURLE_PEER_FAILED_VERIFICATION);
  if (answer_.tls_fault == TlsFault::kHandshake) answer_.certificate = {};
  if (answer_.tls_fault != TlsFault::kHandshake) answer_.certificate = witness_.Facts();
  Decide(HttpOutcome::kTlsFailed, CurlText(code));
}

std::string HttpTransfer::CurlText(int code) const {
  return error_[0] != '\0' ? error_ : curl_easy_strerror(static_cast<CURLcode>(code));
}

void HttpTransfer::ReadTimings() {
  const auto stage_ms = [this](CURLINFO info) -> int64_t {
    curl_off_t us = 0;
    if (curl_easy_getinfo(easy_, info, &us) != CURLE_OK || us <= 0) return -1;
    return attempt_ms_ - submitted_ms_ + us / 1000;
  };
  if (host_ != nullptr && !answer_.reused_connection) {
    const int64_t connect_ms = stage_ms(CURLINFO_CONNECT_TIME_T);
    if (connect_ms >= 0) answer_.timings.connect_ms = connect_ms;
    answer_.timings.tls_ms = stage_ms(CURLINFO_APPCONNECT_TIME_T);
  }
  answer_.ended_ms = shared_->now_ms;
  answer_.timings.total_ms = shared_->now_ms - submitted_ms_;
}

HttpAnswer HttpTransfer::Finish() {
  shared_->buffered_bytes -= buffered_;
  if (answer_.body.capacity() - answer_.body.size() > kMostSlackBytes) answer_.body.shrink_to_fit();
  ReadTimings();
  if (answer_.sent) ComposeRequest();
  answer_.raw_headers = head_->raw();
  answer_.header_bytes = head_->bytes();
  answer_.content_type = head_->content_type();
  answer_.location = head_->location();
  answer_.body_digest = digest_.Finish();
  answer_.body_sha1 = sha1_.Finish();
  if (decoder_) {
    answer_.wire_bytes = decoder_->wire_bytes() + dropped_;
    answer_.decoded_bytes = decoder_->decoded_bytes();
    answer_.kept_codings = decoder_->kept_codings();
    answer_.end = dropping_ ? BodyEnd::kComplete : decoder_->Finish(false);
    if (answer_.outcome == HttpOutcome::kAnswered && !dropping_) answer_.detail = decoder_->detail();
    if (answer_.outcome == HttpOutcome::kAnswered && answer_.end == BodyEnd::kDecodeError) {
      answer_.outcome = HttpOutcome::kDecodeError;
    }
  }
  if (!MayBeOwnFault(answer_.outcome)) answer_.own_fault = false;
  host_ = nullptr;
  decoder_.reset();
  request_.on_head = nullptr;
  return std::move(answer_);
}

}  // namespace trawl
