#include "tests/support/web/twin_site.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace trawl {

namespace {

constexpr int kPages = 24;
constexpr int kWords = 200;
constexpr std::string_view kMirror = "mirror.test";

// A text of its own for each seed.
std::string TextOf(uint32_t seed) {
  std::string text;
  for (int word = 0; word < kWords; ++word) {
    seed = seed * 1'664'525 + 1'013'904'223;
    text += "w" + std::to_string(seed >> 18) + ' ';
  }
  return text;
}

TestPage ManifoldPage(int page, const std::string& host, int day) {
  const int group = page / 3;
  const bool is_rewritten = page % 3 == 2 && group % 4 == 3 && day % 2 == 1;
  const std::string rewritten = is_rewritten ? TextOf(1000U + static_cast<uint32_t>(page)) : "";
  std::string body = "<title>Group " + std::to_string(group) + "</title>";
  if (host == kMirror) body += "<link rel=canonical href=http://twin.test/p/" + std::to_string(page) + ">";
  if (page % 3 == 1) body += "<!-- page " + std::to_string(page) + " -->";
  body += "<p>" + TextOf(static_cast<uint32_t>(group)) + (page % 3 == 2 ? "otherwise " : "") + rewritten;
  return {.body = body + "<a href=http://" + host + "/>all</a>"};
}

TestPage Home(const std::string& host) {
  std::string body = "<title>Twins</title><a href=/cal/2026/1>calendar</a>";
  for (int page = 0; page < kPages; ++page) {
    body += "<a href=http://" + host + "/p/" + std::to_string(page) + ">" + std::to_string(page) + "</a>";
  }
  return {.body = body};
}

TestPage Month(int year, int month) {
  const std::string place = "/cal/" + std::to_string(year) + "/" + std::to_string(month);
  std::string body = "<title>Calendar</title><p>" + TextOf(4711) + "<p>nothing in this month<a href=/cal/" +
                     std::to_string(month == 12 ? year + 1 : year) + "/" + std::to_string(month % 12 + 1) + ">next</a>";
  for (const char* day : {"1", "2", "3"}) body += "<a href='" + place + "?day=" + day + "'>" + day + "</a>";
  return {.body = body};
}

// The numbers of a path such as /cal/2026/1; false where it has another form.
bool ReadNumbers(std::string_view path, std::string_view folder, int* first, int* second) {
  if (!path.starts_with(folder)) return false;
  path = path.substr(folder.size(), path.find('?') - folder.size());
  for (int* number : {first, second}) {
    if (number == nullptr) continue;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), *number);
    if (error != std::errc()) return false;
    path.remove_prefix(static_cast<size_t>(end - path.data()));
    if (path.starts_with('/')) path.remove_prefix(1);
  }
  return path.empty();
}

TestPage PageOf(std::string_view path, const std::string& host, int day) {
  int page = 0, month = 0;
  if (path == "/") return Home(host);
  if (ReadNumbers(path, "/cal/", &page, &month)) return Month(page, month);
  if (!ReadNumbers(path, "/p/", &page, nullptr) || page < 0 || page >= kPages) return NotFound();
  if (page == 5 && day >= 3 && day <= 6) return NotFound();
  if (page == 7 && day % 2 == 0) return RedirectTo("/p/6");
  return ManifoldPage(page, host, day);
}

}  // namespace

TestHandler ServeTwinSite(std::shared_ptr<const std::atomic<int>> day) {
  return [day](const TestRequest& request) {
    return AnswerWith(PageOf(request.path, request.host, day->load()), request);
  };
}

}  // namespace trawl
