#include <string_view>

#include "runtime/terminal/timestamp.h"
#include "tests/support/pages/made_values.h"

namespace trawl {

namespace {

Json HostRow(TimeMs now_ms, int i, const char* kind, const std::string& text) {
  Json row = {{"domain", i == 4 ? std::string("<script>alert(1)</script>.example") : MadeHostName(i)},
              {"crawl_delay", 1000 + 500 * (i % 3)},
              {"last_crawl_at", TimeAgo(now_ms, i * 11 * kMinute)},
              {"total_pages", 12'000 / (i + 1)},
              {"avg_page_size", 21'000},
              {"is_blocked", std::string_view(kind) == "blocked"},
              {"avg_response_ms", 150 + 371 * (i % 5)},
              {"pages_crawled", 12'000 / (i + 1)},
              {"discovered", 40'000 / (i + 1)},
              {"failures_in_a_row", std::string_view(kind) == "breaker_open" ? 5 + i : 0},
              {"suspected_trap", false}};
  row["hold"] = *kind == '\0'
                    ? Json()
                    : Json{{"kind", kind}, {"until", FormatTimestamp(now_ms + (i + 1) * 7 * kMinute)}, {"text", text}};
  return row;
}

}  // namespace

Json MadeDomains(TimeMs now_ms, const char* top) {
  Json rows = Json::array();
  const std::string_view name = top;
  for (int i = 0; i < 12; ++i) {
    const int kind = i % 4;
    const bool waits = name == "waiting";
    const char* const hold = !waits      ? ""
                             : kind == 0 ? "breaker_open"
                             : kind == 1 ? "throttled"
                             : kind == 2 ? "blocked"
                                         : "pages_a_day";
    const std::string text = kind == 0   ? "its breaker is open after " + std::to_string(5 + i) + " failures in a row"
                             : kind == 1 ? "it asked to be left alone: Retry-After of its answer 429"
                             : kind == 2 ? std::string("blocked by the operator: ") + kHostileText
                                         : "its 100,000 pages of the day are used up";
    rows.push_back(HostRow(now_ms, i, hold, text));
  }
  return {{"snapshot", 412}, {"domains", rows}, {"counted_at", TimeAgo(now_ms, 95 * kSecond)}};
}

Json MadeHost(TimeMs now_ms) {
  const std::string robots =
      "# robots.txt\nUser-agent: *\nDisallow: /private/\nCrawl-delay: 2\n<script>alert('robots')</script>\n" +
      std::string(kHostileText) + "\nSitemap: https://host1.example/sitemap.xml\n" + std::string(300, 'x') +
      "\n```\nDisallow: /fence\n";
  return {{"snapshot", 412},
          {"domain", "host1.example"},
          {"crawl_delay", 2000},
          {"asked_as",
           {{"agent", "newsbot"},
            {"user_agent", "newsbot/0.1.0 (+https://crawler.example/)"},
            {"contact", "https://crawler.example/"}}},
          {"delay", {{"ms", 2000}, {"from", "robots.txt"}, {"text", "the Crawl-delay of its robots.txt"}}},
          {"last_crawl_at", TimeAgo(now_ms, 3 * kMinute)},
          {"created_at", TimeAgo(now_ms, 40 * kDay)},
          {"total_pages", 6'000},
          {"avg_page_size", 20'000},
          {"avg_response_ms", 212},
          {"is_blocked", false},
          {"pages_today", 312},
          {"breaker", "closed"},
          {"failures_in_a_row", 0},
          {"discovered", 20'000},
          {"suspected_trap", true},
          {"addresses", {"192.0.2.10", "2001:db8::10"}},
          {"hold",
           {{"kind", "throttled"},
            {"until", FormatTimestamp(now_ms + 20 * kMinute)},
            {"text", "it asked to be left alone (Retry-After of an answer 429)"}}},
          {"retry_after", FormatTimestamp(now_ms + 20 * kMinute)},
          {"hosts", {"host1.example", "www.host1.example", "<b>.host1.example"}},
          {"denied_by", {{{"text", "line 3: Disallow: /private/"}, {"line", 3}, {"count", 31}}}},
          {"states_are_cut", false},
          {"states", {{"fetched", 6000}, {"unfetched", 12'000}, {"denied", 31}, {"gone", 44}}},
          {"mirrors",
           {{{"kind", "www"}, {"text", "www.host1.example has the same pages: 120 of 121 were equal"}},
            {{"kind", "case"}, {"text", kHostileText}}}},
          {"robots",
           {{{"url", "https://host1.example/robots.txt"},
             {"outcome", "fetched"},
             {"status", 200},
             {"fetched", TimeAgo(now_ms, 5 * kHour)},
             {"due", FormatTimestamp(now_ms + 19 * kHour)},
             {"failures", 0},
             {"redirect_to", nullptr},
             {"text", robots},
             {"text_fetched", TimeAgo(now_ms, 5 * kHour)},
             {"history",
              {TimeAgo(now_ms, 5 * kHour) + " fetched 200 changed",
               TimeAgo(now_ms, 3 * kDay) + " dns_failed 0 dead, dns_failed, no such name"}}},
            {{"url", "http://host1.example/robots.txt"},
             {"outcome", "dns_failed"},
             {"status", 0},
             {"fetched", TimeAgo(now_ms, 5 * kHour)},
             {"due", FormatTimestamp(now_ms + 19 * kHour)},
             {"failures", 2},
             {"redirect_to", nullptr},
             {"text", nullptr},
             {"text_fetched", nullptr},
             {"history", Json::array()}}}}};
}

Json MadeRequests(TimeMs now_ms) {
  Json requests = Json::array();
  for (int i = 0; i < 50; ++i) {
    requests.push_back({{"url", i == 3 ? LongUrl() : "https://host1.example/page/" + std::to_string(i)},
                        {"at", TimeAgo(now_ms, 3 * kMinute + i * 2'350)},
                        {"gap_ms", i == 49 ? Json() : Json(i == 20 ? 1'900 : 2'010 + i)},
                        {"delay_ms", 2'000},
                        {"status", i == 0 ? 429 : 200},
                        {"outcome", i == 0 ? "throttled" : "fetched"},
                        {"reason", nullptr},
                        {"robots_line", 0},
                        {"total_ms", 120 + i},
                        {"segment", MadeSegmentName(1)}});
  }
  return {{"snapshot", 412}, {"requests", requests}};
}

Json MadePatterns() {
  return {{"patterns",
           {{{"pattern", "https://host1.example/page/#"},
             {"fetched", 300},
             {"new", 120},
             {"duplicates", 100},
             {"near_duplicates", 50},
             {"soft_errors", 3},
             {"fetched_ever", 5'900},
             {"budget", 40}},
            {{"pattern", std::string("https://host1.example/") + kHostileText},
             {"fetched", 10},
             {"new", 10},
             {"duplicates", 0},
             {"near_duplicates", 0},
             {"soft_errors", 0},
             {"fetched_ever", 10},
             {"budget", nullptr}}}},
          {"learned",
           {{{"pattern", "https://host1.example/page/#"},
             {"parameter", "utm_source"},
             {"pairs", 40},
             {"taken_back", false}}}}};
}

Json MadeSitemaps(TimeMs now_ms) {
  return {{"sitemaps",
           {{{"url", "https://host1.example/sitemap.xml"},
             {"state", "fetched"},
             {"entries", 5'000},
             {"fetched_at", TimeAgo(now_ms, kDay)}}}}};
}

}  // namespace trawl
