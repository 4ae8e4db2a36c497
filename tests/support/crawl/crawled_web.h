// A test web and a folder in which the binary crawls it, for tests of a whole crawl.
//
//   CrawledWeb web(LinkGraph{.hosts = 10, .pages = 20});
//   const Json summary = web.Crawl("a", {web.seed()});
//   …web.Rows("a"), web.Requests()…
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/web/link_graph.h"
#include "tests/support/web/test_web.h"

namespace trawl {

class CrawledWeb {
 public:
  // The value of --now: crawls begin at this time unless the test says otherwise.
  static constexpr char kNow[] = "2026-01-01T00:00:00Z";

  explicit CrawledWeb(const LinkGraph& graph);
  // Add hosts to web() first, then call Start.
  explicit CrawledWeb(const TestWebOptions& options = {});
  // `more_hosts` has further lines for the hosts file.
  void Start(const std::string& more_hosts = "");

  TestWeb& web() { return web_; }
  std::string root(const std::string& name) const { return folder_.path() + "/" + name; }
  const std::string& hosts_file() const { return hosts_file_; }
  // The seed of the link graph.
  std::string seed() const { return LinkGraphUrl(graph_, 0, 0); }

  // The arguments of a verb on the crawl of that name, with --json.
  std::vector<std::string> Arguments(const std::string& verb, const std::string& name,
                                     const std::vector<std::string>& more) const;
  // `trawl crawl` without delays, in any scope.
  std::vector<std::string> CrawlArguments(const std::string& name, const std::vector<std::string>& more) const;
  BinaryResult Run(std::vector<std::string> arguments) const;
  // The object that it prints. The test fails where the exit code is not 0.
  Json Object(std::vector<std::string> arguments) const;
  Json Crawl(const std::string& name, const std::vector<std::string>& more) const;

  // The urls rows in order, without the fields that depend on time and on how fast answers came.
  std::vector<std::string> Rows(const std::string& name) const;
  // The number of requests for each "host/path".
  std::map<std::string, int> Requests() const;

 private:
  LinkGraph graph_;
  TestWeb web_;
  TemporaryFolder folder_;
  std::string hosts_file_;
};

}  // namespace trawl
