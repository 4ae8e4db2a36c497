// The fetch job over HTTP/2: the protocol would carry many requests of a host at once, and the crawl does not.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/crawl/fetch_scene.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/web/http2_server.h"

namespace trawl {
namespace {

TEST(FetchHttp2, NeverTwoStreamsOfAHost) {
  constexpr int kHosts = 3, kPages = 30;
  TestWeb web;  // its authority, and the scene's
  web.AddHost("unused.test", ServePages({}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  std::map<std::string, std::string> files = {{"robots.txt", "User-agent: *\nAllow: /\n"}};
  for (int page = 0; page < kPages; ++page) files["p" + std::to_string(page) + ".html"] = std::string(20'000, 'x');
  std::vector<std::unique_ptr<Http2Server>> servers;
  std::vector<std::string> urls;
  std::ofstream hosts(scene.options.hosts_file);
  for (int host = 0; host < kHosts; ++host) {
    const std::string name = "h" + std::to_string(host) + ".test";
    ASSERT_OK_AND_ASSIGN(auto server, Http2Server::Start(web.authority(), name, files));
    hosts << "127.0.0.1:80:" << server->port() << ' ' << name << '\n';
    servers.push_back(std::move(server));
    for (int page = 0; page < kPages; ++page) {
      urls.push_back("https://" + name + "/p" + std::to_string(page) + ".html");
    }
  }
  hosts.close();
  ASSERT_OK(scene.FetchUrls(urls));
  for (const std::string& url : urls) {
    const FetchRow row = scene.RowOf(url);
    EXPECT_EQ(row.outcome, Outcome::kFetched) << url << ": " << row.reason;
    EXPECT_TRUE(row.response_headers.starts_with("HTTP/2 200")) << row.response_headers;
  }
  for (const auto& server : servers) {
    const Http2Server::Streams streams = server->ReadStreams();
    EXPECT_EQ(streams.opened, kPages + 1) << "and robots.txt";
    EXPECT_EQ(streams.most_at_once, 1);
    EXPECT_LE(streams.connections, 2);
  }
}

}  // namespace
}  // namespace trawl
