// The door of jobs/sums, with answer_times.h: numbers of fetches that can be added up, over parts, rounds and whole crawls.
//
// EverSums are those of all rounds of a crawl. The document of each round carries them on to the next one
// (jobs/stats/round.h), as its member "ever". Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "formats/documents/json.h"
#include "jobs/sums/answer_times.h"

namespace trawl {

struct EverSums {
  int64_t rounds = 0;
  int64_t duplicates = 0;                   // bodies equal to another one of their round
  std::map<std::string, int64_t> outcomes;  // of all requests, and of URLs that were settled without one
  std::map<std::string, int64_t> codes;     // answers by class: "2xx"
  AnswerTimes answers;                      // of rounds whose counters have them

  bool operator==(const EverSums&) const = default;
};

Json ToJson(const EverSums& ever);
// "2xx" for 204; empty for what is no status.
std::string ClassOfStatus(const std::string& status);

// Adds the numbers of one round: its member `fetch`, and the counters of its fetch.
void AddFetch(const Json& fetch, const Json& counters, EverSums* ever);
// Adds the sums that a document has, up to and with its round; false where it has none.
bool AddEver(const Json& round, EverSums* ever);

}  // namespace trawl
