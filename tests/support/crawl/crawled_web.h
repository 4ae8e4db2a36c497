// A test web with a folder in which the binary crawls it, for tests that look at a whole crawl.
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
  // When crawls begin, where a test says nothing else: --now.
  static constexpr char kNow[] = "2026-01-01T00:00:00Z";

  explicit CrawledWeb(const LinkGraph& graph);
  // Hosts are added to web(), then comes Start.
  explicit CrawledWeb(const TestWebOptions& options = {});
  // `more_hosts`: further lines of the hosts file.
  void Start(const std::string& more_hosts = "");

  TestWeb& web() { return web_; }
  std::string root(const std::string& name) const { return folder_.path() + "/" + name; }
  const std::string& hosts_file() const { return hosts_file_; }
  // Of a link graph.
  std::string seed() const { return LinkGraphUrl(graph_, 0, 0); }

  // A verb on the crawl of that name, with --json.
  std::vector<std::string> Arguments(const std::string& verb, const std::string& name,
                                     const std::vector<std::string>& more) const;
  // `trawl crawl` without delays, in any scope.
  std::vector<std::string> CrawlArguments(const std::string& name, const std::vector<std::string>& more) const;
  BinaryResult Run(std::vector<std::string> arguments) const;
  // What it prints; the test fails where it does not exit with 0.
  Json Object(std::vector<std::string> arguments) const;
  Json Crawl(const std::string& name, const std::vector<std::string>& more) const;

  // The urls rows without what depends on time and on how fast answers came, in order.
  std::vector<std::string> Rows(const std::string& name) const;
  // How often each "host/path" was asked.
  std::map<std::string, int> Requests() const;

 private:
  LinkGraph graph_;
  TestWeb web_;
  TemporaryFolder folder_;
  std::string hosts_file_;
};

}  // namespace trawl
