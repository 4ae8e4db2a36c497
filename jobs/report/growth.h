// How fast a crawl's storage grows, as its rounds tell. Pure; any thread.
#pragma once

#include "formats/documents/json.h"

namespace trawl {

struct Growth {
  bool is_known = false;  // it takes two rounds at different times
  double bytes_a_day = 0;
};

// `rounds` are those of a report (rounds.h), oldest first. What the rounds after the first wrote into segments and what
// the tables grew by, per day between the first and the last; of rounds within a
// day, all that they wrote counts as that of the day. What gc removed is not taken off.
Growth GrowthOf(const Json& rounds);

// NaN where it is not known; infinity where nothing grows.
double DaysLeft(const Growth& growth, double free_bytes);

}  // namespace trawl
