// Sections about the crawl: the last rounds beside each other, and the present.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "formats/charts/charts.h"
#include "formats/rows/times.h"
#include "jobs/report/figures.h"
#include "jobs/report/growth.h"
#include "jobs/report/html.h"
#include "jobs/report/json_numbers.h"
#include "jobs/report/sections.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

std::string Count(const Json& object, const char* name) { return ReadableCount(CountOf(object, name)); }

std::string ShareText(const Json& object, const char* part, const char* whole) {
  const int64_t all = CountOf(object, whole);
  if (all == 0) return "nothing was fetched again";
  return ChartNumber(100 * static_cast<double>(CountOf(object, part)) / static_cast<double>(all), ChartUnit::kPercent);
}

BarsChart HostBars(ChartText text, const Json& hosts, const char* value, ChartUnit unit, const char* value_name,
                   const char* note, const char* noun) {
  BarsChart chart = {.text = std::move(text), .unit = unit, .label_name = "host", .value_name = value_name};
  for (const Json& host : hosts.is_array() ? hosts : Json::array()) {
    chart.bars.push_back({.label = TextOf(host, "host"),
                          .value = NumberOf(host, value),
                          .note = ReadableCount(CountOf(host, note), noun)});
    if (chart.bars.size() == 10) break;
  }
  return chart;
}

TableOf HoldsTable(const Json& holds) {
  TableOf table = {.caption = "Hosts that are held back now", .heads = {"hold", "hosts"}};
  if (!holds.is_object()) return table;
  for (const auto& [name, count] : holds.items()) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    table.rows.push_back(
        {{.text = words},
         {.text = count.is_number_integer() ? ReadableCount(count.get<int64_t>()) : "", .is_number = true}});
  }
  return table;
}

std::string DueChart(const Json& due) {
  TimeChart chart = {.text = {.id = "due",
                              .title = "URLs that become due, by hour",
                              .description = "Of the next seven days. URLs that are due now are not among them."},
                     .series = {{.label = "URLs", .values = {}}}};
  const Json& counts = MemberOf(due, "counts");
  int64_t at_ms = CountOf(due, "from_ms");
  for (const Json& count : counts.is_array() ? counts : Json::array()) {
    chart.at_ms.push_back(at_ms);
    chart.series[0].values.push_back(count.is_number() ? count.get<double>() : 0);
    at_ms += kHourMs;
  }
  return AreaChart(chart);
}

}  // namespace

std::string OutcomesHtml(const Json& report) {
  const Json& rounds = MemberOf(report, "rounds");
  TimeChart shares = CountsOverRounds(
      {.id = "shares", .title = "Outcomes in percent", .description = "Of each round's URLs."}, rounds, "outcomes");
  MakeShares(&shares);
  TimeChart pages = {
      .text = {.id = "round-pages", .title = "Pages and requests by round", .description = "Each round once."},
      .at_ms = TimesOfRounds(rounds),
      .series = {{.label = "pages", .values = {}}, {.label = "requests", .values = {}}}};
  TimeChart steps = {
      .text = {.id = "round-steps", .title = "Time of the steps by round", .description = "Each round once."},
      .unit = ChartUnit::kMs,
      .at_ms = pages.at_ms};
  const std::vector<const char*> names = {"generate", "fetch", "parse", "updatedb"};
  for (const char* name : names) steps.series.push_back({.label = name, .values = {}});
  for (const Json& round : rounds) {
    if (!HasNumber(round, "applied_ms")) continue;
    pages.series[0].values.push_back(NumberOf(round, "pages"));
    pages.series[1].values.push_back(NumberOf(round, "requests"));
    for (size_t i = 0; i < names.size(); ++i)
      steps.series[i].values.push_back(1000 * NumberOf(MemberOf(round, "seconds"), names[i]));
  }
  return GridHtml({StackedBarChart(shares), LineChart(pages), StackedBarChart(steps)});
}

std::string StatesHtml(const Json& report) {
  return GridHtml(
      {AreaChart(CountsOverRounds(
           {.id = "states", .title = "States of all URLs", .description = "After each round, on top of each other."},
           MemberOf(report, "rounds"), "states")),
       BarChart(
           BarsOfCounts({.id = "states-now", .title = "States now", .description = "Of the snapshot of this report."},
                        MemberOf(MemberOf(report, "present"), "states"), "state", "URLs"))});
}

std::string HostsHtml(const Json& report) {
  const Json& fetch = MemberOf(MemberOf(report, "round"), "fetch");
  const Json& present = MemberOf(report, "present");
  const Json& hosts = MemberOf(present, "hosts");
  const Json& frontier = MemberOf(present, "frontier");
  ShareChart shares = {.text = {.id = "host-shares",
                                .title = "How pages spread over hosts",
                                .description = "Pages since the crawl began; the hosts with most pages come first."},
                       .whole = "hosts",
                       .part = "pages"};
  const Json& groups = MemberOf(hosts, "pages");
  for (const Json& group : groups.is_array() ? groups : Json::array()) {
    if (group.is_array() && group.size() == 2 && group[0].is_number_integer() && group[1].is_number_integer())
      shares.groups.push_back({group[0].get<int64_t>(), group[1].get<int64_t>()});
  }
  const std::string facts =
      FactsHtml({{"hosts known", Count(hosts, "count")},
                 {"hosts with URLs never fetched", Count(frontier, "hosts")},
                 {"domains with URLs never fetched", Count(frontier, "domains")},
                 {"hosts asked in the round", HasNumber(fetch, "hosts") ? Count(fetch, "hosts") : "not known"}});
  return facts +
         GridHtml(
             {ShareCurve(shares),
              BarChart(HostBars(
                  {.id = "slowest", .title = "Slowest hosts", .description = "Mean time of an answer in the round."},
                  MemberOf(fetch, "slowest_hosts"), "average_ms", ChartUnit::kMs, "mean time", "answers", "answer")),
              BarChart(HostBars({.id = "failing",
                                 .title = "Failing hosts",
                                 .description = "Requests of the round without an answer, or with a server error."},
                                MemberOf(fetch, "failing_hosts"), "failures", ChartUnit::kCount, "failures", "requests",
                                "request")),
              TableHtml(HoldsTable(MemberOf(hosts, "holds")))});
}

std::string FreshnessHtml(const Json& report) {
  const Json& round = MemberOf(report, "round");
  const Json& present = MemberOf(report, "present");
  const Json& due = MemberOf(present, "due_by_hour");
  HistogramChart ages = {
      .text = {.id = "ages", .title = "Age of the pages", .description = "Time since each page was fetched last."},
      .buckets = BucketsOf(MemberOf(present, "ages"))};
  TimeChart in_time = {.text = {.id = "in-time",
                                .title = "Fetched again in time",
                                .description = "Of the pages that each round fetched again."},
                       .unit = ChartUnit::kPercent,
                       .series = {{.label = "in time", .values = {}}}};
  for (const Json& each : MemberOf(report, "rounds")) {
    const int64_t refreshed = CountOf(each, "refreshed");
    if (refreshed == 0 || !HasNumber(each, "applied_ms")) continue;
    in_time.at_ms.push_back(CountOf(each, "applied_ms"));
    in_time.series[0].values.push_back(100 * static_cast<double>(CountOf(each, "within_window")) /
                                       static_cast<double>(refreshed));
  }
  return FactsHtml({{"in time in the round",
                     round.is_object() ? ShareText(round, "within_window", "refreshed") : "no round yet"},
                    {"due now", Count(present, "due")},
                    {"due after seven days", Count(due, "later")}}) +
         GridHtml({DueChart(due), Histogram(ages), LineChart(in_time)});
}

std::string StorageHtml(const Json& report) {
  const Json& rounds = MemberOf(report, "rounds");
  const Json& storage = MemberOf(MemberOf(report, "present"), "storage");
  const Json& filters = MemberOf(MemberOf(report, "present"), "filters");
  TimeChart chart = {.text = {.id = "storage",
                              .title = "Bytes stored",
                              .description = "The tables after each round, and what the segment of each round wrote."},
                     .unit = ChartUnit::kBytes,
                     .at_ms = TimesOfRounds(rounds),
                     .series = {{.label = "tables", .values = {}}, {.label = "segment of the round", .values = {}}}};
  for (const Json& round : rounds) {
    if (!HasNumber(round, "applied_ms")) continue;
    chart.series[0].values.push_back(NumberOf(MemberOf(round, "storage"), "tables"));
    chart.series[1].values.push_back(NumberOf(MemberOf(round, "storage"), "segment"));
  }
  const Growth growth = GrowthOf(rounds);
  const double free = NumberOf(MemberOf(MemberOf(report, "round"), "storage"), "free");
  const double days = DaysLeft(growth, free);
  const double rate = NumberOf(filters, "false_positive_rate");
  return FactsHtml(
             {{"tables", ReadableSize(CountOf(storage, "tables"))},
              {"segments", ReadableSize(CountOf(storage, "segments"))},
              {"written per day", growth.is_known ? ChartNumber(growth.bytes_a_day, ChartUnit::kBytes)
                                                  : "not known: fewer than two rounds"},
              {"free at the round's end", std::isnan(free) ? "not known" : ChartNumber(free, ChartUnit::kBytes)},
              {"days until the disk is full", std::isnan(days) ? "not known"
                                              : days > 3650    ? "more than ten years"
                                                               : ChartNumber(days, ChartUnit::kRatio)},
              {"Bloom filters", ReadableSize(CountOf(filters, "bytes"))},
              {"wrongly let through", std::isnan(rate) ? "not known" : ChartNumber(100 * rate, ChartUnit::kPercent)}}) +
         NoteHtml("What garbage collection removes is not taken off the growth.") + GridHtml({LineChart(chart)});
}

}  // namespace trawl
