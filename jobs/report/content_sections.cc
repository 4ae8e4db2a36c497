// Sections about what a round found: links, content, and what robots.txt says.
#include <cmath>

#include "formats/charts/charts.h"
#include "jobs/report/figures.h"
#include "jobs/report/html.h"
#include "jobs/report/json_numbers.h"
#include "jobs/report/sections.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr size_t kMostRules = 10;

std::string Count(const Json& object, const char* name) { return ReadableCount(CountOf(object, name)); }

std::string PercentOf(int64_t part, int64_t whole) {
  return whole == 0 ? "none"
                    : ChartNumber(100 * static_cast<double>(part) / static_cast<double>(whole), ChartUnit::kPercent);
}

int64_t SumOf(const Json& counts) {
  int64_t sum = 0;
  for (const auto& [name, count] : counts.items()) sum += count.is_number_integer() ? count.get<int64_t>() : 0;
  return sum;
}

// A dot per host: its smallest gap as a multiple of the delay that was in force.
std::string PolitenessChart(const Json& politeness) {
  DotsChart chart = {
      .text = {.id = "politeness",
               .title = "Politeness",
               .description = "A dot is a host: the smallest time between an answer and the next request, as "
                              "a multiple of the delay in force."},
      .x_name = "requests to the host",
      .y_name = "smallest gap / delay",
      .marks = {{"the delay that was asked for", 1}}};
  const Json& dots = MemberOf(politeness, "dots");
  for (const Json& dot : dots.is_array() ? dots : Json::array()) {
    const double ratio = NumberOf(dot, "gap_ms") / NumberOf(dot, "delay_ms");
    chart.dots.push_back({.label = TextOf(dot, "host"),
                          .x = NumberOf(dot, "requests"),
                          .y = std::max(ratio, 0.001),  // a logarithmic axis has no zero
                          .is_wrong = ratio < 1});
  }
  return DotChart(chart);
}

std::string PolitenessFacts(const Json& politeness) {
  const Json& smallest = MemberOf(politeness, "smallest_ratio");
  return FactsHtml(
      {{"gaps measured", Count(politeness, "gaps")},
       {"gaps shorter than the delay", Count(politeness, "violations")},
       {"smallest gap / delay", smallest.is_number() ? ChartNumber(smallest.get<double>(), ChartUnit::kRatio) : "none"},
       {"hosts asked", Count(politeness, "hosts")}});
}

}  // namespace

std::string DiscoveryHtml(const Json& report) {
  const Json& round = MemberOf(report, "round");
  const Json& links = MemberOf(round, "links");
  return FactsHtml({{"links to new URLs", Count(links, "new")},
                    {"links to known URLs", Count(links, "known")},
                    {"links out of scope", Count(links, "out_of_scope")},
                    {"new URLs", Count(round, "urls_new")}}) +
         GridHtml(
             {StackedBarChart(CountsOverRounds(
                  {.id = "links", .title = "Links by round", .description = "Links of the pages that a round read."},
                  MemberOf(report, "rounds"), "links")),
              BarChart(BarsOfCounts({.id = "refused",
                                     .title = "Links refused by the rules",
                                     .description = "Of this round, by the rule that refused them."},
                                    MemberOf(links, "refused"), "rule", "links"))});
}

std::string ContentHtml(const Json& report) {
  const Json& round = MemberOf(report, "round");
  const Json& fetch = MemberOf(round, "fetch");
  const Json& duplicates = MemberOf(MemberOf(report, "present"), "duplicates");
  const Json& truncated = MemberOf(fetch, "truncated");
  HistogramChart sizes = {.text = {.id = "sizes", .title = "Sizes of stored bodies", .description = "Decoded."},
                          .unit = ChartUnit::kBytes,
                          .buckets = BucketsOf(MemberOf(fetch, "sizes"))};
  const double rate = NumberOf(fetch, "duplicate_rate");
  const std::string facts =
      FactsHtml({{"bodies equal to another of the round",
                  std::isnan(rate) ? "not known" : ChartNumber(100 * rate, ChartUnit::kPercent)},
                 {"exact duplicates in the crawl", Count(duplicates, "exact")},
                 {"near duplicates in the crawl", Count(duplicates, "near")},
                 {"not stored twice", ReadableSize(CountOf(duplicates, "bytes_saved"))},
                 {"cut bodies", truncated.is_object() ? ReadableCount(SumOf(truncated)) : "not known"},
                 {"pages without text unless scripts run",
                  Count(MemberOf(round, "needs_js"), "round") + " (" +
                      PercentOf(CountOf(MemberOf(round, "needs_js"), "round"), CountOf(fetch, "pages")) + ")"}});
  return facts + GridHtml({BarChart(BarsOfCounts({.id = "types", .title = "Types", .description = "Of stored bodies."},
                                                 MemberOf(fetch, "types"), "type", "bodies")),
                           BarChart(BarsOfCounts({.id = "languages",
                                                  .title = "Languages",
                                                  .description = "Of the pages that the round read; und: not sure."},
                                                 MemberOf(round, "languages"), "language", "pages")),
                           Histogram(sizes)});
}

std::string RobotsHtml(const Json& report) {
  const Json& round = MemberOf(report, "round");
  const Json& robots = MemberOf(MemberOf(round, "fetch"), "robots");
  std::string html;
  if (robots.is_object()) {
    html += FactsHtml({{"URLs denied by robots.txt", Count(robots, "denied")},
                       {"URLs that wait for a robots.txt", Count(robots, "deferred")},
                       {"hosts whose robots.txt could not be read", Count(robots, "unreachable_hosts")}});
    TableOf table = {.caption = "Lines of robots.txt that denied most", .heads = {"line", "URLs", "example"}};
    const Json& rules = MemberOf(robots, "rules");
    for (const Json& rule : rules.is_array() ? rules : Json::array()) {
      if (table.rows.size() == kMostRules) break;
      table.rows.push_back({{.text = TextOf(rule, "rule")},
                            {.text = Count(rule, "count"), .is_number = true},
                            {.text = TextOf(rule, "example"), .is_url = true}});
    }
    html += TableHtml(table);
  } else {
    html += NoteHtml("What robots.txt denied was not counted in this round.");
  }
  const Json& politeness = MemberOf(round, "politeness");
  if (!politeness.is_object()) return html + NoteHtml("The gaps between requests were not measured in this round.");
  return html + PolitenessFacts(politeness) + GridHtml({PolitenessChart(politeness)});
}

}  // namespace trawl
