// Charts of members of documents. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "formats/charts/charts.h"
#include "formats/documents/json.h"

namespace trawl {

// {"text/html": 12, …}: the largest first, at most `most`.
BarsChart BarsOfCounts(ChartText text, const Json& counts, std::string label_name, std::string value_name,
                       size_t most = 12);

// [{"le", "count"}, …]
std::vector<HistogramChart::Bucket> BucketsOf(const Json& ranges);

// Over the rounds of a report: a series for each name that any of them has in that member, such as "outcomes"; the largest
// ones, and "others".
TimeChart CountsOverRounds(ChartText text, const Json& rounds, const char* member);
// Each time's values as a part of their sum, in percent.
void MakeShares(TimeChart* chart);

// Those times of the rounds that are known.
std::vector<int64_t> TimesOfRounds(const Json& rounds);

}  // namespace trawl
