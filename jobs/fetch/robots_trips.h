// Requests for robots.txt files that follow redirects: through which host's queue each goes, and which host waits for
// it. One thread.
//
// A redirect to another host goes through that host's queue, while the host that wants the answer is parked. If the
// list does not hold that other host, each URL of it is asked for once and the answer serves everyone who is sent
// there. Such a host's queue has no other use, and what we learn about it in passing is discarded, because another list
// may own it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "jobs/fetch/state.h"
#include "jobs/politeness/robots_gate.h"
#include "runtime/http/answer.h"

namespace trawl {

struct RobotsTrip {
  std::string origin;      // whose rules are wanted
  std::string url;         // asked for next
  HostNumber waiting = 0;  // the host that is parked for it
  int redirects = 0;
  int tries = 0;  // that failed through our own machine's fault
  bool is_outside = false;
  std::string hops;  // what led here, of its own requests: RobotsRow::hops
};

class RobotsTrips {
 public:
  explicit RobotsTrips(FetchState& state) : state_(state) {}

  // Begins a trip for the robots.txt of one of the host's origins, and parks the host. The host itself asks for it.
  RobotsTrip Begin(HostNumber host, const std::string& origin, const std::string& url);
  // Adds a trip to that host's queue.
  void Add(HostNumber host, RobotsTrip trip);
  // The next trip of a host that has its turn.
  std::optional<RobotsTrip> Take(HostNumber host);

  // Takes the answer of a trip, which then goes on elsewhere or is over.
  void TakeAnswer(RobotsTrip trip, const HttpAnswer& answer, int64_t now_ms);
  // The host is asked nothing more: trips in its queue end as unreachable.
  void GiveUp(HostNumber host, int64_t now_ms);
  // Whether the list does not hold the host.
  bool IsOutside(HostNumber host) const { return outside_hosts_.contains(host); }

 private:
  struct Outside {
    std::unique_ptr<HttpAnswer> answer;  // null while the request is in flight
    std::vector<RobotsTrip> waiting;
  };
  // Whose request brought the answer: an archive has one record of it, however many it serves.
  enum class Asker : bool { kItself, kAnother };
  void GoOn(RobotsTrip trip, const HttpAnswer& answer, Asker asker, int64_t now_ms);
  void Send(RobotsTrip trip, int64_t now_ms);
  // False where another trip has been there before, or is in flight: this one gets the same answer.
  bool IsFirstOutside(RobotsTrip* trip, int64_t now_ms);
  void End(RobotsTrip trip, const HttpAnswer& answer, Asker asker, bool leads_nowhere, int64_t now_ms);

  FetchState& state_;
  std::unordered_map<HostNumber, std::deque<RobotsTrip>> by_host_;
  std::unordered_map<std::string, Outside> outside_;
  std::unordered_set<HostNumber> outside_hosts_;
};

}  // namespace trawl
