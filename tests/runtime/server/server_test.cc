// The server over loopback: what good clients get, and how it ends what bad ones do. Deadlines are short here.
#include "runtime/server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <vector>

#include "runtime/server/answer_head.h"
#include "tests/support/web/raw_client.h"
#include "tests/support/web/server_thread.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kGet[] = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

std::string Post(const std::string& body, const std::string& fields = "") {
  return "POST /p HTTP/1.1\r\nHost: a\r\n" + fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

// Says what it was asked: "GET /a 3 from 127.0.0.1".
ServerAnswer Echo(const ServerRequest& request, const StopToken&) {
  return {.headers = {{"Content-Type", "text/plain"}},
          .body = request.method + " " + request.target + " " + std::to_string(request.body.size()) + " from " +
                  request.address};
}

ServerOptions Quick() {
  return {.limits = {.header_ms = 300,
                     .between_ms = 300,
                     .body_ms = 300,
                     .handler_ms = 300,
                     .answer_ms = 300,
                     .linger_ms = 200,
                     .leave_ms = 2'000}};
}

TEST(Server, AnswersOneRequestAfterAnother) {
  ServerThread server({.handle = Echo});
  RawClient client(server.port());
  EXPECT_EQ(BodyOf(client.Ask(kGet)), "GET /a 0 from 127.0.0.1");
  const std::string answer = client.Ask(Post("123"));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nDate: "));
  EXPECT_THAT(answer, HasSubstr("\r\nConnection: keep-alive\r\n"));
  EXPECT_EQ(BodyOf(answer), "POST /p 3 from 127.0.0.1");
  EXPECT_TRUE(client.Send("GET /z HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
  EXPECT_THAT(client.Rest(), HasSubstr("\r\nConnection: close\r\n"));
}

TEST(Server, PipelinedRequestsAreAnsweredInOrder) {
  ServerThread server({.handle = Echo});
  RawClient client(server.port());
  ASSERT_TRUE(client.Send(std::string(kGet) + Post("12345") + "GET /c HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_EQ(BodyOf(client.Answer()), "GET /a 0 from 127.0.0.1");
  EXPECT_EQ(BodyOf(client.Answer()), "POST /p 5 from 127.0.0.1");
  EXPECT_EQ(BodyOf(client.Answer()), "GET /c 0 from 127.0.0.1");
}

TEST(Server, AConnectionEndsAfterItsLastRequest) {
  ServerThread server({.handle = Echo}, {.limits = {.requests_per_connection = 3}});
  RawClient client(server.port());
  ASSERT_TRUE(client.Send(std::string(kGet) + kGet + kGet + kGet));
  EXPECT_THAT(client.Answer(), HasSubstr("keep-alive"));
  EXPECT_THAT(client.Answer(), HasSubstr("keep-alive"));
  EXPECT_THAT(client.Rest(), HasSubstr("Connection: close"));
}

// RFC 9110 section 9.3.2: "the server MUST NOT send content in the response."
TEST(Server, HeadHasTheLengthAndNoBody) {
  ServerThread server({.handle = Echo});
  RawClient client(server.port());
  ASSERT_TRUE(client.Send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_THAT(client.Answer(false), HasSubstr("Content-Length: 24\r\n"));
  EXPECT_EQ(BodyOf(client.Ask(kGet)), "GET /a 0 from 127.0.0.1");
}

TEST(Server, ALargeBodyComesWholeBothWays) {
  const std::string large(1 << 20, 'x');
  ServerThread server({.handle = [](const ServerRequest& request, const StopToken&) {
    return ServerAnswer{.body = request.body + request.body + request.body};
  }});
  RawClient client(server.port());
  EXPECT_EQ(BodyOf(client.Ask(Post(large))), large + large + large);
  EXPECT_EQ(StatusOf(client.Ask(Post(large + "x"))), 413);
  EXPECT_EQ(client.Rest(), "");
}

// RFC 9110 section 10.1.1: "Upon receiving an HTTP/1.1 (or later) request that has a method, target URI, and complete
// header section that contains a 100-continue expectation …, an origin server MUST send either …".
TEST(Server, AClientThatAsksMaySendItsBody) {
  ServerThread server({.handle = Echo});
  RawClient client(server.port());
  ASSERT_TRUE(client.Send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
  EXPECT_EQ(client.Answer(false), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(BodyOf(client.Ask("ab")), "POST / 2 from 127.0.0.1");
}

TEST(Server, WhatIsNoRequestIsAnsweredAndTheConnectionClosed) {
  ServerThread server({.handle = Echo});
  const auto ask = [&server](const std::string& bytes) {
    RawClient client(server.port());
    client.Send(bytes);
    return client.Rest();
  };
  EXPECT_EQ(StatusOf(ask("GET / HTTP/1.1\nHost: a\n\n")), 400);
  EXPECT_EQ(StatusOf(ask("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")),
            411);
  EXPECT_EQ(StatusOf(ask("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n")), 431);
  const std::string smuggled =
      ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /b "
          "HTTP/1.1\r\n"
          "Host: a\r\n\r\n");
  EXPECT_EQ(StatusOf(smuggled), 400);
  EXPECT_EQ(smuggled.find("\r\nDate: "), smuggled.rfind("\r\nDate: ")) << "one answer only";
  EXPECT_THAT(ask("\r\n\r\n"), HasSubstr("application/problem+json"));
}

TEST(Server, EachPhaseHasADeadline) {
  ServerThread server({.handle = Echo}, Quick());
  RawClient slow_header(server.port()), slow_body(server.port()), idle(server.port()), silent(server.port());
  slow_header.Send("GET / HT");
  slow_body.Send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n123");
  EXPECT_EQ(StatusOf(idle.Ask(kGet)), 200);
  EXPECT_EQ(StatusOf(slow_header.Rest()), 408);
  EXPECT_EQ(StatusOf(slow_body.Rest()), 408);
  EXPECT_EQ(idle.Rest(), "") << "closed between two requests, without a word";
  EXPECT_EQ(silent.Rest(), "");
}

TEST(Server, AClientThatDoesNotTakeItsAnswerIsLeft) {
  std::atomic<int> observed = 0;
  ServerOptions options = Quick();
  options.limits.leave_ms = 60'000;
  ServerThread server({.handle = [](const ServerRequest&,
                                    const StopToken&) { return ServerAnswer{.body = std::string(20 << 20, 'x')}; },
                       .observe = [&observed](const ServerRequest&, int, int64_t) { ++observed; }},
                      options);
  RawClient client(server.port());
  client.UseSmallWindow();
  client.Send(kGet);
  while (observed == 0) std::this_thread::yield();
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(server.Stop());
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(options.limits.leave_ms));
}

TEST(Server, SlowClientsDoNotHoldUpAGoodOne) {
  ServerThread server({.handle = Echo});
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 60; ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port()));
    slow.back()->Send(i % 2 == 0 ? "GET / HTTP/1.1\r\nHost: a\r\nX: "
                                 : "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n");
    RawClient good(server.port());
    ASSERT_EQ(BodyOf(good.Ask(kGet)), "GET /a 0 from 127.0.0.1") << "beside " << i;
  }
}

TEST(Server, AFullServerLetsIdleConnectionsGo) {
  ServerThread server({.handle = Echo}, {.limits = {.connections = 2}});
  RawClient first(server.port(), "127.0.0.2"), second(server.port(), "127.0.0.3");
  EXPECT_EQ(BodyOf(first.Ask(kGet)), "GET /a 0 from 127.0.0.2");
  EXPECT_EQ(BodyOf(second.Ask(kGet)), "GET /a 0 from 127.0.0.3");
  RawClient third(server.port(), "127.0.0.4");
  EXPECT_EQ(BodyOf(third.Ask(kGet)), "GET /a 0 from 127.0.0.4");
  EXPECT_EQ(first.Rest(), "");
  EXPECT_EQ(StatusOf(second.Ask(kGet)), 200);
}

// A handler that is stuck until the test lets it go.
struct StuckHandler {
  ServerHandler handler() {
    return [this](const ServerRequest& request, const StopToken& stop) {
      if (request.target != "/a") return Echo(request, stop);
      begun.count_down();
      end.wait();
      was_stopped = stop.stopped();
      return Echo(request, stop);
    };
  }
  std::latch begun{1}, end{1};
  std::atomic<bool> was_stopped = false;
};

TEST(Server, AStuckHandlerCostsAThreadAndNotTheServer) {
  StuckHandler stuck;
  ServerOptions options = Quick();
  options.limits.handlers = 1;
  options.limits.waiting = 1;
  ServerThread server({.handle = stuck.handler(),
                       .admit = [](const ServerRequest& request) -> std::optional<ServerAnswer> {
                         if (request.target != "/healthz") return std::nullopt;
                         return ServerAnswer{.body = "ok"};
                       }},
                      options);
  RawClient first(server.port()), second(server.port()), health(server.port());
  first.Send(kGet);
  stuck.begun.wait();
  second.Send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(BodyOf(health.Ask("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")), "ok");
  const std::string late = first.Answer();
  EXPECT_EQ(StatusOf(late), 504);
  const std::string waited = second.Answer();
  EXPECT_EQ(StatusOf(waited), 503) << "its turn never came";
  const std::string refused = RawClient(server.port()).Ask("GET /c HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(StatusOf(refused), 503);
  EXPECT_THAT(refused, HasSubstr("Retry-After: 1\r\n"));
  stuck.end.count_down();
  int status = 503;
  while (status == 503) status = StatusOf(RawClient(server.port()).Ask("GET /d HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_EQ(status, 200) << "the thread has come back";
  EXPECT_TRUE(stuck.was_stopped);
  EXPECT_TRUE(server.Stop());
}

TEST(Server, WhatOvertakesAStuckHandlerIsAnsweredAtOnce) {
  StuckHandler stuck;
  std::atomic<bool> is_away = false;
  ServerOptions options = {.limits = {.handlers = 1, .handler_ms = 60'000}};
  ServerThread server({.handle = stuck.handler(),
                       .overtake = [&is_away](const ServerRequest& request) -> std::optional<ServerAnswer> {
                         if (!is_away || request.method == "POST") return std::nullopt;
                         return ServerAnswer{.status = 503, .body = "away"};
                       }},
                      options);
  RawClient running(server.port()), waiting(server.port()), writing(server.port());
  running.Send(kGet);
  stuck.begun.wait();
  waiting.Send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n");
  writing.Send(Post("123"));
  is_away = true;
  EXPECT_EQ(BodyOf(running.Answer()), "away");
  EXPECT_EQ(BodyOf(waiting.Answer()), "away") << "it has no thread yet";
  is_away = false;
  stuck.end.count_down();
  EXPECT_EQ(BodyOf(writing.Answer()), "POST /p 3 from 127.0.0.1") << "what is not overtaken goes on";
  EXPECT_EQ(StatusOf(running.Ask("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")), 200) << "its connection goes on";
  EXPECT_TRUE(stuck.was_stopped);
}

TEST(Server, WhatIsNotAdmittedSendsNoBody) {
  std::atomic<int> calls = 0;
  ServerThread server({.handle =
                           [&calls](const ServerRequest& request, const StopToken& stop) {
                             ++calls;
                             return Echo(request, stop);
                           },
                       .admit = [](const ServerRequest& request) -> std::optional<ServerAnswer> {
                         if (request.Header("authorization")) return std::nullopt;
                         return ProblemAnswer(401, "who are you?");
                       }});
  RawClient stranger(server.port()), friendly(server.port());
  stranger.Send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc");
  EXPECT_EQ(StatusOf(stranger.Rest()), 401);
  EXPECT_EQ(StatusOf(friendly.Ask(kGet)), 401);
  EXPECT_EQ(StatusOf(friendly.Ask(Post("abc", "Authorization: me\r\n"))), 200) << "its connection goes on";
  EXPECT_EQ(calls, 1);
}

TEST(Server, ADelayedAnswerHoldsNoThread) {
  ServerOptions options = {.limits = {.handlers = 1, .leave_ms = 1}};
  ServerThread server({.handle =
                           [](const ServerRequest& request, const StopToken& stop) {
                             ServerAnswer answer = Echo(request, stop);
                             if (request.target == "/a") answer.delay_ms = 60'000;
                             return answer;
                           }},
                      options);
  RawClient delayed(server.port()), quick(server.port());
  delayed.Send(kGet);
  EXPECT_EQ(StatusOf(quick.Ask(Post(""))), 200);
}

TEST(Server, LargeBodiesAreHeldUpToALimit) {
  std::latch begun(1), end(1);
  ServerThread server({.handle =
                           [&](const ServerRequest& request, const StopToken& stop) {
                             if (request.method == "GET") return Echo(request, stop);
                             begun.count_down();
                             end.wait();
                             return Echo(request, stop);
                           }},
                      {.limits = {.held_bytes = 300'000}});
  RawClient first(server.port()), second(server.port()), small(server.port());
  first.Send(Post(std::string(200'000, 'x')));
  begun.wait();
  EXPECT_EQ(StatusOf(second.Ask(Post(std::string(200'000, 'x')))), 503);
  EXPECT_EQ(StatusOf(small.Ask(kGet)), 200);
  end.count_down();
  EXPECT_EQ(StatusOf(first.Answer()), 200);
}

TEST(Server, AHandlerThatThrowsOrForgesFieldsIsA500) {
  ServerThread server({.handle = [](const ServerRequest& request, const StopToken&) -> ServerAnswer {
    if (request.target == "/a") throw std::runtime_error("short of something");
    return {.headers = {{"Location", "/\r\nSet-Cookie: a=b"}}};
  }});
  RawClient client(server.port());
  EXPECT_EQ(StatusOf(client.Ask(kGet)), 500);
  const std::string forged = client.Ask(Post(""));
  EXPECT_EQ(StatusOf(forged), 500);
  EXPECT_THAT(forged, Not(HasSubstr("Set-Cookie")));
}

TEST(Server, EveryAnswerIsFinished) {
  ServerThread server({.handle = Echo, .finish = [](const ServerRequest* request, ServerAnswer* answer) {
                         answer->headers.emplace_back("X-Method", request == nullptr ? "none" : request->method);
                       }});
  RawClient client(server.port());
  EXPECT_THAT(client.Ask(kGet), HasSubstr("X-Method: GET\r\n"));
  EXPECT_THAT(client.Ask("nonsense\r\n\r\n"), HasSubstr("X-Method: none\r\n"));
}

TEST(Server, StoppingLetsRunningAnswersEnd) {
  StuckHandler stuck;
  ServerThread server({.handle = stuck.handler()});
  RawClient running(server.port()), idle(server.port()), begun(server.port());
  EXPECT_EQ(StatusOf(idle.Ask(Post(""))), 200);
  running.Send(kGet);
  begun.Send("GET");
  stuck.begun.wait();
  server.AskToStop();
  EXPECT_EQ(idle.Rest(), "");
  EXPECT_EQ(begun.Rest(), "");
  EXPECT_FALSE(RawClient(server.port()).is_open());
  stuck.end.count_down();
  EXPECT_THAT(running.Rest(), HasSubstr("Connection: close\r\n"));
  EXPECT_TRUE(server.Stop());
}

TEST(Server, StoppingDoesNotWaitForTheStuck) {
  StuckHandler stuck;
  ServerOptions options = Quick();
  options.limits.leave_ms = 1;
  options.limits.handler_ms = 60'000;
  ServerThread server({.handle = stuck.handler()}, options);
  RawClient client(server.port());
  client.Send(kGet);
  stuck.begun.wait();
  EXPECT_FALSE(server.Stop());
  EXPECT_EQ(client.Rest(), "");
  stuck.end.count_down();
  while (!stuck.was_stopped) std::this_thread::yield();
}

}  // namespace
}  // namespace trawl
