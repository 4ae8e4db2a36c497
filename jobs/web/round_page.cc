// The page /rounds/SEGMENT: one round, by its document once it is applied, by its workers before that.
#include <algorithm>
#include <limits>
#include <vector>

#include "jobs/web/pages.h"
#include "jobs/widgets/round_parts.h"
#include "jobs/widgets/running.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

Markup RoundTiles(const Json& round, const Json& fetch) {
  const int64_t refreshed = CountAt(round, "refreshed");
  const Json& duplicates = MemberAt(round, "duplicates");
  std::vector<Tile> tiles = {{"Pages stored", Number(CountAt(fetch, "pages")), Bytes(CountAt(fetch, "bytes"))},
                             {"Pages per second", Decimal(NumberAt(fetch, "pages_per_second"), 1), "while it fetched"},
                             {"Requests", Number(CountAt(fetch, "fetched")),
                              Decimal(NumberAt(fetch, "success_rate") * 100, 1) + " % succeeded"},
                             {"New URLs", Number(CountAt(round, "urls_new")), "from links"},
                             {"Took", Span(StepsMs(round)), "all steps"}};
  if (refreshed > 0) {
    const double share = 100.0 * static_cast<double>(CountAt(round, "within_window")) / static_cast<double>(refreshed);
    tiles.push_back({"Fetched again in time", Decimal(share, 1) + " %", "of " + Counted(refreshed, "page")});
  }
  tiles.push_back({"Bodies stored before", Number(CountAt(duplicates, "shared")),
                   Bytes(CountAt(duplicates, "shared_bytes")) + " saved"});
  return Tiles(tiles);
}

Markup StepsTable(const Json& steps) {
  HtmlTable table("The steps", {{"Step"}, {"Began"}, {"Took", ColumnKind::kNumber}, {"Job", ColumnKind::kLong}});
  if (!steps.is_object()) return {};
  for (const auto& [name, step] : steps.items()) {
    const int64_t took_ms = static_cast<int64_t>(NumberAt(step, "seconds") * 1000);
    const std::string job = TextAt(step, "job");
    table.Add({Text(name),
               {At(TimeAt(step, "began")), TimeAt(step, "began")},
               {HasValue(step, "seconds") ? Span(took_ms) : Markup("not known"), took_ms},
               Link("/jobs/" + PercentEncoded(job), Id(job))});
  }
  return table.Finish("steps-table", "The steps are not known.");
}

Markup ListsSection(const Json& round) {
  const Json& lists = ListAt(round, "lists");
  std::vector<ListTime> times;
  for (const Json& list : lists) times.push_back({CountAt(list, "list"), CountAt(list, "ran_ms")});
  const Stragglers stragglers = FindStragglers(times);
  BarsChart chart = {.text = {.id = "list-times", .title = "Time by list", .description = "The longest lists first."},
                     .unit = ChartUnit::kMs,
                     .label_name = "list",
                     .value_name = "time",
                     .mark_text = "straggler: twice the median or more"};
  HtmlTable table("The lists of the round, the longest first", {{"List"},
                                                                {"URLs", ColumnKind::kNumber},
                                                                {"Hosts", ColumnKind::kNumber},
                                                                {"Took", ColumnKind::kNumber},
                                                                {"Of the median", ColumnKind::kNumber}});
  for (const Json& list : lists) {
    const int64_t number = CountAt(list, "list"), ms = CountAt(list, "ran_ms");
    const bool is_late = stragglers.Has(number);
    chart.bars.push_back({.label = "list " + std::to_string(number),
                          .value = static_cast<double>(ms),
                          .note = Readable(MemberAt(list, "urls")) + " URLs",
                          .is_marked = is_late});
    const double times_median =
        stragglers.median_ms > 0 ? static_cast<double>(ms) / static_cast<double>(stragglers.median_ms) : 0;
    table.Add(
        {{Number(number) + (is_late ? " " + Badge(NoteKind::kWarning, "straggler") : Markup()), number},
         {Number(CountAt(list, "urls")), CountAt(list, "urls")},
         {Number(CountAt(list, "hosts")), CountAt(list, "hosts")},
         {Span(ms), ms},
         {times_median > 0 ? Decimal(times_median, 1) + " ×" : Markup("–"), static_cast<int64_t>(times_median * 1000)}},
        is_late ? NoteKind::kWarning : NoteKind::kPlain);
  }
  Markup body = StragglerNote(stragglers, times.size(), "took");
  if (chart.bars.size() > 1) body += Chart(BarChart(chart));
  return Section("lists", "Lists", body + table.Finish("lists-table", "The lists are not known."));
}

TimeChart MinutesChart(const Json& minutes) {
  const int64_t step_ms = std::max<int64_t>(CountAt(minutes, "step_ms"), 60'000);
  TimeChart chart = {
      .text = {.id = "by-minute", .title = "Pages and errors", .description = "Per minute while the round fetched."}};
  ChartSeries pages = {.label = "pages", .values = {}}, errors = {.label = "errors", .values = {}};
  const double minutes_of_step = static_cast<double>(step_ms) / 60'000;
  for (const Json& row : ListAt(minutes, "rows")) {
    if (!row.is_array() || row.size() < 5 || !row[0].is_number() || !row[1].is_number() || !row[4].is_number())
      continue;
    chart.at_ms.push_back(row[0].get<int64_t>());
    pages.values.push_back(row[1].get<double>() / minutes_of_step);
    errors.values.push_back(row[4].get<double>() / minutes_of_step);
  }
  chart.series = {pages, errors};
  return chart;
}

Markup ResponseSection(const Json& fetch) {
  const Json& response = MemberAt(fetch, "response_ms");
  FactList facts;
  facts.Add("On average", ExactSpan(CountAt(response, "average")));
  facts.Add("Half within", ExactSpan(CountAt(response, "p50")));
  if (HasValue(response, "p90")) facts.Add("90 % within", ExactSpan(CountAt(response, "p90")));
  facts.Add("99 % within", ExactSpan(CountAt(response, "p99")));
  HistogramChart chart = {
      .text = {.id = "response-times", .title = "Response times", .description = "Answers by the time they took."}};
  for (const Json& range : ListAt(response, "ranges")) {
    const double upper = HasValue(range, "le") ? NumberAt(range, "le") : std::numeric_limits<double>::infinity();
    chart.buckets.push_back({upper, CountAt(range, "count")});
  }
  return Section("response", "Response times",
                 facts.Finish() + (chart.buckets.empty() ? Markup() : Chart(Histogram(chart))));
}

Markup HostsSection(const Json& fetch) {
  HtmlTable slow("The slowest hosts, by their average",
                 {{"Host"}, {"Average", ColumnKind::kNumber}, {"Answers", ColumnKind::kNumber}});
  for (const Json& host : ListAt(fetch, "slowest_hosts")) {
    const int64_t ms = CountAt(host, "average_ms");
    slow.Add(
        {HostLink(TextAt(host, "host")), {Span(ms), ms}, {Number(CountAt(host, "answers")), CountAt(host, "answers")}});
  }
  HtmlTable failing("Hosts with the most failures",
                    {{"Host"}, {"Failures", ColumnKind::kNumber}, {"Requests", ColumnKind::kNumber}});
  for (const Json& host : ListAt(fetch, "failing_hosts")) {
    const int64_t failures = CountAt(host, "failures"), asked = CountAt(host, "requests");
    failing.Add({HostLink(TextAt(host, "host")), {Number(failures), failures}, {Number(asked), asked}});
  }
  return "<div class=\"pair\">\n" + Section("slow", "Slow hosts", slow.Finish("slow-table", "No host has answered.")) +
         Section("failing", "Failing hosts", failing.Finish("failing-table", "No host failed.")) + "</div>\n";
}

Markup ErrorsSection(const Json& fetch) {
  HtmlTable table("Why URLs were not fetched, the most frequent reasons first",
                  {{"Reason", ColumnKind::kLong}, {"Times", ColumnKind::kNumber}, {"For example", ColumnKind::kLong}});
  for (const Json& error : ListAt(fetch, "top_errors")) {
    table.Add({Foreign(TextAt(error, "reason")),
               {Number(CountAt(error, "count")), CountAt(error, "count")},
               UrlLink(TextAt(error, "example"))});
  }
  return Section("errors", "Errors", table.Finish("errors-table", "Every request succeeded."));
}

Markup OutcomesSection(const Json& fetch) {
  return "<div class=\"pair\">\n" +
         Section(
             "outcomes", "Outcomes",
             Chart(BarChart(CountBars(
                 MemberAt(fetch, "outcomes"),
                 {.id = "outcome-bars", .title = "Outcomes", .description = "What became of the URLs of the round."},
                 "outcome", "URLs")))) +
         Section(
             "statuses", "Status codes",
             Chart(BarChart(CountBars(MemberAt(fetch, "statuses"),
                                      {.id = "status-bars", .title = "Status codes", .description = "Of all answers."},
                                      "status", "answers")))) +
         "</div>\n";
}

Markup DiscoverySection(const Json& round) {
  const Json& links = MemberAt(round, "links");
  FactList facts;
  facts.Add("Links within the scope", Number(CountAt(links, "found")));
  facts.Add("New to the crawl", Number(CountAt(links, "new")));
  facts.Add("Known before", Number(CountAt(links, "known")));
  facts.Add("Outside the scope", Number(CountAt(links, "out_of_scope")));
  Markup body = facts.Finish();
  const Json& refused = MemberAt(links, "refused");
  if (refused.is_object() && !refused.empty()) {
    body += Chart(BarChart(
        CountBars(refused, {.id = "refused", .title = "Refused links", .description = "By the rule that refused them."},
                  "rule", "links")));
  }
  return Section("discovery", "Links", body);
}

Markup LeftOutSection(const Json& round) {
  const Json& left_out = MemberAt(round, "left_out");
  FactList facts;
  facts.Add("URLs that were due", HasValue(round, "due") ? Number(CountAt(round, "due")) : Markup());
  if (left_out.is_object()) {
    for (const auto& [reason, count] : left_out.items()) {
      if (count.is_number()) facts.Add("Left out: " + reason, Number(count.get<int64_t>()));
    }
  }
  const Json& lag = MemberAt(round, "answer_to_applied_ms");
  if (lag.is_object()) {
    facts.Add("From answer to applied",
              Span(CountAt(lag, "median")) + " (median), 99 % within " + Span(CountAt(lag, "p99")));
  }
  const Json& storage = MemberAt(round, "storage");
  facts.Add("Bytes of the segment", Bytes(CountAt(storage, "segment")));
  facts.Add("Bytes of the tables after it", Bytes(CountAt(storage, "tables")));
  const Json& totals = MemberAt(round, "totals");
  const Json& states = MemberAt(totals, "states");
  if (states.is_object()) {
    Markup after;
    for (const auto& [state, count] : states.items()) {
      if (!count.is_number()) continue;
      after += (after.empty() ? Markup() : Markup(", ")) + Number(count.get<int64_t>()) + " " + Text(state);
    }
    facts.Add("URLs after it", after);
  }
  return Section("more", "Before and after", facts.Finish());
}

Markup AppliedRound(const Json& round) {
  const Json& fetch = MemberAt(round, "fetch");
  if (!fetch.is_object()) return Note(NoteKind::kPlain, "An older version applied this round, and left no numbers.");
  Markup body = RoundTiles(round, fetch);
  body += ListsSection(round);
  const TimeChart minutes = MinutesChart(MemberAt(round, "minutes"));
  body += "<div class=\"pair\">\n" + Section("minutes", "Minute by minute", Chart(LineChart(minutes))) +
          ResponseSection(fetch) + "</div>\n";
  body += OutcomesSection(fetch) + ErrorsSection(fetch) + HostsSection(fetch);
  body += "<div class=\"pair\">\n" + DiscoverySection(round) + LeftOutSection(round) + "</div>\n";
  return body + Section("steps", "Steps", StepsTable(MemberAt(round, "steps")));
}

// What the last list needs while others have ended or are not begun. Nothing where there may be other lists at work.
Markup LastListNote(const Json& lists, const ListTime& needs, int64_t left, bool stands) {
  const int64_t all = CountAt(lists, "lists"), done = CountAt(lists, "lists_done");
  if (CountAt(lists, "lists_begun") - done > 1) return {};
  Markup text = "<p>List " + Number(needs.list);
  text += done + 1 == all ? Markup(" will be done last: ") : Markup(" is the only one under way: ");
  text += Number(left) + " left, ";
  text += stands ? Markup("and no page came of late") : "about " + Span(needs.ms);
  return text + ".</p>\n";
}

// The list that will be ready last at its present rate. `lists` is the segment as the status has it.
Markup LiveStraggler(const Json& workers, const std::string& segment, const Json& lists) {
  std::vector<ListTime> needs;
  int64_t last_left = 0;
  bool stands = false;
  for (const Json& worker : ListAt(workers, "workers")) {
    if (TextAt(worker, "segment") != segment || TextAt(worker, "state") == "ended" || !HasValue(worker, "left"))
      continue;
    const double rate = NumberAt(worker, "pages_per_sec");
    last_left = CountAt(worker, "left");
    constexpr double kSlowest = 0.001;  // pages a second; below it a list as good as stands
    stands = rate < kSlowest;
    const double need_ms = static_cast<double>(last_left) / std::max(rate, kSlowest) * 1000;
    needs.push_back({CountAt(worker, "task"), static_cast<int64_t>(need_ms)});
  }
  if (needs.empty()) return {};
  if (needs.size() == 1 && CountAt(lists, "lists") != 1) return LastListNote(lists, needs[0], last_left, stands);
  return StragglerNote(FindStragglers(needs), needs.size(), "still needs about");
}

ServerAnswer OpenRound(PageCall& call, PageFrame frame, const std::string& segment, const Json& status) {
  frame.is_live = true;
  frame.snapshot = CountAt(status, "snapshot");
  const TimeMs now_ms = call.context.now_ms;
  Json one = status;
  one["segments"] = Json::array();
  for (const Json& each : ListAt(status, "segments")) {
    if (TextAt(each, "segment") == segment) one["segments"].push_back(each);
  }
  Markup missing;
  const Json workers = ReadWorkers(call, &missing);
  const Json lists_of = one["segments"].empty() ? Json() : one["segments"].front();
  Markup lists = LiveStraggler(workers, segment, lists_of) + WorkersTable(workers, segment, now_ms);
  frame.body = "<p class=\"lead\">This round is not applied yet.</p>\n" + missing +
               Section("running", "How far it is", RunningTable(one, now_ms));
  const Markup waits = WaitsText(MemberAt(status, "waits"));
  if (TextAt(status, "segment") == segment && !waits.empty()) {
    frame.body += "<p><strong>It waits for:</strong> " + waits + "." + AgeNote(MemberAt(status, "waits")) + "</p>\n";
  }
  frame.body += Section("lists", "Lists and their workers", lists);
  return PageAnswer(call.context, frame);
}

}  // namespace

ServerAnswer RoundPage(PageCall& call) {
  const std::string segment = call.path[1];
  PageFrame frame;
  frame.title = "Round " + segment;
  frame.here = "/rounds";
  frame.heading = "Round " + Text(segment);
  const SourceAnswer found = call.Get("/api/v1/rounds/" + PercentEncoded(segment));
  if (!found.ok()) {
    const SourceAnswer status = call.Get("/status");
    for (const Json& each : ListAt(status.value, "segments")) {
      if (TextAt(each, "segment") == segment) return OpenRound(call, frame, segment, status.value);
    }
    return ProblemPage(call, found);
  }
  const Json& round = found.value;
  frame.snapshot = CountAt(round, "snapshot");
  const TimeMs applied_ms = TimeAt(round, "applied");
  frame.body = applied_ms == 0 ? Markup()
                               : "<p class=\"lead\">Applied " + AtWithAge(applied_ms, call.context.now_ms) +
                                     ", in snapshot " + Number(CountAt(round, "applied_in")) + ".</p>\n";
  frame.body += AppliedRound(round);
  return PageAnswer(call.context, frame);
}

}  // namespace trawl
