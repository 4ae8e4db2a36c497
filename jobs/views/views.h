// The door of jobs/views: which snapshot answers a request, the newest one or the one that it names. A view of it is shared by all.
// One thread of its own looks for a newer snapshot, so that a store that hangs stops that thread and no other: requests then
// fail with 503 until it answers again. Any thread.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "arrow/result.h"
#include "formats/url/normal.h"
#include "runtime/options/resolve.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/store.h"
#include "runtime/tables/table.h"

namespace trawl {

// One snapshot, open for reading, with what was found out about it.
class View {
 public:
  View(Store* store, Snapshot snapshot, EffectiveOptions options, NormalForm normal_form, int threads);
  ~View();
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  Store* store() const { return store_; }
  const Snapshot& snapshot() const { return snapshot_; }
  const Manifest& manifest() const { return snapshot_.manifest; }
  int64_t number() const { return snapshot_.manifest.number; }
  // The effective options, with the settings of this snapshot.
  const EffectiveOptions& options() const { return options_; }
  NormalForm normal_form() const { return normal_form_; }
  int threads() const { return threads_; }

  // The table, opened once.
  template <typename Row>
  arrow::Result<std::shared_ptr<const Table>> Open() const {
    return Once<std::shared_ptr<const Table>>(std::string("table ") + Row::kTable,
                                              [this] { return Table::Open<Row>(store_, manifest()); });
  }

  // A value of this snapshot that is made once, however many ask at the same time; the others wait for it. One that could
  // not be made is tried again by whoever asks next. Whoever waits for another is ended by `stop`. REQUIRES: a name always has
  // the same type.
  template <typename T>
  arrow::Result<T> Once(const std::string& name, const std::function<arrow::Result<T>()>& make,
                        const StopToken& stop = {}) const {
    ARROW_ASSIGN_OR_RAISE(const std::any value, OnceAny(
                                                    name,
                                                    [&make]() -> arrow::Result<std::any> {
                                                      ARROW_ASSIGN_OR_RAISE(T made, make());
                                                      return std::any(std::move(made));
                                                    },
                                                    stop));
    return std::any_cast<T>(value);
  }

 private:
  arrow::Result<std::any> OnceAny(const std::string& name, const std::function<arrow::Result<std::any>()>& make,
                                  const StopToken& stop) const;

  Store* const store_;
  const Snapshot snapshot_;
  const EffectiveOptions options_;
  const NormalForm normal_form_;
  const int threads_;
  struct Values;
  const std::unique_ptr<Values> values_;
};

struct ViewsSurroundings {
  Store* store = nullptr;
  const EffectiveOptions* options = nullptr;
  const Clock* clock = nullptr;
  int64_t refresh_ms = 2000;
  int threads = 1;
  // Runs on the thread of its own for each new snapshot, before Prepared gives it out: makes the values whose making takes
  // long. A failure is kept for whoever asks for the value.
  std::function<void(const View& view, const StopToken& stop)> prepare = {};
  // How long Make waits for a store that does not answer, unless `stop` ends that; it says that it waits.
  int64_t start_wait_ms = 60'000;
  StopToken stop = {};
  std::function<void(const std::string& text)> say = {};
};

class Views {
 public:
  // Opens the present, but does not wait for it to be prepared.
  static arrow::Result<std::unique_ptr<Views>> Make(ViewsSurroundings surroundings);
  ~Views();
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  // The newest snapshot, as it was at most refresh_ms ago.
  arrow::Result<std::shared_ptr<const View>> Present();
  // The newest snapshot that has been prepared; waits for the first. It may be some older than the present while a large
  // crawl is being counted.
  arrow::Result<std::shared_ptr<const View>> Prepared(const StopToken& stop);
  // That snapshot: 404 where it does not exist yet. The last few stay open.
  arrow::Result<std::shared_ptr<const View>> At(int64_t number);
  // This process has published it: the next Present is at least that one.
  void Published(int64_t number);
  // Looks now, however short ago that was. A failure says that the store is away, or what of the newest snapshot is damaged.
  arrow::Status Check();

 private:
  Views() = default;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trawl
