// The history of a crawl: a sample per round, at the time at which it was applied.
#include <algorithm>
#include <map>

#include "jobs/metrics/families.h"
#include "jobs/metrics/metrics.h"
#include "jobs/stats/round.h"
#include "runtime/root/layout.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;

namespace {

// Families of many rounds, with samples of one name together, as OpenMetrics wants them.
class History {
 public:
  void Add(std::vector<MetricFamily> families, TimeMs at_ms) {
    for (MetricFamily& family : families) {
      const auto [place, is_new] = places_.emplace(family.name, families_.size());
      if (is_new) families_.push_back({family.name, family.type, family.help, {}, {}});
      for (MetricSample& sample : family.samples) {
        sample.at_ms = at_ms;
        families_[place->second].samples.push_back(std::move(sample));
      }
    }
  }
  // Samples of one series must stand together, in the order of their times; and those of one histogram together.
  std::string Text() {
    for (MetricFamily& family : families_) {
      std::map<std::pair<MetricLabels, std::string>, size_t> first;
      for (size_t i = 0; i < family.samples.size(); ++i) first.emplace(SeriesOf(family.samples[i]), first.size());
      std::stable_sort(family.samples.begin(), family.samples.end(), [&](const MetricSample& a, const MetricSample& b) {
        if (family.type == MetricType::kHistogram) return a.at_ms < b.at_ms;
        return first[SeriesOf(a)] < first[SeriesOf(b)];
      });
    }
    return MetricsText(families_, MetricsFormat::kOpenMetrics);
  }

 private:
  static std::pair<MetricLabels, std::string> SeriesOf(const MetricSample& sample) {
    return {sample.labels, sample.suffix};
  }

  std::map<std::string, size_t> places_;
  std::vector<MetricFamily> families_;
};

int64_t CountOf(const Json& object, const char* name) {
  const Result<int64_t> count = object.is_object() ? GetInt(object, name) : Result<int64_t>(0);
  return count.ok() ? *count : 0;
}

// The manifest as far as the document tells it: its number and its totals.
Result<Manifest> ManifestOfRound(const Json& round, TimeMs at_ms) {
  Manifest manifest;
  manifest.number = CountOf(round, "snapshot");
  manifest.published_ms = at_ms;
  if (HasMember(round, "totals")) {
    ARROW_ASSIGN_OR_RAISE(manifest.totals, TotalsFromJson(round["totals"]));
  }
  if (HasMember(round, "storage")) {
    manifest.tables["all"] = {{.run = "all", .bytes = CountOf(round["storage"], "tables")}};
  }
  return manifest;
}

bool IsOfThePast(const std::string& name) {
  return name != "trawl_build_info" && name != "trawl_open_segments" && name != "trawl_segment_hold_seconds" &&
         name != "trawl_snapshot_published_timestamp_seconds";
}

Result<std::vector<MetricFamily>> FamiliesOfRound(const Json& round, const std::string& crawl, TimeMs at_ms) {
  ARROW_ASSIGN_OR_RAISE(const Manifest manifest, ManifestOfRound(round, at_ms));
  EverSums ever;
  const bool has_ever = AddEver(round, &ever);
  std::vector<MetricFamily> families = CrawlFamilies(
      {.crawl = crawl, .now_ms = at_ms, .manifest = &manifest, .ever = has_ever ? &ever : nullptr, .round = &round});
  std::erase_if(families, [](const MetricFamily& family) { return !IsOfThePast(family.name); });
  return families;
}

}  // namespace

Result<std::string> MetricsHistory(Store* store, const Manifest& manifest, const std::string& crawl, size_t rounds,
                                   const StopToken& stop) {
  std::vector<const ClosedSegment*> chosen;
  const auto& closed = manifest.closed_segments;
  for (auto segment = closed.rbegin(); segment != closed.rend(); ++segment) {
    if (segment->end != SegmentEnd::kApplied || segment->round.empty()) continue;
    if (rounds > 0 && chosen.size() == rounds) break;
    chosen.push_back(&*segment);
  }
  History history;
  TimeMs last_ms = -1;
  for (auto segment = chosen.rbegin(); segment != chosen.rend(); ++segment) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(RoundPath((*segment)->updatedb)));
    if (!is_there) continue;
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> round, ReadRound(store, **segment));
    const Result<std::string> applied = GetString(*round, "applied");
    const Result<TimeMs> at_ms = applied.ok() ? ParseTimestamp(*applied) : applied.status();
    const bool is_fetch = GetString(*round, "kind").ValueOr("round") == "round";
    // A series goes forward in time; --now may have set a time before that of the round before.
    if (!at_ms.ok() || !is_fetch || *at_ms <= last_ms) continue;
    last_ms = *at_ms;
    ARROW_ASSIGN_OR_RAISE(auto families, FamiliesOfRound(*round, crawl, *at_ms));
    history.Add(std::move(families), *at_ms);
  }
  return history.Text();
}

}  // namespace trawl
