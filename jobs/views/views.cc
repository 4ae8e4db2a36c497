#include "jobs/views/views.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "jobs/views/failure.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

// -- View -------------------------------------------------------------------------------------------------------------

struct View::Values {
  struct Value {
    std::timed_mutex making;  // held by whoever makes it
    std::any made;            // empty until then
  };
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Value>> by_name;
};

View::View(Store* store, Snapshot snapshot, EffectiveOptions options, NormalForm normal_form, int threads)
    : store_(store),
      snapshot_(std::move(snapshot)),
      options_(std::move(options)),
      normal_form_(normal_form),
      threads_(threads),
      values_(std::make_unique<Values>()) {}

View::~View() = default;

Result<std::any> View::OnceAny(const std::string& name, const std::function<Result<std::any>()>& make,
                               const StopToken& stop) const {
  std::shared_ptr<Values::Value> value;
  {
    const std::lock_guard<std::mutex> lock(values_->mutex);
    std::shared_ptr<Values::Value>& named = values_->by_name[name];
    if (named == nullptr) named = std::make_shared<Values::Value>();
    value = named;
  }
  std::unique_lock<std::timed_mutex> lock(value->making, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(50))) ARROW_RETURN_NOT_OK(stop.Check());
  if (!value->made.has_value()) {
    ARROW_ASSIGN_OR_RAISE(value->made, make());
  }
  return value->made;
}

// -- Views ------------------------------------------------------------------------------------------------------------

namespace {

// A store that has said nothing for this time is away: whoever asks then does not wait.
constexpr int64_t kPatienceMs = 4000;
// Older snapshots that stay open.
constexpr size_t kMostOlder = 4;
// A listing finds out that another crawl stands there now, which looking for the next number does not.
constexpr int kListEvery = 30;

Result<std::shared_ptr<const View>> MakeView(const ViewsSurroundings& in, Snapshot snapshot) {
  EffectiveOptions options = *in.options;
  ARROW_RETURN_NOT_OK(options.ApplySettings(snapshot.manifest.settings,
                                            "settings of snapshot " + std::to_string(snapshot.manifest.number)));
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(snapshot.manifest.normal_form));
  return std::make_shared<const View>(in.store, std::move(snapshot), std::move(options), form, in.threads);
}

}  // namespace

struct Views::State {
  ViewsSurroundings in;
  StopSource stop;

  std::mutex mutex;
  std::condition_variable changed;
  std::shared_ptr<const View> present;
  std::shared_ptr<const View> prepared;
  std::map<int64_t, std::pair<int64_t, std::shared_ptr<const View>>> older;  // with the time of the last use
  Status look_status;                                                        // of the last look
  int64_t looks = 0;                                                         // looks that have ended
  int64_t looked_ms = 0;    // when the last one began, by the monotonic clock
  int64_t looking_ms = -1;  // when the one under way began
  int64_t at_least = 0;     // a number that is known to be published
  bool is_wanted = false;   // somebody waits for a look
  bool ends = false;
  std::thread looker, preparer;

  State(ViewsSurroundings surroundings, StopSource source) : in(std::move(surroundings)), stop(std::move(source)) {}
  ~State() {
    stop.Stop();
    {
      const std::lock_guard<std::mutex> lock(mutex);
      ends = true;
    }
    changed.notify_all();
    if (looker.joinable()) looker.join();
    if (preparer.joinable()) preparer.join();
  }

  int64_t now_ms() const { return in.clock->MonotonicMs(); }

  // The newest number. Where the store cannot even tell that, it is away; any other failure is the crawl's.
  Result<int64_t> NewestNumber(int64_t known) {
    if (known >= 0 && looks % kListEvery != kListEvery - 1) {
      for (int64_t number = known;; ++number) {
        const Result<bool> is_there = in.store->Exists(SnapshotPath(number + 1));
        if (!is_there.ok()) return StoreAway("the crawl's store does not answer: " + is_there.status().message());
        if (!*is_there) return number;
      }
    }
    const auto listed = in.store->List(kSnapshotsFolder, /*recursive=*/false);
    if (!listed.ok()) return StoreAway("the crawl's store does not answer: " + listed.status().message());
    return PresentNumber(in.store);
  }

  Status Look(const std::shared_ptr<const View>& known) {
    ARROW_ASSIGN_OR_RAISE(const int64_t number, NewestNumber(known == nullptr ? -1 : known->number()));
    if (known != nullptr && known->number() == number) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(Snapshot snapshot, ReadSnapshot(in.store, number));
    ARROW_ASSIGN_OR_RAISE(auto view, MakeView(in, std::move(snapshot)));
    const std::lock_guard<std::mutex> lock(mutex);
    present = std::move(view);
    return Status::OK();
  }

  void RunLooker() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return ends || is_wanted; });
      if (ends) return;
      is_wanted = false;
      looking_ms = now_ms();
      const std::shared_ptr<const View> known = present;
      lock.unlock();
      Status status = Look(known);
      lock.lock();
      look_status = std::move(status);
      looked_ms = looking_ms;
      looking_ms = -1;
      ++looks;
      changed.notify_all();
    }
  }

  void RunPreparer() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return ends || (present != nullptr && present != prepared); });
      if (ends) return;
      const std::shared_ptr<const View> view = present;
      lock.unlock();
      if (in.prepare) in.prepare(*view, stop.token());
      lock.lock();
      if (ends) return;
      prepared = view;
      changed.notify_all();
    }
  }

  // `refresh_ms`: how old the last look may be.
  Result<std::shared_ptr<const View>> Present(int64_t refresh_ms) {
    std::unique_lock<std::mutex> lock(mutex);
    const auto is_fresh = [this, refresh_ms] {
      return present != nullptr && looks > 0 && look_status.ok() && present->number() >= at_least &&
             now_ms() - looked_ms < refresh_ms;
    };
    if (is_fresh()) return present;
    const auto is_hung = [this] { return looking_ms >= 0 && now_ms() - looking_ms > kPatienceMs; };
    if (!is_hung()) {
      // A look that is under way may have begun before what the caller knows of: wait for the next one then.
      const int64_t wanted = looks + (looking_ms >= 0 && present != nullptr && present->number() < at_least ? 2 : 1);
      const int64_t until_ms = now_ms() + kPatienceMs;
      while (looks < wanted && !ends && now_ms() < until_ms) {
        if (looking_ms < 0) is_wanted = true;
        changed.notify_all();
        changed.wait_for(lock, std::chrono::milliseconds(100));
      }
      if (looks >= wanted) {
        ARROW_RETURN_NOT_OK(look_status);
        return present;
      }
    }
    return StoreAway("the crawl's store has not answered for some seconds");
  }

  // A store that is slow to answer for the first time is no reason not to start.
  Status WaitForFirst() {
    const int64_t until_ms = now_ms() + in.start_wait_ms;
    const Status status = Present(in.refresh_ms).status();
    std::unique_lock<std::mutex> lock(mutex);
    if (looks > 0) return status;
    if (in.say) in.say("the crawl's store has not answered for some seconds; waiting for it");
    while (looks == 0) {
      ARROW_RETURN_NOT_OK(in.stop.Check());
      if (now_ms() >= until_ms) return status;
      changed.wait_for(lock, std::chrono::milliseconds(100));
    }
    return look_status;
  }
};

Result<std::unique_ptr<Views>> Views::Make(ViewsSurroundings surroundings) {
  ARROW_ASSIGN_OR_RAISE(StopSource source, StopSource::Make());
  std::unique_ptr<Views> views(new Views());
  views->state_ = std::make_unique<State>(std::move(surroundings), std::move(source));
  State* const state = views->state_.get();
  state->looker = std::thread([state] { state->RunLooker(); });
  state->preparer = std::thread([state] { state->RunPreparer(); });
  ARROW_RETURN_NOT_OK(state->WaitForFirst());
  return views;
}

Views::~Views() = default;

Result<std::shared_ptr<const View>> Views::Present() { return state_->Present(state_->in.refresh_ms); }
Status Views::Check() { return state_->Present(-1).status(); }

Result<std::shared_ptr<const View>> Views::Prepared(const StopToken& stop) {
  // Long enough for a small crawl to be counted, so that its answers are of the present.
  constexpr int64_t kWaitMs = 20;
  ARROW_ASSIGN_OR_RAISE(const auto present, Present());
  std::unique_lock<std::mutex> lock(state_->mutex);
  const int64_t until_ms = state_->now_ms() + kWaitMs;
  const auto is_ready = [&] { return state_->prepared != nullptr && state_->prepared->number() >= present->number(); };
  while (!is_ready() && !state_->ends) {
    if (state_->prepared != nullptr && state_->now_ms() >= until_ms) break;
    ARROW_RETURN_NOT_OK(stop.Check());
    state_->changed.wait_for(lock, std::chrono::milliseconds(10));
  }
  return state_->prepared != nullptr ? state_->prepared : present;
}

Result<std::shared_ptr<const View>> Views::At(int64_t number) {
  ARROW_ASSIGN_OR_RAISE(const auto present, Present());
  if (number == present->number()) return present;
  if (number > present->number()) {
    return Unknown("there is no snapshot " + std::to_string(number) + " yet; the newest is " +
                   std::to_string(present->number()));
  }
  State& state = *state_;
  {
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (state.prepared != nullptr && state.prepared->number() == number) return state.prepared;
    const auto found = state.older.find(number);
    if (found != state.older.end()) {
      found->second.first = state.now_ms();
      return found->second.second;
    }
  }
  ARROW_ASSIGN_OR_RAISE(Snapshot snapshot, ReadSnapshot(state.in.store, number));
  ARROW_ASSIGN_OR_RAISE(auto view, MakeView(state.in, std::move(snapshot)));
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.older[number] = {state.now_ms(), view};
  while (state.older.size() > kMostOlder) {
    const auto longest = std::min_element(state.older.begin(), state.older.end(),
                                          [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
    state.older.erase(longest);
  }
  return view;
}

void Views::Published(int64_t number) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->at_least = std::max(state_->at_least, number);
}

}  // namespace trawl
