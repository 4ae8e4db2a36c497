#include "jobs/widgets/round_parts.h"

#include <algorithm>
#include <utility>

#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

// "98.5 %", and a sign where it is low.
Markup SucceededText(const Json& fetch) {
  if (CountAt(fetch, "fetched") == 0) return "–";
  const double percent = NumberAt(fetch, "success_rate") * 100;
  return Decimal(percent, 1) + " %";
}

}  // namespace

int64_t StepsMs(const Json& round) {
  int64_t all_ms = 0;
  const Json& steps = MemberAt(round, "steps");
  if (!steps.is_object()) return 0;
  for (const auto& [name, step] : steps.items()) all_ms += static_cast<int64_t>(NumberAt(step, "seconds") * 1000);
  return all_ms;
}

Markup RoundsTable(const Json& rounds, std::string_view id, std::string_view caption, TimeMs now_ms) {
  HtmlTable table(Text(caption), {{"Round"},
                                  {"Applied"},
                                  {"Pages", ColumnKind::kNumber},
                                  {"Requests", ColumnKind::kNumber},
                                  {"Succeeded", ColumnKind::kNumber},
                                  {"Bytes", ColumnKind::kNumber},
                                  {"New URLs", ColumnKind::kNumber},
                                  {"Took", ColumnKind::kNumber}});
  for (const Json& round : rounds) {
    const Json& fetch = MemberAt(round, "fetch");
    const std::string segment = TextAt(round, "segment");
    if (!fetch.is_object()) {
      table.Add({SegmentLink(segment), "by an older version, without numbers", "", "", "", "", "", ""});
      continue;
    }
    const TimeMs applied_ms = TimeAt(round, "applied");
    const int64_t took_ms = StepsMs(round);
    const bool reads_again = TextAt(round, "kind") == "reparse";
    table.Add({SegmentLink(segment) + (reads_again ? Markup(" <small>read again, no request</small>") : Markup()),
               {AtWithAge(applied_ms, now_ms), applied_ms},
               {Number(CountAt(fetch, "pages")), CountAt(fetch, "pages")},
               {Number(CountAt(fetch, "fetched")), CountAt(fetch, "fetched")},
               {SucceededText(fetch), static_cast<int64_t>(NumberAt(fetch, "success_rate") * 1'000'000)},
               {Bytes(CountAt(fetch, "bytes")), CountAt(fetch, "bytes")},
               {Number(CountAt(round, "urls_new")), CountAt(round, "urls_new")},
               {Span(took_ms), took_ms}});
  }
  return table.Finish(id, "No round has been applied yet.");
}

bool Stragglers::Has(int64_t list) const {
  return std::any_of(lists.begin(), lists.end(), [list](const ListTime& each) { return each.list == list; });
}

Stragglers FindStragglers(const std::vector<ListTime>& lists) {
  Stragglers found;
  std::vector<ListTime> sorted = lists;
  std::stable_sort(sorted.begin(), sorted.end(), [](const ListTime& a, const ListTime& b) { return a.ms > b.ms; });
  if (sorted.size() < 2) return found;
  // Of an even number the shorter of the two in the middle: of two lists, one may be the straggler of the other.
  found.median_ms = sorted[sorted.size() / 2].ms;
  for (const ListTime& each : sorted) {
    if (each.ms > 0 && each.ms >= 2 * found.median_ms && each.ms > found.median_ms) found.lists.push_back(each);
  }
  return found;
}

Markup StragglerNote(const Stragglers& stragglers, size_t lists, std::string_view verb) {
  if (lists < 2) return "<p>This round has one list, so no list can be a straggler.</p>\n";
  if (stragglers.lists.empty()) {
    return "<p>No list is a straggler: none takes twice as long as the median of " + Span(stragglers.median_ms) +
           ".</p>\n";
  }
  const ListTime& first = stragglers.lists.front();
  Markup text =
      "<strong>List " + Number(first.list) + " is the straggler:</strong> it " + Text(verb) + " " + Span(first.ms);
  if (stragglers.median_ms > 0) {
    text += ", " + Decimal(static_cast<double>(first.ms) / static_cast<double>(stragglers.median_ms), 1) +
            " times the median of " + Span(stragglers.median_ms);
  }
  text += ".";
  const size_t others = stragglers.lists.size() - 1;
  if (others > 0)
    text += " " + Counted(static_cast<int64_t>(others), "other list") + " also took twice the median or more.";
  return Note(NoteKind::kWarning, text);
}

BarsChart CountBars(const Json& counts, ChartText text, std::string name, std::string value) {
  BarsChart chart = {.text = std::move(text), .label_name = std::move(name), .value_name = std::move(value)};
  if (!counts.is_object()) return chart;
  for (const auto& [label, count] : counts.items()) {
    if (count.is_number() && count.get<double>() != 0)
      chart.bars.push_back({.label = label, .value = count.get<double>()});
  }
  std::stable_sort(chart.bars.begin(), chart.bars.end(),
                   [](const auto& a, const auto& b) { return a.value > b.value; });
  return chart;
}

}  // namespace trawl
