// Looks URLs up and changes their rows as the operator says. Writes the rows that change, or only counts. One thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/slot_range.h"
#include "jobs/policy/score_standings.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/policy/url_change.h"
#include "jobs/refresh/refresh.h"
#include "jobs/stats/totals.h"
#include "jobs/urls/url_selection.h"
#include "runtime/job/counters.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

// What trawl urls set is asked for.
struct UrlOrder {
  UrlSelection selection;
  UrlChange change;
};
Json ToJson(const UrlOrder& order);
arrow::Result<UrlOrder> UrlOrderFromJson(const Json& json);

// Where the rows go; null where they are only counted.
struct UrlRuns {
  RunWriter<UrlRow>* urls = nullptr;
  RunWriter<RobotsRow>* robots = nullptr;
};

// What decides a score by rule, and what follows from a score.
struct ScoringOptions {
  bool priorities = true;  // SitemapOptions
  RefreshOptions refresh;
};
// `context` reads options: that of a task or a verb.
template <typename Context>
arrow::Result<ScoringOptions> ReadScoringOptions(const Context& context) {
  ScoringOptions options;
  ARROW_ASSIGN_OR_RAISE(const SitemapOptions sitemaps, context.Read(SitemapOptionGroup()));
  options.priorities = sitemaps.priority;
  ARROW_ASSIGN_OR_RAISE(options.refresh, context.Read(RefreshOptionGroup()));
  return options;
}

class UrlSetter {
 public:
  // The store, the counters, the samples and what the runs name outlive it. `now_ms` is the time of the operator's word.
  static arrow::Result<std::unique_ptr<UrlSetter>> Open(Store* store, const Manifest& snapshot, UrlOrder order,
                                                        const ScoringOptions& scoring, TimeMs now_ms, UrlRuns runs,
                                                        Counters* counters, Samples* samples);

  // Takes one URL that was named. REQUIRES for both: URLs come in the order of the table.
  arrow::Status Take(RowPlace place) { return Take(place, order_.change); }
  // The same with a change of its own.
  arrow::Status Take(RowPlace place, const UrlChange& change);
  // Takes every URL of these slots that the selection has.
  arrow::Status TakeAll(SlotRange slots, const StopToken& stop);

  const UrlTally& tally() const { return tally_; }

 private:
  UrlSetter(UrlOrder order, ScoringOptions scoring, TimeMs now_ms, UrlRuns runs, Counters* counters, Samples* samples,
            const std::shared_ptr<const Table>& urls, const std::shared_ptr<const Table>& robots, bool has_budgets,
            std::unique_ptr<ScoreStandings> standings)
      : order_(std::move(order)),
        scoring_(std::move(scoring)),
        now_ms_(now_ms),
        runs_(runs),
        counters_(*counters),
        samples_(*samples),
        table_(urls),
        urls_(urls),
        robots_(robots),
        has_budgets_(has_budgets),
        standings_(std::move(standings)) {}

  // Takes a URL whose row is in row_.
  arrow::Status Change(const UrlChange& change);
  // Lets the robots.txt of the row's origin be asked for again, where it was the reason.
  arrow::Status AskRobotsAgain(const UrlRow& before);

  const UrlOrder order_;
  const ScoringOptions scoring_;
  const TimeMs now_ms_;
  const UrlRuns runs_;
  Counters& counters_;
  Samples& samples_;  // URLs that the crawl does not know
  const std::shared_ptr<const Table> table_;
  KnownRows<UrlRow> urls_;
  KnownRows<RobotsRow> robots_;
  const bool has_budgets_;  // patterns may have budgets
  const std::unique_ptr<ScoreStandings> standings_;
  UrlTally tally_;
  UrlRow row_;
  RobotsRow robots_row_;
  std::string origin_;  // the last one whose robots.txt was looked at
};

}  // namespace trawl
