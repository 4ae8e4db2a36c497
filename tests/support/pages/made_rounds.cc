#include "runtime/terminal/timestamp.h"
#include "tests/support/pages/made_values.h"

namespace trawl {

Json MadeRound(TimeMs now_ms, int i) {
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
      {"segment", MadeSegmentName(i)},
      {"job", MadeSegmentName(i) + "-updatedb"},
      {"snapshot", 412},
      {"applied_in", 400 - i * 4},
      {"applied", FormatTimestamp(applied_ms)},
      {"steps",
       {{"generate",
         {{"job", "20261118T010000Z-generate-aa"}, {"began", TimeAgo(applied_ms, 32 * kMinute)}, {"seconds", 12.5}}},
        {"fetch",
         {{"job", "20261118T010000Z-fetch-aa"}, {"began", TimeAgo(applied_ms, 31 * kMinute)}, {"seconds", 1455.0}}},
        {"parse",
         {{"job", "20261118T010000Z-parse-aa"}, {"began", TimeAgo(applied_ms, 6 * kMinute)}, {"seconds", 93.0}}},
        {"updatedb",
         {{"job", "20261118T010000Z-updatedb-aa"}, {"began", TimeAgo(applied_ms, 2 * kMinute)}, {"seconds", 41.0}}}}},
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
         {{{"host", MadeHostName(7)}, {"average_ms", 4100}, {"answers", 12}},
          {{"host", MadeHostName(8)}, {"average_ms", 2900}, {"answers", 40}}}},
        {"failing_hosts", {{{"host", MadeHostName(3)}, {"failures", 22}, {"requests", 25}}}},
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

Json MadeRounds(TimeMs now_ms) {
  Json rounds = Json::array();
  for (int i = 0; i < 20; ++i) rounds.push_back(MadeRound(now_ms, i));
  return {{"snapshot", 412}, {"rounds", rounds}};
}

}  // namespace trawl
