// The pages of trawl serve over made-up values, for browsers (tests/scripts/pages_test puts a server before it).
//
// A line of standard input is a JSON object {"method", "target", "body", "crawl": "busy" or "empty", "may_write"}; the
// answer is a line {"status", "headers", "body"}.
#include <iostream>
#include <string>

#include "jobs/web/web.h"
#include "runtime/process/clock.h"
#include "runtime/server/message.h"
#include "tests/support/pages/page_values.h"

int main() {
  using namespace trawl;
  const TimeMs now_ms = SystemClock().NowMs();
  PageValues busy = PageValues::Busy(now_ms), empty = PageValues::Empty(now_ms);
  for (std::string line; std::getline(std::cin, line);) {
    const arrow::Result<Json> asked = ParseJson(line);
    if (!asked.ok()) return 2;
    ServerRequest request;
    request.method = asked->value("method", "GET");
    request.target = asked->value("target", "/");
    request.body = asked->value("body", "");
    const bool is_busy = asked->value("crawl", "busy") == "busy", may_write = asked->value("may_write", false);
    WebContext context = {
        .source = is_busy ? busy : empty,
        .crawl = "news",
        .root = "/data/news",
        .now_ms = now_ms,
        .visitor = {.may_write = may_write, .is_logged_in = may_write, .can_log_in = true, .form_token = "form-token"}};
    const ServerAnswer answer = WebAnswer(context, request, StopToken());
    std::cout << DumpJson({{"status", answer.status}, {"headers", answer.headers}, {"body", answer.body}}) << std::endl;
  }
}
