// Sections about one round: when it ran, what was asked for and what came of it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "formats/charts/charts.h"
#include "jobs/report/figures.h"
#include "jobs/report/html.h"
#include "jobs/report/json_numbers.h"
#include "jobs/report/sections.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr size_t kMostLists = 20;  // shown as bars; the longest come first

std::string Count(const Json& object, const char* name) { return ReadableCount(CountOf(object, name)); }

std::string PerSecond(double count, double seconds) {
  return seconds > 0 ? ChartNumber(count / seconds, ChartUnit::kPerSecond) : std::string("not known");
}

std::string PercentText(double share) {
  return std::isnan(share) ? "not known" : ChartNumber(100 * share, ChartUnit::kPercent);
}

double SecondsOf(const Json& round, const char* step) {
  return NumberOf(MemberOf(MemberOf(round, "steps"), step), "seconds");
}

// How long each step took; those that are not known are left out.
std::string StepsChart(const Json& round) {
  BarsChart chart = {
      .text = {.id = "steps", .title = "Time of each step", .description = "From its begin to its report."},
      .unit = ChartUnit::kMs,
      .label_name = "step",
      .value_name = "time"};
  for (const auto& [name, step] : MemberOf(round, "steps").items()) {
    const double seconds = NumberOf(step, "seconds");
    if (std::isnan(seconds)) continue;
    chart.bars.push_back({.label = name, .value = 1000 * seconds, .note = TextOf(step, "runner")});
  }
  return BarChart(chart);
}

// What the URLs that were due and not chosen wait for.
std::string LeftOutChart(const Json& round) {
  const BarsChart chart =
      BarsOfCounts({.id = "left-out",
                    .title = "Left out of the round",
                    .description = "URLs that were due when the lists were made, by what they wait for."},
                   MemberOf(round, "left_out"), "reason", "URLs");
  return chart.bars.empty() ? "" : BarChart(chart);
}

// "2026-01-01 12:00 UTC".
std::string AppliedText(const Json& report) {
  const Json& rounds = MemberOf(report, "rounds");
  if (!rounds.is_array() || rounds.empty() || !HasNumber(rounds.back(), "applied_ms")) return "not known";
  return ChartTime(CountOf(rounds.back(), "applied_ms")) + " UTC";
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

std::string HeadlineHtml(const Json& report) {
  const Json& round = MemberOf(report, "round");
  const Json& fetch = MemberOf(round, "fetch");
  const Json& ran_by = MemberOf(round, "ran_by");
  const Json& present = MemberOf(report, "present");
  const double seconds = SecondsOf(round, "fetch");
  const Json& next = MemberOf(present, "next_due_ms");
  std::vector<std::pair<std::string, std::string>> facts = {
      {"pages stored", Count(fetch, "pages")},
      {"pages per second of fetch", PerSecond(NumberOf(fetch, "pages"), seconds)},
      {"bytes", ReadableSize(CountOf(fetch, "bytes"))},
      {"requests", Count(fetch, "fetched")},
      {"succeeded",
       CountOf(fetch, "fetched") == 0 ? "nothing was asked for" : PercentText(NumberOf(fetch, "success_rate"))},
      {"new URLs", Count(round, "urls_new")},
      {"due now", Count(present, "due")},
      {"next due", next.is_number_integer() ? ChartTime(next.get<int64_t>()) + " UTC" : "nothing more"},
      {"segment", TextOf(round, "segment")},
      {"applied", AppliedText(report)}};
  if (ran_by.is_object())
    facts.push_back({"applied by", "trawl " + TextOf(ran_by, "version") + " on " + TextOf(ran_by, "machine")});
  std::string html = FactsHtml(facts);
  if (TextOf(round, "kind") == "reparse") html += NoteHtml("This round read stored pages again and asked for nothing.");
  return html + GridHtml({StepsChart(round), LeftOutChart(round)});
}

std::string MinutesHtml(const Json& report) {
  const Json& minutes = MemberOf(MemberOf(report, "round"), "minutes");
  const auto step_ms = static_cast<double>(std::max<int64_t>(CountOf(minutes, "step_ms"), 1));
  TimeChart pages = {.text = {.id = "pages",
                              .title = "Pages and errors per minute",
                              .description = "Stored pages, and requests that failed, while the fetch ran."}};
  TimeChart bytes = {.text = {.id = "bytes", .title = "Bytes per minute", .description = "Of all answers, decoded."},
                     .unit = ChartUnit::kBytes};
  pages.series = {
      {.label = "pages", .values = {}}, {.label = "requests", .values = {}}, {.label = "errors", .values = {}}};
  bytes.series = {{.label = "bytes", .values = {}}};
  const Json& rows = MemberOf(minutes, "rows");
  for (const Json& row : rows.is_array() ? rows : Json::array()) {
    if (!row.is_array() || row.size() < 5) continue;
    const auto per_minute = [&row, step_ms](size_t i) {
      return row[i].is_number() ? row[i].get<double>() * 60'000 / step_ms : std::nan("");
    };
    if (!row[0].is_number_integer()) continue;
    for (TimeChart* chart : {&pages, &bytes}) chart->at_ms.push_back(row[0].get<int64_t>());
    pages.series[0].values.push_back(per_minute(1));
    pages.series[1].values.push_back(per_minute(3));
    pages.series[2].values.push_back(per_minute(4));
    bytes.series[0].values.push_back(per_minute(2));
  }
  return GridHtml({LineChart(pages), LineChart(bytes)});
}

std::string ListsHtml(const Json& report) {
  const Json& lists = MemberOf(MemberOf(report, "round"), "lists");
  if (!lists.is_array() || lists.empty()) return NoteHtml("The round had no lists.");
  std::vector<double> ran;
  for (const Json& list : lists) ran.push_back(static_cast<double>(CountOf(list, "ran_ms")));
  const double median = Median(ran), longest = *std::max_element(ran.begin(), ran.end());
  double sum = 0;
  for (const double ms : ran) sum += ms;
  BarsChart chart = {.text = {.id = "lists", .title = "Time of each list", .description = "The longest lists first."},
                     .unit = ChartUnit::kMs,
                     .label_name = "list",
                     .value_name = "time",
                     .mark_text = "a straggler: more than twice the median"};
  for (size_t i = 0; i < std::min<size_t>(lists.size(), kMostLists); ++i) {
    const Json& list = lists[i];
    chart.bars.push_back({.label = "list " + std::to_string(CountOf(list, "list")) + ": " +
                                   ReadableCount(CountOf(list, "urls"), "URL") + " of " +
                                   ReadableCount(CountOf(list, "hosts"), "host"),
                          .value = ran[i],
                          .note = "",
                          .is_marked = lists.size() > 2 && median > 0 && ran[i] > 2 * median});
  }
  const std::string facts =
      FactsHtml({{"lists", ReadableCount(static_cast<int64_t>(lists.size()))},
                 {"median time", ChartNumber(median, ChartUnit::kMs)},
                 {"longest", ChartNumber(longest, ChartUnit::kMs)},
                 {"utilisation: mean of the longest",
                  PercentText(longest > 0 ? sum / (longest * static_cast<double>(ran.size())) : std::nan(""))}});
  return facts + GridHtml({BarChart(chart)});
}

std::string StatusesHtml(const Json& report) {
  const Json& fetch = MemberOf(MemberOf(report, "round"), "fetch");
  return GridHtml(
      {BarChart(BarsOfCounts({.id = "statuses", .title = "Status codes", .description = "Of all answers of the round."},
                             MemberOf(fetch, "statuses"), "status", "answers")),
       BarChart(BarsOfCounts({.id = "outcomes", .title = "Outcomes", .description = "Of all URLs of the round."},
                             MemberOf(fetch, "outcomes"), "outcome", "URLs"))});
}

std::string TimesHtml(const Json& report) {
  const Json& response = MemberOf(MemberOf(MemberOf(report, "round"), "fetch"), "response_ms");
  HistogramChart chart = {.text = {.id = "times",
                                   .title = "Response times",
                                   .description = "From the begin of a request to the end of its answer."},
                          .buckets = BucketsOf(MemberOf(response, "ranges"))};
  for (const char* name : {"p50", "p90", "p99"}) {
    if (HasNumber(response, name)) {
      chart.marks.push_back(
          {std::string(name) + " " + ChartNumber(NumberOf(response, name), ChartUnit::kMs), NumberOf(response, name)});
    }
  }
  chart.marks.push_back({"5 s", 5000});
  return FactsHtml({{"mean", ChartNumber(NumberOf(response, "average"), ChartUnit::kMs)},
                    {"half within", ChartNumber(NumberOf(response, "p50"), ChartUnit::kMs)},
                    {"99 % within", ChartNumber(NumberOf(response, "p99"), ChartUnit::kMs)}}) +
         GridHtml({Histogram(chart)});
}

std::string ErrorsHtml(const Json& report) {
  const Json& errors = MemberOf(MemberOf(MemberOf(report, "round"), "fetch"), "top_errors");
  TableOf table = {.caption = "The most frequent reasons", .heads = {"reason", "URLs", "example"}};
  for (const Json& error : errors.is_array() ? errors : Json::array()) {
    table.rows.push_back({{.text = TextOf(error, "reason")},
                          {.text = Count(error, "count"), .is_number = true},
                          {.text = TextOf(error, "example"), .is_url = true}});
  }
  return table.rows.empty() ? NoteHtml("Every URL that was asked for succeeded.") : TableHtml(table);
}

}  // namespace trawl
