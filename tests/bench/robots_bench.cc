// Measures robots.txt: verdicts per second on 4,000 rules, and the speed of parsing a file.
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "formats/robots/robots.h"

namespace {

using trawl::RobotsRules;

double SecondsSince(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

// Returns the CPU seconds of one call, from as many calls as fit into about a second.
double SecondsPerCall(const std::function<void()>& call) {
  const std::clock_t start = std::clock();
  int calls = 0;
  do {
    call();
    ++calls;
  } while (std::clock() - start < CLOCKS_PER_SEC);
  return SecondsSince(start) / calls;
}

// Makes rules like those of large shops: one in `wildcard_share` has wildcards.
std::string ManyRules(int count, int wildcard_share) {
  std::string text = "User-agent: *\n";
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i * 7919 % 100003);
    text += i % 3 == 0 ? "Allow: " : "Disallow: ";
    text += i % wildcard_share == 0 ? "/*/filter-" + n + "*sort=" : "/catalogue/section-" + n + "/";
    text += "\n";
  }
  return text;
}

std::vector<std::string> Paths() {
  std::vector<std::string> paths;
  for (int i = 0; i < 1000; ++i) {
    const std::string n = std::to_string(i * 104729 % 100003);
    paths.push_back("/catalogue/section-" + n + "/item-" + n + ".html");
    paths.push_back("/shop/filter-" + n + "/page?sort=price&page=" + std::to_string(i));
  }
  return paths;
}

void BenchVerdicts(const char* name, const std::string& text, const std::vector<std::string>& paths) {
  const RobotsRules rules = RobotsRules::Parse(text, "trawl");
  int denied = 0;
  const double seconds = SecondsPerCall([&] {
    for (const std::string& path : paths) denied += rules.Check(path).allowed ? 0 : 1;
  });
  std::printf("verdicts, %s: %.0f /s\n", name, static_cast<double>(paths.size()) / seconds);
  if (denied < 0) std::printf("never\n");
}

void BenchParse(const char* name, const std::string& text) {
  size_t rules = 0;
  const double seconds = SecondsPerCall([&] { rules += RobotsRules::Parse(text, "trawl").size(); });
  std::printf("parse, %s (%zu bytes): %.0f MB/s, %.3f ms\n", name, text.size(),
              static_cast<double>(text.size()) / seconds / 1e6, seconds * 1e3);
  if (rules == 0) std::printf("no rules\n");
}

}  // namespace

int main() {
  const std::vector<std::string> paths = Paths();
  BenchVerdicts("4000 rules, one in ten with wildcards", ManyRules(4000, 10), paths);
  BenchVerdicts("4000 rules, all with wildcards", ManyRules(4000, 1), paths);
  BenchVerdicts("20 rules", ManyRules(20, 5), paths);
  BenchParse("4000 rules for us", ManyRules(4000, 10));
  BenchParse("20 rules", ManyRules(20, 5));
  std::string others;
  for (int i = 0; i < 500; ++i)
    others += "User-agent: robot-" + std::string(1, static_cast<char>('a' + i % 26)) + "\nDisallow: /\n\n";
  BenchParse("500 groups of others, 20 rules", others + ManyRules(20, 5));

  std::string stars = "User-agent: *\n";
  while (stars.size() < 10u << 20) stars += "Disallow: /*a*a*a*a*a*a*a*a*a*a*b\n";
  const RobotsRules rules = RobotsRules::Parse(stars, "trawl");
  BenchParse("10 MB of stars", stars);
  const std::string path = "/" + std::string(2000, 'a');
  const double seconds = SecondsPerCall([&] { rules.Check(path); });
  std::printf("verdict, worst path, %zu rules of stars: %.3f ms\n", rules.size(), seconds * 1e3);
  return 0;
}
