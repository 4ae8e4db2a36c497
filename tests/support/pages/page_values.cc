#include "tests/support/pages/page_values.h"

#include <array>
#include <utility>

#include "formats/answers/base64url.h"
#include "formats/answers/target.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

namespace {

constexpr int64_t kSecond = 1'000, kMinute = 60'000, kHour = 3'600'000, kDay = 24 * kHour;

std::string Ago(TimeMs now_ms, int64_t ms) { return FormatTimestamp(now_ms - ms); }
std::string HostName(int i) { return "host" + std::to_string(i) + ".example"; }
std::string SegmentName(int i) {
  return "20261118T0" + std::to_string(100000 + i * 100).substr(1, 5) + "Z-" + std::to_string(10000000 + i);
}

Json RoundOf(TimeMs now_ms, int i) {
  const TimeMs applied_ms = now_ms - (i + 1) * 2 * kHour;
  Json lists = Json::array();
  for (int list = 0; list < 8; ++list) {
    lists.push_back({{"list", list},
                     {"urls", 1250 - list * 7},
                     {"hosts", 40 + list},
                     {"ran_ms", list == 0 ? 1'450'000 : 410'000 - list * 9'000}});
  }
  Json minutes = Json::array();
  for (int m = 0; m < 24; ++m) {
    minutes.push_back({applied_ms - (30 - m) * kMinute, m < 8 ? 1100 + 37 * (m * 7 % 5) : 60 + m, 30'000'000, 1200,
                       m % 6 == 0 ? 40 : 3});
  }
  const int64_t pages = 9'000 + 137 * (i * 7 % 11);
  return {
      {"format", 1},
      {"kind", "round"},
      {"segment", SegmentName(i)},
      {"job", SegmentName(i) + "-updatedb"},
      {"snapshot", 412},
      {"applied_in", 400 - i * 4},
      {"applied", FormatTimestamp(applied_ms)},
      {"steps",
       {{"generate",
         {{"job", "20261118T010000Z-generate-aa"}, {"began", Ago(applied_ms, 32 * kMinute)}, {"seconds", 12.5}}},
        {"fetch",
         {{"job", "20261118T010000Z-fetch-aa"}, {"began", Ago(applied_ms, 31 * kMinute)}, {"seconds", 1455.0}}},
        {"parse", {{"job", "20261118T010000Z-parse-aa"}, {"began", Ago(applied_ms, 6 * kMinute)}, {"seconds", 93.0}}},
        {"updatedb",
         {{"job", "20261118T010000Z-updatedb-aa"}, {"began", Ago(applied_ms, 2 * kMinute)}, {"seconds", 41.0}}}}},
      {"lists", lists},
      {"due", 52'344},
      {"left_out", {{"breaker_open", 120}, {"throttled", 41}, {"blocked", 7}}},
      {"fetch",
       {{"pages", pages},
        {"fetched", 10'000},
        {"statuses", {{"200", pages}, {"301", 400}, {"404", 300}, {"500", 120}, {"429", 20}}},
        {"outcomes",
         {{"fetched", pages},
          {"redirected", 400},
          {"client_error", 320},
          {"server_error", 120},
          {"timeout", 31},
          {"robots_denied", 77}}},
        {"bytes", 812'345'678},
        {"wire_bytes", 212'345'678},
        {"success_rate", 0.943},
        {"duplicate_rate", 0.02},
        {"response_ms",
         {{"average", 312.4},
          {"p50", 180},
          {"p90", 700},
          {"p99", 3900},
          {"ranges",
           {{{"le", 50}, {"count", 900}},
            {{"le", 100}, {"count", 2100}},
            {{"le", 250}, {"count", 3900}},
            {{"le", 500}, {"count", 1700}},
            {{"le", 1000}, {"count", 800}},
            {{"le", 2500}, {"count", 400}},
            {{"le", 5000}, {"count", 150}},
            {{"le", 10000}, {"count", 40}},
            {{"le", nullptr}, {"count", 10}}}}}},
        {"top_errors",
         {{{"reason", std::string("server_error: ") + kHostileText},
           {"count", 120},
           {"example", "https://host1.example/a?x=1"}},
          {{"reason", "client_error 404"}, {"count", 300}, {"example", LongUrl()}},
          {{"reason", "robots_denied: line 2: Disallow: /private/"},
           {"count", 77},
           {"example", "https://host2.example/private/x"}}}},
        {"slowest_hosts",
         {{{"host", HostName(7)}, {"average_ms", 4100}, {"answers", 12}},
          {{"host", HostName(8)}, {"average_ms", 2900}, {"answers", 40}}}},
        {"failing_hosts", {{{"host", HostName(3)}, {"failures", 22}, {"requests", 25}}}},
        {"pages_per_second", 6.4},
        {"bytes_per_second", 558'312.0}}},
      {"minutes", {{"step_ms", 60000}, {"rows", minutes}}},
      {"answer_to_applied_ms", {{"median", 900'000}, {"p99", 1'900'000}}},
      {"links",
       {{"found", 412'000},
        {"new", 31'000},
        {"known", 381'000},
        {"out_of_scope", 90'100},
        {"refused", {{"nofollow", 812}, {"too_deep", 77}, {"trap", 4000}}}}},
      {"urls_new", 31'000 + i * 211},
      {"refreshed", 1200},
      {"within_window", 1090},
      {"totals",
       {{"states",
         {{"fetched", 712'331}, {"unfetched", 4'312'000}, {"failing", 3'120}, {"gone", 9'211}, {"denied", 877}}}}},
      {"duplicates",
       {{"exact", 3000}, {"near", 500}, {"bytes_saved", 91'000'000}, {"shared", 120}, {"shared_bytes", 3'200'000}}},
      {"storage", {{"tables", 812'000'000}, {"segment", 240'000'000}}}};
}

Json HostRowOf(TimeMs now_ms, int i, const char* kind, const std::string& text) {
  Json row = {{"domain", i == 4 ? std::string("<script>alert(1)</script>.example") : HostName(i)},
              {"crawl_delay", 1000 + 500 * (i % 3)},
              {"last_crawl_at", Ago(now_ms, i * 11 * kMinute)},
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

Json DomainsOf(TimeMs now_ms, const char* top) {
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
    rows.push_back(HostRowOf(now_ms, i, hold, text));
  }
  return {{"snapshot", 412}, {"domains", rows}, {"counted_at", Ago(now_ms, 95 * kSecond)}};
}

void PutWorkers(TimeMs now_ms, std::map<std::string, SourceAnswer>* answers) {
  Json workers = Json::array();
  for (int i = 0; i < 8; ++i) {
    const std::string id = "a" + std::to_string(i);
    const int64_t age_ms = i == 5 ? 11 * kMinute : 30 * kSecond;
    workers.push_back({{"id", id},
                       {"task", i},
                       {"segment", SegmentName(99)},
                       {"job", "20261119T220000Z-fetch-99"},
                       {"machine", i == 2 ? std::string(kHostileText) : "node" + std::to_string(i % 3) + ".cluster"},
                       {"pid", 4000 + i},
                       {"since", Ago(now_ms, 20 * kMinute)},
                       {"last_seen_at", Ago(now_ms, age_ms)},
                       {"lease_ms", 120'000},
                       {"state", i == 5   ? "silent"
                                 : i == 6 ? "ended"
                                          : "active"},
                       {"age_ms", age_ms}});
    (*answers)["/api/v1/workers/" + id + "/stats"].value = {{"id", id},
                                                            {"pages", 900 + i},
                                                            {"pages_per_sec", i == 3 ? 0.2 : 1.4},
                                                            {"settled", 1000 + i},
                                                            {"left", i == 3 ? 900 : 100 + i}};
  }
  (*answers)["/api/v1/workers"].value = {{"snapshot", 412}, {"workers", workers}};
}

Json StatusOf(TimeMs now_ms) {
  return {{"snapshot", 412},
          {"state", "fetch"},
          {"segment", SegmentName(99)},
          {"pages_per_sec", 11.7},
          {"queue_depth", 4'312'000},
          {"error_rate_percent", 23.4},
          {"due", 52'344},
          {"next_due", FormatTimestamp(now_ms + 4 * kMinute)},
          {"open_segments", 2},
          {"settled", 8'040},
          {"left", 1'960},
          {"rate", {{"over_ms", 300'000}, {"age_ms", 30'000}, {"pages_per_sec", 11.7}}},
          {"waits",
           {{"hosts_active", 31},
            {"wait_for_delay", 212},
            {"next_ms", 300},
            {"wait_for_names", 2},
            {"wait_for_servers", 5},
            {"age_ms", 30'000}}},
          {"segments",
           {{{"segment", SegmentName(99)},
             {"state", "open"},
             {"opened", Ago(now_ms, 21 * kMinute)},
             {"until", FormatTimestamp(now_ms + 6 * kHour)},
             {"lists", 8},
             {"lists_begun", 8},
             {"lists_done", 1},
             {"settled", 8040},
             {"left", 1960}},
            {{"segment", SegmentName(98)},
             {"state", "expired"},
             {"opened", Ago(now_ms, 3 * kDay)},
             {"until", Ago(now_ms, kDay)},
             {"lists", 2},
             {"lists_begun", 2},
             {"lists_done", 0},
             {"settled", 30},
             {"left", 70}}}},
          {"holds", {{"blocked", 7}, {"breaker_open", 120}, {"throttled", 41}, {"slow", 12}, {"suspected_trap", 3}}},
          {"holds", {{"blocked", 7}, {"breaker_open", 120}, {"throttled", 41}, {"slow", 12}, {"suspected_trap", 3}}},
          {"states",
           {{"unfetched", 4'312'000},
            {"fetched", 712'331},
            {"gone", 9'211},
            {"failing", 3'120},
            {"denied", 877},
            {"redirected", 44'120},
            {"refused", 12},
            {"duplicate", 3'500}}}};
}

Json HostOf(TimeMs now_ms) {
  const std::string robots =
      "# robots.txt\nUser-agent: *\nDisallow: /private/\nCrawl-delay: 2\n<script>alert('robots')</script>\n" +
      std::string(kHostileText) + "\nSitemap: https://host1.example/sitemap.xml\n" + std::string(300, 'x') +
      "\n```\nDisallow: /fence\n";
  return {{"snapshot", 412},
          {"domain", "host1.example"},
          {"crawl_delay", 2000},
          {"delay", {{"ms", 2000}, {"from", "robots.txt"}, {"text", "the Crawl-delay of its robots.txt"}}},
          {"last_crawl_at", Ago(now_ms, 3 * kMinute)},
          {"created_at", Ago(now_ms, 40 * kDay)},
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
             {"fetched", Ago(now_ms, 5 * kHour)},
             {"due", FormatTimestamp(now_ms + 19 * kHour)},
             {"failures", 0},
             {"redirect_to", nullptr},
             {"text", robots},
             {"text_fetched", Ago(now_ms, 5 * kHour)},
             {"history", {Ago(now_ms, 5 * kHour) + " fetched 200 changed", Ago(now_ms, 3 * kDay) + " fetched 200"}}}}}};
}

Json RequestsOf(TimeMs now_ms) {
  Json requests = Json::array();
  for (int i = 0; i < 50; ++i) {
    requests.push_back({{"url", i == 3 ? LongUrl() : "https://host1.example/page/" + std::to_string(i)},
                        {"at", Ago(now_ms, 3 * kMinute + i * 2'350)},
                        {"gap_ms", i == 49 ? Json() : Json(i == 20 ? 1'900 : 2'010 + i)},
                        {"delay_ms", 2'000},
                        {"status", i == 0 ? 429 : 200},
                        {"outcome", i == 0 ? "throttled" : "fetched"},
                        {"reason", nullptr},
                        {"robots_line", 0},
                        {"total_ms", 120 + i},
                        {"segment", SegmentName(1)}});
  }
  return {{"snapshot", 412}, {"requests", requests}};
}

Json UrlRowOf(TimeMs now_ms, const std::string& url, const char* state) {
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
          {"discovered", Ago(now_ms, 9 * kDay)},
          {"fetched_at", Ago(now_ms, kDay)},
          {"changed_at", Ago(now_ms, kDay)},
          {"fetches", 3},
          {"content_type", fetched ? Json("text/html; charset=utf-8") : Json()},
          {"bytes", fetched ? 20'123 : 0},
          {"segment", fetched ? Json(SegmentName(1)) : Json()},
          {"signals", {"noindex", "noai"}},
          {"inlinks", 12}};
}

Json ExplainedUrl(TimeMs now_ms) {
  Json row = UrlRowOf(now_ms, "https://host1.example/private/diary.html", "denied");
  row["snapshot"] = 412;
  row["explain"] = {
      {{"about", "state"}, {"time", nullptr}, {"text", "denied, robots_denied: line 3: Disallow: /private/"}},
      {{"about", "found"},
       {"time", Ago(now_ms, 9 * kDay)},
       {"text", std::string("depth 2, first found on https://host1.example/") + kHostileText}},
      {{"about", "rule"},
       {"time", nullptr},
       {"text", "robots denied (rule 7): robots.txt is checked again after 7 d (--refresh.denied_interval)"}},
      {{"about", "due"},
       {"time", FormatTimestamp(now_ms + 6 * kDay)},
       {"text", "in 6 d; trawl urls set --retry asks for its robots.txt again now"}},
      {{"about", "scope"}, {"time", nullptr}, {"text", "accepted: no check refuses it"}},
      {{"about", "robots"}, {"time", Ago(now_ms, 5 * kHour)}, {"text", "denied by line 3: Disallow: /private/"}},
      {{"about", "host"},
       {"time", Ago(now_ms, 3 * kMinute)},
       {"text", "host1.example takes 99,688 more pages today, one every 2 s"}},
      {{"about", "next"},
       {"time", FormatTimestamp(now_ms + 6 * kDay)},
       {"text", "in 6 d: it is due then; robots.txt as it is stored denies it"}},
      {{"about", "history"}, {"time", Ago(now_ms, kDay)}, {"text", "robots_denied: line 3: Disallow: /private/"}}};
  return row;
}

Json UnknownUrl() {
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

Json PageOf(TimeMs now_ms, const std::string& id) {
  return {{"snapshot", 412},
          {"id", id},
          {"url", "https://host1.example/page/1"},
          {"domain", "host1.example"},
          {"status_code", 200},
          {"content_type", "text/html; charset=utf-8"},
          {"content_hash", "d46810f74770fb252fb22b19a83cc7c12a553b91dda5082fd525405bdff3704f"},
          {"content_length", 20'123},
          {"title", kHostileText},
          {"crawled_at", Ago(now_ms, kDay)},
          {"response_time_ms", 212},
          {"storage_path", SegmentName(1) + "/m0-0-0.orc#12"},
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

Json LinksOf() {
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

Json JobsOf(TimeMs now_ms) {
  Json jobs = Json::array();
  constexpr std::array<const char*, 5> kStates = {"running", "done", "failed", "stopped", "done"};
  constexpr std::array<const char*, 5> kVerbs = {"fetch", "generate", "fetch", "parse", "updatedb"};
  for (int i = 0; i < 25; ++i) {
    const std::string verb = kVerbs[static_cast<size_t>(i) % 5];
    Json job = {
        {"job", "20261119T21" + std::to_string(1000 + i).substr(1) + "Z-" + verb + "-0000000" + std::to_string(i % 10)},
        {"state", kStates[static_cast<size_t>(i) % 5]},
        {"verb", verb},
        {"now_ms", now_ms - i * 10 * kMinute},
        {"changed", i % 5 == 1 || i % 5 == 4},
        {"snapshot", 412 - i}};
    if (i % 5 != 0) job["seconds"] = 12.5 * (i + 1);
    if (i % 5 == 2) job["reason"] = std::string("killed: ") + kHostileText;
    if (i == 10) {
      job["application"] = "application_1700000000000_0012";
      job["application_state"] = "RUNNING";
      job["tracking_url"] = "http://resourcemanager.cluster:8088/proxy/application_1700000000000_0012/";
      job["maps"] = {3, 8};
    }
    jobs.push_back(job);
  }
  return {{"snapshot", 412}, {"jobs", jobs}};
}

SourceAnswer Problem(int status, const char* title, const std::string& detail) {
  return {.status = status,
          .value = {{"type", "/problems/x"}, {"title", title}, {"status", status}, {"detail", detail}}};
}

}  // namespace

const char* const kHostileText =
    "</title><script>alert(1)</script><img src=x onerror=alert(2)> \" onmouseover='alert(3)' \xE2\x80\xAE"
    "gpj.exe &amp; \x01";

std::string LongUrl() {
  return "https://host1.example/" + std::string(1000, 'a') + "/<i>?q=" + std::string(1000, '%') + "&x=\"'";
}

PageValues PageValues::Busy(TimeMs now_ms) {
  PageValues values;
  const auto put = [&values](const std::string& target, Json value) {
    values.answers[target] = {.status = 200, .value = std::move(value)};
  };
  put("/status", StatusOf(now_ms));
  Json rounds = Json::array();
  for (int i = 0; i < 20; ++i) rounds.push_back(RoundOf(now_ms, i));
  put("/api/v1/rounds", {{"snapshot", 412}, {"rounds", rounds}});
  for (int i = 0; i < 2; ++i) put("/api/v1/rounds/" + SegmentName(i), RoundOf(now_ms, i));
  PutWorkers(now_ms, &values.answers);
  Json points = Json::array();
  for (int m = 60; m > 0; --m)
    points.push_back({{"at", Ago(now_ms, m * kMinute)}, {"pages_per_sec", 8.0 + (m * 7 % 13) / 2.0}});
  put("/api/v1/stats/throughput", {{"snapshot", 412}, {"points", points}});
  Json counts = Json::array();
  for (int h = 0; h < 168; ++h) counts.push_back(h == 0 ? 52'344 : 300 + 100 * (h % 24) + h * 3);
  put("/api/v1/urls/pending", {{"snapshot", 412},
                               {"pending", 4'312'000},
                               {"due", 52'344},
                               {"due_by_hour", {{"at", FormatTimestamp(now_ms)}, {"counts", counts}}},
                               {"counted_at", Ago(now_ms, 95 * kSecond)}});
  for (const char* const top : {"waiting", "slowest", "failing", "largest", "traps"}) {
    put(std::string("/api/v1/domains?top=") + top, DomainsOf(now_ms, top));
  }
  put("/api/v1/domains", DomainsOf(now_ms, "found"));
  put("/api/v1/domains/host1.example", HostOf(now_ms));
  put("/api/v1/domains/host1.example/requests", RequestsOf(now_ms));
  put("/api/v1/domains/host1.example/patterns", {{"patterns",
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
                                                    {"taken_back", false}}}}});
  put("/api/v1/domains/host1.example/sitemaps", {{"sitemaps",
                                                  {{{"url", "https://host1.example/sitemap.xml"},
                                                    {"state", "fetched"},
                                                    {"entries", 5'000},
                                                    {"fetched_at", Ago(now_ms, kDay)}}}}});
  const Json known = ExplainedUrl(now_ms);
  put("/api/v1/urls?explain=true&rank=false&url=" + PercentEncoded("https://host1.example/private/diary.html"), known);
  put("/api/v1/urls?explain=true&rank=false&url=" + PercentEncoded("https://elsewhere.example/new"), UnknownUrl());
  Json urls = Json::array();
  for (int i = 0; i < 40; ++i)
    urls.push_back(UrlRowOf(now_ms, i == 5 ? LongUrl() : "https://host1.example/page/" + std::to_string(i),
                            i % 4 == 0 ? "denied" : "fetched"));
  put("/api/v1/urls", {{"snapshot", 412},
                       {"urls", urls},
                       {"next", "Y3Vyc29y"},
                       {"looked_at", 1'000'000},
                       {"looked_to", "https://host1.example/page/39"}});
  for (const std::string& id : {std::string("cGFnZQ"), known["id"].get<std::string>()}) {
    const std::string page = "/api/v1/pages/" + id;
    put(page, PageOf(now_ms, id));
    put(page + "/history",
        {{"snapshot", 412},
         {"history",
          {{{"fetched_at", Ago(now_ms, kDay)},
            {"outcome", "fetched"},
            {"status", 200},
            {"reason", nullptr},
            {"bytes", 20'123},
            {"total_ms", 212},
            {"segment", SegmentName(1)},
            {"request_headers", Json::array({Json::array({"Host", "host1.example"}),
                                             Json::array({"User-Agent", "trawl/0.1 (+https://you.example/)"})})}},
           {{"fetched_at", Ago(now_ms, 3 * kDay)},
            {"outcome", "server_error"},
            {"status", 500},
            {"reason", kHostileText},
            {"bytes", 0},
            {"total_ms", 900},
            {"segment", SegmentName(2)}}}}});
    put(page + "/links", LinksOf());
  }
  put("/api/v1/pages",
      {{"snapshot", 412},
       {"pages", {{{"id", "b3RoZXI"}, {"url", "https://host2.example/copy"}}, {{"id", "eA"}, {"url", LongUrl()}}}}});
  put("/api/v1/jobs", JobsOf(now_ms));
  Json job = JobsOf(now_ms)["jobs"][2];
  job["counters"] = {{"fetched", 812}, {"outcome.timeout", 3}, {kHostileText, 7}};
  put("/api/v1/jobs/" + job["job"].get<std::string>(), job);
  put("/api/v1/jobs/a-job", job);
  return values;
}

PageValues PageValues::Empty(TimeMs now_ms) {
  PageValues values;
  const auto put = [&values](const std::string& target, Json value) {
    values.answers[target] = {.status = 200, .value = std::move(value)};
  };
  put("/status", {{"snapshot", 0},
                  {"state", "idle"},
                  {"pages_per_sec", 0},
                  {"queue_depth", 0},
                  {"error_rate_percent", 0},
                  {"due", 0},
                  {"next_due", nullptr},
                  {"open_segments", 0},
                  {"states", Json::object()},
                  {"read_at", FormatTimestamp(now_ms)}});
  put("/api/v1/rounds", {{"snapshot", 0}, {"rounds", Json::array()}});
  put("/api/v1/workers", {{"snapshot", 0}, {"workers", Json::array()}});
  put("/api/v1/stats/throughput", {{"snapshot", 0}, {"points", Json::array()}});
  put("/api/v1/urls/pending", {{"snapshot", 0}, {"pending", 0}, {"due_by_hour", nullptr}});
  put("/api/v1/domains", {{"snapshot", 0}, {"domains", Json::array()}});
  put("/api/v1/urls", {{"snapshot", 0}, {"urls", Json::array()}});
  put("/api/v1/jobs", {{"snapshot", 0}, {"jobs", Json::array()}});
  return values;
}

SourceAnswer PageValues::Get(const std::string& target, const StopToken& /*stop*/) {
  // The fields after the first are bounds and cursors.
  for (const std::string& name : {target, target.substr(0, target.find('&')), target.substr(0, target.find('?'))}) {
    if (const auto answer = answers.find(name); answer != answers.end()) return answer->second;
  }
  return Problem(404, "Not found", "There is nothing at " + target.substr(0, 200) + ".");
}

SourceAnswer PageValues::Send(const std::string& method, const std::string& target, const Json& body,
                              const StopToken& /*stop*/) {
  sent.push_back({method, target, body});
  return reply;
}

}  // namespace trawl
