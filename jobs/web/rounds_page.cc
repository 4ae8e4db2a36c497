// The page /rounds: all rounds over time, and those that run now.
#include <algorithm>
#include <vector>

#include "jobs/web/pages.h"
#include "jobs/widgets/round_parts.h"
#include "jobs/widgets/running.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

constexpr char kShown[] = "30";

// The rounds with numbers, the oldest first, as charts want them.
std::vector<const Json*> Ascending(const Json& rounds) {
  std::vector<const Json*> ascending;
  for (const Json& round : rounds) {
    if (MemberAt(round, "fetch").is_object() && TimeAt(round, "applied") > 0) ascending.push_back(&round);
  }
  std::stable_sort(ascending.begin(), ascending.end(),
                   [](const Json* a, const Json* b) { return TimeAt(*a, "applied") < TimeAt(*b, "applied"); });
  return ascending;
}

std::vector<int64_t> TimesOf(const std::vector<const Json*>& rounds) {
  std::vector<int64_t> at_ms;
  for (const Json* round : rounds) at_ms.push_back(TimeAt(*round, "applied"));
  return at_ms;
}

TimeChart PagesChart(const std::vector<const Json*>& rounds) {
  TimeChart chart = {
      .text = {.id = "pages", .title = "Pages", .description = "What became of the requests of each round."}};
  chart.at_ms = TimesOf(rounds);
  ChartSeries stored = {.label = "new or changed pages", .values = {}},
              other = {.label = "other answers that succeeded", .values = {}},
              failed = {.label = "not fetched", .values = {}};
  for (const Json* round : rounds) {
    const Json& fetch = MemberAt(*round, "fetch");
    const double requests = NumberAt(fetch, "fetched"), pages = NumberAt(fetch, "pages");
    const double succeeded = requests * NumberAt(fetch, "success_rate");
    stored.values.push_back(pages);
    other.values.push_back(std::max(0.0, std::round(succeeded - pages)));
    failed.values.push_back(std::max(0.0, std::round(requests - std::max(succeeded, pages))));
  }
  // In the order of the colours: what failed looks like a warning.
  chart.series = {stored, failed, other};
  return chart;
}

TimeChart StepsChart(const std::vector<const Json*>& rounds) {
  TimeChart chart = {
      .text = {.id = "steps", .title = "Time of the steps", .description = "How long each step of a round took."},
      .unit = ChartUnit::kMs};
  chart.at_ms = TimesOf(rounds);
  for (const char* const step : {"generate", "fetch", "parse", "updatedb"}) {
    ChartSeries series = {.label = step, .values = {}};
    for (const Json* round : rounds) {
      series.values.push_back(NumberAt(MemberAt(MemberAt(*round, "steps"), step), "seconds") * 1000);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

ServerAnswer RoundsPage(PageCall& call) {
  const SourceAnswer found = call.Get(std::string("/api/v1/rounds?limit=") + kShown);
  if (!found.ok()) return ProblemPage(call, found);
  PageFrame frame;
  frame.title = "Rounds";
  frame.here = "/rounds";
  frame.is_live = true;
  frame.heading = "Rounds";
  frame.snapshot = CountAt(found.value, "snapshot");
  const Json status = call.TryGet("/status", "What runs now", &frame.body);
  const Markup running = RunningTable(status, call.context.now_ms);
  if (!running.empty()) frame.body += Section("running", "Under way", running);
  const Json& rounds = ListAt(found.value, "rounds");
  const std::vector<const Json*> ascending = Ascending(rounds);
  if (ascending.size() > 1) {
    frame.body += "<div class=\"pair\">\n" +
                  Section("over-pages", "Pages by round", Chart(StackedBarChart(PagesChart(ascending)))) +
                  Section("over-steps", "Time by round", Chart(StackedBarChart(StepsChart(ascending)))) + "</div>\n";
  }
  frame.body += Section("applied", "Applied",
                        RoundsTable(rounds, "applied-table", "The last rounds, the newest first", call.context.now_ms));
  return PageAnswer(call.context, frame);
}

}  // namespace trawl
