#include "tests/support/web/certificates.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdlib>

#include "formats/address/address.h"

namespace trawl {

namespace {

constexpr long kDay = 24 * 3600;

// Not EVP_EC_gen: that macro casts const away, and some compilers warn about it.
EVP_PKEY* MakeKey() {
  char curve[] = "P-256";
  return EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve);
}

void AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  if (extension == nullptr) std::abort();
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

void SetName(X509_NAME* name, const std::string& text) {
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(text.data()),
                             static_cast<int>(text.size()), -1, 0);
}

X509* NewCertificate(const std::string& subject, EVP_PKEY* key, long serial, long from_s, long until_s) {
  X509* certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), from_s);
  X509_gmtime_adj(X509_getm_notAfter(certificate), until_s);
  X509_set_pubkey(certificate, key);
  SetName(X509_get_subject_name(certificate), subject);
  return certificate;
}

X509* MakeCa(const std::string& name, EVP_PKEY* key) {
  X509* ca = NewCertificate(name, key, 1, -kDay, 30 * kDay);
  X509_set_issuer_name(ca, X509_get_subject_name(ca));
  AddExtension(ca, ca, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(ca, ca, NID_key_usage, "critical,keyCertSign,cRLSign");
  X509_sign(ca, key, EVP_sha256());
  return ca;
}

std::string CertificateText(X509* certificate) {
  BIO* out = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(out, certificate);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out, &bytes);
  std::string text(bytes, static_cast<size_t>(size));
  BIO_free(out);
  return text;
}

}  // namespace

struct TestAuthority::State {
  EVP_PKEY* ca_key = MakeKey();
  EVP_PKEY* key = MakeKey();
  EVP_PKEY* stranger_key = MakeKey();
  X509* ca = MakeCa("Trawl test authority", ca_key);
  X509* stranger = MakeCa("A stranger", stranger_key);
  long serial = 1000;

  ~State() {
    for (X509* certificate : {ca, stranger}) X509_free(certificate);
    for (EVP_PKEY* one : {ca_key, key, stranger_key}) EVP_PKEY_free(one);
  }
};

TestAuthority::TestAuthority() : state_(std::make_unique<State>()) {}
TestAuthority::~TestAuthority() = default;

std::string TestAuthority::CaPem() const { return CertificateText(state_->ca); }

std::string TestAuthority::KeyPem() const {
  BIO* out = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(out, state_->key, nullptr, nullptr, 0, nullptr, nullptr);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out, &bytes);
  std::string text(bytes, static_cast<size_t>(size));
  BIO_free(out);
  return text;
}

void* TestAuthority::key() const { return state_->key; }

void* TestAuthority::Issue(const std::string& name, TestCertificate kind) {
  const long from_s = kind == TestCertificate::kNotYetValid ? kDay : -2 * kDay;
  const long until_s = kind == TestCertificate::kExpired ? -kDay : 20 * kDay;
  const std::string subject = kind == TestCertificate::kWrongHost ? "elsewhere.test" : name;
  X509* certificate = NewCertificate(subject, state_->key, ++state_->serial, from_s, until_s);
  const bool alone = kind == TestCertificate::kSelfSigned;
  const bool stranger = kind == TestCertificate::kUnknownIssuer;
  X509* issuer = alone ? certificate : stranger ? state_->stranger : state_->ca;
  EVP_PKEY* issuer_key = alone ? state_->key : stranger ? state_->stranger_key : state_->ca_key;
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  const auto address = IpAddress::Parse(subject);
  AddExtension(certificate, issuer, NID_subject_alt_name, address ? "IP:" + address->ToString() : "DNS:" + subject);
  AddExtension(certificate, issuer, NID_ext_key_usage, "serverAuth");
  X509_sign(certificate, issuer_key, EVP_sha256());
  return certificate;
}

std::string TestAuthority::CertificatePem(const std::string& name, TestCertificate kind) {
  X509* certificate = static_cast<X509*>(Issue(name, kind));
  std::string text = CertificateText(certificate);
  X509_free(certificate);
  return text;
}

}  // namespace trawl
