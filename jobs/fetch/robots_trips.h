// robots.txt files on their way over redirects: through whose queue each is asked for, and who waits for it. One
// thread.
//
// A redirect to another host is that host's own business: it is asked through its queue, while the host that wants to
// know is parked. Of a host that the list does not hold each URL is asked once, and what came serves all who are sent
// there; its queue is for that alone, and what is learned of it by the way is not kept, for another list may hold it.
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
  int tries = 0;  // that our own machine spoilt
  bool is_outside = false;
};

class RobotsTrips {
 public:
  explicit RobotsTrips(FetchState& state) : state_(state) {}

  // A host must know the robots.txt of one of its origins; it asks for it itself.
  RobotsTrip Begin(HostNumber host, const std::string& origin, const std::string& url);
  // To be asked for through that host's queue.
  void Add(HostNumber host, RobotsTrip trip);
  // The next trip of a host that has its turn.
  std::optional<RobotsTrip> Take(HostNumber host);

  // What came of a trip: it goes on elsewhere, or it is over.
  void TakeAnswer(RobotsTrip trip, const HttpAnswer& answer, int64_t now_ms);
  // Nothing is asked of the host any more: what was to be asked through its queue cannot be reached.
  void GiveUp(HostNumber host, int64_t now_ms);
  // Whether the list does not hold the host.
  bool IsOutside(HostNumber host) const { return outside_hosts_.contains(host); }

 private:
  struct Outside {
    std::unique_ptr<HttpAnswer> answer;  // null while it is on its way
    std::vector<RobotsTrip> waiting;
  };
  void GoOn(RobotsTrip trip, const HttpAnswer& answer, int64_t now_ms);
  void Send(RobotsTrip trip, int64_t now_ms);
  // False where another trip has been there before, or is on its way: this one has, or will have, its answer.
  bool IsFirstOutside(RobotsTrip* trip, int64_t now_ms);
  void End(const RobotsTrip& trip, const HttpAnswer& answer, bool leads_nowhere, int64_t now_ms);

  FetchState& state_;
  std::unordered_map<HostNumber, std::deque<RobotsTrip>> by_host_;
  std::unordered_map<std::string, Outside> outside_;
  std::unordered_set<HostNumber> outside_hosts_;
};

}  // namespace trawl
