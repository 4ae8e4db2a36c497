#include "runtime/backends/s3_request.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>

#include "runtime/process/file_descriptor.h"
#include "tests/support/process/in_child.h"
#include "tests/support/process/sanitized.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

using testing::HasSubstr;
using testing::Not;

namespace {

constexpr char kHangUp[] = "";

std::string Reply(int code, const std::string& body = "") {
  return "HTTP/1.1 " + std::to_string(code) + " Said\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

// A server that gives its replies one after the other, whatever is asked; kHangUp closes the connection instead. The
// last reply also answers all later requests.
class ScriptedServer {
 public:
  explicit ScriptedServer(std::vector<std::string> replies) : replies_(std::move(replies)) {
    listener_ = FileDescriptor(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_.get(), 8) != 0 ||
        getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      std::abort();
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~ScriptedServer() {
    shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }

  int connections() const { return connections_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void Serve() {
    while (true) {
      const FileDescriptor connection(accept(listener_.get(), nullptr, nullptr));
      if (!connection.is_open()) return;
      ++connections_;
      while (Answer(connection.get())) continue;
    }
  }

  // Returns false when the connection is over.
  bool Answer(int connection) {
    std::string request;
    char buffer[4096];
    while (!IsWhole(request)) {
      const ssize_t size = read(connection, buffer, sizeof buffer);
      if (size <= 0) return false;
      request.append(buffer, static_cast<size_t>(size));
    }
    std::string reply;
    {
      const std::lock_guard lock(mutex_);
      reply = replies_[std::min(requests_.size(), replies_.size() - 1)];
      requests_.push_back(request);
    }
    const bool is_sent = write(connection, reply.data(), reply.size()) == static_cast<ssize_t>(reply.size());
    return is_sent && reply.find("\r\n\r\n") != std::string::npos;
  }

  static bool IsWhole(const std::string& request) {
    const size_t end = request.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    const size_t length = request.find("Content-Length: ");
    const size_t body = length < end ? std::stoul(request.substr(length + 16)) : 0;
    return request.size() >= end + 4 + body;
  }

  const std::vector<std::string> replies_;
  FileDescriptor listener_;
  uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

constexpr char kSecret[] = "wJalrNotForYourEyes";

S3Requests RequestsTo(const ScriptedServer& server, const std::string& session_token = "") {
  return {{"http://" + server.address() + "/bucket", "eu-west-1"}, [session_token]() -> arrow::Result<S3Credentials> {
            return S3Credentials{"ACCESS", kSecret, session_token};
          }};
}

std::string ErrorBody(const std::string& code, const std::string& message) {
  return "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>";
}

}  // namespace

TEST(S3Request, CreateIsASignedConditionalPut) {
  ScriptedServer server({Reply(200)});
  EXPECT_EQ(RequestsTo(server, "TOKEN").Create("a/b", "content").ValueOrDie(), CreateOutcome::kCreated);
  ASSERT_EQ(server.requests().size(), 1u);
  const std::string request = server.requests()[0];
  EXPECT_TRUE(request.starts_with("PUT /bucket/a/b HTTP/1.1\r\n")) << request;
  EXPECT_THAT(request, HasSubstr("\r\nIf-None-Match: *\r\n"));
  // The SHA-256 of "content".
  EXPECT_THAT(request, HasSubstr("\r\nx-amz-content-sha256: "
                                 "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nx-amz-security-token: TOKEN\r\n"));
  EXPECT_THAT(request, Not(HasSubstr("Expect:")));
  EXPECT_TRUE(request.ends_with("\r\n\r\ncontent")) << request;
  const size_t authorization = request.find("Authorization: AWS4-HMAC-SHA256 Credential=ACCESS/");
  ASSERT_NE(authorization, std::string::npos) << request;
  const std::string line = request.substr(authorization, request.find("\r\n", authorization) - authorization);
  EXPECT_THAT(line, HasSubstr("/eu-west-1/s3/aws4_request"));
  for (const char* header : {"host", "if-none-match", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"}) {
    EXPECT_THAT(line.substr(line.find("SignedHeaders=")), HasSubstr(header));
  }
  EXPECT_THAT(request, Not(HasSubstr(kSecret)));
}

TEST(S3Request, LastingCredentialsHaveNoToken) {
  ScriptedServer server({Reply(200)});
  ASSERT_OK(RequestsTo(server).Create("a", ""));
  EXPECT_THAT(server.requests()[0], Not(HasSubstr("security-token")));
  EXPECT_THAT(server.requests()[0], HasSubstr("Content-Length: 0\r\n"));
}

TEST(S3Request, KeysAreEscaped) {
  ScriptedServer server({Reply(200)});
  ASSERT_OK(RequestsTo(server).Create("a b/%+=&#?/\xc3\xa4~-_.x", "x"));
  EXPECT_TRUE(server.requests()[0].starts_with("PUT /bucket/a%20b/%25%2B%3D%26%23%3F/%C3%A4~-_.x HTTP/1.1\r\n"))
      << server.requests()[0];
}

TEST(S3Request, OnlyTwoAnswersDecide) {
  {
    ScriptedServer server({Reply(412, ErrorBody("PreconditionFailed", "At least one"))});
    EXPECT_EQ(RequestsTo(server).Create("key", "x").ValueOrDie(), CreateOutcome::kExists);
  }
  const struct {
    int code;
    const char* error;
  } refusals[] = {{403, "SignatureDoesNotMatch"}, {404, "NoSuchBucket"},      {500, "InternalError"},
                  {501, "NotImplemented"},        {301, "PermanentRedirect"}, {204, ""}};
  for (const auto& refusal : refusals) {
    ScriptedServer server({Reply(refusal.code, refusal.code == 204 ? "" : ErrorBody(refusal.error, "in words"))});
    const arrow::Status status = RequestsTo(server).Create("some/key", "x").status();
    EXPECT_TRUE(status.IsIOError()) << status;
    EXPECT_THAT(status.ToString(), testing::AllOf(HasSubstr("bucket/some/key"), HasSubstr(std::to_string(refusal.code)),
                                                  HasSubstr(refusal.error), Not(HasSubstr(kSecret))));
    EXPECT_EQ(server.requests().size(), 1u);
  }
}

TEST(S3Request, TriesAgainWhereTheServerSaysSo) {
  ScriptedServer busy({Reply(503), Reply(409), Reply(200)});
  EXPECT_EQ(RequestsTo(busy).Create("key", "x").ValueOrDie(), CreateOutcome::kCreated);
  EXPECT_EQ(busy.requests().size(), 3u);
}

TEST(S3Request, LostReplyIsAnErrorAndNotAskedForAgain) {
  ScriptedServer server({kHangUp});
  const arrow::Status status = RequestsTo(server).Create("key", "x").status();
  EXPECT_TRUE(status.IsIOError()) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("it may have been done"));
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(S3Request, AnswerThatBreaksOffIsAnError) {
  ScriptedServer server({"HTTP/1.1 20"});
  EXPECT_TRUE(RequestsTo(server).Create("key", "x").status().IsIOError());
}

TEST(S3Request, RemovedOrNeverThereIsTheSame) {
  ScriptedServer server({Reply(204), Reply(404, ErrorBody("NoSuchKey", "")), Reply(204)});
  EXPECT_OK(RequestsTo(server).Remove({"a", "b", "c d"}));
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_TRUE(requests[2].starts_with("DELETE /bucket/c%20d HTTP/1.1\r\n")) << requests[2];
  EXPECT_THAT(requests[0], Not(HasSubstr("If-None-Match")));
  ScriptedServer without_bucket({Reply(404, ErrorBody("NoSuchBucket", ""))});
  EXPECT_THAT(RequestsTo(without_bucket).Remove({"a"}).ToString(), HasSubstr("NoSuchBucket"));
  ScriptedServer refusing({Reply(403, ErrorBody("AccessDenied", "no"))});
  EXPECT_THAT(RequestsTo(refusing).Remove({"a", "b"}).ToString(), HasSubstr("AccessDenied"));
  EXPECT_EQ(refusing.requests().size(), 1u);
}

TEST(S3Request, RemovingIsTriedAgainWhenTheReplyIsLost) {
  ScriptedServer server({kHangUp, Reply(204)});
  EXPECT_OK(RequestsTo(server).Remove({"a"}));
  EXPECT_GE(server.requests().size(), 2u);
}

TEST(S3Request, RemovingKeepsItsConnection) {
  ScriptedServer server({Reply(204)});
  EXPECT_OK(RequestsTo(server).Remove({"a", "b", "c"}));
  EXPECT_EQ(server.requests().size(), 3u);
  EXPECT_EQ(server.connections(), 1);
}

// libcurl 7.88 continues the last header line of the request before, which is freed, if the handle is the same.
TEST(S3Request, AHeadThatBeginsWithAFoldedLineContinuesNoOtherOne) {
  const std::string folded = "HTTP/1.1 200 OK\r\n folded: first\r\nContent-Length: 0\r\n\r\n";
  ScriptedServer removing({Reply(204), folded, Reply(204)});
  EXPECT_OK(RequestsTo(removing).Remove({"a", "b"}));
  EXPECT_EQ(removing.requests().size(), 3u) << "the folded answer is none; b is removed by the next one";
  ScriptedServer creating({Reply(503), folded});
  const arrow::Status status = RequestsTo(creating).Create("key", "x").status();
  EXPECT_THAT(status.ToString(), HasSubstr("it may have been done"));
}

TEST(S3Request, WithoutCredentialsNothingIsSent) {
  ScriptedServer server({Reply(200)});
  const S3Requests requests({"http://" + server.address() + "/bucket", "r"},
                            []() -> arrow::Result<S3Credentials> { return arrow::Status::Invalid("none"); });
  EXPECT_TRUE(requests.Create("key", "x").status().IsInvalid());
  EXPECT_TRUE(server.requests().empty());
}

// Credentials are tested in processes of their own: Arrow reads the environment once.

namespace {

void ForgetCredentials(const std::string& home) {
  for (const char* name : {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE",
                           "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AWS_ENDPOINT_URL"}) {
    unsetenv(name);
  }
  setenv("HOME", home.c_str(), 1);
  setenv("AWS_EC2_METADATA_DISABLED", "true", 1);
}

}  // namespace

TEST(S3Credentials, InTheRootAreRefusedWithoutRepeatingThem) {
  for (const std::string root : {"s3://ACCESS:wJalrNotForYourEyes@bucket/path", "s3://wJalrNotForYourEyes@bucket/path",
                                 "s3://ACCESS:wJalrNotForYourEyes@ buck et/path"}) {
    const arrow::Status status = OpenStore(root).status();
    EXPECT_TRUE(status.IsInvalid()) << status;
    EXPECT_THAT(status.ToString(), Not(HasSubstr(kSecret)));
  }
}

TEST(S3Credentials, MissingOnesAreSaidInWords) {
  if (!kChildrenMayHaveThreads) GTEST_SKIP();
  const TemporaryFolder home;
  EXPECT_EQ(InChild([&]() -> std::string {
              ForgetCredentials(home.path());
              const arrow::Status status =
                  OpenStore("s3://bucket/path?endpoint_override=127.0.0.1:1&scheme=http&region=r").status();
              return status.IsInvalid() && status.message().find("AWS_ACCESS_KEY_ID") != std::string::npos
                         ? ""
                         : status.ToString();
            }),
            "");
}

TEST(S3Credentials, AreFoundInTheEnvironmentAndInProfiles) {
  if (!kChildrenMayHaveThreads) GTEST_SKIP();
  const TemporaryFolder home;
  std::ofstream(home.path() + "/credentials") << "[default]\naws_access_key_id = OTHER\naws_secret_access_key = x\n"
                                              << "[mine]\naws_access_key_id = PROFILED\naws_secret_access_key = x\n";
  for (const bool by_profile : {false, true}) {
    EXPECT_EQ(InChild([&]() -> std::string {
                ForgetCredentials(home.path());
                setenv(by_profile ? "AWS_PROFILE" : "AWS_ACCESS_KEY_ID", by_profile ? "mine" : "ENVIRONED", 1);
                setenv(by_profile ? "AWS_SHARED_CREDENTIALS_FILE" : "AWS_SECRET_ACCESS_KEY",
                       (home.path() + "/credentials").c_str(), 1);
                ScriptedServer server({Reply(200)});
                auto store = OpenStore("s3://bucket/path?region=r&scheme=http&endpoint_override=" + server.address());
                if (!store.ok()) return store.status().ToString();
                const auto created = (*store)->CreateExclusive("key", "x");
                if (!created.ok()) return created.status().ToString();
                const std::string request = server.requests()[0];
                const char* wanted = by_profile ? "Credential=PROFILED/" : "Credential=ENVIRONED/";
                const bool is_right =
                    request.find(wanted) != std::string::npos && request.starts_with("PUT /bucket/path/key ");
                return is_right ? "" : request;
              }),
              "");
  }
}

}  // namespace trawl
