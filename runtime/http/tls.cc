#include "runtime/http/tls.h"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace trawl {

namespace {

constexpr int kMaxNames = 10;
constexpr size_t kMaxTextBytes = 512;

std::string NameText(const X509_NAME* name) {
  BIO* out = BIO_new(BIO_s_mem());
  X509_NAME_print_ex(out, name, 0, XN_FLAG_RFC2253);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out, &bytes);
  std::string text(bytes, size > 0 ? static_cast<size_t>(size) : 0);
  BIO_free(out);
  if (text.size() > kMaxTextBytes) text.resize(kMaxTextBytes);
  return text;
}

std::string TimeText(const ASN1_TIME* time) {
  tm parts = {};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return "";
  char text[32];
  return {text, strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string DnsNames(const X509* certificate) {
  std::string names;
  auto* list = static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  int taken = 0;
  for (int i = 0; i < sk_GENERAL_NAME_num(list) && taken < kMaxNames; ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(list, i);
    if (name->type != GEN_DNS) continue;
    const auto size = static_cast<size_t>(ASN1_STRING_length(name->d.dNSName));
    if (size > kMaxTextBytes) continue;
    if (taken++ > 0) names += ", ";
    names.append(reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName)), size);
  }
  GENERAL_NAMES_free(list);
  return names;
}

int OnVerify(int preverified, X509_STORE_CTX* store) {
  const auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* witness = static_cast<TlsWitness*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  witness->See(preverified == 1 ? 0 : X509_STORE_CTX_get_error(store), X509_STORE_CTX_get_error_depth(store),
               X509_STORE_CTX_get_current_cert(store));
  return preverified;
}

// The index at which an SSL_CTX stores the socket of its connection: libcurl's own layers stand between OpenSSL and the
// socket.
int SocketIndex() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

// Called with each record's header, before the record is read.
void OnMessage(int written, int, int content_type, const void* bytes, size_t size, SSL* ssl, void* meter) {
  if (written != 0 || content_type != SSL3_RT_HEADER || size < SSL3_RT_HEADER_LENGTH) return;
  const auto* header = static_cast<const uint8_t*>(bytes);
  const int64_t length = header[3] << 8 | header[4];
  const auto fd = reinterpret_cast<intptr_t>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), SocketIndex()));
  static_cast<TlsMeter*>(meter)->OnTlsRecord(static_cast<int>(fd), SSL3_RT_HEADER_LENGTH + length);
}

}  // namespace

std::string_view TlsFaultName(TlsFault fault) {
  static constexpr std::string_view kNames[] = {
      "", "expired", "not_yet_valid", "wrong_host", "self_signed", "unknown_issuer", "bad_certificate", "handshake"};
  return kNames[static_cast<size_t>(fault)];
}

TlsWitness::~TlsWitness() { Clear(); }

void TlsWitness::Clear() {
  X509_free(static_cast<X509*>(certificate_));
  certificate_ = nullptr;
  error_ = 0;
}

void TlsWitness::Attach(void* ssl_ctx) {
  auto* context = static_cast<SSL_CTX*>(ssl_ctx);
  SSL_CTX_set_app_data(context, this);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, OnVerify);
  // A renegotiation would verify again, maybe after this witness' end; nobody needs one.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

void TlsWitness::See(int error, int depth, void* certificate) {
  if (error_ != 0 || (error == 0 && depth != 0) || certificate == nullptr) return;
  error_ = error;
  X509_free(static_cast<X509*>(certificate_));
  X509_up_ref(static_cast<X509*>(certificate));
  certificate_ = certificate;
}

TlsFault TlsWitness::Judge(bool host_mismatch) const {
  switch (error_) {
    case 0:
      return host_mismatch ? TlsFault::kWrongHost : TlsFault::kHandshake;
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return TlsFault::kExpired;
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return TlsFault::kNotYetValid;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return TlsFault::kWrongHost;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return TlsFault::kSelfSigned;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
      return TlsFault::kUnknownIssuer;
    default:
      return TlsFault::kBadCertificate;
  }
}

CertificateFacts TlsWitness::Facts() const {
  CertificateFacts facts;
  const auto* certificate = static_cast<const X509*>(certificate_);
  if (certificate == nullptr) return facts;
  facts.subject = NameText(X509_get_subject_name(certificate));
  facts.issuer = NameText(X509_get_issuer_name(certificate));
  facts.not_before = TimeText(X509_get0_notBefore(certificate));
  facts.not_after = TimeText(X509_get0_notAfter(certificate));
  facts.names = DnsNames(certificate);
  return facts;
}

std::string TlsVersionOf(const void* ssl) { return SSL_get_version(static_cast<const SSL*>(ssl)); }

void MeterTlsRecords(void* ssl_ctx, int fd, TlsMeter* meter) {
  auto* context = static_cast<SSL_CTX*>(ssl_ctx);
  SSL_CTX_set_ex_data(context, SocketIndex(), reinterpret_cast<void*>(static_cast<intptr_t>(fd)));
  SSL_CTX_set_msg_callback(context, OnMessage);
  SSL_CTX_set_msg_callback_arg(context, meter);
}

}  // namespace trawl
