// Measures the cost of a link: parse + normalise + key against ada's parse alone, on the links of made-up pages; then
// the checks that a crawl's scope adds. Plain text, one `name: value unit` per line.
#include <ada.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "formats/scope/crawl_scope.h"
#include "formats/scope/lists.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"
#include "formats/url/pattern.h"
#include "formats/url/url.h"

namespace trawl {
namespace {

struct Page {
  std::string url;
  std::vector<std::string> links;
};

class PageMaker {
 public:
  Page Make() {
    const std::string host = Host();
    Page page;
    page.url = "https://" + host + Path();
    for (int i = 0; i < 80; ++i) page.links.push_back(Link(host));
    return page;
  }

 private:
  uint64_t Below(uint64_t n) { return random_() % n; }

  std::string Word() {
    static const char* const kWords[] = {"news",    "article", "product", "green", "summer", "garden", "2024", "review",
                                         "archive", "photo",   "of",      "the",   "best",   "guide",  "user", "tag"};
    return kWords[Below(16)];
  }

  std::string Host() {
    static const char* const kEnds[] = {".com", ".org", ".co.uk", ".de", ".net", ".com.br"};
    std::string host = Below(10) < 6 ? "www." : Below(2) == 0 ? "" : Word() + ".";
    return host + Word() + "-" + Word() + std::to_string(Below(10000)) + kEnds[Below(6)];
  }

  std::string Path() {
    std::string path;
    for (uint64_t n = 1 + Below(3); n > 0; --n) path += "/" + Word();
    path += "/" + Word() + "-" + Word() + "-" + Word() + "-" + std::to_string(Below(1000000));
    return path + (Below(3) == 0 ? "/" : ".html");
  }

  std::string Query() {
    switch (Below(5)) {
      case 0:
        return "?utm_source=feed&utm_medium=rss&id=" + std::to_string(Below(100000));
      case 1:
        return "?page=" + std::to_string(Below(50)) + "&category=" + Word();
      case 2:
        return "?q=" + Word() + "%20" + Word() + "&sort=date&dir=desc";
      default:
        return "?id=" + std::to_string(Below(1000000));
    }
  }

  std::string Link(const std::string& host) {
    const uint64_t kind = Below(100);
    if (kind < 40) return Path();
    if (kind < 52) return Path() + Query();
    if (kind < 60) return Word() + "-" + std::to_string(Below(100)) + ".html";
    if (kind < 64) return "../" + Word() + "/" + Word() + ".html#comments";
    if (kind < 66) return "#section-" + std::to_string(Below(20));
    if (kind < 82) return "https://" + host + Path() + (Below(5) == 0 ? Query() : "");
    if (kind < 92) return (Below(4) == 0 ? "http://" : "https://") + Host() + Path() + (Below(5) == 0 ? Query() : "");
    if (kind < 94) return "//" + Host() + Path();
    if (kind < 96) return "/suche/f\xc3\xbcr-g\xc3\xa4rten/" + Word() + "?q=\xc3\xa4pfel";
    if (kind < 97) return "https://www.m\xc3\xbcnchen-" + Word() + ".de" + Path();
    if (kind < 98) return "mailto:someone@example.org";
    if (kind < 99) return "javascript:void(0)";
    return "/A/%7Euser/caf%c3%a9;jsessionid=1A2B3C" + Query();
  }

  std::mt19937_64 random_{20260101};
};

// CPU seconds of this process: other work on the machine does not count.
double SecondsOf(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// The best of several rounds of each, taken in turn so that both see the same machine.
struct SideBySide {
  double base = 1e9;
  double ours = 1e9;
};
SideBySide Compare(const std::function<void()>& base, const std::function<void()>& ours) {
  SideBySide best;
  for (int round = 0; round < 9; ++round) {
    best.base = std::min(best.base, SecondsOf(base));
    best.ours = std::min(best.ours, SecondsOf(ours));
  }
  return best;
}

uint64_t sink = 0;

void BenchLinks(const std::vector<Page>& pages, size_t links) {
  const auto bare = [&] {
    for (const Page& page : pages) {
      const auto base = ada::parse<ada::url_aggregator>(page.url);
      for (const std::string& link : page.links) {
        const auto url = ada::parse<ada::url_aggregator>(link, &*base);
        if (url) sink += url->get_href_size();
      }
    }
  };
  const auto full = [&](NormalForm form) {
    UrlNormalizer normalizer(form);
    Url url;
    UrlPieces pieces;
    std::string normal, key;
    for (const Page& page : pages) {
      const BaseUrl base = *BaseUrl::Make(page.url);
      for (const std::string& link : page.links) {
        if (!url.Resolve(link, base) || normalizer.Normalize(url, &normal, &pieces) != UrlRefusal::kNone) continue;
        WriteKeyOfPieces(pieces, &key);
        sink += key.size();
      }
    }
  };
  for (const NormalForm form : {NormalForm::kStrict, NormalForm::kStandard, NormalForm::kFold}) {
    const SideBySide best = Compare(bare, [&] { full(form); });
    const std::string name(NameOf(form));
    if (form == NormalForm::kStrict) std::printf("ada parse alone: %.0f ns/link\n", best.base / links * 1e9);
    std::printf("parse + normalise (%s) + key: %.0f ns/link\n", name.c_str(), best.ours / links * 1e9);
    std::printf("ratio url_%s: %.2f (target <= 2.5)\n", name.c_str(), best.ours / best.base);
  }
}

std::vector<std::string> NormalUrls(const std::vector<Page>& pages) {
  std::vector<std::string> urls;
  UrlNormalizer normalizer(NormalForm::kStandard);
  Url url;
  std::string normal;
  for (const Page& page : pages) {
    const BaseUrl base = *BaseUrl::Make(page.url);
    for (const std::string& link : page.links) {
      if (url.Resolve(link, base) && normalizer.Normalize(url, &normal) == UrlRefusal::kNone) urls.push_back(normal);
    }
  }
  return urls;
}

void Report(const char* name, size_t count, const std::function<void()>& work) {
  double best = 1e9;
  for (int round = 0; round < 5; ++round) best = std::min(best, SecondsOf(work));
  std::printf("%s: %.0f ns/url\n", name, best / static_cast<double>(count) * 1e9);
}

UrlList ListOf(UrlList::Kind kind, size_t entries) {
  std::mt19937_64 random(5);
  std::string text;
  for (size_t i = 0; i < entries; ++i) {
    const std::string domain =
        "site" + std::to_string(random() % 100000000) + ".example" + std::to_string(random() % 50);
    if (kind == UrlList::Kind::kPrefixes) text += "https://www." + domain + "/a/b\n";
    if (kind == UrlList::Kind::kDomains) text += domain + "x\n";
    if (kind == UrlList::Kind::kHosts) text += "www." + domain + "x\n";
    if (kind == UrlList::Kind::kSuffixes) text += "." + domain + "\n";
  }
  return *UrlList::Parse(kind, text, "list");
}

constexpr char kRules[] =
    "-(?i)\\.(?:gif|jpg|ico|css|sit|eps|wmf|zip|ppt|mpg|xls|gz|rpm|tgz|mov|exe|png)$\n"
    "-[*!@]\n-/calendar/\n-[?&](?:print|share)=\n-^https?://[^/]*\\.example/\n+.\n";

void BenchChecks(const std::vector<std::string>& urls) {
  std::string text;
  SlotOfKeys slot_of;
  std::vector<std::string> keys;
  for (const std::string& url : urls) keys.push_back(*KeyOfUrl(url));
  Report("URL of a key", urls.size(), [&] {
    for (const std::string& key : keys) sink += WriteUrlOfKey(key, &text) ? text.size() : 0;
  });
  Report("slot of a key", urls.size(), [&] {
    for (const std::string& key : keys) sink += SlotOfKey(key);
  });
  std::sort(keys.begin(), keys.end());
  Report("slot of sorted keys", urls.size(), [&] {
    for (const std::string& key : keys) sink += slot_of(key);
  });
  Report("pattern of a key", urls.size(), [&] {
    for (const std::string& key : keys) {
      WritePatternOfKey(key, &text);
      sink += text.size();
    }
  });
  Report("registrable domain", urls.size(), [&] {
    UrlPieces pieces;
    for (const std::string& url : urls) {
      if (SplitWebUrl(url, &pieces)) sink += PublicSuffixes::BuiltIn().RegistrableDomain(pieces.host).size();
    }
  });
  const auto check = [&](const char* name, CrawlScopeOptions options) {
    const CrawlScope policy = *CrawlScope::Make(std::move(options));
    Report(name, urls.size(), [&] {
      for (const std::string& url : urls) sink += policy.Check(url, 1).accepted ? 1 : 0;
    });
  };
  check("policy, scope any", {});
  // Scope by the seeds' domains: every second URL is on a host of a seed, the others on no domain of a seed.
  CrawlScopeOptions scoped;
  scoped.scope = UrlScope::kDomain;
  UrlPieces pieces;
  for (size_t i = 0; i < urls.size(); i += 2) {
    if (SplitWebUrl(urls[i], &pieces)) scoped.scope_hosts.emplace_back(pieces.host);
  }
  check("policy, scope domain", std::move(scoped));
  CrawlScopeOptions ruled;
  ruled.rules = *UrlRules::Parse(kRules, "rules");
  check("policy, 6 rules", std::move(ruled));
  for (const UrlList::Kind kind :
       {UrlList::Kind::kHosts, UrlList::Kind::kDomains, UrlList::Kind::kPrefixes, UrlList::Kind::kSuffixes}) {
    CrawlScopeOptions listed;
    const double seconds = SecondsOf([&] { listed.deny.push_back(ListOf(kind, 1000000)); });
    std::printf("list of 1,000,000 %s, reading: %.2f s\n", std::string(NameOf(kind)).c_str(), seconds);
    check(("policy, 1,000,000 " + std::string(NameOf(kind))).c_str(), std::move(listed));
  }
}

void BenchAll(bool links_alone) {
  PageMaker maker;
  std::vector<Page> pages;
  size_t links = 0;
  for (int i = 0; i < 1500; ++i) {
    pages.push_back(maker.Make());
    links += pages.back().links.size();
  }
  BenchLinks(pages, links);
  if (!links_alone) BenchChecks(NormalUrls(pages));
  std::fprintf(stderr, "checked %llu\n", static_cast<unsigned long long>(sink));
}

}  // namespace
}  // namespace trawl

int main(int argc, char**) {
  trawl::BenchAll(/*links_alone=*/argc > 1);
  return 0;
}
