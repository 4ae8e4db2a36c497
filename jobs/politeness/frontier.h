// Which host may be asked next, and for which of its URLs: the schedule of a fetch task. Pure but for the order of its
// calls: the time is handed in, milliseconds of the crawl. One thread.
//
// A host has a queue of URLs. Hosts of one unit (a host, or a registrable domain) share a turn: at most one request of
// a unit is under way, and the next begins its delay behind the end of the answer before, whatever was asked. A unit's
// delay is the longest of its hosts'. Start at
// Take:
//
//   while (auto host = frontier.Take(now)) {     it is busy from here on
//     auto url = frontier.NextUrl(*host, now)    … asked, or settled without a request, and then the next one …
//     frontier.Answered(*host, answer)           after a request, or
//     frontier.Release(*host)                    when none was made
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

  // `unit` is the host's name, or its domain where politeness goes by domain. `waits_first`: an answer's time and a
  // delay pass before the first request, since somebody before this attempt may just have asked.
  HostNumber AddHost(HostRow row, const std::string& unit, bool waits_first);
  // Behind all that the host has.
  void Append(HostNumber host, UrlNumber url);
  // To be asked next.
  void PutBack(HostNumber host, UrlNumber url);
  // To be asked from that time on.
  void AskLater(HostNumber host, UrlNumber url, int64_t at_ms);
  // Something to be asked of the host that is none of its URLs, before these: a robots.txt. The caller knows what.
  void AddErrand(HostNumber host);
  // False where the host has none.
  bool TakeErrand(HostNumber host);
  void DropErrands(HostNumber host) { hosts_[host].errands = 0; }
  // The host's URLs wait for something else than its delay, its errands do not.
  void Park(HostNumber host);
  void Unpark(HostNumber host);

  // Requests to one address are `address_delay_ms` apart over all hosts, unless private addresses are allowed: there a
  // network of one's own stands behind them.
  void SetAddress(HostNumber host, const std::string& address);
  bool HasAddress(HostNumber host) const { return hosts_[host].address >= 0; }

  // A host that may be asked now; it is busy until Answered or Release.
  std::optional<HostNumber> Take(int64_t now_ms);
  // A URL of a busy host that may be asked now.
  std::optional<UrlNumber> NextUrl(HostNumber host, int64_t now_ms);
  // The hash of its unit's name.
  uint64_t UnitOf(HostNumber host) const { return units_[hosts_[host].unit].hash; }
  // What this task's last answer of the host means for others who ask its unit, and what theirs means for this one.
  HostTurn LastTurn(HostNumber host) const { return {units_[hosts_[host].unit].last_ms, AskableMs(hosts_[host])}; }
  void TakeTurnOfOthers(HostNumber host, const HostTurn& turn);
  // Whether a busy host may still be asked by the delay that it has now.
  bool IsReady(HostNumber host, int64_t now_ms) const { return AskableMs(hosts_[host]) <= now_ms; }
  void Answered(HostNumber host, const HostAnswer& answer);
  void Release(HostNumber host);
  // When Take may have another one; kNever: nothing waits.
  int64_t NextMs() const;

  // Takes all URLs of the host away; returns how many.
  int64_t GiveBack(HostNumber host);

  HostRow& row(HostNumber host) { return hosts_[host].row; }
  void SetCrawlDelay(HostNumber host, std::optional<int64_t> ms);
  // Of the host's unit.
  int64_t DelayMs(HostNumber host) const;
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
  // Numbers that follow each other, as a list has them: most hosts have one.
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
    int64_t address_turn_ms = 0;   // granted; 0: none
    int64_t counted_delay_ms = 0;  // among its unit's
    bool HasUrls() const { return !first.empty() || !urls.empty() || !later.empty(); }
    bool HasWork() const { return errands > 0 || (!is_parked && HasUrls()); }
  };
  struct Unit {
    uint64_t hash = 0;
    int64_t next_ms = 0;
    int64_t last_ms = 0;  // end of the last answer
    int64_t held_ms = 0;  // by what others know of it
    // How many of its hosts have which delay.
    std::map<int64_t, int> delays;
    bool is_busy = false;
    std::deque<HostNumber> waiting;
  };
  struct Address {
    int64_t next_ms = 0;   // the next turn that is free
    int64_t taken_ms = 0;  // when the last one was really taken
  };
  struct Turn {
    int64_t at_ms;
    uint64_t order;  // those of one time in the order in which they came
    HostNumber host;
    bool operator<(const Turn& other) const { return at_ms != other.at_ms ? at_ms > other.at_ms : order > other.order; }
  };

  int64_t OwnDelayMs(HostNumber host) const;
  void CountDelay(HostNumber host);
  void SetUnitsTurn(Unit* unit) const;
  // From when on the host, and something of it, may be asked.
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
  int64_t hosts_busy_ = 0;
  int64_t hosts_waiting_ = 0;
};

}  // namespace trawl
