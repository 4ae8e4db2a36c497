// trawl serve as a process: what it says, what it refuses, and how signals end it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include "tests/support/process/trawl_command.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/web/raw_client.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class Serve : public ::testing::Test {
 protected:
  void SetUp() override { AnswerOf(Trawl({"inject", "https://www.example.com/", "--root", root_, "--json"})); }

  std::string WriteToken(const std::string& secret, mode_t mode = 0600) const {
    const std::string file = folder_.path() + "/token";
    std::ofstream(file) << secret << "\n";
    chmod(file.c_str(), mode);
    return file;
  }
  BinaryResult Fails(std::vector<std::string> options) const {
    options.insert(options.begin(), {"serve", "--root", root_});
    return RunBinary({.arguments = options});
  }
  // Starts a server on a port that the system chooses.
  void Start(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"serve", "--root", root_, "--serve.listen", "127.0.0.1:0"});
    const std::string out = folder_.path() + "/events";
    options.insert(options.end(), {"--log_format", "json", "--log_file", out});
    process_.emplace(BinaryRequest{.arguments = options});
    ASSERT_TRUE(process_->WaitFor("listening on http://127.0.0.1:"));
    port_ = PortOf(process_->pid());
  }
  std::string Ask(const std::string& method, const std::string& path, const std::string& fields = "",
                  const std::string& body = "") const {
    const std::string length = body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n";
    RawClient client(port_);
    client.Send(method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                "\r\nConnection: close\r\n" + fields + length + "\r\n" + body);
    return client.Rest();
  }

  const TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
  std::optional<BinaryProcess> process_;
  int port_ = 0;

 private:
  // The port on which a process listens, as the kernel knows it.
  static int PortOf(pid_t pid) {
    std::set<std::string> sockets;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
      std::error_code gone;
      const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
      if (target.starts_with("socket:[")) sockets.insert(target.substr(8, target.size() - 9));
    }
    std::ifstream table("/proc/" + std::to_string(pid) + "/net/tcp");
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
      std::istringstream words(line);
      std::vector<std::string> fields(std::istream_iterator<std::string>(words), {});
      constexpr char kListens[] = "0A";
      if (fields.size() > 9 && fields[3] == kListens && sockets.contains(fields[9])) {
        return static_cast<int>(std::stol(fields[1].substr(fields[1].find(':') + 1), nullptr, 16));
      }
    }
    return 0;
  }
};

TEST_F(Serve, SaysWhereItListensAndEndsWellOnSigterm) {
  Start();
  EXPECT_EQ(StatusOf(Ask("GET", "/healthz")), 200);
  EXPECT_EQ(StatusOf(Ask("GET", "/readyz")), 200);
  EXPECT_EQ(StatusOf(Ask("GET", "/status")), 200);
  EXPECT_EQ(StatusOf(Ask("GET", "/metrics")), 200);
  EXPECT_EQ(StatusOf(Ask("GET", "/")), 200);
  EXPECT_EQ(StatusOf(Ask("GET", "/openapi.json")), 200);
  process_->Signal(SIGTERM);
  const BinaryResult result = process_->Wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "listening on http://127.0.0.1:" + std::to_string(port_) + "\n");
  EXPECT_EQ(result.out, "");
}

TEST_F(Serve, EveryAnswerHasThePoliciesAndNoneOpensItToOthers) {
  Start();
  for (const char* path : {"/healthz", "/status", "/metrics", "/", "/nothing", "/api/v1/nothing", "/login"}) {
    const std::string answer = Ask("GET", path, "Origin: http://evil.example\r\n");
    for (const char* field : {"X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                              "Cross-Origin-Resource-Policy: same-origin", "Content-Security-Policy: "}) {
      EXPECT_THAT(answer, HasSubstr(field)) << path;
      EXPECT_EQ(answer.find(field), answer.rfind(field)) << path;
    }
    EXPECT_EQ(answer.find("Access-Control"), std::string::npos) << path;
  }
  EXPECT_EQ(StatusOf(Ask("OPTIONS", "/seeds", "Origin: http://evil.example\r\n")), 405);
}

TEST_F(Serve, WritesNeedTheTokenThatSighupMayChange) {
  const std::string token = WriteToken("first");
  Start({"--serve.token_file", token});
  const auto post = [this](const std::string& secret) {
    return StatusOf(
        Ask("POST", "/seeds",
            "Content-Type: application/json\r\n" + (secret.empty() ? "" : "Authorization: Bearer " + secret + "\r\n"),
            "{\"urls\": [\"https://www.example.com/" + secret + "\"]}"));
  };
  EXPECT_EQ(post(""), 401);
  EXPECT_EQ(post("first"), 200);
  WriteToken("second");
  process_->Signal(SIGHUP);
  ASSERT_TRUE(process_->WaitFor("read the token and the certificate again\n"));
  EXPECT_EQ(post("second"), 200);
  EXPECT_EQ(post("first"), 401);
  WriteToken("third", 0644);
  process_->Signal(SIGHUP);
  ASSERT_TRUE(process_->WaitFor("the old token stays in use"));
  EXPECT_EQ(post("second"), 200);
}

// A pipe that nobody writes, a folder, and a device that never ends.
TEST_F(Serve, WhatIsNoFileIsNamedAtOnce) {
  const std::string pipe = folder_.path() + "/pipe", file = folder_.path() + "/file.pem";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::ofstream(file) << "text\n";
  for (const std::string& none : {pipe, folder_.path(), std::string("/dev/zero")}) {
    const std::vector<std::vector<std::string>> cases = {
        {"--serve.token_file", none},
        {"--serve.tls_certificate", none, "--serve.tls_key", file},
        {"--serve.tls_certificate", file, "--serve.tls_key", none},
    };
    for (const auto& options : cases) {
      const BinaryResult result = Fails(options);
      EXPECT_EQ(result.exit_code, 2) << options[0] << " " << result.err;
      EXPECT_THAT(result.err, HasSubstr(none + ": it is not a file")) << options[0];
    }
  }
  EXPECT_THAT(Fails({"--config", pipe}).err, HasSubstr(pipe + ": nobody writes to this pipe"));
  EXPECT_THAT(Fails({"--config", "/dev/zero"}).err, HasSubstr("/dev/zero: is over 1 MiB"));
  EXPECT_THAT(Fails({"--config", folder_.path()}).err, HasSubstr(folder_.path()));
  EXPECT_THAT(Fails({"--log_file", pipe}).err, HasSubstr(pipe));
}

TEST_F(Serve, WithoutATokenItOnlyReads) {
  Start();
  const std::string answer =
      Ask("POST", "/seeds", "Content-Type: application/json\r\n", "{\"urls\": [\"https://www.example.com/x\"]}");
  EXPECT_EQ(StatusOf(answer), 403);
  EXPECT_THAT(answer, HasSubstr("--serve.token_file"));
}

TEST_F(Serve, ADamagedFileIsNamedByTheApiAndByThePage) {
  Start();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root_ + "/crawldb/urls")) {
    if (entry.path().extension() == ".orc") std::filesystem::resize_file(entry.path(), 10);
  }
  const std::string problem = Ask("GET", "/api/v1/urls");
  EXPECT_EQ(StatusOf(problem), 500);
  EXPECT_THAT(problem, HasSubstr("application/problem+json"));
  EXPECT_THAT(problem, HasSubstr("crawldb/urls/"));
  for (const char* path : {"/search?prefix=https://www.example.com/", "/url?url=https://www.example.com/"}) {
    const std::string page = Ask("GET", path, "Accept: text/html\r\n");
    EXPECT_EQ(StatusOf(page), 500) << path;
    EXPECT_THAT(page, HasSubstr("crawldb/urls/")) << path;
  }
  EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/settings")), 200) << "what the damage does not concern is answered";
}

TEST_F(Serve, AKilledServerLeavesNothingThatTheNextOneMinds) {
  Start();
  EXPECT_EQ(StatusOf(Ask("GET", "/status")), 200);
  process_->Signal(SIGKILL);
  EXPECT_EQ(process_->Wait().signal, SIGKILL);
  Start();
  EXPECT_EQ(StatusOf(Ask("GET", "/status")), 200);
}

TEST_F(Serve, ASecondServerOnThePortSaysSo) {
  Start();
  const BinaryResult second = Fails({"--serve.listen", "127.0.0.1:" + std::to_string(port_)});
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_THAT(second.err, HasSubstr("Address already in use"));
}

TEST_F(Serve, WhatIsUnsafeIsRefusedBeforeItListens) {
  const BinaryResult open = Fails({"--serve.listen", "0.0.0.0:0"});
  EXPECT_EQ(open.exit_code, 2);
  EXPECT_THAT(open.err, HasSubstr("--serve.token_file"));
  const BinaryResult readable = Fails({"--serve.token_file", WriteToken("secret", 0644)});
  EXPECT_EQ(readable.exit_code, 2);
  EXPECT_THAT(readable.err, HasSubstr("chmod 600"));
  const BinaryResult plain = Fails({"--serve.listen", "[::]:0", "--serve.token_file", WriteToken("secret")});
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_THAT(plain.err, HasSubstr("--serve.tls_certificate"));
  EXPECT_EQ(Fails({"--root", folder_.path() + "/none"}).exit_code, 3) << "no crawl";
}

TEST_F(Serve, RequestsAreEventsOfTheLog) {
  Start();
  Ask("GET", "/status?now=2026-01-01T00:00:00Z");
  process_->Signal(SIGTERM);
  process_->Wait();
  std::ifstream events(folder_.path() + "/events");
  std::string line, found;
  while (std::getline(events, line)) {
    if (line.find("request_answered") != std::string::npos) found = line;
  }
  EXPECT_THAT(found, HasSubstr("\"path\":\"/status\"")) << "without its query";
  EXPECT_THAT(found, HasSubstr("\"status\":200"));
}

}  // namespace
}  // namespace trawl
