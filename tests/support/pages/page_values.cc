#include "tests/support/pages/page_values.h"

#include <utility>

#include "formats/answers/target.h"
#include "runtime/terminal/timestamp.h"
#include "tests/support/pages/made_values.h"

namespace trawl {

namespace {

SourceAnswer Problem(int status, const char* title, const std::string& detail) {
  return {.status = status,
          .value = {{"type", "/problems/x"}, {"title", title}, {"status", status}, {"detail", detail}}};
}

}  // namespace

PageValues PageValues::Busy(TimeMs now_ms) {
  PageValues values;
  const auto put = [&values](const std::string& target, Json value) {
    values.answers[target] = {.status = 200, .value = std::move(value)};
  };
  put("/status", MadeStatus(now_ms));
  put("/api/v1/rounds", MadeRounds(now_ms));
  for (int i = 0; i < 2; ++i) put("/api/v1/rounds/" + MadeSegmentName(i), MadeRound(now_ms, i));
  PutMadeWorkers(now_ms, &values.answers);
  put("/api/v1/stats/throughput", MadeThroughput(now_ms));
  put("/api/v1/urls/pending", MadePending(now_ms));
  for (const char* const top : {"waiting", "slowest", "failing", "largest", "traps"}) {
    put(std::string("/api/v1/domains?top=") + top, MadeDomains(now_ms, top));
  }
  put("/api/v1/domains", MadeDomains(now_ms, "found"));
  put("/api/v1/domains/host1.example", MadeHost(now_ms));
  put("/api/v1/domains/host1.example/requests", MadeRequests(now_ms));
  put("/api/v1/domains/host1.example/patterns", MadePatterns());
  put("/api/v1/domains/host1.example/sitemaps", MadeSitemaps(now_ms));
  const Json known = MadeExplainedUrl(now_ms);
  put("/api/v1/urls?explain=true&rank=false&url=" + PercentEncoded("https://host1.example/private/diary.html"), known);
  put("/api/v1/urls?explain=true&rank=false&url=" + PercentEncoded("https://elsewhere.example/new"), MadeUnknownUrl());
  put("/api/v1/urls", MadeSearch(now_ms));
  for (const std::string& id : {std::string("cGFnZQ"), known["id"].get<std::string>()}) {
    const std::string page = "/api/v1/pages/" + id;
    put(page, MadePage(now_ms, id));
    put(page + "/history", MadeHistory(now_ms));
    put(page + "/links", MadeLinks());
  }
  put("/api/v1/pages", MadeCopies());
  put("/api/v1/jobs", MadeJobs(now_ms));
  const Json job = MadeJob(now_ms);
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
