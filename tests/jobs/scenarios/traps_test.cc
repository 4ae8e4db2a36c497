// Traps beside honest sites, by the binary on a test web, at a fixed number of URLs per round. tests/soak/traps has the
// same with all kinds of traps, and their share of the requests.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "formats/digests/digest.h"
#include "tests/support/crawl/crawled_web.h"

namespace trawl {
namespace {

constexpr int kSites = 12, kPages = 25, kRounds = 12, kTopN = 40;

std::string Words(const std::string& seed, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) text += "word" + std::to_string(Hash64(seed + "/" + std::to_string(i)) % 2000) + " ";
  return text;
}

// `body` makes a page of a path; the empty text: there is none.
TestHandler Site(std::function<std::string(const std::string& path)> body) {
  return [body = std::move(body)](const TestRequest& request) {
    const bool is_page = request.path != "/robots.txt" && request.path != "/sitemap.xml";
    const std::string page = is_page ? body(request.path) : "";
    return AnswerWith(page.empty() ? NotFound() : TestPage{.body = page}, request);
  };
}

std::string Link(const std::string& path) { return "<a href='" + path + "'>" + path + "</a> "; }

// Pages of one template, each of which links to the next three.
std::string Honest(const std::string& site, const std::string& path) {
  const std::string folder = "/article/";
  if (path != "/" && !path.starts_with(folder)) return "";
  const int number = path == "/" ? 0 : std::atoi(path.c_str() + folder.size());
  std::string page = "<p>" + Words(site, 40) + Words(site + path, 80);
  for (int next = number + 1; next <= number + 3 && next < kPages; ++next) page += Link(folder + std::to_string(next));
  return page;
}

// A list that is filtered and sorted by six parameters, two of which choose what it has. The menu names what is chosen.
std::string Facets(const std::string& path) {
  std::map<std::string, std::string> chosen;
  for (size_t at = path.find('?'); at != std::string::npos; at = path.find('&', at + 1)) {
    const size_t equals = path.find('=', at), end = std::min(path.find('&', at + 1), path.size());
    if (equals != std::string::npos)
      chosen[path.substr(at + 1, equals - at - 1)] = path.substr(equals + 1, end - equals - 1);
  }
  std::string page = "<p>" + Words("goods " + chosen["brand"] + chosen["color"], 80);
  std::erase_if(chosen, [](const auto& choice) { return choice.second.empty(); });
  for (const char* name : {"brand", "color", "order", "price", "size", "view"}) {
    for (const char* value : {"1", "2", "3", "4", ""}) {
      auto next = chosen;
      next[name] = value;
      std::string query;
      for (const auto& [key, one] : next) {
        if (!one.empty()) query += (query.empty() ? "?" : "&amp;") + key + "=" + one;
      }
      if (next != chosen) page += "<a href='/list" + query + "'>" + name + " " + value + "</a> ";
    }
  }
  return page;
}

// Links without a slash at their beginning, which lead ever deeper; the page says where it is.
std::string Endless(const std::string& path) {
  std::string page = "<p>You are here: " + path + ". " + Words("endless", 100);
  for (int i = 0; i < 5; ++i)
    page += "<a href='word" + std::to_string(Hash64(path + std::to_string(i)) % 2000) + "/'>x</a> ";
  return page;
}

TEST(Traps, WaitForHonestPagesAndEnd) {
  CrawledWeb web;
  std::vector<std::string> arguments;
  for (int i = 0; i < kSites; ++i) {
    const std::string site = "honest" + std::to_string(i) + ".test";
    web.web().AddHost(site, Site([site](const std::string& path) { return Honest(site, path); }));
    arguments.push_back("http://" + site + "/");
  }
  web.web().AddHost("facets.test", Site(Facets));
  web.web().AddHost("endless.test", Site(Endless));
  web.Start();
  arguments.insert(arguments.end(), {"http://facets.test/", "http://endless.test/"});
  for (int round = 0; round < kRounds; ++round) {
    arguments.insert(arguments.end(),
                     {"--rounds", "1", "--top_n", std::to_string(kTopN), "--now",
                      "2026-01-01T0" + std::to_string(round / 4) + ":" + std::to_string(10 + round % 4 * 15) + ":00Z"});
    const BinaryResult result = web.Run(web.CrawlArguments("a", arguments));
    ASSERT_LE(result.exit_code, 1) << result.err;
    arguments.clear();
  }
  std::set<std::string> honest;
  std::map<std::string, int> requests;
  for (const auto& [path, count] : web.Requests()) {
    if (path.ends_with("/robots.txt") || path.ends_with("/sitemap.xml")) continue;
    const std::string site = path.substr(0, path.find('/'));
    if (site.starts_with("honest")) honest.insert(path);
    requests[site.starts_with("honest") ? "honest" : site] += count;
  }
  EXPECT_EQ(honest.size(), static_cast<size_t>(kSites * kPages));
  // A round has room for 40; honest pages are 300 of 480. Both traps would take what is left, and more of the first rounds.
  EXPECT_LE(requests["facets.test"], 75);
  EXPECT_LE(requests["endless.test"], 75);
  bool is_limited = false;
  const Json patterns = web.Object(web.Arguments("host", "a", {"facets.test", "--patterns"}))["patterns"];
  for (const Json& row : patterns) {
    is_limited = is_limited || (row["pattern"] == "http://facets.test/list?*" && !row["budget"].is_null());
  }
  EXPECT_TRUE(is_limited) << patterns.dump();
}

}  // namespace
}  // namespace trawl
