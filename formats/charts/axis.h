// The axes of charts: which range they have, and round ticks on it. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/charts/charts.h"

namespace trawl {

struct Tick {
  double value = 0;
  std::string label;
  std::string second;  // a line below: the day of the first hour
};

struct Axis {
  double from = 0;
  double to = 1;
  bool is_logarithmic = false;
  std::vector<Tick> ticks;

  // Where the value lies between 0 and 1; outside of the range it is at its end.
  double Place(double value) const;
};

// From 0 to a round number at or above `most`.
Axis ValueAxis(double most, ChartUnit unit);
// From a power of ten to one, around both. REQUIRES: 0 < least <= most.
Axis LogarithmicAxis(double least, double most, ChartUnit unit);
// From `from` to `to`, with ticks at round times of UTC.
Axis TimeAxis(int64_t from_ms, int64_t to_ms);

}  // namespace trawl
