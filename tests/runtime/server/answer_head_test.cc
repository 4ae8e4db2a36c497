#include "runtime/server/answer_head.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

constexpr TimeMs kNow = 784'111'777'000;

// RFC 9110 section 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT ; IMF-fixdate".
TEST(AnswerHead, HasTheDateAndTheLength) {
  EXPECT_EQ(AnswerHead({.status = 404, .headers = {{"Content-Type", "text/plain"}}, .body = "gone"}, true, kNow),
            "HTTP/1.1 404 Not Found\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/plain\r\n"
            "Content-Length: 4\r\nConnection: keep-alive\r\n\r\n");
}

// RFC 9110 section 8.6: "A server MUST NOT send a Content-Length header field in any response with a status code of 1xx
// (Informational) or 204 (No Content)."
TEST(AnswerHead, SomeAnswersHaveNoBody) {
  EXPECT_EQ(AnswerHead({.status = 204, .headers = {}, .body = "x"}, false, kNow),
            "HTTP/1.1 204 No Content\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(HasNoBody(304));
  EXPECT_FALSE(HasNoBody(200));
}

TEST(AnswerHead, AFieldThatForgesAnotherIsNotSent) {
  const auto with = [](std::string name, std::string value) {
    return IsSendable({.headers = {{std::move(name), std::move(value)}}});
  };
  EXPECT_TRUE(with("Location", "/page?x=\xc3\xa4"));
  EXPECT_FALSE(with("Location", "/\r\nSet-Cookie: a=b"));
  EXPECT_FALSE(with("Location", "/\nX: y"));
  EXPECT_FALSE(with("Location", std::string("a\0b", 3)));
  EXPECT_FALSE(with("Loca tion", "/"));
  EXPECT_FALSE(with("A:b", "/"));
  EXPECT_FALSE(with("", "/"));
  EXPECT_FALSE(IsSendable({.status = 101}));
}

TEST(AnswerHead, AProblemIsOfRfc9457) {
  const ServerAnswer answer = ProblemAnswer(413, "too \"large\"");
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.headers.front().second, "application/problem+json");
  EXPECT_EQ(
      answer.body,
      "{\"type\":\"about:blank\",\"title\":\"Payload Too Large\",\"status\":413,\"detail\":\"too \\\"large\\\"\"}\n");
}

}  // namespace
}  // namespace trawl
