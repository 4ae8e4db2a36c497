#include "jobs/writes/writes.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "jobs/writes/batch_order.h"
#include "jobs/writes/order_memory.h"
#include "jobs/writes/past_orders.h"
#include "jobs/writes/pending_order.h"
#include "jobs/writes/write_jobs.h"
#include "runtime/job/plan.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

using std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

// What is read at the start of what was done before: jobs, and orders of them; the newest count.
constexpr size_t kMostPastJobs = 500;
constexpr size_t kMostPastOrders = 20'000;
// How long a job takes to end once it is asked to.
constexpr int64_t kEndingMs = 2'000;
// How often a waiting client looks whether its time is over.
constexpr int64_t kLookMs = 100;

Status NotCarriedOut() {
  return StatusOfKind(StatusKind::kStopped, "the server ends, and the order was not carried out; send it again");
}

Status MayBeCarriedOut() {
  return StatusOfKind(StatusKind::kStopped,
                      "the server ends while the store does not answer: the order may be carried out or not; send it "
                      "again, which does no harm");
}

size_t UrlsOf(const Order& order) {
  const auto* seeds = std::get_if<SeedOrder>(&order);
  return seeds == nullptr ? 1 : seeds->urls.size();
}

struct Waiting {
  std::shared_ptr<PendingOrder> order;
  size_t bytes = 0;
  SteadyTime since;
};

class WriterThread : public Writes {
 public:
  WriterThread(const WriteSurroundings& surroundings, const WriteLimits& limits, StopSource stop)
      : surroundings_(surroundings),
        limits_(limits),
        stop_(std::move(stop)),
        jobs_(surroundings_, stop_.token()),
        memory_(limits.remember_ms, limits.remembered_bytes),
        thread_([this] { Run(); }) {}

  ~WriterThread() override {
    Stop();
    thread_.join();
  }

  TakenOrder Submit(Order order, const OrderName& name) override;
  const OrderOutcome* WaitFor(const OrderTicket& ticket, const StopToken& stop) override;
  std::optional<Json> Find(const std::string& id) override;
  bool Stop() override;

 private:
  using Orders = std::vector<std::shared_ptr<PendingOrder>>;

  void Run();
  Orders TakeBatch(std::unique_lock<std::mutex>* lock);
  void CarryOut(const Orders& orders);
  // Gives the orders of the batch what earlier processes have done of them.
  Status Recall(std::vector<BatchOrder>* batch);
  Status ReadPast();
  bool MayWait();
  TimeMs NowMs() const { return surroundings_.now_ms != kNoTime ? surroundings_.now_ms : surroundings_.clock->NowMs(); }

  const WriteSurroundings surroundings_;
  const WriteLimits limits_;
  const StopSource stop_;
  WriteJobs jobs_;
  bool has_read_past_ = false;  // of the thread alone
  std::atomic<int> waiting_clients_ = 0;

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, idle_;
  std::deque<Waiting> waiting_;
  size_t waiting_bytes_ = 0;
  Orders running_;
  bool is_stopping_ = false;
  bool gives_up_ = false;
  bool is_reading_past_ = true;  // at the start; before orders are carried out
  int64_t waits_good_at_ms_ = 0;
  OrderMemory memory_;
  std::map<std::string, std::shared_ptr<const PastOrder>> past_;  // by the name's key, and by id

  std::thread thread_;  // the last member: it uses the others
};

TakenOrder WriterThread::Submit(Order order, const OrderName& name) {
  const size_t bytes = SizeOf(order);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_stopping_) return {.taking = Taking::kStopping};
  memory_.Forget(surroundings_.clock->MonotonicMs());
  if (!name.key.empty()) {
    if (const auto known = memory_.OfName(name)) {
      if (known->name().fingerprint != name.fingerprint) return {.taking = Taking::kOtherOrder};
      if (!known->has_ended()) return {.taking = Taking::kInProgress};
      return {.ticket = known, .is_repeated = true};
    }
  }
  const bool is_full = waiting_.size() >= limits_.most_orders || waiting_bytes_ + bytes > limits_.most_bytes;
  if (is_full) return {.taking = Taking::kFull};
  std::string id = NewJobId(NameOf(order), NowMs());
  auto pending = std::make_shared<PendingOrder>(std::move(id), std::move(order), name);
  memory_.Add(pending);
  waiting_.push_back({pending, bytes, std::chrono::steady_clock::now()});
  waiting_bytes_ += bytes;
  wake_.notify_all();
  return {.ticket = std::move(pending)};
}

bool WriterThread::MayWait() {
  const std::lock_guard<std::mutex> lock(mutex_);
  // Each wait moves the time at which the last of those in a row is made good.
  const int64_t now_ms = surroundings_.clock->MonotonicMs();
  const int64_t good_at_ms = std::max(waits_good_at_ms_, now_ms) + limits_.wait_again_ms;
  if (good_at_ms - now_ms > limits_.most_waits * limits_.wait_again_ms) return false;
  waits_good_at_ms_ = good_at_ms;
  return true;
}

const OrderOutcome* WriterThread::WaitFor(const OrderTicket& ticket, const StopToken& stop) {
  const OrderOutcome* outcome = ticket.Wait(0);
  if (outcome != nullptr) return outcome;
  const bool may_wait = ++waiting_clients_ <= limits_.most_waiting && MayWait();
  // By a clock: where the machine has other work, a hundred looks take longer than a hundred times one.
  const SteadyTime until = std::chrono::steady_clock::now() + milliseconds(limits_.wait_ms);
  while (outcome == nullptr && may_wait && !stop.stopped()) {
    const int64_t left_ms = std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now()).count();
    if (left_ms <= 0) break;
    outcome = ticket.Wait(std::min(kLookMs, left_ms));
  }
  --waiting_clients_;
  return outcome;
}

std::optional<Json> WriterThread::Find(const std::string& id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto order = memory_.OfId(id)) return order->ToJson();
  const auto past = past_.find(id);
  if (past == past_.end()) return std::nullopt;
  return DoneJson(id, past->second->verb, past->second->answer);
}

bool WriterThread::Stop() {
  std::unique_lock<std::mutex> lock(mutex_);
  is_stopping_ = true;
  wake_.notify_all();
  // What earlier processes have done is of use to orders alone.
  if (is_reading_past_ && waiting_.empty()) stop_.Stop();
  const auto is_idle = [this] { return waiting_.empty() && running_.empty() && !is_reading_past_; };
  if (idle_.wait_for(lock, milliseconds(limits_.finish_ms), is_idle)) return true;
  gives_up_ = true;
  for (const Waiting& one : waiting_) one.order->End({.status = NotCarriedOut(), .answer = {}});
  waiting_.clear();
  waiting_bytes_ = 0;
  stop_.Stop();
  if (idle_.wait_for(lock, milliseconds(kEndingMs), is_idle)) return true;
  for (const auto& order : running_) order->End({.status = MayBeCarriedOut(), .answer = {}});
  return false;
}

WriterThread::Orders WriterThread::TakeBatch(std::unique_lock<std::mutex>* lock) {
  wake_.wait(*lock, [this] { return is_stopping_ || !waiting_.empty(); });
  if (waiting_.empty()) return {};
  const SteadyTime until = waiting_.front().since + milliseconds(limits_.collect_ms);
  wake_.wait_until(*lock, until, [this] { return is_stopping_ || waiting_.size() >= limits_.most_orders; });
  Orders batch;
  std::deque<Waiting> others;
  size_t urls = 0;
  bool is_full = false;
  // The oldest decides of which kind they are. Orders of a kind keep their order.
  for (Waiting& one : waiting_) {
    const bool is_of_kind = batch.empty() || batch.front()->order().index() == one.order->order().index();
    is_full = is_full || (is_of_kind && !batch.empty() && urls + UrlsOf(one.order->order()) > limits_.most_urls);
    if (!is_of_kind || is_full) {
      others.push_back(std::move(one));
      continue;
    }
    urls += UrlsOf(one.order->order());
    waiting_bytes_ -= one.bytes;
    one.order->Begin();
    batch.push_back(std::move(one.order));
  }
  waiting_ = std::move(others);
  return batch;
}

void WriterThread::Run() {
  // What fails here is tried again when an order has a name.
  (void)ReadPast();
  std::unique_lock<std::mutex> lock(mutex_);
  is_reading_past_ = false;
  idle_.notify_all();
  while (true) {
    running_ = TakeBatch(&lock);
    if (running_.empty()) return;  // only where it is to stop
    const Orders orders = running_;
    lock.unlock();
    CarryOut(orders);
    lock.lock();
    running_.clear();
    idle_.notify_all();
    if (gives_up_) return;
  }
}

void WriterThread::CarryOut(const Orders& orders) {
  std::vector<BatchOrder> batch;
  for (const auto& order : orders)
    batch.push_back({.order = &order->order(), .id = order->id(), .name = order->name()});
  const Status recalled = Recall(&batch);
  if (recalled.ok()) {
    std::vector<BatchOrder> to_do;
    std::vector<size_t> places;
    for (size_t i = 0; i < batch.size(); ++i) {
      if (!batch[i].outcome.status.ok()) continue;  // it is settled already
      to_do.push_back(std::move(batch[i]));
      places.push_back(i);
    }
    if (!to_do.empty()) jobs_.CarryOut(&to_do);
    for (size_t i = 0; i < places.size(); ++i) batch[places[i]] = std::move(to_do[i]);
  } else {
    for (BatchOrder& one : batch) one.outcome.status = recalled;
  }
  // Whoever hears that an order has failed may use its name again at once.
  const std::lock_guard<std::mutex> lock(mutex_);
  const int64_t now_ms = surroundings_.clock->MonotonicMs();
  for (size_t i = 0; i < orders.size(); ++i) {
    OrderOutcome& outcome = batch[i].outcome;
    if (KindOf(outcome.status) == StatusKind::kStopped) outcome.status = NotCarriedOut();
    orders[i]->End(std::move(outcome));
    orders[i]->LetGo();
    memory_.NoteEnd(orders[i], now_ms);
  }
}

Status WriterThread::ReadPast() {
  if (has_read_past_) return Status::OK();
  const TimeMs since_ms = surroundings_.clock->NowMs() - limits_.remember_ms;
  ARROW_ASSIGN_OR_RAISE(const auto orders, ReadPastOrders(surroundings_.store, since_ms, kMostPastJobs, stop_.token()));
  has_read_past_ = true;
  const std::lock_guard<std::mutex> lock(mutex_);
  const size_t first = orders.size() - std::min(orders.size(), kMostPastOrders);
  for (size_t i = first; i < orders.size(); ++i) {
    const auto order = std::make_shared<const PastOrder>(orders[i]);
    past_[order->id] = order;
    if (!order->name.key.empty()) past_[order->name.key] = order;
  }
  return Status::OK();
}

Status WriterThread::Recall(std::vector<BatchOrder>* batch) {
  const bool has_names =
      std::any_of(batch->begin(), batch->end(), [](const BatchOrder& one) { return !one.name.key.empty(); });
  if (!has_names) return Status::OK();
  ARROW_RETURN_NOT_OK(ReadPast());
  const std::lock_guard<std::mutex> lock(mutex_);
  for (BatchOrder& one : *batch) {
    const auto past = one.name.key.empty() ? past_.end() : past_.find(one.name.key);
    if (past == past_.end()) continue;
    if (past->second->name.fingerprint == one.name.fingerprint) {
      one.past = *past->second;
    } else {
      one.outcome.status = UsageError("this Idempotency-Key was that of another order; take a new one");
    }
  }
  return Status::OK();
}

}  // namespace

Result<std::unique_ptr<Writes>> Writes::Start(const WriteSurroundings& surroundings, const WriteLimits& limits) {
  ARROW_ASSIGN_OR_RAISE(StopSource stop, StopSource::Make());
  return std::make_unique<WriterThread>(surroundings, limits, std::move(stop));
}

}  // namespace trawl
