#include <algorithm>
#include <string_view>

#include "formats/answers/base64url.h"
#include "runtime/terminal/timestamp.h"
#include "tests/support/pages/made_values.h"

namespace trawl {

namespace {

Json UrlRow(TimeMs now_ms, const std::string& url, const char* state) {
  const std::string key = "example,host1)https/" + url.substr(std::min<size_t>(url.size(), 21));
  const bool fetched = std::string_view(state) == "fetched";
  return {{"id", Base64UrlOf(key)},
          {"url", url},
          {"key", key},
          {"state", state},
          {"status", fetched ? Json(200) : Json()},
          {"reason", fetched ? Json() : Json(std::string("robots_denied: line 3: Disallow: /private/"))},
          {"depth", 2},
          {"seed", false},
          {"due", FormatTimestamp(now_ms + 6 * kDay)},
          {"discovered", TimeAgo(now_ms, 9 * kDay)},
          {"fetched_at", TimeAgo(now_ms, kDay)},
          {"changed_at", TimeAgo(now_ms, kDay)},
          {"fetches", 3},
          {"content_type", fetched ? Json("text/html; charset=utf-8") : Json()},
          {"bytes", fetched ? 20'123 : 0},
          {"segment", fetched ? Json(MadeSegmentName(1)) : Json()},
          {"signals", {"noindex", "noai"}},
          {"inlinks", 12}};
}

}  // namespace

Json MadePending(TimeMs now_ms) {
  Json counts = Json::array();
  for (int h = 0; h < 168; ++h) counts.push_back(h == 0 ? 52'344 : 300 + 100 * (h % 24) + h * 3);
  return {{"snapshot", 412},
          {"pending", 4'312'000},
          {"due", 52'344},
          {"due_by_hour", {{"at", FormatTimestamp(now_ms)}, {"counts", counts}}},
          {"counted_at", TimeAgo(now_ms, 95 * kSecond)}};
}

Json MadeSearch(TimeMs now_ms) {
  Json urls = Json::array();
  for (int i = 0; i < 40; ++i)
    urls.push_back(UrlRow(now_ms, i == 5 ? LongUrl() : "https://host1.example/page/" + std::to_string(i),
                          i % 4 == 0 ? "denied" : "fetched"));
  return {{"snapshot", 412},
          {"urls", urls},
          {"next", "Y3Vyc29y"},
          {"looked_at", 1'000'000},
          {"looked_to", "https://host1.example/page/39"}};
}

Json MadeExplainedUrl(TimeMs now_ms) {
  Json row = UrlRow(now_ms, "https://host1.example/private/diary.html", "denied");
  row["snapshot"] = 412;
  row["explain"] = {
      {{"about", "state"}, {"time", nullptr}, {"text", "denied, robots_denied: line 3: Disallow: /private/"}},
      {{"about", "found"},
       {"time", TimeAgo(now_ms, 9 * kDay)},
       {"text", std::string("depth 2, first found on https://host1.example/") + kHostileText}},
      {{"about", "rule"},
       {"time", nullptr},
       {"text", "robots denied (rule 7): robots.txt is checked again after 7 d (--refresh.denied_interval)"}},
      {{"about", "due"},
       {"time", FormatTimestamp(now_ms + 6 * kDay)},
       {"text", "in 6 d; trawl urls set --retry asks for its robots.txt again now"}},
      {{"about", "scope"}, {"time", nullptr}, {"text", "accepted: no check refuses it"}},
      {{"about", "robots"}, {"time", TimeAgo(now_ms, 5 * kHour)}, {"text", "denied by line 3: Disallow: /private/"}},
      {{"about", "host"},
       {"time", TimeAgo(now_ms, 3 * kMinute)},
       {"text", "host1.example takes 99,688 more pages today, one every 2 s"}},
      {{"about", "next"},
       {"time", FormatTimestamp(now_ms + 6 * kDay)},
       {"text", "in 6 d: it is due then; robots.txt as it is stored denies it"}},
      {{"about", "history"}, {"time", TimeAgo(now_ms, kDay)}, {"text", "robots_denied: line 3: Disallow: /private/"}}};
  return row;
}

Json MadeUnknownUrl() {
  return {
      {"snapshot", 412},
      {"url", "https://elsewhere.example/new"},
      {"state", nullptr},
      {"explain",
       {{{"about", "state"}, {"time", nullptr}, {"text", "not in the crawl"}},
        {{"about", "scope"},
         {"time", nullptr},
         {"text", "refused: elsewhere.example is not a host of a seed (--urls.hosts seeds)"}},
        {{"about", "reading"},
         {"time", nullptr},
         {"text",
          "once a wider scope is set (trawl config set urls.…), trawl reparse looks for links to it in the stored "
          "pages"}},
        {{"about", "next"}, {"time", nullptr}, {"text", "never by itself: the scope of the crawl leaves it out"}}}}};
}

Json MadePage(TimeMs now_ms, const std::string& id) {
  return {{"snapshot", 412},
          {"id", id},
          {"url", "https://host1.example/page/1"},
          {"domain", "host1.example"},
          {"status_code", 200},
          {"content_type", "text/html; charset=utf-8"},
          {"content_hash", "d46810f74770fb252fb22b19a83cc7c12a553b91dda5082fd525405bdff3704f"},
          {"content_length", 20'123},
          {"title", kHostileText},
          {"crawled_at", TimeAgo(now_ms, kDay)},
          {"response_time_ms", 212},
          {"storage_path", MadeSegmentName(1) + "/m0-0-0.orc#12"},
          {"headers", Json::array({Json::array({"Server", "nginx"}), Json::array({"X-Evil", kHostileText}),
                                   Json::array({"Content-Type", "text/html; charset=utf-8"}),
                                   Json::array({"Set-Cookie", std::string(2000, 'c')})})},
          {"language", "en"},
          {"charset", "utf-8"},
          {"description", std::string("A page about ") + kHostileText},
          {"canonical_url", "javascript:alert(1)"},
          {"directives", {"noindex", "noai"}},
          {"simhash", "0123456789abcdef"},
          {"truncated", nullptr},
          {"needs_js", false},
          {"text", "A page of the crawl.\n\n" + std::string(kHostileText) + "\n\nمرحبا بالعالم\n"}};
}

Json MadeHistory(TimeMs now_ms) {
  return {{"snapshot", 412},
          {"history",
           {{{"fetched_at", TimeAgo(now_ms, kDay)},
             {"outcome", "fetched"},
             {"status", 200},
             {"reason", nullptr},
             {"bytes", 20'123},
             {"total_ms", 212},
             {"segment", MadeSegmentName(1)},
             {"request_headers", Json::array({Json::array({"Host", "host1.example"}),
                                              Json::array({"User-Agent", "trawl/0.1 (+https://you.example/)"})})}},
            {{"fetched_at", TimeAgo(now_ms, 3 * kDay)},
             {"outcome", "server_error"},
             {"status", 500},
             {"reason", kHostileText},
             {"bytes", 0},
             {"total_ms", 900},
             {"segment", MadeSegmentName(2)}}}}};
}

Json MadeLinks() {
  Json links = Json::array();
  for (int i = 0; i < 6; ++i) {
    links.push_back({{"url", i == 2   ? LongUrl()
                             : i == 3 ? std::string("javascript:alert(1)")
                                      : "https://host1.example/page/" + std::to_string(i)},
                     {"text", i == 1 ? std::string(kHostileText) : "a link " + std::to_string(i)},
                     {"how", "a"},
                     {"rel", i == 4 ? "nofollow" : ""},
                     {"nofollow", i == 4},
                     {"enters", i != 4},
                     {"reason", i == 4 ? Json("nofollow") : Json()}});
  }
  return {{"snapshot", 412}, {"links", links}};
}

Json MadeCopies() {
  return {{"snapshot", 412},
          {"pages", {{{"id", "b3RoZXI"}, {"url", "https://host2.example/copy"}}, {{"id", "eA"}, {"url", LongUrl()}}}}};
}

}  // namespace trawl
