// Input: a request to the API: "METHOD target", header fields, one "name: value" per line, an empty line, and the body. The API
// answers it over a small sound crawl: with what was asked for, or with a problem that says what is wrong. Never with a failure
// of its own, and never with what is not JSON.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "formats/answers/problem.h"
#include "formats/text/ascii.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/crawl/served_crawl.h"
#include "tests/support/crawl/url_rows.h"

namespace trawl {
namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

// A crawl with a page that was fetched, a host, and a page that was not.
struct Scene {
  SegmentFixture crawl;
  std::unique_ptr<ServedCrawl> served;

  Scene() {
    Check(crawl.Put<UrlRow>({UnfetchedRow("com,example,www)/"), UnfetchedRow("com,example,www)/a")}).ok());
    HostRow host;
    host.key = "com,example,www";
    Check(crawl.Put<HostRow>({host}).ok());
    served = std::make_unique<ServedCrawl>(crawl.store(), "2026-01-01T13:00:00Z");
  }
};

std::string_view TakeLine(std::string_view* rest) {
  const size_t end = std::min(rest->find('\n'), rest->size());
  const std::string_view line = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return line;
}

ServerRequest Read(std::string_view input) {
  ServerRequest request;
  const std::string_view first = TakeLine(&input);
  const size_t blank = std::min(first.find(' '), first.size());
  request.method = first.substr(0, blank);
  request.target = first.substr(std::min(blank + 1, first.size()));
  while (!input.empty()) {
    const std::string_view line = TakeLine(&input);
    if (line.empty()) break;
    const size_t colon = std::min(line.find(':'), line.size() - 1);
    request.headers.emplace_back(AsciiLower(line.substr(0, colon)), TrimBytes(line.substr(colon + 1), " \t"));
  }
  request.body = input;
  return request;
}

bool IsJson(std::string_view type) { return type == "application/json" || type == kProblemType; }

void CheckAnswer(const ServerAnswer& answer) {
  constexpr int kNotModified = 304;
  // 500 is damage, and this crawl has none. 503 is the store.
  Check(answer.status < 500 && answer.status >= 200);
  for (const auto& [name, value] : answer.headers) {
    Check(std::none_of(value.begin(), value.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }));
  }
  if (answer.status == kNotModified || !IsJson(HeaderOf(answer, "Content-Type"))) return;
  const auto json = ParseJson(answer.body);
  Check(json.ok() && json->is_object());
  if (answer.status < 400) return;
  Check(HeaderOf(answer, "Content-Type") == kProblemType);
  Check(GetInt(*json, "status").ValueOr(0) == answer.status && !GetString(*json, "detail").ValueOr("").empty());
}

}  // namespace
}  // namespace trawl

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static trawl::Scene scene;
  const trawl::ServerRequest request = trawl::Read({reinterpret_cast<const char*>(data), size});
  trawl::CheckAnswer(scene.served->api().Answer(request, trawl::StopToken()));
  return 0;
}
