#include "jobs/politeness/frontier.h"

#include <algorithm>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/times.h"
#include "jobs/politeness/delay.h"

namespace trawl {

namespace {

constexpr int64_t kLongestWaitMs = kDayMs;
// After a restart a host gets this long to end an answer that nobody reads any more. It gets less where its delay is
// shorter, and more where its usual response time is longer.
constexpr int64_t kAnswerMs = 1'000;

// Times are whole milliseconds, and a server's clock runs on another processor than ours. This is added, so that no
// server ever measures less than the delay.
constexpr int64_t kMostMarginMs = 15;
int64_t WithMargin(int64_t delay_ms) {
  return delay_ms == 0 ? 0 : delay_ms + 1 + std::min<int64_t>(delay_ms / 50, kMostMarginMs);
}

}  // namespace

int64_t FetchFrontier::OwnDelayMs(HostNumber host) const {
  return DelayOf(hosts_[host].row, hosts_[host].crawl_delay_ms, options_).ms;
}

bool FetchFrontier::IsSkipped(HostNumber host) const {
  return DelayOf(hosts_[host].row, hosts_[host].crawl_delay_ms, options_).skip;
}

int64_t FetchFrontier::DelayMs(HostNumber host) const { return units_[hosts_[host].unit].delays.rbegin()->first; }

void FetchFrontier::SetCrawlDelay(HostNumber host, std::optional<int64_t> ms) {
  hosts_[host].crawl_delay_ms = ms;
  CountDelay(host);
}

// Replaces the delay that the unit counts for the host by its present one.
void FetchFrontier::CountDelay(HostNumber number) {
  Host& host = hosts_[number];
  Unit& unit = units_[host.unit];
  const int64_t delay_ms = OwnDelayMs(number);
  if (delay_ms == host.counted_delay_ms) return;
  ++unit.delays[delay_ms];
  const auto before = unit.delays.find(host.counted_delay_ms);
  if (--before->second == 0) unit.delays.erase(before);
  host.counted_delay_ms = delay_ms;
  SetUnitsTurn(&unit);
}

void FetchFrontier::SetUnitsTurn(Unit* unit) const {
  const int64_t next_ms = unit->last_ms + WithMargin(unit->delays.rbegin()->first);
  // Units that may be asked at once keep the order in which they came.
  unit->next_ms = unit->last_ms > 0 && next_ms > start_ms_ ? next_ms : 0;
  unit->next_ms = std::max(unit->next_ms, unit->held_ms);
}

HostNumber FetchFrontier::AddHost(HostRow row, const std::string& unit_name, bool waits_first) {
  const auto number = static_cast<HostNumber>(hosts_.size());
  const auto [found, is_new] = unit_by_name_.try_emplace(unit_name, static_cast<uint32_t>(units_.size()));
  if (is_new) units_.emplace_back().hash = Hash64(unit_name);
  Host& host = hosts_.emplace_back();
  host.row = std::move(row);
  host.unit = found->second;
  host.row.not_before_ms = std::min(host.row.not_before_ms, start_ms_ + kLongestWaitMs);
  // Its Crawl-delay is not known yet, but the delay that was kept at the last answer is.
  host.counted_delay_ms = OwnDelayMs(number);
  const bool is_told = host.row.operator_delay_ms != 0;
  if (!is_told) host.counted_delay_ms = std::max<int64_t>(host.counted_delay_ms, host.row.delay_ms);
  // A time in the future means that the clock was turned back.
  int64_t last_ms = std::min(host.row.answered_ms, start_ms_);
  if (waits_first) {
    last_ms = start_ms_ + std::max<int64_t>(host.row.response_ms, std::min(host.counted_delay_ms, kAnswerMs));
  }
  Unit& unit = units_[host.unit];
  ++unit.delays[host.counted_delay_ms];
  unit.last_ms = std::max(unit.last_ms, last_ms);
  SetUnitsTurn(&unit);
  return number;
}

// -- URLs -------------------------------------------------------------------------------------------------------------

void FetchFrontier::Append(HostNumber number, UrlNumber url) {
  std::deque<Span>& urls = hosts_[number].urls;
  if (!urls.empty() && urls.back().end == url) {
    ++urls.back().end;
  } else {
    urls.push_back({url, url + 1});
  }
  Added(number);
}

void FetchFrontier::PutBack(HostNumber number, UrlNumber url) {
  hosts_[number].first.push_back(url);
  Added(number);
}

void FetchFrontier::AskLater(HostNumber number, UrlNumber url, int64_t at_ms) {
  std::vector<Later>& later = hosts_[number].later;
  later.push_back({at_ms, url});
  ++retries_left_;
  std::push_heap(later.begin(), later.end());
  Added(number);
}

void FetchFrontier::Added(HostNumber number) {
  ++urls_left_;
  Refresh(number);
}

void FetchFrontier::AddErrand(HostNumber number) {
  ++hosts_[number].errands;
  Refresh(number);
}

bool FetchFrontier::TakeErrand(HostNumber number) {
  if (hosts_[number].errands == 0) return false;
  --hosts_[number].errands;
  return true;
}

void FetchFrontier::Park(HostNumber number) { hosts_[number].is_parked = true; }

void FetchFrontier::Unpark(HostNumber number) {
  hosts_[number].is_parked = false;
  Refresh(number);
}

void FetchFrontier::SetAddress(HostNumber number, const std::string& address) {
  const auto [found, is_new] = address_by_text_.try_emplace(address, static_cast<int32_t>(addresses_.size()));
  if (is_new) addresses_.emplace_back();
  hosts_[number].address = found->second;
}

// Gives the host a turn where it has work and no turn yet, or a sooner turn where it can have one.
void FetchFrontier::Refresh(HostNumber number) {
  Host& host = hosts_[number];
  if (!host.HasWork()) return;
  const bool may_come_sooner = host.state == State::kScheduled && ReadyMs(host) < host.scheduled_ms;
  if (host.state == State::kEmpty || may_come_sooner) Schedule(number, ReadyMs(host));
}

std::optional<UrlNumber> FetchFrontier::NextUrl(HostNumber number, int64_t now_ms) {
  Host& host = hosts_[number];
  UrlNumber url = 0;
  if (!host.first.empty()) {
    url = host.first.back();
    host.first.pop_back();
  } else if (!host.later.empty() && host.later.front().at_ms <= now_ms) {
    url = host.later.front().url;
    std::pop_heap(host.later.begin(), host.later.end());
    host.later.pop_back();
    --retries_left_;
  } else if (!host.urls.empty()) {
    url = host.urls.front().begin++;
    if (host.urls.front().begin == host.urls.front().end) host.urls.pop_front();
  } else {
    return std::nullopt;
  }
  --urls_left_;
  return url;
}

int64_t FetchFrontier::GiveBack(HostNumber number) {
  Host& host = hosts_[number];
  auto count = static_cast<int64_t>(host.first.size() + host.later.size());
  for (const Span& span : host.urls) count += span.end - span.begin;
  retries_left_ -= static_cast<int64_t>(host.later.size());
  host.first.clear();
  host.later.clear();
  host.urls.clear();
  urls_left_ -= count;
  const bool had_turn = host.state == State::kScheduled || host.state == State::kWaitsForUnit;
  if (had_turn && !host.HasWork()) {
    host.state = State::kEmpty;  // its turn in the heap is skipped then
    --hosts_waiting_;
    if (!units_[host.unit].is_busy) CallNext(host.unit);
  }
  return count;
}

// -- turns ------------------------------------------------------------------------------------------------------------

int64_t FetchFrontier::AskableMs(const Host& host) const {
  const int64_t next_ms = units_[host.unit].next_ms;
  return host.row.not_before_ms == 0 ? next_ms : std::max(next_ms, host.row.not_before_ms + 1 + kMostMarginMs);
}

int64_t FetchFrontier::ReadyMs(const Host& host) const {
  int64_t ready_ms = AskableMs(host);
  if (host.errands == 0 && host.first.empty() && host.urls.empty() && !host.later.empty()) {
    ready_ms = std::max(ready_ms, host.later.front().at_ms);
  }
  return ready_ms;
}

void FetchFrontier::Schedule(HostNumber number, int64_t at_ms) {
  Host& host = hosts_[number];
  if (host.state != State::kScheduled && host.state != State::kWaitsForUnit) ++hosts_waiting_;
  host.state = State::kScheduled;
  host.scheduled_ms = at_ms;
  turns_.push({at_ms, ++last_order_, number});
}

int64_t FetchFrontier::NextMs() const { return turns_.empty() ? kNever : turns_.top().at_ms; }

std::optional<HostNumber> FetchFrontier::Take(int64_t now_ms) {
  while (!turns_.empty() && turns_.top().at_ms <= now_ms) {
    const Turn turn = turns_.top();
    turns_.pop();
    Host& host = hosts_[turn.host];
    if (host.state != State::kScheduled || host.scheduled_ms != turn.at_ms) continue;
    Unit& unit = units_[host.unit];
    if (unit.is_busy) {
      host.state = State::kWaitsForUnit;
      host.address_turn_ms = 0;  // others may take it
      unit.waiting.push_back(turn.host);
      continue;
    }
    const int64_t ready_ms = ReadyMs(host);
    if (ready_ms > now_ms) {
      Schedule(turn.host, ready_ms);
      continue;
    }
    if (host.address >= 0 && !IsAddressesTurn(turn.host, now_ms)) continue;
    host.state = State::kBusy;
    unit.is_busy = true;
    --hosts_waiting_;
    ++hosts_busy_;
    if (host.row.breaker == BreakerState::kOpen) host.row.breaker = BreakerState::kHalfOpen;
    return turn.host;
  }
  return std::nullopt;
}

// Each host that comes too early gets the next free turn, so that no two hosts come for the same turn.
bool FetchFrontier::IsAddressesTurn(HostNumber number, int64_t now_ms) {
  Host& host = hosts_[number];
  Address& address = addresses_[static_cast<size_t>(host.address)];
  if (host.address_turn_ms == 0) {
    host.address_turn_ms = std::max(address.next_ms, now_ms);
    address.next_ms = host.address_turn_ms + address_delay_ms_;
  }
  // The previous turn may have been taken late.
  host.address_turn_ms = std::max(host.address_turn_ms, address.taken_ms + address_delay_ms_);
  if (host.address_turn_ms > now_ms) {
    Schedule(number, host.address_turn_ms);
    return false;
  }
  host.address_turn_ms = 0;
  address.taken_ms = now_ms;
  return true;
}

void FetchFrontier::Answered(HostNumber number, const HostAnswer& answer) {
  Host& host = hosts_[number];
  TakeAnswer(answer, options_, &host.row);
  host.row.delay_ms = static_cast<int32_t>(OwnDelayMs(number));
  CountDelay(number);
  Unit& unit = units_[host.unit];
  unit.last_ms = answer.ended_ms;
  unit.held_ms = 0;
  SetUnitsTurn(&unit);
  EndTurn(number);
}

void FetchFrontier::Release(HostNumber number) { EndTurn(number); }

void FetchFrontier::TakeTurnOfOthers(HostNumber number, const HostTurn& turn) {
  Unit& unit = units_[hosts_[number].unit];
  if (turn.ended_ms <= unit.last_ms) return;  // its own
  unit.last_ms = turn.ended_ms;
  unit.held_ms = turn.next_ms;
  SetUnitsTurn(&unit);
}

void FetchFrontier::EndTurn(HostNumber number) {
  Host& host = hosts_[number];
  host.state = State::kEmpty;
  --hosts_busy_;
  units_[host.unit].is_busy = false;
  if (host.HasWork()) Schedule(number, ReadyMs(host));
  CallNext(host.unit);
}

// Gives a turn to one host that waits for the unit. The next host gets one when this one has had its turn, or cannot
// take it yet.
void FetchFrontier::CallNext(uint32_t unit_number) {
  Unit& unit = units_[unit_number];
  while (!unit.waiting.empty()) {
    const HostNumber next = unit.waiting.front();
    unit.waiting.pop_front();
    if (hosts_[next].state != State::kWaitsForUnit) continue;
    const int64_t ready_ms = ReadyMs(hosts_[next]);
    Schedule(next, ready_ms);
    if (ready_ms <= unit.next_ms) return;
  }
}

}  // namespace trawl
