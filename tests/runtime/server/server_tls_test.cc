// The server over TLS, asked by our own client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <latch>

#include "runtime/http/http.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/web/certificates.h"
#include "tests/support/web/fetch_all.h"
#include "tests/support/web/raw_client.h"
#include "tests/support/web/server_thread.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class ServerTls : public ::testing::Test {
 protected:
  void SetUp() override {
    Put("ca.pem", authority_.CaPem());
    Put("cert.pem", authority_.CertificatePem("127.0.0.1"));
    Put("key.pem", authority_.KeyPem());
    options_ = {.certificate = Path("cert.pem"), .key = Path("key.pem")};
  }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  void Put(const std::string& name, const std::string& text) const { std::ofstream(Path(name)) << text; }
  HttpAnswer Fetch(int port) const {
    HttpClientOptions options;
    options.allow_private = true;
    options.ca_file = Path("ca.pem");
    const auto client = HttpClient::Make(options, SystemClock()).ValueOrDie();
    return FetchOne(*client, "https://127.0.0.1:" + std::to_string(port) + "/");
  }
  arrow::Status Fault() const { return Server::Make(options_, {.handle = Say}, SystemClock()).status(); }
  static ServerAnswer Say(const ServerRequest& request, const StopToken&) {
    return {.body = request.is_tls ? std::string(300'000, 's') : "plain"};
  }

  TestAuthority authority_;
  TemporaryFolder folder_;
  ServerOptions options_;
};

TEST_F(ServerTls, AnswersOverTls) {
  ServerThread server({.handle = Say}, options_);
  const HttpAnswer answer = Fetch(server.port());
  EXPECT_EQ(answer.body, std::string(300'000, 's')) << answer.detail;
  EXPECT_EQ(answer.tls_version, "TLSv1.3");
}

TEST_F(ServerTls, AClientWithoutTlsOrWithASlowHandshakeIsLeft) {
  options_.limits.header_ms = 200;
  ServerThread server({.handle = Say}, options_);
  RawClient plain(server.port()), silent(server.port());
  plain.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  plain.Rest();
  silent.Rest();
  EXPECT_EQ(Fetch(server.port()).status, 200);
}

TEST_F(ServerTls, ACertificateIsReadAnewOnHangup) {
  std::latch hung_up(1);
  arrow::Status reloaded;
  ServerThread server({.handle = Say,
                       .on_hangup =
                           [&](const arrow::Status& status) {
                             reloaded = status;
                             hung_up.count_down();
                           }},
                      options_);
  Put("cert.pem", authority_.CertificatePem("127.0.0.1", TestCertificate::kExpired));
  EXPECT_EQ(Fetch(server.port()).status, 200);
  raise(SIGHUP);
  hung_up.wait();
  EXPECT_OK(reloaded);
  EXPECT_EQ(Fetch(server.port()).tls_fault, TlsFault::kExpired);
}

TEST_F(ServerTls, ABadFileIsNamed) {
  Put("key.pem", "no key");
  EXPECT_THAT(Fault().message(), HasSubstr("key.pem: not the private key of "));
  Put("cert.pem", "no certificate");
  EXPECT_THAT(Fault().message(), HasSubstr("cert.pem: no certificate in PEM form"));
  options_.certificate = Path("missing.pem");
  EXPECT_THAT(Fault().message(), HasSubstr("missing.pem"));
}

}  // namespace
}  // namespace trawl
