// The page /: what the crawl does now, what it waits for, and what is worth a look.
#include <map>
#include <vector>

#include "jobs/web/pages.h"
#include "jobs/widgets/alerts.h"
#include "jobs/widgets/round_parts.h"
#include "jobs/widgets/running.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

namespace {

constexpr char kRounds[] = "5";

Markup NowTiles(const Json& status, TimeMs now_ms) {
  const double errors = NumberAt(status, "error_rate_percent");
  std::vector<Tile> tiles = {
      {"Pages per second", Decimal(NumberAt(status, "pages_per_sec"), 1), {}},
      {"Due now", HasValue(status, "due") ? Number(CountAt(status, "due")) : Markup("–"), "URLs"},
      {"Never fetched", Number(CountAt(MemberAt(status, "states"), "unfetched")), "URLs"},
      {"Errors", Decimal(errors, 1) + " %", "of the last requests"}};
  const Json& rate = MemberAt(status, "rate");
  if (CountAt(rate, "over_ms") > 0)
    tiles[0].about = "over the last " + Span(CountAt(rate, "over_ms"));
  else
    tiles[0].about = "in the last round";
  const TimeMs next_ms = TimeAt(status, "next_due");
  if (next_ms > now_ms && next_ms != kNever) tiles.push_back({"Next due", Text(AgeText(next_ms, now_ms)), At(next_ms)});
  return Tiles(tiles);
}

TimeChart RateChart(const Json& throughput, TimeMs now_ms) {
  TimeChart chart = {
      .text = {.id = "rate", .title = "Pages per second", .description = "In the last hour, minute by minute."},
      .unit = ChartUnit::kPerSecond};
  ChartSeries pages = {.label = "pages", .values = {}};
  // Minutes without a request are left out of the answer: nothing was fetched in them.
  std::map<TimeMs, double> rates;
  for (const Json& point : ListAt(throughput, "points")) rates[TimeAt(point, "at")] = NumberAt(point, "pages_per_sec");
  if (rates.empty()) return chart;
  for (TimeMs at_ms = (now_ms - kHourMs) / kMinuteMs * kMinuteMs; at_ms <= now_ms; at_ms += kMinuteMs)
    rates.try_emplace(at_ms, 0);
  for (const auto& [at_ms, rate] : rates) {
    chart.at_ms.push_back(at_ms);
    pages.values.push_back(rate);
  }
  chart.series = {pages};
  return chart;
}

Markup RateSection(PageCall& call) {
  Markup missing;
  const TimeMs now_ms = call.context.now_ms;
  const Json throughput =
      call.TryGet("/api/v1/stats/throughput?step=1m&since=" + PercentEncoded(FormatTimestamp(now_ms - kHourMs)),
                  "The rates", &missing);
  return Section("rates", "The last hour", missing + Chart(LineChart(RateChart(throughput, now_ms))));
}

// {"at", "counts": […]}: URLs that come due in each hour from then on.
struct DueHours {
  TimeMs at_ms = 0;
  std::vector<int64_t> counts;
};

DueHours HoursOf(const Json& due) {
  DueHours hours = {.at_ms = TimeAt(due, "at"), .counts = {}};
  for (const Json& count : ListAt(due, "counts"))
    hours.counts.push_back(count.is_number_integer() ? count.get<int64_t>() : 0);
  return hours;
}

// Bars of six hours: 168 would be too thin to tell apart.
TimeChart DueChart(const DueHours& hours) {
  constexpr size_t kHours = 6;
  TimeChart chart = {
      .text = {.id = "due", .title = "URLs that come due", .description = "In each six hours of the next 7 days."}};
  ChartSeries urls = {.label = "URLs", .values = {}};
  for (size_t i = 0; i < hours.counts.size(); ++i) {
    if (i % kHours == 0) {
      chart.at_ms.push_back(hours.at_ms + static_cast<int64_t>(i) * kHourMs);
      urls.values.push_back(0);
    }
    urls.values.back() += static_cast<double>(hours.counts[i]);
  }
  chart.series = {urls};
  return chart;
}

Markup DueByHour(const DueHours& hours) {
  HtmlTable table("URLs that come due, by the hour", {{"From"}, {"URLs", ColumnKind::kNumber}});
  for (size_t i = 0; i < hours.counts.size(); ++i) {
    const TimeMs at_ms = hours.at_ms + static_cast<int64_t>(i) * kHourMs;
    table.Add({{At(at_ms), at_ms}, {Number(hours.counts[i]), hours.counts[i]}});
  }
  return "<details><summary>By the hour</summary>\n" + table.Finish("hours-table", "") + "</details>\n";
}

Markup DueSection(const Json& pending, TimeMs now_ms) {
  const Json& due = MemberAt(pending, "due_by_hour");
  const DueHours hours = HoursOf(due);
  if (hours.counts.empty()) {
    return Section(
        "due-hours", "Due in the next 7 days",
        "<p class=\"quiet\">Not counted yet. A large crawl is counted in the background after each snapshot.</p>\n");
  }
  Markup body = Chart(StackedBarChart(DueChart(hours))) + DueByHour(hours);
  if (const TimeMs counted_ms = TimeAt(pending, "counted_at"); counted_ms > 0) {
    body += "<p class=\"quiet\">Counted " + Text(AgeText(counted_ms, now_ms)) + ".</p>\n";
  }
  return Section("due-hours", "Due in the next 7 days", body);
}

Markup StatesSection(const Json& status) {
  const Json& states = MemberAt(status, "states");
  if (!states.is_object()) return {};
  const ChartText text = {
      .id = "states-chart", .title = "URLs by state", .description = "All URLs that the crawl knows."};
  return Section("states", "States", Chart(BarChart(CountBars(states, text, "state", "URLs"))));
}

Markup HeldSection(const Json& status) {
  Markup counts = HoldCounts(status);
  if (counts.empty()) counts = "<p class=\"quiet\">No host is held back.</p>\n";
  return Section("held", "Hosts that wait", counts + "<p>" + LinkTo("/hosts", "Which hosts, and for what") + "</p>\n");
}

}  // namespace

ServerAnswer CrawlPage(PageCall& call) {
  const SourceAnswer found = call.Get("/status");
  if (!found.ok()) return ProblemPage(call, found);
  const Json& status = found.value;
  const TimeMs now_ms = call.context.now_ms;
  PageFrame frame;
  frame.title = "Crawl";
  frame.here = "/";
  frame.is_live = true;
  frame.heading = "The crawl " + Foreign(call.context.crawl);
  frame.snapshot = CountAt(status, "snapshot");
  Markup missing;
  const Json rounds = call.TryGet(std::string("/api/v1/rounds?limit=") + kRounds, "The last rounds", &missing);
  const Json workers = call.TryGet("/api/v1/workers", "The workers", &missing);
  const Json traps = call.TryGet("/api/v1/domains?top=traps&limit=5", "Suspected traps", &missing);
  const Json pending = call.TryGet("/api/v1/urls/pending", "What is due", &missing);
  frame.body = NowText(status, call.context.root, now_ms) + missing;
  frame.body += AlertsSection(
      {.status = status, .rounds = rounds, .workers = workers, .traps = traps, .root = call.context.root}, now_ms);
  frame.body += NowTiles(status, now_ms);
  const Markup running = RunningTable(status, now_ms);
  if (!running.empty()) frame.body += Section("running", "Under way", running);
  frame.body += "<div class=\"pair\">\n" + RateSection(call) + DueSection(pending, now_ms) + "</div>\n";
  frame.body += "<div class=\"pair\">\n" + StatesSection(status) + HeldSection(status) + "</div>\n";
  frame.body += Section("rounds", "The last rounds",
                        RoundsTable(ListAt(rounds, "rounds"), "rounds-table", "The newest first", now_ms) + "<p>" +
                            LinkTo("/rounds", "All rounds") + "</p>\n");
  return PageAnswer(call.context, frame);
}

}  // namespace trawl
