#include "jobs/writes/seed_sorter.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/inject/seed_line.h"
#include "jobs/policy/scope.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/known_rows.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The rules of one robots.txt are made of up to half a MiB. What is above this for one batch is not read.
constexpr size_t kMostRobotsBytes = size_t{64} << 20;

// A URL that is not bad.
struct GoodUrl {
  uint32_t slot = 0;
  std::string key;
  size_t order = 0;
  size_t number = 0;  // within the order

  auto Place() const { return std::tie(slot, key, order, number); }
};

bool HasControls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

const SeedOrder& SeedsOf(const BatchOrder& one) { return std::get<SeedOrder>(*one.order); }

class SeedSorter {
 public:
  SeedSorter(const std::vector<BatchOrder>& batch, const StopToken& stop) : batch_(batch), stop_(stop) {
    sorted_.orders.resize(batch.size());
  }

  Status ReadUrls(SeedReader* reader) {
    for (size_t order = 0; order < batch_.size(); ++order) {
      const SeedOrder& seeds = SeedsOf(batch_[order]);
      for (size_t number = 0; number < seeds.urls.size(); ++number) {
        if (number % 1024 == 0) ARROW_RETURN_NOT_OK(stop_.Check());
        Read(reader, order, number);
      }
    }
    std::sort(urls_.begin(), urls_.end(), [](const GoodUrl& a, const GoodUrl& b) { return a.Place() < b.Place(); });
    return Status::OK();
  }

  Status LookUp(const std::shared_ptr<const Table>& table) {
    KnownKeys keys(table);
    for (size_t begin = 0; begin < urls_.size();) {
      if (begin % 1024 == 0) ARROW_RETURN_NOT_OK(stop_.Check());
      const GoodUrl& first = urls_[begin];
      size_t end = begin + 1;
      while (end < urls_.size() && urls_[end].key == first.key) ++end;
      ARROW_ASSIGN_OR_RAISE(const std::optional<SidecarEntry> entry, keys.Find({first.slot, first.key}));
      Share(begin, end, entry && entry->state != 0);
      begin = end;
    }
    return Status::OK();
  }

  Status AskRobots(const std::shared_ptr<const Table>& table, const RobotsReading& reading) {
    KnownRows<RobotsRow> rows(table);
    std::vector<std::vector<Json>> words(batch_.size());
    for (size_t order = 0; order < batch_.size(); ++order) words[order].resize(SeedsOf(batch_[order]).urls.size());
    std::string origin;
    std::optional<RobotsWord> word;
    size_t bytes = 0;
    RobotsRow row;
    for (const GoodUrl& url : urls_) {
      if (OriginPartOfKey(url.key) != origin || !word) {
        ARROW_RETURN_NOT_OK(stop_.Check());
        origin.assign(OriginPartOfKey(url.key));
        if (bytes > kMostRobotsBytes) {
          word.emplace("not looked up: the order is about too many hosts");
        } else {
          ARROW_ASSIGN_OR_RAISE(const bool found, rows.Find({url.slot, origin}, &row));
          if (found) bytes += row.text.size();
          word.emplace(found ? &row : nullptr, reading);
        }
      }
      ARROW_ASSIGN_OR_RAISE(const std::string normalised, UrlOfKey(url.key));
      words[url.order][url.number] = word->Of(SeedsOf(batch_[url.order]).urls[url.number], normalised);
    }
    for (size_t order = 0; order < batch_.size(); ++order) {
      for (Json& json : words[order]) {
        if (!json.is_null()) sorted_.orders[order].robots.push_back(std::move(json));
      }
    }
    return Status::OK();
  }

  SortedBatch Take() { return std::move(sorted_); }

 private:
  void Read(SeedReader* reader, size_t order, size_t number) {
    const SeedOrder& seeds = SeedsOf(batch_[order]);
    const std::string& url = seeds.urls[number];
    const auto refuse = [&](const std::string& reason) {
      sorted_.orders[order].bad.push_back({{"url", url}, {"reason", reason}});
    };
    if (HasControls(url)) return refuse("a URL has no control characters");
    SeedLine line;
    const Result<bool> read = reader->Read(LineOfSeed(seeds, url), &line);
    if (!read.ok()) return refuse(read.status().message());
    if (!*read) return refuse("not a URL");
    urls_.push_back({SlotOfKey(line.key), std::move(line.key), order, number});
  }

  // All of one key.
  void Share(size_t begin, size_t end, bool is_known) {
    std::optional<size_t> first, last;  // orders
    for (size_t i = begin; i < end; ++i) {
      const size_t order = urls_[i].order;
      const bool is_past = batch_[order].past.has_value();
      if (!first && !is_past) first = order;
      if (first == order) {
        sorted_.lines.push_back(LineOfSeed(SeedsOf(batch_[order]), SeedsOf(batch_[order]).urls[urls_[i].number]));
      }
      if (last == order) continue;
      last = order;
      ++(is_known || first != order ? sorted_.orders[order].known : sorted_.orders[order].queued);
    }
  }

  const std::vector<BatchOrder>& batch_;
  const StopToken& stop_;
  std::vector<GoodUrl> urls_;
  SortedBatch sorted_;
};

}  // namespace

std::string LineOfSeed(const SeedOrder& order, const std::string& url) {
  std::string line = url;
  if (order.tier) line += "\tpriority=" + TextOf(*order.tier);
  if (order.interval_ms) line += "\tinterval=" + FormatDuration(*order.interval_ms);
  for (const auto& [name, value] : order.metadata) line += "\t" + name + "=" + value;
  return line;
}

Result<SortedBatch> SortSeeds(Store* store, const Manifest& snapshot, const Plan& plan, const RobotsReading& reading,
                              const std::vector<BatchOrder>& batch, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(snapshot.normal_form));
  ARROW_ASSIGN_OR_RAISE(const CrawlScope scope, SeedScopeOfPlan(store, plan));
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const auto robots, Table::Open<RobotsRow>(store, snapshot));
  SeedReader reader(form, &scope);
  SeedSorter sorter(batch, stop);
  ARROW_RETURN_NOT_OK(sorter.ReadUrls(&reader));
  ARROW_RETURN_NOT_OK(sorter.LookUp(urls));
  ARROW_RETURN_NOT_OK(sorter.AskRobots(robots, reading));
  return sorter.Take();
}

}  // namespace trawl
