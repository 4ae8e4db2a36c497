// Says why a TLS handshake failed, and because of which certificate.
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
  kHandshake,       // no common protocol or cipher, an alert, a connection cut during it
};
// "unknown_issuer"
std::string_view TlsFaultName(TlsFault fault);

// The certificate at which a verification stopped.
struct CertificateFacts {
  std::string subject;
  std::string issuer;
  std::string not_before;  // 2026-01-31T12:00:00Z
  std::string not_after;
  std::string names;  // its DNS names, at most ten, joined by ", "
  bool known() const { return !subject.empty() || !issuer.empty() || !names.empty(); }
};

// Sees the certificates of the connections made with a context, and remembers the one that matters. It must outlive the
// handshakes of its context. One thread.
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

  // Returns the fault of a failed handshake; `host_mismatch` says that the HTTP library refused the name after a valid
  // chain.
  TlsFault Judge(bool host_mismatch) const;
  // Returns the certificate that failed, or the server's own.
  CertificateFacts Facts() const;

  // For the library's callback: the error (0: no error) at a certificate (an X509).
  void See(int error, int depth, void* certificate);

 private:
  int error_ = 0;
  void* certificate_ = nullptr;
};

// The protocol of a connection (an SSL) once its handshake is over: "TLSv1.3".
std::string TlsVersionOf(const void* ssl);

// Is told of the bytes that TLS receives while they arrive.
class TlsMeter {
 public:
  virtual ~TlsMeter() = default;
  // A record of `bytes` bytes comes on the connection of `fd`. A shutdown can still prevent what would come after it.
  virtual void OnTlsRecord(int fd, int64_t bytes) = 0;
};
// Tells `meter` of the records of an SSL_CTX, which belongs to one connection; `meter` must outlive that connection.
void MeterTlsRecords(void* ssl_ctx, int fd, TlsMeter* meter);

}  // namespace trawl
