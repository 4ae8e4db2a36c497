// robots.txt files on their way over redirects: through whose queue each is asked for, and who waits for it. One
// thread.
//
// A redirect to a host that the list holds is that host's own business: it is asked through its queue, while the host
// that wants to know is parked. One to anywhere else is asked once, through the queue of the host that met it first,
// and what came serves all who are sent there.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "jobs/fetch_state.h"
#include "jobs/robots_gate.h"
#include "runtime/http_answer.h"

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

  // What came of a trip that was asked through `host`: it goes on elsewhere, or it is over.
  void TakeAnswer(HostNumber host, RobotsTrip trip, const HttpAnswer& answer, int64_t now_ms);
  // Nothing is asked of the host any more: what was to be asked through its queue cannot be reached.
  void GiveUp(HostNumber host, int64_t now_ms);

 private:
  struct Outside {
    std::unique_ptr<HttpAnswer> answer;  // null while it is on its way
    std::vector<RobotsTrip> waiting;
  };
  void GoOn(HostNumber host, RobotsTrip trip, const HttpAnswer& answer, int64_t now_ms);
  void Send(HostNumber from, RobotsTrip trip, int64_t now_ms);
  void End(const RobotsTrip& trip, const HttpAnswer& answer, bool leads_nowhere, int64_t now_ms);

  FetchState& state_;
  std::unordered_map<HostNumber, std::deque<RobotsTrip>> by_host_;
  std::unordered_map<std::string, Outside> outside_;
};

}  // namespace trawl
