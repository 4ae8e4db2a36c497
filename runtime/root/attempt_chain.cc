#include "runtime/root/attempt_chain.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "formats/documents/sealed_json.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxEntryBytes = int64_t{64} << 20;
// Time before a failing store is retried.
constexpr int64_t kRetryMs = 250;
// A stopping attempt waits for a failing store no longer than this.
constexpr int64_t kStoppingMs = 5'000;

// The clocks of two machines do not run alike.
int64_t WithSlack(int64_t lease_ms) { return lease_ms + lease_ms / 50 + 50; }

Status Lost(const std::string& path) {
  return Status::IOError(path, ": another attempt has taken over this list; this one stops");
}

}  // namespace

AttemptChain::AttemptChain(Store* store, const Clock& clock, StopToken stop, AttemptChainOptions options)
    : store_(store), clock_(clock), stop_(std::move(stop)), options_(std::move(options)), process_(OwnProcess()) {}

AttemptChain::~AttemptChain() {
  {
    const std::lock_guard<std::mutex> lock(beat_mutex_);
    ends_ = true;
  }
  beat_stop_.notify_all();
  if (beats_.joinable()) beats_.join();
}

Result<std::unique_ptr<AttemptChain>> AttemptChain::Begin(Store* store, const Clock& clock, StopToken stop,
                                                          AttemptChainOptions options) {
  std::unique_ptr<AttemptChain> chain(new AttemptChain(store, clock, std::move(stop), std::move(options)));
  while (!chain->done_) {
    ARROW_RETURN_NOT_OK(chain->WaitForTurn());
    if (chain->done_) break;
    ARROW_ASSIGN_OR_RAISE(const bool taken, chain->TakeTurn());
    if (taken) break;
  }
  if (!chain->done_) chain->beats_ = std::thread([self = chain.get()] { self->Beat(); });
  return chain;
}

// -- the entries of others --------------------------------------------------------------------------------------------

Status AttemptChain::ReadNew() {
  // Nothing lies after the head: the listing says so, and the number of an entry that it missed would be found taken.
  ARROW_ASSIGN_OR_RAISE(const auto entries, store_->List(AttemptFolder(options_.segment, options_.task), false));
  int64_t count = 0;
  for (const StoreEntry& entry : entries) {
    const std::optional<Place> place = ParsePath(entry.path);
    if (place && place->kind == PlaceKind::kAttempt) count = std::max(count, place->number + 1);
  }
  for (; next_ < count; ++next_) {
    const std::string path = AttemptPath(options_.segment, options_.task, next_);
    ARROW_ASSIGN_OR_RAISE(const std::string text, store_->ReadWhole(path, kMaxEntryBytes));
    ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(text, path));
    Result<AttemptEntry> entry = AttemptEntryFromJson(json);
    if (!entry.ok()) return Status::IOError(path, ": ", entry.status().message());
    if (entry->event == AttemptEvent::kBegin && entry->lists_job != options_.lists_job) {
      return Status::IOError(path, ": is of lists that ", entry->lists_job, " made, not ", options_.lists_job);
    }
    const Status follows = CheckFollows(*entry);
    if (!follows.ok()) return Status::IOError(path, ": ", follows.message());
    done_ = entry->event == AttemptEvent::kEnd && entry->done;
    if (entry->event == AttemptEvent::kPart) parts_.push_back(*entry);
    head_ = std::move(*entry);
  }
  return Status::OK();
}

// An entry that does not follow is whole, and yet not the one written there: rows would count twice.
Status AttemptChain::CheckFollows(const AttemptEntry& entry) {
  if (entry.event == AttemptEvent::kBegin) {
    begun_by_ = entry.attempt;
    return Status::OK();
  }
  if (entry.attempt != begun_by_) {
    return Status::Invalid("is of attempt ", entry.attempt, ", which is not the one that began last");
  }
  for (const auto& [dataset, receipts] : entry.files) {
    for (const FileReceipt& file : receipts) {
      const auto [named, is_new] = named_files_.emplace(dataset + "/" + file.name, next_);
      if (!is_new) return Status::Invalid("names ", file.name, ", and so does ", named->second, ".json");
    }
  }
  return Status::OK();
}

bool AttemptChain::IsFree(int64_t head_seen_ms) const {
  if (next_ == 0 || head_.event == AttemptEvent::kEnd || IsKnownDead(head_.process)) return true;
  return clock_.MonotonicMs() - head_seen_ms >= WithSlack(head_.lease_ms);
}

Status AttemptChain::WaitForTurn() {
  int64_t seen = -1;
  int64_t seen_ms = 0;
  while (true) {
    ARROW_RETURN_NOT_OK(stop_.Check());
    ARROW_RETURN_NOT_OK(ReadNew());
    if (seen != next_) {
      seen = next_;
      seen_ms = clock_.MonotonicMs();
    }
    if (done_ || IsFree(seen_ms)) return Status::OK();
    // The chain of a segment that was applied meanwhile is gone, and its head would never change.
    if (options_.is_over) {
      ARROW_ASSIGN_OR_RAISE(done_, options_.is_over());
      if (done_) return Status::OK();
    }
    if (options_.waiting) options_.waiting(head_);
    Pause(std::clamp<int64_t>(head_.lease_ms / 20, 20, 1'000));
  }
}

Result<bool> AttemptChain::TakeTurn() {
  const int64_t began_ms = clock_.MonotonicMs();
  AttemptEntry entry = Entry(AttemptEvent::kBegin);
  entry.lists_job = options_.lists_job;
  ARROW_ASSIGN_OR_RAISE(const bool taken, Create(entry));
  if (!taken) return false;
  continues_ = next_ > 0;
  begun_at_ = next_;
  ++next_;
  asks_until_ms_ = began_ms + options_.lease_ms;
  return true;
}

// -- its own ----------------------------------------------------------------------------------------------------------

AttemptEntry AttemptChain::Entry(AttemptEvent event) const {
  AttemptEntry entry;
  entry.event = event;
  entry.attempt = options_.attempt;
  entry.process = process_;
  entry.lease_ms = options_.lease_ms;
  entry.at_ms = options_.now_ms();
  if (event == AttemptEvent::kBegin) return entry;
  const std::lock_guard<std::mutex> lock(gauges_mutex_);
  entry.gauges = gauges_;
  return entry;
}

// Returns false where another attempt has the number. After a lost reply the stored entry decides.
Result<bool> AttemptChain::Create(const AttemptEntry& entry) {
  const std::string path = AttemptPath(options_.segment, options_.task, next_);
  const std::string text = SealJson(ToJson(entry));
  const Result<CreateOutcome> outcome = store_->CreateExclusive(path, text);
  if (outcome.ok() && *outcome == CreateOutcome::kCreated) return FollowsOne();
  const Result<std::string> there = store_->ReadWhole(path, kMaxEntryBytes);
  if (there.ok() && *there == text) return FollowsOne();
  if (there.ok()) return false;
  return outcome.ok() ? there.status() : outcome.status();
}

// A chain that is not needed any more goes from its first entry on (RemoveAttempts). So a number that is free because
// its entry was removed follows a number that is free, too: the list was done without this attempt.
Result<bool> AttemptChain::FollowsOne() {
  if (next_ == 0) return true;
  return store_->Exists(AttemptPath(options_.segment, options_.task, next_ - 1));
}

Status AttemptChain::Append(const AttemptEntry& entry) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string path = AttemptPath(options_.segment, options_.task, next_);
  // The lease counts from before the first try, which may have been the one that created the entry.
  const int64_t began_ms = clock_.MonotonicMs();
  while (true) {
    if (lost()) return Lost(path);
    const Result<bool> created = Create(entry);
    if (created.ok() && *created) break;
    if (created.ok()) {
      asks_until_ms_ = kLost;
      return Lost(path);
    }
    const int64_t passed_ms = clock_.MonotonicMs() - began_ms;
    const int64_t patience_ms = stop_.stopped() ? std::min(kStoppingMs, options_.lease_ms) : options_.lease_ms;
    if (passed_ms >= patience_ms) return created.status();
    std::this_thread::sleep_for(std::chrono::milliseconds(kRetryMs));
  }
  ++next_;
  if (entry.event == AttemptEvent::kPart) parts_.push_back(entry);
  asks_until_ms_ = entry.event == AttemptEvent::kEnd ? kLost : began_ms + options_.lease_ms;
  return Status::OK();
}

Status AttemptChain::AddPart(std::map<std::string, std::vector<FileReceipt>> files, Json counters) {
  AttemptEntry entry = Entry(AttemptEvent::kPart);
  entry.files = std::move(files);
  entry.counters = std::move(counters);
  return Append(entry);
}

Status AttemptChain::End(bool done) {
  AttemptEntry entry = Entry(AttemptEvent::kEnd);
  entry.done = done;
  return Append(entry);
}

void AttemptChain::Show(Json gauges) {
  const std::lock_guard<std::mutex> lock(gauges_mutex_);
  gauges_ = std::move(gauges);
}

void AttemptChain::Beat() {
  std::unique_lock<std::mutex> lock(beat_mutex_);
  const int64_t every_ms = options_.lease_ms / 3;
  while (!ends_) {
    const int64_t until_ms = asks_until_ms_;
    const int64_t wait_ms =
        until_ms == kLost ? every_ms : until_ms - options_.lease_ms + every_ms - clock_.MonotonicMs();
    if (wait_ms > 0) {
      beat_stop_.wait_for(lock, std::chrono::milliseconds(wait_ms));
      continue;
    }
    lock.unlock();
    // A failure shows in AsksUntilMs, which then does not move.
    const Status beaten = Append(Entry(AttemptEvent::kBeat));
    lock.lock();
    if (!beaten.ok() && !ends_) beat_stop_.wait_for(lock, std::chrono::milliseconds(kRetryMs));
  }
}

void AttemptChain::Pause(int64_t ms) const {
  pollfd wait = {.fd = stop_.wait_fd(), .events = POLLIN, .revents = 0};
  poll(&wait, 1, static_cast<int>(ms));
}

// From the first entry of each chain on: see FollowsOne.
Status RemoveAttempts(Store* store, const std::string& segment) {
  const std::string first = AttemptFolder(segment, 0);
  const std::string folder = first.substr(0, first.rfind('/'));
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(folder, /*recursive=*/true));
  std::map<std::pair<int, int64_t>, std::string> chains;
  for (const StoreEntry& entry : entries) {
    const std::optional<Place> place = ParsePath(entry.path);
    if (place && place->kind == PlaceKind::kAttempt) chains[{place->task, place->number}] = entry.path;
  }
  for (const auto& [place, path] : chains) ARROW_RETURN_NOT_OK(store->Remove(path));
  return store->RemoveFolder(folder);
}

}  // namespace trawl
