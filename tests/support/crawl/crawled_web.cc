#include "tests/support/crawl/crawled_web.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/support/values/assert_ok.h"

namespace trawl {

CrawledWeb::CrawledWeb(const LinkGraph& graph) : graph_(graph) {
  AddLinkGraph(graph_, &web_);
  Start();
}

CrawledWeb::CrawledWeb(const TestWebOptions& options) : web_(options) {}

void CrawledWeb::Start(const std::string& more_hosts) {
  ASSERT_OK(web_.Start());
  hosts_file_ = folder_.path() + "/hosts";
  std::ofstream(hosts_file_) << web_.HostsFileText() << more_hosts;
}

std::vector<std::string> CrawledWeb::Arguments(const std::string& verb, const std::string& name,
                                               const std::vector<std::string>& more) const {
  std::vector<std::string> arguments = {verb};
  if (const size_t blank = verb.find(' '); blank != std::string::npos) {
    arguments = {verb.substr(0, blank), verb.substr(blank + 1)};
  }
  for (const std::string& argument : {std::string("--root"), root(name), std::string("--json")}) {
    arguments.push_back(argument);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> CrawledWeb::CrawlArguments(const std::string& name,
                                                    const std::vector<std::string>& more) const {
  std::vector<std::string> all = {"--fetch.allow_private",
                                  "--fetch.delay_ms",
                                  "0",
                                  "--fetch.hosts_file",
                                  hosts_file_,
                                  "--scope",
                                  "any",
                                  "--depth",
                                  "50",
                                  "--fetch.ca_file",
                                  web_.ca_file(),
                                  "--now",
                                  kNow};
  all.insert(all.end(), more.begin(), more.end());
  return Arguments("crawl", name, all);
}

BinaryResult CrawledWeb::Run(std::vector<std::string> arguments) const {
  return RunBinary({.arguments = std::move(arguments), .limit_ms = 120'000});
}

Json CrawledWeb::Object(std::vector<std::string> arguments) const {
  const BinaryResult result = Run(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  auto json = ParseJson(result.out);
  EXPECT_TRUE(json.ok()) << result.out;
  return json.ok() ? *json : Json();
}

Json CrawledWeb::Crawl(const std::string& name, const std::vector<std::string>& more) const {
  return Object(CrawlArguments(name, more));
}

std::vector<std::string> CrawledWeb::Rows(const std::string& name) const {
  const BinaryResult dump = Run(Arguments("readdb dump", name, {}));
  std::vector<std::string> rows;
  std::istringstream lines(dump.out);
  for (std::string line; std::getline(lines, line);) {
    Json row = ParseJson(line).ValueOrDie();
    for (const char* column : {"due", "fetched_at", "changed_at", "discovered", "response_ms", "segment"})
      row.erase(column);
    rows.push_back(DumpJson(row));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::map<std::string, int> CrawledWeb::Requests() const {
  std::map<std::string, int> requests;
  for (const TestLogEntry& entry : web_.Log()) ++requests[entry.host + entry.path];
  return requests;
}

}  // namespace trawl
