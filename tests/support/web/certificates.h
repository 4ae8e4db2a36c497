// Certificates for one run of a test: an authority of its own, and certificates that it signs for the hosts of a test
// web.
#pragma once

#include <memory>
#include <string>

namespace trawl {

enum class TestCertificate {
  kGood,
  kExpired,
  kNotYetValid,
  kWrongHost,
  kSelfSigned,
  kUnknownIssuer,
  // No TLS at all: a client that begins a handshake gets the handler's answer as plain bytes.
  kNone,
};

// One thread at a time. All certificates share one key, so that each costs one signature.
class TestAuthority {
 public:
  TestAuthority();
  ~TestAuthority();
  TestAuthority(const TestAuthority&) = delete;
  TestAuthority& operator=(const TestAuthority&) = delete;

  // The certificate that a client must trust.
  std::string CaPem() const;
  // A certificate for `name` (a host name or an IP address), and the key of all certificates.
  std::string CertificatePem(const std::string& name, TestCertificate kind = TestCertificate::kGood);
  std::string KeyPem() const;

  // For a server inside the process: an X509, which the caller frees, and the EVP_PKEY, which this object keeps.
  void* Issue(const std::string& name, TestCertificate kind);
  void* key() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trawl
