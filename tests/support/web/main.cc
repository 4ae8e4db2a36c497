// A test web as a program, for scenarios that a shell drives:
//
//   test_web [--hosts N] [--pages N] [--links N] [--bytes N] [--delay_ms N] [--robots TEXT] [--coding NAME] [--https]
//            [--bad] [--dated 1] [--twins 1] [--hosts_per_address N] [--hosts_file FILE] [--log FILE]
//
// Prints one JSON object with its addresses ("hosts": {name: address}, "ca_file", "seeds"). Serves a link graph
// (tests/support/web/link_graph.h) until standard input ends; with --bad it also serves hosts that break every rule
// (bad_hosts.h, worse_hosts.h), and with --dated and --twins sites that change by the day (dated_site.h, twin_site.h). Then
// it writes its log as JSON lines to FILE ("-": standard output). After each line of standard input it writes the log so far
// and answers with an empty line; the line "day N" also sets the day of those sites.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "formats/documents/json.h"
#include "tests/support/web/bad_hosts.h"
#include "tests/support/web/dated_site.h"
#include "tests/support/web/link_graph.h"
#include "tests/support/web/test_web.h"
#include "tests/support/web/twin_site.h"
#include "tests/support/web/worse_hosts.h"

namespace trawl {
namespace {

struct Arguments {
  std::map<std::string, std::string> values;

  bool Read(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string name = argv[i];
      if (name == "--https" || name == "--bad") {
        values[name] = "1";
      } else if (name.starts_with("--") && i + 1 < argc) {
        values[name] = argv[++i];
      } else {
        std::fprintf(
            stderr, "test_web: '%s' is not an option with a value; tests/support/web/main.cc begins with the options\n",
            argv[i]);
        return false;
      }
    }
    return true;
  }
  std::string Text(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? "" : found->second;
  }
  int Number(const std::string& name, int otherwise) const {
    const std::string text = Text(name);
    return text.empty() ? otherwise : std::atoi(text.c_str());
  }
};

void PrintWhere(const TestWeb& web, const LinkGraph& graph, bool bad) {
  Json hosts = Json::object(), seeds = Json::array();
  for (int host = 0; host < graph.hosts; ++host) {
    hosts[LinkGraphHost(host)] = web.HttpAddress(LinkGraphHost(host));
    seeds.push_back(LinkGraphUrl(graph, host, 0));
  }
  for (const auto& [name, host] : web.hosts()) {
    if (!bad || !name.ends_with(".bad.test")) continue;
    hosts[name] = web.HttpAddress(name);
    const bool means_https = host.https_port == host.http_port;
    seeds.push_back((means_https ? "https://" : "http://") + name + "/");
  }
  const Json where = {{"hosts", std::move(hosts)}, {"ca_file", web.ca_file()}, {"seeds", std::move(seeds)}};
  std::cout << DumpJson(where) << std::endl;
}

void WriteLog(const TestWeb& web, const std::string& log) {
  if (log == "-") {
    std::cout << LogAsJsonLines(web.Log());
  } else if (!log.empty()) {
    std::ofstream(log) << LogAsJsonLines(web.Log());
  }
}

int Serve(const Arguments& arguments) {
  LinkGraph graph;
  graph.hosts = arguments.Number("--hosts", graph.hosts);
  graph.pages = arguments.Number("--pages", graph.pages);
  graph.links = arguments.Number("--links", graph.links);
  graph.page_bytes = static_cast<size_t>(arguments.Number("--bytes", static_cast<int>(graph.page_bytes)));
  graph.delay_ms = arguments.Number("--delay_ms", 0);
  graph.robots = arguments.Text("--robots");
  graph.coding = arguments.Text("--coding");
  graph.https = !arguments.Text("--https").empty();
  TestWeb web({.https = graph.https, .hosts_per_address = arguments.Number("--hosts_per_address", 1)});
  AddLinkGraph(graph, &web);
  const bool bad = !arguments.Text("--bad").empty();
  if (bad) {
    AddBadHosts(true, &web);
    AddWorseHosts(&web);
    AddEndlessHandshakes(&web);
  }
  const auto day = std::make_shared<std::atomic<int>>(0);
  if (!arguments.Text("--dated").empty()) web.AddHost(kDatedHost, ServeDatedSite(day));
  if (!arguments.Text("--twins").empty()) {
    for (const char* host : kTwinHosts) web.AddHost(host, ServeTwinSite(day));
  }
  const arrow::Status started = web.Start();
  if (!started.ok()) {
    std::fprintf(stderr, "test_web: %s\n", started.ToString().c_str());
    return 1;
  }
  if (!arguments.Text("--hosts_file").empty()) std::ofstream(arguments.Text("--hosts_file")) << web.HostsFileText();
  PrintWhere(web, graph, bad);
  for (std::string line; std::getline(std::cin, line);) {
    if (line.starts_with("day ")) day->store(std::atoi(line.c_str() + 4));
    WriteLog(web, arguments.Text("--log"));
    std::cout << std::endl;
  }
  web.Stop();
  WriteLog(web, arguments.Text("--log"));
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  trawl::Arguments arguments;
  return arguments.Read(argc, argv) ? trawl::Serve(arguments) : 2;
}
