// How bytes become requests (RFC 9112), and which bytes are refused because parsers disagree about them.
#include "runtime/server/request_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

// Offers the bytes in pieces, as a connection does, until the reader is done with them; returns what it did not take.
std::string Feed(RequestReader* reader, std::string_view bytes, size_t piece) {
  std::string in;
  while (reader->state() == ReaderState::kHeader || reader->state() == ReaderState::kBody) {
    const size_t before = in.size();
    in.append(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    const size_t taken = reader->Take(in);
    in.erase(0, taken);
    if (taken == 0 && before == in.size()) break;  // nothing more to offer
  }
  return in + std::string(bytes);
}

int RefusalOf(std::string_view bytes) {
  RequestReader reader({});
  Feed(&reader, bytes, bytes.size());
  return reader.state() == ReaderState::kRefused ? reader.refusal().status : 0;
}

constexpr char kPost[] =
    "POST /seeds?x=1 HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: "
    "7\r\n\r\n{\"a\":1}";

TEST(RequestReader, ReadsARequestHoweverItIsCut) {
  for (size_t piece = 1; piece < sizeof(kPost); ++piece) {
    RequestReader reader({});
    EXPECT_EQ(Feed(&reader, std::string(kPost) + "GET / H", piece).substr(0, 3), "GET") << piece;
    ASSERT_EQ(reader.state(), ReaderState::kDone) << piece;
    EXPECT_EQ(reader.request().method, "POST");
    EXPECT_EQ(reader.request().target, "/seeds?x=1");
    EXPECT_EQ(reader.request().body, "{\"a\":1}");
    EXPECT_EQ(reader.request().Header("content-type"), "application/json");
    EXPECT_TRUE(reader.keeps_alive());
  }
}

TEST(RequestReader, TheHeaderIsThereBeforeTheBody) {
  RequestReader reader({});
  reader.Take(std::string_view(kPost).substr(0, sizeof(kPost) - 8));
  EXPECT_EQ(reader.state(), ReaderState::kBody);
  EXPECT_EQ(reader.body_bytes(), 7);
  EXPECT_EQ(reader.request().Header("host"), "a.example");
}

TEST(RequestReader, ConnectionSaysWhetherMoreRequestsCome) {
  const auto keeps_alive = [](const std::string& request) {
    RequestReader reader({});
    Feed(&reader, request, request.size());
    EXPECT_EQ(reader.state(), ReaderState::kDone) << request;
    return reader.keeps_alive();
  };
  EXPECT_TRUE(keeps_alive("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_FALSE(keeps_alive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(keeps_alive("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(keeps_alive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

// RFC 9112 section 6.1: "Regardless, the server MUST close the connection after responding to such a request", where
// both Transfer-Encoding and Content-Length are there; section 11.2 is about request smuggling.
TEST(RequestReader, RequestsThatParsersReadInTwoWaysAreRefused) {
  const auto with = [](const std::string& fields) {
    return RefusalOf("POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\nabcdefgh");
  };
  EXPECT_EQ(with("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"), 400);
  EXPECT_EQ(with("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"), 400);
  EXPECT_EQ(with("Transfer-Encoding: chunked\r\n"), 411);
  EXPECT_EQ(with("Transfer-Encoding: identity\r\n"), 411);
  EXPECT_EQ(with("Transfer-Encoding: xchunked\r\n"), 411);
  EXPECT_EQ(with("Transfer-Encoding:\tchunked\r\n"), 411);
  EXPECT_EQ(with("Transfer-Encoding : chunked\r\n"), 400);
  EXPECT_EQ(with("X: y\r\n\tTransfer-Encoding: chunked\r\nContent-Length: 3\r\n"), 0) << "the second line belongs to X";
  EXPECT_EQ(with("Content-Length: 3\r\nContent-Length: 4\r\n"), 400);
  EXPECT_EQ(with("Content-Length: 3\r\nContent-Length: 3\r\n"), 400);
  EXPECT_EQ(with("Content-Length: 3, 3\r\n"), 400);
  for (const char* length : {"+3", "-3", "0x3", "3 ", "3a", "", "18446744073709551619"}) {
    const int status = with(std::string("Content-Length: ") + length + "\r\n");
    EXPECT_TRUE(status == 400 || (std::string(length) == "3 " && status == 0) || status == 413) << length << status;
  }
  EXPECT_EQ(with("Content-Length: 1048577\r\n"), 413);
  EXPECT_EQ(with("Expect: 200-ok\r\n"), 417);
  EXPECT_EQ(RefusalOf("GET / HTTP/1.1\nHost: a\n\n"), 400) << "bare LF";
  EXPECT_EQ(RefusalOf("GET / HTTP/1.1\r\nHost: a\n\r\n"), 400) << "bare LF";
  EXPECT_EQ(RefusalOf("GET / HTTP/1.1\r\nHost: a\r\rX: y\r\n\r\n"), 400) << "bare CR";
  EXPECT_EQ(RefusalOf(std::string("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 30)), 400) << "NUL";
  EXPECT_EQ(RefusalOf("GET / HTTP/1.1\r\n\r\n"), 400) << "no Host";
  EXPECT_EQ(RefusalOf("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), 400) << "two hosts";
  EXPECT_EQ(RefusalOf("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"), 400) << "as to a proxy";
  EXPECT_EQ(RefusalOf("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(RefusalOf("GET  / HTTP/1.1\r\nHost: a\r\n\r\n"), 400) << "two spaces";
  EXPECT_EQ(RefusalOf("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(RefusalOf("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400) << "HTTP/2";
  EXPECT_EQ(RefusalOf("\x16\x03\x01\x02"), 400) << "TLS on a port without it";
}

TEST(RequestReader, AHeaderHasALimit) {
  EXPECT_EQ(RefusalOf("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n"), 431);
  EXPECT_EQ(RefusalOf("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(9000, 'a') + "\r\n\r\n"), 431);
  EXPECT_EQ(RefusalOf("GET /" + std::string(7000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n"), 0);
}

}  // namespace
}  // namespace trawl
