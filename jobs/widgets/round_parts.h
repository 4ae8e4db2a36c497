// Parts of pages that are about rounds. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/charts/charts.h"
#include "formats/documents/json.h"
#include "jobs/widgets/markup.h"

namespace trawl {

// A line per round, newest first. `rounds` is an array of round documents.
Markup RoundsTable(const Json& rounds, std::string_view id, std::string_view caption, TimeMs now_ms);

// The time of all steps; 0 where none is known.
int64_t StepsMs(const Json& round);

// A list of a round, by how long it ran, or, of a list that still runs, by how long it will at its present rate.
struct ListTime {
  int64_t list = 0;
  int64_t ms = 0;
};
// What holds the round up: lists that take twice as long as the median of at least two lists, the longest first.
struct Stragglers {
  int64_t median_ms = 0;
  std::vector<ListTime> lists;
  bool Has(int64_t list) const;
};
Stragglers FindStragglers(const std::vector<ListTime>& lists);
// "List 3 is the straggler: 12 min, 4.2 times the median of 2 min 50 s." `verb` is "took" or "still needs about".
Markup StragglerNote(const Stragglers& stragglers, size_t lists, std::string_view verb);

// A chart as a part of a page.
inline Markup Chart(std::string figure) { return Markup::Made(std::move(figure)); }

// Bars of an object's counts, the largest first: {"fetched": 3, …}. `good` names are never marked.
BarsChart CountBars(const Json& counts, ChartText text, std::string name, std::string value);

}  // namespace trawl
