#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "jobs/check/check.h"

namespace trawl {
namespace {

std::string Answers(const std::string& kind, const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  EXPECT_TRUE(AnswerChecks(kind, in, out).ok());
  return out.str();
}

std::string Printed(const CheckKind& kind, const std::vector<std::string>& arguments) {
  std::ostringstream out;
  const arrow::Status status = kind.print(arguments, out);
  return status.ok() ? out.str() : status.message();
}

TEST(CheckUrl, AnswersOneObjectALine) {
  EXPECT_EQ(Answers("url",
                    "{\"id\":1,\"url\":\"x?y\",\"base\":\"http://e.example/a/b\"}\n"
                    "{\"id\":2,\"url\":\"x\",\"base\":null}\n"
                    "{\"id\":3,\"url\":\"http://e.example/?\\u00e4\",\"base\":null,\"encoding\":\"windows-1252\"}\n"
                    "{\"id\":4}\n"),
            "{\"id\":1,\"href\":\"http://e.example/a/x?y\"}\n"
            "{\"id\":2,\"href\":null}\n"
            "{\"id\":3,\"href\":\"http://e.example/?%E4\"}\n"
            "{\"id\":4,\"error\":\"member 'url' is missing\"}\n");
  EXPECT_EQ(
      Answers("host",
              "{\"id\":1,\"host\":\"WWW.Example.co.uk\"}\n{\"id\":2,\"host\":\"com\"}\n{\"id\":3,\"host\":\"a b\"}\n"),
      "{\"id\":1,\"ascii\":\"www.example.co.uk\",\"domain\":\"example.co.uk\"}\n"
      "{\"id\":2,\"ascii\":\"com\",\"domain\":null}\n"
      "{\"id\":3,\"ascii\":null,\"domain\":null}\n");
  EXPECT_EQ(Answers("normalize",
                    "{\"id\":1,\"url\":\"HTTP://E.example./?b&a#c\"}\n"
                    "{\"id\":2,\"url\":\"HTTP://E.example./?b&a#c\",\"form\":\"strict\"}\n"
                    "{\"id\":3,\"url\":\"ftp://e.example/\"}\n"),
            "{\"id\":1,\"url\":\"http://e.example/?a&b\"}\n"
            "{\"id\":2,\"url\":\"http://e.example/?b&a\"}\n"
            "{\"id\":3,\"url\":null}\n");
}

TEST(CheckUrl, FiltersSayWhichRuleDecided) {
  EXPECT_EQ(Answers("urlfilter", "{\"id\":1,\"rules\":\"# x\\n-gif$\\n+.\",\"url\":\"http://e.example/a.gif\"}\n"),
            "{\"id\":1,\"accept\":false,\"line\":2,\"rule\":\"-gif$\"}\n");
  EXPECT_EQ(Answers("urlfilter", "{\"id\":2,\"rules\":\"-(a)\\\\1\",\"url\":\"http://e.example/\"}\n").substr(0, 25),
            "{\"id\":2,\"error\":\"rules:1:");
}

TEST(CheckUrl, PrintsForPeople) {
  EXPECT_EQ(Printed(UrlCheck(), {"../B?z=1&a=2#f", "http://u:p@www.Example.com:8080/x/y"}),
            "url         http://u:p@www.example.com:8080/B?z=1&a=2#f\n"
            "scheme      http\n"
            "userinfo    is there, and is neither kept nor sent\n"
            "host        www.example.com\n"
            "port        8080\n"
            "path        /B\n"
            "query       z=1&a=2\n"
            "fragment    f\n"
            "strict      http://www.example.com:8080/B?z=1&a=2\n"
            "standard    http://www.example.com:8080/B?a=2&z=1\n"
            "fold        http://www.example.com:8080/B?a=2&z=1\n"
            "key         com,example,www)http:8080/B?a=2&z=1  (of the standard form)\n"
            "slot        16680\n"
            "domain      example.com\n");
  EXPECT_EQ(Printed(UrlCheck(), {"mailto:a@b"}),
            "url         mailto:a@b\n"
            "scheme      mailto\n"
            "path        a@b\n"
            "strict      (is neither http nor https)\n"
            "standard    (is neither http nor https)\n"
            "fold        (is neither http nor https)\n");
  EXPECT_EQ(Printed(HostCheck(), {"www.Example.com"}),
            "ascii       www.example.com\n"
            "domain      example.com\n"
            "key         com,example,www\n"
            "slot        16680\n");
  EXPECT_EQ(Printed(NormalizeCheck(), {"https://e.example/a/", "fold"}), "https://e.example/a\n");
  EXPECT_EQ(Printed(UrlCheck(), {}), "usage: trawl check url URL [BASE]");
}

}  // namespace
}  // namespace trawl
