// A door of jobs/politeness, whom the crawl may ask and when: the schedule of a fetch task, that is, which host may be
// asked next, and for which of its URLs. Time is handed in, in milliseconds of the crawl. One thread.
//
// A host has a queue of URLs. Hosts of one unit (a host, or a registrable domain) share a turn: at most one request to a
// unit is in flight, and the next starts one delay after the previous answer ended, whatever was requested. A unit's
// delay is the longest of its hosts'. Start at Take:
//
//   while (auto host = frontier.Take(now)) {     the host is busy from here on
//     auto url = frontier.NextUrl(*host, now)    … ask for it, or settle it without a request and take the next …
//     frontier.Answered(*host, answer)           after a request, or
//     frontier.Release(*host)                    without a request
//   }
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/rows/host_row.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/politeness/host_answer.h"
#include "jobs/politeness/numbers.h"
#include "jobs/politeness/turns.h"

namespace trawl {

class FetchFrontier {
 public:
  FetchFrontier(const FetchOptions& options, int64_t start_ms)
      : options_(options),
        address_delay_ms_(options.allow_private ? 0 : options.address_delay_ms),
        start_ms_(start_ms) {}

  // `unit` is the host's name, or its domain where politeness is by domain. `waits_first`: the time of an answer and a
  // delay pass before the first request, since an attempt before this one may just have asked.
  HostNumber AddHost(HostRow row, const std::string& unit, bool waits_first);
  // After all URLs that the host has.
  void Append(HostNumber host, UrlNumber url);
  // Before all URLs that the host has.
  void PutBack(HostNumber host, UrlNumber url);
  // Not before that time.
  void AskLater(HostNumber host, UrlNumber url, int64_t at_ms);
  // A request that comes before the host's URLs and is none of them: a robots.txt. The caller knows which one.
  void AddErrand(HostNumber host);
  // False where the host has no errand.
  bool TakeErrand(HostNumber host);
  void DropErrands(HostNumber host) { hosts_[host].errands = 0; }
  // From Park to Unpark the host's URLs wait, but its errands do not.
  void Park(HostNumber host);
  void Unpark(HostNumber host);

  // Requests to one address are `address_delay_ms` apart over all hosts, unless private addresses are allowed: those
  // belong to the operator's own network.
  void SetAddress(HostNumber host, const std::string& address);
  bool HasAddress(HostNumber host) const { return hosts_[host].address >= 0; }

  // A host that may be asked now. It is busy until Answered or Release.
  std::optional<HostNumber> Take(int64_t now_ms);
  // A URL of a busy host that may be asked now.
  std::optional<UrlNumber> NextUrl(HostNumber host, int64_t now_ms);
  // The hash of its unit's name.
  uint64_t UnitOf(HostNumber host) const { return units_[hosts_[host].unit].hash; }
  // This task's last turn at the host's unit, for other tasks that ask the unit; and the turn of such a task.
  HostTurn LastTurn(HostNumber host) const { return {units_[hosts_[host].unit].last_ms, AskableMs(hosts_[host])}; }
  void TakeTurnOfOthers(HostNumber host, const HostTurn& turn);
  // Whether a busy host may still be asked, now that its delay may have changed.
  bool IsReady(HostNumber host, int64_t now_ms) const { return AskableMs(hosts_[host]) <= now_ms; }
  void Answered(HostNumber host, const HostAnswer& answer);
  void Release(HostNumber host);
  // When Take may return another host; kNever: no host waits.
  int64_t NextMs() const;

  // Removes all URLs of the host; returns how many.
  int64_t GiveBack(HostNumber host);
  // Whether URLs are left, and each of them was asked for before and waits for its next time.
  bool HasOnlyRetries() const { return urls_left_ > 0 && urls_left_ == retries_left_; }

  HostRow& row(HostNumber host) { return hosts_[host].row; }
  void SetCrawlDelay(HostNumber host, std::optional<int64_t> ms);
  // The delay of the host's unit.
  int64_t DelayMs(HostNumber host) const;
  // Whether its Crawl-delay is too long, and such hosts are asked for nothing.
  bool IsSkipped(HostNumber host) const;
  bool HasUrls(HostNumber host) const { return hosts_[host].HasUrls(); }
  size_t hosts() const { return hosts_.size(); }
  int64_t urls_left() const { return urls_left_; }
  int64_t hosts_busy() const { return hosts_busy_; }
  int64_t hosts_waiting() const { return hosts_waiting_; }

 private:
  struct Later {
    int64_t at_ms;
    UrlNumber url;
    bool operator<(const Later& other) const { return at_ms > other.at_ms; }
  };
  // Consecutive numbers. Most hosts of a list have one span.
  struct Span {
    UrlNumber begin;
    UrlNumber end;
  };
  enum class State : uint8_t { kEmpty, kScheduled, kWaitsForUnit, kBusy };
  struct Host {
    HostRow row;
    uint32_t unit = 0;
    State state = State::kEmpty;
    int64_t scheduled_ms = 0;
    std::optional<int64_t> crawl_delay_ms;
    std::vector<UrlNumber> first;  // the last one is asked next
    std::deque<Span> urls;
    std::vector<Later> later;  // a heap
    int errands = 0;
    bool is_parked = false;
    int32_t address = -1;
    int64_t address_turn_ms = 0;   // the turn that it was given at its address; 0: no turn
    int64_t counted_delay_ms = 0;  // its delay as its unit counts it
    bool HasUrls() const { return !first.empty() || !urls.empty() || !later.empty(); }
    bool HasWork() const { return errands > 0 || (!is_parked && HasUrls()); }
  };
  struct Unit {
    uint64_t hash = 0;
    int64_t next_ms = 0;
    int64_t last_ms = 0;  // end of the last answer
    int64_t held_ms = 0;  // not before this time, as other tasks know
    // By delay, how many of its hosts have it.
    std::map<int64_t, int> delays;
    bool is_busy = false;
    std::deque<HostNumber> waiting;
  };
  struct Address {
    int64_t next_ms = 0;   // the next turn that is free
    int64_t taken_ms = 0;  // when the last turn was really taken
  };
  struct Turn {
    int64_t at_ms;
    uint64_t order;  // turns of one time keep the order in which they came
    HostNumber host;
    bool operator<(const Turn& other) const { return at_ms != other.at_ms ? at_ms > other.at_ms : order > other.order; }
  };

  int64_t OwnDelayMs(HostNumber host) const;
  void CountDelay(HostNumber host);
  void SetUnitsTurn(Unit* unit) const;
  // When the host may be asked, and when its next URL may be.
  int64_t AskableMs(const Host& host) const;
  int64_t ReadyMs(const Host& host) const;
  bool IsAddressesTurn(HostNumber host, int64_t now_ms);
  void Refresh(HostNumber host);
  void Schedule(HostNumber host, int64_t at_ms);
  void Added(HostNumber host);
  void EndTurn(HostNumber host);
  void CallNext(uint32_t unit);

  const FetchOptions options_;
  const int64_t address_delay_ms_;
  const int64_t start_ms_;
  std::deque<Host> hosts_;
  std::vector<Unit> units_;
  std::unordered_map<std::string, uint32_t> unit_by_name_;
  std::unordered_map<std::string, int32_t> address_by_text_;
  std::vector<Address> addresses_;
  std::priority_queue<Turn> turns_;
  uint64_t last_order_ = 0;
  int64_t urls_left_ = 0;
  int64_t retries_left_ = 0;
  int64_t hosts_busy_ = 0;
  int64_t hosts_waiting_ = 0;
};

}  // namespace trawl
