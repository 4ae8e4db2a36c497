// The door of jobs/writes: what clients of the server want changed, carried out by the verbs' own jobs. Start at Submit.
//
// One thread of its own carries orders out. It waits up to 200 ms after the first one, and publishes once for all orders of a
// kind: a thousand orders are not a thousand snapshots. Each order has its own outcome. Jobs run in this process, on threads,
// beside whatever else works on the same root; where another job publishes first, they are done again as the verbs do.
//
// Any thread may call. The queue and what is remembered have limits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/writes/order.h"
#include "runtime/options/global.h"
#include "runtime/options/resolve.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"
#include "runtime/terminal/event_log.h"

namespace trawl {

// The groups that the verb of a Writes must have, beside the global one: those of the verbs whose jobs it runs.
OptionGroups WriteOptionGroups();

// What does not change while it works. All that it points to outlives it.
struct WriteSurroundings {
  Store* store = nullptr;
  // Those of the verb, without the settings of a crawl: each job reads the settings of its snapshot.
  const EffectiveOptions* options = nullptr;
  GlobalOptions global;  // threads, memory and folders
  const Clock* clock = nullptr;
  TimeMs now_ms = kNoTime;  // where --now pins the time
  EventSink log = {};       // may be empty
};

struct WriteLimits {
  int64_t wait_ms = 10'000;  // how long a client waits for the end of an order
  int most_waiting = 2;      // clients that wait at once: each keeps a thread of the server busy
  int most_waits = 16;       // that begin in a row; one more each `wait_again_ms`
  int64_t wait_again_ms = 1'000;
  int64_t collect_ms = 200;            // how long the first order of a batch waits for others
  size_t most_orders = 1'000;          // that wait
  size_t most_bytes = 64 << 20;        // of orders that wait
  size_t most_urls = 50'000;           // of one job
  int64_t remember_ms = kDayMs;        // how long an outcome is remembered
  size_t remembered_bytes = 64 << 20;  // of outcomes; the oldest go first
  int64_t finish_ms = 8'000;           // how long Stop lets orders be carried out
};

// An order that was taken.
class OrderTicket {
 public:
  virtual ~OrderTicket() = default;
  // The order's own id, by which Find knows it.
  virtual const std::string& id() const = 0;
  // Waits until the order has ended, at most this long. Null where it has not.
  virtual const OrderOutcome* Wait(int64_t timeout_ms) const = 0;
};

enum class Taking {
  kTaken,       // or done before: then the ticket has the outcome of that time
  kInProgress,  // an order of this name is being carried out
  kOtherOrder,  // the name was another order's
  kFull,        // too many orders wait
  kStopping,    // the server ends
};
struct TakenOrder {
  Taking taking = Taking::kTaken;
  std::shared_ptr<const OrderTicket> ticket;  // null where it was not taken
  bool is_repeated = false;                   // the outcome is that of an earlier order of this name
};

class Writes {
 public:
  static arrow::Result<std::unique_ptr<Writes>> Start(const WriteSurroundings& surroundings,
                                                      const WriteLimits& limits = {});
  virtual ~Writes() = default;  // stops it

  virtual TakenOrder Submit(Order order, const OrderName& name) = 0;
  // Waits for the end of the order, up to `wait_ms`. Null where it has not ended by then, where `stop` is raised, or at once
  // where `most_waiting` others wait, or so many have waited lately that one client after the other would make one
  // snapshot after the other: the client asks for the order later.
  virtual const OrderOutcome* WaitFor(const OrderTicket& ticket, const StopToken& stop) = 0;
  // What is known of the order of that id: "job" (the id), "verb" ("seeds" …), "state": "waiting", "running", "done" or
  // "failed", then "reason" or "answer", which names the job that did it. Nothing where the id is not one of an order that is
  // remembered.
  virtual std::optional<Json> Find(const std::string& id) = 0;
  // Takes no more orders, carries out those that it has for up to `finish_ms`, and answers the rest as not done. Returns when
  // every order has its outcome. False where its thread still waits for a store that does not answer: the process then ends
  // without destroying this.
  virtual bool Stop() = 0;
};

}  // namespace trawl
