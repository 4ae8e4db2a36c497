// What was wrong with a TLS handshake, and with whose certificate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

enum class TlsFault : uint8_t {
  kNone,
  kExpired,
  kNotYetValid,
  kWrongHost,
  kSelfSigned,
  kUnknownIssuer,
  kBadCertificate,  // anything else about a certificate
  kHandshake,       // no common protocol or cipher, an alert, a connection cut within
};
// "unknown_issuer"
std::string_view TlsFaultName(TlsFault fault);

// The certificate that a verification stopped at.
struct CertificateFacts {
  std::string subject;
  std::string issuer;
  std::string not_before;  // 2026-01-31T12:00:00Z
  std::string not_after;
  std::string names;  // its DNS names, at most ten, joined by ", "
  bool known() const { return !subject.empty() || !issuer.empty() || !names.empty(); }
};

// Sees the certificates of the connections that are made with a context, and remembers the one that matters. One
// thread; must outlive the handshakes of its context.
class TlsWitness {
 public:
  TlsWitness() = default;
  ~TlsWitness();
  TlsWitness(const TlsWitness&) = delete;
  TlsWitness& operator=(const TlsWitness&) = delete;

  // Attaches to an SSL_CTX.
  void Attach(void* ssl_ctx);
  // Forgets what was seen.
  void Clear();

  // The fault of a failed handshake; `host_mismatch` where the HTTP library refused the name after a chain that holds.
  TlsFault Judge(bool host_mismatch) const;
  // The certificate that failed, or the server's own.
  CertificateFacts Facts() const;

  // For the library's callback: the error (0: none) at a certificate (an X509).
  void See(int error, int depth, void* certificate);

 private:
  int error_ = 0;
  void* certificate_ = nullptr;
};

// Learns what TLS receives while it is received.
class TlsMeter {
 public:
  virtual ~TlsMeter() = default;
  // A record of so many bytes comes on the connection of `fd`. What is to come after it can be ended by a shutdown.
  virtual void OnTlsRecord(int fd, int64_t bytes) = 0;
};
// `meter` is told of the records of an SSL_CTX, that of one connection, which it must outlive.
void MeterTlsRecords(void* ssl_ctx, int fd, TlsMeter* meter);

}  // namespace trawl
